"""The map of a repository: files by rank, and in each its symbols as they stand, as many as a budget holds.

    src/pay/retry.py
      35 def call_with_retry(action: Callable[[], T], policy: RetryPolicy) -> T

The budget is on the text that leaves: the largest number of symbols is looked for whose rendered map counts no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from daypack.code_types import CodeMap, CodeSymbol, Place, SymbolRow
from daypack.guard.fences import one_line

SIGNATURE_CHARACTERS = 160
NAME_CHARACTERS = 200


class Symbols(Protocol):
    """Where the symbol of a place is looked up."""

    def symbol(self, place: Place) -> CodeSymbol | None: ...


def fitted_map(graph: Symbols, ranked: Sequence[tuple[Place, float]], budget: int, count: Callable[[str], int]) -> CodeMap:
    """The map of the best symbols that counts at most `budget`. A larger budget shows at least the same symbols."""
    lines = {place: _line(symbol) for place, _ in ranked if (symbol := graph.symbol(place)) is not None}
    known = [(place, rank) for place, rank in ranked if place in lines]
    # A symbol takes a handful of tokens, so no more than this many can fit; the search need not look behind them.
    least, most = 0, min(len(known), budget)
    while least < most:
        middle = (least + most + 1) // 2
        if count(_render(known[:middle], lines)) <= budget:
            least = middle
        else:
            most = middle - 1
    text = _render(known[:least], lines)
    rows = [
        SymbolRow(symbol.qualified, symbol.kind.value, place.uri, symbol.start_line, symbol.end_line, symbol.signature, symbol.doc)
        for place, _ in known[:least]
        if (symbol := graph.symbol(place)) is not None
    ]
    total = sum(rank for _, rank in known)
    mass = sum(rank for _, rank in known[:least]) / total if total else 0.0
    return CodeMap(text, budget, count(text), tuple(rows), len(known), len({place.uri for place, _ in known}), round(mass, 6))


def _render(ranked: Sequence[tuple[Place, float]], lines: dict[Place, tuple[int, str]]) -> str:
    files: dict[str, list[tuple[int, str]]] = {}
    for place, _ in ranked:
        files.setdefault(place.uri, []).append(lines[place])
    out = []
    for uri, found in files.items():
        out.append(one_line(uri, NAME_CHARACTERS))
        out += [f"  {number} {text}" for number, text in sorted(found)]
    return "\n".join(out) + "\n" if out else ""


def _line(symbol: CodeSymbol) -> tuple[int, str]:
    return symbol.line, one_line(symbol.signature or symbol.qualified, SIGNATURE_CHARACTERS)
