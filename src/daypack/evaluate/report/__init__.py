"""Runs, comparisons and fits as people read them: text for a terminal, and pages without a script."""
