"""Runs, comparisons and fits for readers: text for a terminal, and pages without a script."""
