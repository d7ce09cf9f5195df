"""Pieces that the peers index: whole documents in pieces of about 256 tokens, code files in blocks of 40 lines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evals.quality.datasets import Collection
from evals.quality.trees import line_starts

PIECE_CHARS = 1024  # 256 tokens of four characters
BLOCK_LINES = 40
CITATION_TOKENS = 8  # what naming a piece costs in a pack


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a document: half-open characters, and 1-based lines for a file (0 for a record)."""

    doc_id: str
    title: str
    text: str
    start: int
    end: int
    start_line: int = 0
    end_line: int = 0
    scope: str = ""
    time: float | None = None

    @property
    def cost(self) -> int:
        """Tokens in a pack."""
        return math.ceil(len(self.text) / 4) + CITATION_TOKENS

    def item(self, score: float) -> dict[str, Any]:
        where = (
            {"start_line": self.start_line, "end_line": self.end_line}
            if self.end_line
            else {"start": self.start, "end": self.end}
        )
        return {"doc_id": self.doc_id, **where, "score": round(float(score), 6)}


def pieces_of(collection: Collection) -> list[Piece]:
    """The pieces of a collection, in its order; of trees every text file, tests and documentation too."""
    return list(_blocks(collection) if collection.tree is not None else _parts(collection))


def wholes_of(collection: Collection) -> list[Piece]:
    """One piece a document."""
    if collection.tree is not None:
        return [
            Piece(path, path, text, 0, len(text), 1, text.count("\n") + 1)
            for path, text in collection.tree.files()
        ]
    return [
        Piece(r["id"], _title(r), r["text"], 0, len(r["text"]), scope=r.get("scope", ""), time=r.get("time"))
        for r in collection.records
    ]


def _title(record: Any) -> str:
    return " ".join(str(record[name]) for name in ("title", "author") if record.get(name))


def _parts(collection: Collection) -> Iterator[Piece]:
    for whole in wholes_of(collection):
        start = 0
        while start < len(whole.text) or not start:
            end = _break(whole.text, start)
            yield Piece(
                whole.doc_id,
                whole.title,
                whole.text[start:end],
                start,
                end,
                scope=whole.scope,
                time=whole.time,
            )
            start = max(end, 1)


def _break(text: str, start: int) -> int:
    """End of the piece that begins at `start`: behind a paragraph, line, sentence or word of its second half."""
    end = start + PIECE_CHARS
    if end >= len(text):
        return len(text)
    for separator in ("\n\n", "\n", ". ", " "):
        found = text.rfind(separator, start + PIECE_CHARS // 2, end)
        if found >= 0:
            return found + len(separator)
    return end


def _blocks(collection: Collection) -> Iterator[Piece]:
    assert collection.tree is not None
    for path, text in collection.tree.files():
        starts = [*line_starts(text), len(text)]
        for first in range(0, len(starts) - 1, BLOCK_LINES):
            last = min(first + BLOCK_LINES, len(starts) - 1)
            block = text[starts[first] : starts[last]]
            if block.strip():
                yield Piece(path, path, block, starts[first], starts[last], first + 1, last)
