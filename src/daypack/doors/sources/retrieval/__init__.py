"""Retrieval and assembly: what a request may find, how it is ranked, and the resulting text in sections."""
