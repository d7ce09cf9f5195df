"""PDF and Office documents: extract.py starts program.py in a process of its own, which may die."""
