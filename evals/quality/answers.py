"""Answers and packs as every system gives them, and the options that a system is opened with.

A system indexes one collection and answers the queries that search it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from evals.quality.datasets import EvalQuery

DEPTH = 100  # distinct documents of a ranking


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack: its items, the tokens it counts as rendered, citations that lead back to their text and all
    citations, and o200k tokens of its texts and of all.
    """

    items: list[dict[str, Any]]
    used: int | None = None
    cites: tuple[int, int] | None = None
    content: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Ranked items, packs by budget, and CPU milliseconds by step."""

    ranked: list[dict[str, Any]]
    packs: dict[int, Packed] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)

    def line(self, query_id: str) -> dict[str, Any]:
        """One line of results."""
        line: dict[str, Any] = {
            "id": query_id,
            "ranked": self.ranked,
            "packs": {str(b): p.items for b, p in self.packs.items()},
        }
        if used := {str(b): p.used for b, p in self.packs.items() if p.used is not None}:
            line["used"] = used
        if cites := {str(b): list(p.cites) for b, p in self.packs.items() if p.cites is not None}:
            line["cites"] = cites
        if content := {str(b): list(p.content) for b, p in self.packs.items() if p.content is not None}:
            line["content"] = content
        return {**line, "ms": self.ms} if self.ms else line


class System(Protocol):
    """An index over one collection; `size` is the number of chunks or pieces in it."""

    @property
    def size(self) -> int: ...

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Options:
    """Options that Daypack runs with. `vectors` and `packing` as on its command line."""

    vectors: str = "all"
    packing: str = "auto"
    embedder: str = "minilm"
    without: tuple[str, ...] = ()  # signals that ranking leaves out


def since(started: float) -> float:
    """CPU milliseconds."""
    return round(1000 * (time.process_time() - started), 3)


def cut(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A ranking up to its document number DEPTH."""
    seen: set[str] = set()
    kept = []
    for item in items:
        if item["doc_id"] not in seen and len(seen) == DEPTH:
            continue
        seen.add(item["doc_id"])
        kept.append(item)
    return kept
