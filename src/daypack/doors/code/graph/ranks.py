"""The symbols that matter in a repository: personalised PageRank over the edges between symbols (Page et al., 1999).

A symbol passes its rank on along its edges, in proportion to their weights. The rank of a symbol without edges, and a fixed
share of all rank, returns to the start: to all places alike, or to those in focus.

Here places are nodes 0 … n - 1, file after file: the file itself, then its symbols in order. So the edges of a hundred
thousand files are three arrays, and only the shown symbols become places again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from daypack.doors.code.graph.extraction.pages import PAGES
from daypack.doors.code.graph.facts import FUNCTIONS, MODULE, CodePlace, CodeSymbol, RankedSymbols
from daypack.doors.code.graph.relations import CodeGraph
from daypack.text.paths import is_aside_path
from daypack.types.arrays import Float64s, Ints

DAMPING = 0.85
TOLERANCE = 1e-6  # for the sum of the changes in a round: a smaller sum ends the search
MOST_ROUNDS = 100
# the start weight of a symbol in a test, in a path set aside, or in a file that a program wrote, where others have 1: a
# vendored header has more symbols, which use each other more, than the program itself
BESIDE_START = 0.1
FOCUS_START = 50.0  # … and of a symbol in focus
_FILE_BITS = 32  # the file's number is above these bits of a target, until nodes are numbered


class Weights(NamedTuple):
    """The edges between all symbols of a project, and the symbols that a reader would ask for."""

    uris: Sequence[str]
    # the node of each file, and at the end the number of nodes; a file without symbols of code has no nodes
    first: Ints
    shown: Ints  # ascending nodes of definitions and members, without those inside of functions
    source: Ints
    target: Ints
    weight: Float64s

    def place(self, node: int) -> CodePlace:
        file = int(np.searchsorted(self.first, node, side="right")) - 1
        return CodePlace(self.uris[file], node - int(self.first[file]) - 1)


def weights_of(graph: CodeGraph, uris: Sequence[str], check: Callable[[], None]) -> Weights:
    """The edges of these files, which must be sorted; of several edges between two places only the heaviest counts. `check`
    is called before each file, and may raise Stopped.
    """
    numbers = {uri: number for number, uri in enumerate(uris)}
    sizes, shown = array("q"), array("q")
    source, target, weight = array("q"), array("q"), array("d")
    nodes = 0
    for uri in uris:
        check()
        facts = graph.project.facts(uri)
        if facts is None or not facts.symbols or facts.language in PAGES:
            sizes.append(0)
            continue
        shown.extend(nodes + 1 + index for index in _outside_functions(facts.symbols))
        for start, end, weighs in graph.weights_of(uri):
            if (file := numbers.get(end.uri)) is not None:
                source.append(nodes + 1 + start.symbol)
                target.append(file << _FILE_BITS | end.symbol + 1)
                weight.append(weighs)
        sizes.append(len(facts.symbols) + 1)
        nodes += sizes[-1]
    first = np.concatenate([[0], np.cumsum(_integers(sizes))])
    aims = _integers(target)
    files, symbols = aims >> _FILE_BITS, aims & ((1 << _FILE_BITS) - 1)
    inside = symbols < _integers(sizes)[files]  # not in a file that has no nodes
    keys = _integers(source)[inside] * max(nodes, 1) + first[files[inside]] + symbols[inside]
    weighed = np.frombuffer(weight, dtype=np.float64)[inside] if weight else np.empty(0)
    order = np.lexsort((weighed, keys))
    order = order[np.append(keys[order][1:] != keys[order][:-1], True)] if len(order) else order
    return Weights(
        uris,
        first,
        _integers(shown),
        keys[order] // max(nodes, 1),
        keys[order] % max(nodes, 1),
        weighed[order],
    )


def _outside_functions(symbols: Sequence[CodeSymbol]) -> list[int]:
    """Named symbols outside of functions; parents come before their members."""
    local: list[bool] = []
    for symbol in symbols:
        local.append(
            symbol.parent != MODULE and (local[symbol.parent] or symbols[symbol.parent].kind in FUNCTIONS)
        )
    return [index for index, symbol in enumerate(symbols) if symbol.name and not local[index]]


def _integers(values: array[int]) -> Ints:
    return np.frombuffer(values, dtype=np.int64) if values else np.empty(0, dtype=np.int64)


def page_rank(source: Ints, target: Ints, weight: Float64s, start: Float64s) -> Float64s:
    """The ranks of nodes 0 … n - 1, with sum 1. Each `weight` is above 0; `start` has a weight for each node."""
    size = len(start)
    if not size:
        return start
    begin = start / start.sum() if start.sum() > 0 else np.full(size, 1 / size)
    total = np.bincount(source, weight, minlength=size)
    share = weight / total[source]
    rank = begin
    for _ in range(MOST_ROUNDS):
        lost = rank[total == 0].sum()
        following = (1 - DAMPING) * begin + DAMPING * (
            np.bincount(target, rank[source] * share, minlength=size) + lost * begin
        )
        change = np.abs(following - rank).sum()
        rank = following
        if change < TOLERANCE:
            break
    found: Float64s = rank / rank.sum()
    return found


def ranked_symbols(graph: CodeGraph, weights: Weights, focus: Sequence[str], most: int) -> RankedSymbols:
    """The `most` symbols with the highest ranks. A focus is a file or a folder."""
    generated = graph.project.generated
    beside = np.asarray(
        [graph.is_test_file(uri) or is_aside_path(uri) or uri in generated for uri in weights.uris],
        dtype=bool,
    )
    folders = tuple(path.rstrip("/") + "/" for path in focus)
    focused = np.asarray([uri in focus or uri.startswith(folders) for uri in weights.uris], dtype=bool)
    starts = np.where(focused, FOCUS_START, np.where(beside, BESIDE_START, 1.0))
    sizes = np.diff(weights.first)
    ranks = page_rank(weights.source, weights.target, weights.weight, np.repeat(starts, sizes))
    shown = weights.shown
    value = (ranks * np.repeat(np.where(beside, starts, 1.0), sizes))[shown]
    order = np.lexsort((shown, -value))[:most]
    shares = value[order] / (value.sum() or 1.0)
    files = len(np.unique(np.searchsorted(weights.first, shown, side="right")))
    return RankedSymbols(
        [(weights.place(int(node)), float(share)) for node, share in zip(shown[order], shares, strict=True)],
        len(shown),
        files,
    )


def file_ranks(graph: CodeGraph, weights: Weights) -> dict[str, float]:
    """File → the share of all rank, in [0, 1], that its symbols have; files without symbols are missing."""
    found: dict[str, float] = {}
    for place, share in ranked_symbols(graph, weights, (), len(weights.shown)).best:
        found[place.uri] = found.get(place.uri, 0.0) + share
    return found
