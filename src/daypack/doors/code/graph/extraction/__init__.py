"""The facts of one file, read from its text alone: symbols, mentions and imports of code, links of pages."""
