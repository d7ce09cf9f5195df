"""Retrieval and assembly: what a request may find, how it is ranked, and the text in sections that comes of it."""
