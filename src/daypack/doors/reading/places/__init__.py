"""Places of a text in the file that it was read from."""
