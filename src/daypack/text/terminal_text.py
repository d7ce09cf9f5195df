"""Texts of a terminal: the columns that they fill, and their control sequences.

"鍵"                                    2 columns; a combining mark has none
"\\x1b[31m\\x1b[1m1 failed\\x1b[0m"    "1 failed", with sequences for its colour
"""

from __future__ import annotations

import re
import unicodedata

_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-Z\\^-~])"
)


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


def without_escapes(text: str) -> str:
    """The text without control sequences; one that was cut off stays."""
    return _SEQUENCE.sub("", text) if "\x1b" in text else text


def last_shown(text: str) -> str:
    """Output as a terminal shows it at the end: without colours, each overwritten line in its last state."""
    shown = without_escapes(text).replace("\r\n", "\n")
    if "\r" not in shown:
        return shown
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in shown.split("\n"))
