"""Texts made for printers and terminals: pages of plain text, man pages, manuals of GNU Info."""
