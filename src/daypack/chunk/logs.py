"""Logs: groups of entries, each of which begins with a date, a time or a level."""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.chunk.sizing import PIECE_TOKENS, Draft, characters, split_runs
from daypack.types import PieceKind

_ENTRY = re.compile(
    r"[ \t]*[\[(<]?(?:\d{4}[-/.]\d\d[-/.]\d\d|\d{1,2}[-/.](?:\d\d|[A-Za-z]{3})[-/.]\d{2,4}|\d{1,2}:\d\d:\d\d|\d{10,13}(?:\.\d+)?\b"
    r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b|[A-Z]\d{4} \d\d:)"
)
_SAMPLE_LINES = 200


def cut_log(text: str) -> Iterator[Draft]:
    """Groups of log entries; the lines of a stack trace stay with the entry they follow."""
    limit = characters(text, PIECE_TOKENS)
    head = text[: limit * 64].split("\n")[:_SAMPLE_LINES]
    lines = [line for line in head if line.strip()]
    entries = sum(1 for line in lines if _ENTRY.match(line))
    # Without known dates, every line is an entry of its own.
    spans = split_runs(text, 0, len(text), limit) if entries * 5 < len(lines) else _entry_runs(text, limit)
    for start, end in spans:
        yield Draft(start, end, PieceKind.BLOCK)


def _entry_runs(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Runs of about `limit` characters that begin with an entry, searched backwards from the limit."""
    start, size = 0, len(text)
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
