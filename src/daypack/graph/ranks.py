"""What matters in a repository: personalised PageRank over the edges between symbols (Page et al., 1999).

A symbol hands its rank on along its edges, in shares of their weights; what it cannot hand on, and a fixed share of everything, goes back
to where a reader begins: everywhere alike, or in the places that are in focus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from daypack.code_types import MODULE, Edge, Place, Relation
from daypack.graph.relations import AMBIGUOUS, WEIGHTS, CodeGraph

DAMPING = 0.85
TOLERANCE = 1e-6  # of the sum of changes in one round
MOST_ROUNDS = 100
TEST_START = 0.1  # how much a symbol of a test is begun with, against any other
FOCUS_START = 50.0  # … and one in focus

_HANDED_ON = (Relation.CALLS, Relation.USES, Relation.EXTENDS, Relation.IMPORTS, Relation.LINKS)


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


def ranked_symbols(graph: CodeGraph, uris: Sequence[str], edges: Sequence[Edge], focus: Sequence[str] = ()) -> list[tuple[Place, float]]:
    """Symbols of these files that a reader would ask for, best first; members and definitions, nothing inside of functions.

    `edges` are those of the files. A focus is a file or a folder.
    """
    numbers: dict[Place, int] = {}
    shown: list[Place] = []
    for uri in uris:
        facts = graph.project.facts(uri)
        numbers[Place(uri, MODULE)] = len(numbers)
        for index, symbol in enumerate(facts.symbols if facts is not None else ()):
            place = Place(uri, index)
            numbers[place] = len(numbers)
            if not _is_local(graph, place) and symbol.name:
                shown.append(place)
    weighed: dict[tuple[int, int], float] = {}
    for edge in edges:
        if edge.relation in _HANDED_ON and edge.source in numbers and edge.target in numbers:
            key = (numbers[edge.source], numbers[edge.target])
            weighed[key] = max(weighed.get(key, 0.0), WEIGHTS[edge.relation] * (AMBIGUOUS if edge.ambiguous else 1.0))
    start = [_start(place, graph, focus) for place in numbers]
    ranks = page_rank(len(numbers), [(a, b, weight) for (a, b), weight in weighed.items()], start)
    found = [(place, ranks[numbers[place]] * (_start(place, graph, focus) if graph.is_test(place.uri) else 1.0)) for place in shown]
    return sorted(found, key=lambda item: (-item[1], item[0]))


def _start(place: Place, graph: CodeGraph, focus: Sequence[str]) -> float:
    weight = TEST_START if graph.is_test(place.uri) else 1.0
    if any(place.uri == path or place.uri.startswith(path.rstrip("/") + "/") for path in focus):
        weight = FOCUS_START
    return weight


def _is_local(graph: CodeGraph, place: Place) -> bool:
    """Whether a symbol stands inside a function."""
    from daypack.graph.resolve import FUNCTIONS

    symbol = graph.symbol(place)
    while symbol is not None and symbol.parent != MODULE:
        symbol = graph.symbol(Place(place.uri, symbol.parent))
        if symbol is not None and symbol.kind in FUNCTIONS:
            return True
    return False


def by_file(ranked: Sequence[tuple[Place, float]]) -> Mapping[str, list[Place]]:
    """Ranked places under their files: files in the order of their best place, places in the order in which they stand."""
    found: dict[str, list[Place]] = {}
    for place, _ in ranked:
        found.setdefault(place.uri, []).append(place)
    return {uri: sorted(places) for uri, places in found.items()}
