"""Extracts of code: the worth of each line, the seams between lines, and the run of lines that is worth most between two seams."""
