"""The map of a repository: files by rank, and in each its symbols in order, as many as a budget holds.

    src/pay/retry.py
      35 def call_with_retry(action: Callable[[], T], policy: RetryPolicy) -> T

The budget limits the rendered text: the map shows the largest number of symbols that fits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from daypack.doors.code.graph.facts import RankedSymbols
from daypack.doors.code.types import CodeMap, Seen, SymbolRow
from daypack.guard.fences import one_line

if TYPE_CHECKING:
    from daypack.doors.code.graph.relations import CodeGraph

SIGNATURE_CHARACTERS = 160
NAME_CHARACTERS = 200


def fitted_map(
    graph: CodeGraph, ranked: RankedSymbols, budget: int, count: Callable[[str], int], seen: Seen
) -> CodeMap:
    """The map of the best symbols that fits into `budget` tokens, with a line for each hint below. A larger budget shows at
    least the same symbols.

    A symbol takes several tokens, so `ranked` needs no more symbols than the budget has tokens.
    """
    closing = "".join(f"[{one_line(text, 240)}]\n" for _, text in seen.hints)
    known = [
        (place, symbol, share) for place, share in ranked.best if (symbol := graph.symbol(place)) is not None
    ]
    lines = [
        (place.uri, symbol.line, one_line(symbol.signature or symbol.qualified, SIGNATURE_CHARACTERS))
        for place, symbol, _ in known
    ]
    sizes = range(1, len(known) + 1)
    least = bisect_right(sizes, budget, key=lambda size: count(_render(lines[:size]) + closing))
    text = _render(lines[:least]) + closing
    if count(text) > budget:  # no symbol fits then, and the hints do not
        text = ""
    rows = tuple(SymbolRow.of(place.uri, symbol) for place, symbol, _ in known[:least])
    mass = sum(share for _, _, share in known[:least])
    return CodeMap(text, budget, count(text), rows, ranked.symbols, ranked.files, round(mass, 6), seen)


def _render(lines: Sequence[tuple[str, int, str]]) -> str:
    files: dict[str, list[tuple[int, str]]] = {}
    for uri, number, text in lines:
        files.setdefault(uri, []).append((number, text))
    out = []
    for uri, found in files.items():
        out.append(one_line(uri, NAME_CHARACTERS))
        out += [f"  {number} {text}" for number, text in sorted(found)]
    return "\n".join(out) + "\n" if out else ""
