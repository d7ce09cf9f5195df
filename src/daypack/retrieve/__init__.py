"""Query → scores by position. Reads the index, returns plain arrays."""
