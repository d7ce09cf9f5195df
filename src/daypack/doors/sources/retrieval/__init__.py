"""Retrieval and assembly: filters, ranking, and the resulting text in sections."""
