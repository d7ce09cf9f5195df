"""Vectors of a field of documents, beside those of the common index: made by `vsync`, searched by `vsearch`."""
