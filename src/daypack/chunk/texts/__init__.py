"""Texts to pieces: a scanner a format makes blocks (prose.py, markup.py), and blocks.py joins and cuts them."""
