"""Figures measured on stores that were really run, read from a JSON file; everything else is computed from them."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Figures(NamedTuple):
    """Costs by the number of chunks of a scope, and rates; sizes rise."""

    search_ms: Mapping[int, float]  # CPU of a warm hybrid search, the question's own vector included
    opening_ms: Mapping[
        int, float
    ]  # CPU until a scope that was not in memory has answered by words and vectors
    resident_bytes: float  # of a server, a chunk of a scope in memory
    stored_bytes: float  # of PostgreSQL's tables and indexes, a chunk
    loaded_a_second: float  # chunks written by one client, by the clock
    embedded_a_second: float  # chunks, by one CPU

    @staticmethod
    def read(file: Path) -> Figures:
        """The figures of `file`. Raises KeyError for one that is missing, ValueError where no size was measured."""
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        search, opening = (
            {
                int(size): float(cost)
                for size, cost in sorted(found[name].items(), key=lambda pair: int(pair[0]))
            }
            for name in ("search_ms", "opening_ms")
        )
        if not search or not opening:
            raise ValueError(f"{file}: no size was measured")
        rates = {name: float(found[name]) for name in Figures._fields[2:]}
        return Figures(search, opening, **rates)


def cost_at(costs: Mapping[int, float], chunks: float) -> float:
    """The cost for so many chunks: a straight line between measured sizes, the nearest slope beyond the largest,
    and the cost of the smallest below it.
    """
    sizes = list(costs)
    if len(sizes) == 1 or chunks <= sizes[0]:
        return costs[sizes[0]]
    after = min(max(bisect_left(sizes, chunks), 1), len(sizes) - 1)
    low, high = sizes[after - 1], sizes[after]
    return costs[low] + (costs[high] - costs[low]) * (chunks - low) / (high - low)
