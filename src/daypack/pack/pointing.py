"""Pointing: the place of a text that a question points at, by a line of a file or by words that are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from daypack.text.paths import names_path
from daypack.text.verbatim import find
from daypack.types import AnchorKind, Chunk, Query


class Pointing(NamedTuple):
    """`lines` are pairs of a path and a line of that file, `said` texts that a chunk may hold word for word."""

    lines: Sequence[tuple[str, int]] = ()
    said: Sequence[str] = ()

    def place(self, chunk: Chunk) -> int | None:
        """The character of the chunk's text at which the query points; None for no place."""
        for path, line in self.lines:
            if chunk.span.start_line <= line <= chunk.span.end_line and names_path(chunk.uri, path):
                return _start_of(chunk.text, line - chunk.span.start_line)
        for text in self.said:
            if (at := find(text, chunk.text)) >= 0:
                return at
        return None


NOWHERE = Pointing()


def pointing_of(query: Query) -> Pointing:
    """The places that a query points at. A line of a stack trace counts where it names no function: the stored file may be another version."""
    lines = [(frame.path, frame.line) for frame in (*query.lines, *query.frames) if not frame.function]
    keys = [key.removeprefix("--") for key in query.keys]
    quoted = [one.text for one in query.anchors if one.kind is AnchorKind.QUOTED]
    return Pointing(lines, tuple(dict.fromkeys((*query.sayings, *keys, *quoted))))


def _start_of(text: str, line: int) -> int:
    """The character at which a line of a text begins, counted from 0."""
    at = 0
    for _ in range(line):
        at = text.find("\n", at) + 1
    return at
