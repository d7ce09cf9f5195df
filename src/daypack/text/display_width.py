"""The width of a text in a terminal, where a Chinese character fills two columns and a combining mark none."""

from __future__ import annotations

import unicodedata


def display_width(text: str) -> int:
    """The columns that a line fills."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A line with blanks up to a width, behind it, or before it where it ends flush `right`."""
    blanks = " " * (width - display_width(text))
    return blanks + text if right else text + blanks


def _width(character: str) -> int:
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    return 0 if unicodedata.category(character) in ("Mn", "Me", "Cf") else 1
