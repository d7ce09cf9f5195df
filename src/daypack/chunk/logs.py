"""Logs: groups of entries, each of which begins with a date, a time or a level. Remarkable lines and their neighbours are
separate pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from daypack.chunk.sizing import PIECE_TOKENS, Draft, characters, split_runs
from daypack.text import logs
from daypack.types import PieceKind

_ENTRY = re.compile(
    r"[ \t]*[\[(<]?(?:\d{4}[-/.]\d\d[-/.]\d\d|\d{1,2}[-/.](?:\d\d|[A-Za-z]{3})[-/.]\d{2,4}|\d{1,2}:\d\d:\d\d|\d{10,13}(?:\.\d+)?\b"
    r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b|[A-Z]\d{4} \d\d:)"
)
_SAMPLE_LINES = 200
_FURTHER = 30  # lines; a stack trace seldom has more


def cut_log(text: str) -> Iterator[Draft]:
    """Groups of log entries; the lines of a stack trace belong to the entry before them."""
    limit = characters(text, PIECE_TOKENS)
    head = text[: limit * 64].split("\n")[:_SAMPLE_LINES]
    lines = [line for line in head if line.strip()]
    # In a log without known dates, each line is an entry.
    dated = sum(1 for line in lines if _ENTRY.match(line)) * 5 >= len(lines)
    runs = _entry_runs if dated else split_runs
    position = 0
    for start, end in _remarkable(text):
        if dated:
            start, end = _to_entries(text, start, end, position)
        for first, last in runs(text, position, start, limit):
            yield Draft(first, last, PieceKind.BLOCK)
        for first, last in split_runs(text, start, end, limit):
            yield Draft(first, last, PieceKind.ALERT)
        position = end
    for first, last in runs(text, position, len(text), limit):
        yield Draft(first, last, PieceKind.BLOCK)


def _remarkable(text: str) -> Iterator[tuple[int, int]]:
    """The spans of groups of remarkable lines."""
    lines = text.split("\n")
    found = logs.groups(lines)
    starts = [0, *accumulate(len(line) + 1 for line in lines)] if found else []
    for group in found:
        yield starts[group.first], min(len(text), starts[group.end])


def _to_entries(text: str, start: int, end: int, least: int) -> tuple[int, int]:
    """The span, widened to whole entries: by at most `_FURTHER` lines at each side, and not to offsets below `least`."""
    first = start
    for _ in range(_FURTHER):
        if first <= least or _ENTRY.match(text, first):
            break
        first = text.rfind("\n", least, first - 1) + 1 or least
    last = end
    for _ in range(_FURTHER):
        if last >= len(text) or _ENTRY.match(text, last):
            break
        last = text.find("\n", last) + 1 or len(text)
    return max(first, least), max(last, least)


def _entry_runs(text: str, start: int, size: int, limit: int) -> Iterator[tuple[int, int]]:
    """Runs of about `limit` characters, each beginning with an entry; the beginning is searched backwards from the limit."""
    while size - start > limit:
        cut = text.rfind("\n", start, start + limit) + 1
        while cut > start and not _ENTRY.match(text, cut):
            cut = text.rfind("\n", start, cut - 1) + 1
        if cut <= start:  # one entry fills the run
            yield from split_runs(text, start, start + limit, limit)
            start += limit
        else:
            yield start, cut
            start = cut
    if start < size:
        yield start, size
