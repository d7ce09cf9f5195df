"""Texts: a scanner for each format makes blocks (prose.py, markup.py), and blocks.py joins and cuts them to drafts."""
