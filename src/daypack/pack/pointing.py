"""Pointing: the place of a text that a question points at, by a line of a file or by words that are there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from daypack.text.paths import names_path
from daypack.text.verbatim import Message, find
from daypack.types import AnchorKind, Chunk, Frame, Query, RecordKind

LEAST_PRINTED = 3  # words of a message in a row; two where they begin a string


class Pointing(NamedTuple):
    """`lines` are frames: a path, a line of that file and the function that should be there, `said` texts that a chunk may
    hold word for word, `patterns` regular expressions for a line that it may have, and `messages` those that code may print.
    """

    lines: Sequence[Frame] = ()
    said: Sequence[str] = ()
    patterns: Sequence[str] = ()
    messages: Sequence[Message] = ()

    def place(self, chunk: Chunk) -> int | None:
        """The character of the chunk's text at which the query points; None for no place."""
        for frame in self.lines:
            first, last = chunk.place.start_line, chunk.place.end_line
            if first <= frame.line <= last and names_path(chunk.uri, frame.path):
                line = frame.line if chunk.pages is None else chunk.pages.in_text(frame.line, frame.line)[0]
                at = _start_of(chunk.text, max(0, line - chunk.span.start_line))
                if _is_in(frame.function, chunk, at):
                    return at
        for text in self.said:
            if (at := find(text, chunk.text)) >= 0:
                return at
        for pattern in self.patterns:
            if match := re.search(pattern, chunk.text):
                return match.start()
        return self._printed(chunk) if chunk.record_kind is RecordKind.CODE else None

    def _printed(self, chunk: Chunk) -> int | None:
        """The longest run of a message in the strings of a text."""
        text = chunk.text.casefold()
        runs = [
            run
            for message in self.messages
            for run in message.runs(text)
            if run.end - run.first >= LEAST_PRINTED or run.begins
        ]
        # A letter that becomes two in small letters moves those behind it.
        if not runs or len(text) != len(chunk.text):
            return None
        return max(runs, key=lambda run: run.end - run.first).at


NOWHERE = Pointing()


def pointing_of(query: Query) -> Pointing:
    """The places that a query points at."""
    lines = (*query.lines, *query.frames)
    keys = [key.removeprefix("--") for key in query.keys]
    quoted = [anchor.text for anchor in query.anchors if anchor.kind is AnchorKind.QUOTED]
    said = tuple(dict.fromkeys((*query.messages, *keys, *quoted)))
    patterns = query.requirement.lines if query.requirement is not None else ()
    maybe = (Message(text, is_sure=False) for text in query.maybe_messages)
    return Pointing(lines, said, patterns, (*map(Message, query.messages), *maybe))


def _is_in(function: str, chunk: Chunk, at: int) -> bool:
    """True where a function of a stack trace is around its line, or may be: the stored file may be another version."""
    name = re.split(r"[.:#]", function)[-1]
    above = " ".join((*chunk.trail, chunk.name, chunk.text[:at]))
    return not name or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", above) is not None


def _start_of(text: str, line: int) -> int:
    """The character at which a line of a text begins, counted from 0."""
    at = 0
    for _ in range(line):
        at = text.find("\n", at) + 1
    return at
