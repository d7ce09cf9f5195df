"""PDF and Office documents: extract.py runs program.py in a separate process, which may crash."""
