"""What matters in a repository: personalised PageRank over the edges between symbols (Page et al., 1999).

A symbol hands its rank on along its edges, in shares of their weights; what it cannot hand on, and a fixed share of everything, goes back
to where a reader begins: everywhere alike, or in the places that are in focus.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from daypack.code_types import MODULE, Place
from daypack.graph.relations import CodeGraph
from daypack.graph.resolve import FUNCTIONS

DAMPING = 0.85
TOLERANCE = 1e-6  # of the sum of changes in one round
MOST_ROUNDS = 100
TEST_START = 0.1  # how much a symbol of a test is begun with, against any other
FOCUS_START = 50.0  # … and one in focus


def page_rank(size: int, edges: Sequence[tuple[int, int, float]], start: Sequence[float]) -> list[float]:
    """Ranks of nodes 0 … size - 1, which add up to 1. `edges` are (from, to, weight above 0), `start` weights of beginnings."""
    if not size:
        return []
    begin = np.asarray(start, dtype=np.float64)
    begin = begin / begin.sum() if begin.sum() > 0 else np.full(size, 1 / size)
    source = np.asarray([edge[0] for edge in edges], dtype=np.int64)
    target = np.asarray([edge[1] for edge in edges], dtype=np.int64)
    weight = np.asarray([edge[2] for edge in edges], dtype=np.float64)
    total = np.bincount(source, weight, minlength=size) if len(edges) else np.zeros(size)
    share = weight / total[source] if len(edges) else weight
    rank = begin
    for _ in range(MOST_ROUNDS):
        handed = np.bincount(target, rank[source] * share, minlength=size) if len(edges) else np.zeros(size)
        lost = rank[total == 0].sum()
        following = (1 - DAMPING) * begin + DAMPING * (handed + lost * begin)
        change = np.abs(following - rank).sum()
        rank = following
        if change < TOLERANCE:
            break
    found: list[float] = (rank / rank.sum()).tolist()
    return found


def ranked_symbols(
    graph: CodeGraph, uris: Sequence[str], weights: Sequence[tuple[Place, Place, float]], focus: Sequence[str] = ()
) -> list[tuple[Place, float]]:
    """Symbols of these files that a reader would ask for, best first; members and definitions, nothing inside of functions.

    `weights` are (source, target, weight) of all edges of the files; of several between two places the heaviest counts. A focus is a file
    or a folder.
    """
    numbers: dict[Place, int] = {}
    shown: list[tuple[Place, int]] = []
    start: list[float] = []
    tests: list[bool] = []
    for uri in uris:
        facts = graph.project.facts(uri)
        symbols = facts.symbols if facts is not None else ()
        test = graph.is_test(uri)
        in_focus = any(uri == path or uri.startswith(path.rstrip("/") + "/") for path in focus)
        start += [FOCUS_START if in_focus else TEST_START if test else 1.0] * (len(symbols) + 1)
        tests += [test] * (len(symbols) + 1)
        numbers[Place(uri, MODULE)] = len(numbers)
        local: list[bool] = []  # whether a symbol stands inside a function; parents come before what is in them
        for index, symbol in enumerate(symbols):
            local.append(symbol.parent != MODULE and (local[symbol.parent] or symbols[symbol.parent].kind in FUNCTIONS))
            place = Place(uri, index)
            if symbol.name and not local[index]:
                shown.append((place, len(numbers)))
            numbers[place] = len(numbers)
    weighed: dict[tuple[int, int], float] = {}
    for source, target, weight in weights:
        if (a := numbers.get(source)) is not None and (b := numbers.get(target)) is not None and weighed.get((a, b), 0.0) < weight:
            weighed[a, b] = weight
    ranks = page_rank(len(numbers), [(a, b, weight) for (a, b), weight in weighed.items()], start)
    found = [(place, ranks[number] * (start[number] if tests[number] else 1.0)) for place, number in shown]
    return sorted(found, key=lambda item: (-item[1], item[0]))
