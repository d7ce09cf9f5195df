"""Edges: the lines at the ends of an excerpt of code that close blocks which it does not show."""

from __future__ import annotations

import re

_CLOSER = re.compile(r"[ \t]*+(?:[)\]};,]++|end|done|esac|fi)[;,)]*+[ \t]*+")


def without_closers(text: str) -> tuple[int, int]:
    """(start, end) of a text of code without the lines of its edges that are blank or close a block which it does not open;
    the whole text where nothing else is there. At the end these are lines with less indentation than all others.
    """
    lines = text.split("\n")
    first, end = 0, len(lines)
    while first < end and (not lines[first].strip() or _CLOSER.fullmatch(lines[first])):
        first += 1
    if first == end:
        return 0, len(text)
    said = end
    while not lines[said - 1].strip() or _CLOSER.fullmatch(lines[said - 1]):
        said -= 1
    least = min([_indent(line) for line in lines[first:said] if line.strip()])
    while end > said and (not lines[end - 1].strip() or _indent(lines[end - 1]) < least):
        end -= 1
    start = sum([len(line) + 1 for line in lines[:first]])
    return start, start + len("\n".join(lines[first:end])) if end < len(lines) else len(text)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
