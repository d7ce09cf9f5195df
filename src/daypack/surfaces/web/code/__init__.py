"""Views of code: a map of the repository, symbols by name, and one symbol between its callers and callees."""
