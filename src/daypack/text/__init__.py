"""Words and syntax: terms of a text, its syntax tree, and the form in which a store can hold it."""
