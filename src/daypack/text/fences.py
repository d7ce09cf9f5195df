"""Marks around text: fences of Markdown that a text cannot close, and the ranges between marks of markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

_BACKTICKS = "`{3,}"
SECTION_ENDS = {"---": r"(?m)^---[ \t]*$", "script": r"(?i)</script\s*>", "style": r"(?i)</style\s*>"}
"""The closings of the sections of code in a component."""


def fence(text: str) -> str:
    """Backticks that no run of backticks in the text can close."""
    if "```" not in text:
        return "```"
    return "`" * (1 + max(map(len, re.findall(_BACKTICKS, text))))


def enclosed(
    text: str, opening: re.Pattern[str], closings: Mapping[str, str], name_of: Callable[[re.Match[str]], str]
) -> Iterator[tuple[str, re.Match[str], re.Match[str]]]:
    """(name, opening mark, closing mark) of each range, in order, as of scripts and comments in markup. A mark inside a range, or
    without an end, opens none.
    """
    at = 0
    unclosed: set[str] = set()  # each search for an end that is missing reads the rest of the text
    for first in opening.finditer(text):
        name = name_of(first)
        if first.start() < at or name in unclosed:
            continue
        last = re.compile(closings[name]).search(text, first.end())
        if last is None:
            unclosed.add(name)
            continue
        yield name, first, last
        at = last.end()
