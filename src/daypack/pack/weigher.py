"""The weigher: how much of a query's weight a part of a text holds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from daypack.pack.pointing import NOWHERE, Pointing
from daypack.text import analysis

Part = tuple[int, int]
"""Half-open characters of a chunk's text."""


class Weigher:
    """The terms of one query as bits. The terms that a text holds are one number, its mark; marks of parts join by `|`."""

    def __init__(self, term_weights: Mapping[str, float], pointing: Pointing = NOWHERE) -> None:
        self.pointing = pointing
        self._bits = {term: 1 << i for i, term in enumerate(term_weights)}
        self._marks: dict[str, int] = {}  # of the words that hold a query term
        self._seen: set[str] = set()  # words that were analysed; candidates share most words
        sums = _Sums(term_weights.values())
        self._total = sums[(1 << len(self._bits)) - 1]
        self.weight: Callable[[int], float] = sums.__getitem__
        """Mark → the weight of its terms."""

    def part(self, mark: int) -> float:
        """The share of the query's weight that the terms of a mark have."""
        return self.weight(mark) / self._total if self._total else 0.0

    def marks(self, text: str, pieces: Sequence[Part]) -> list[int]:
        """The mark of each piece of a text. The pieces follow each other from its beginning, and cut no word."""
        marks = [0] * len(pieces)
        blank = f" {analysis.blanked(text)} "
        telling = self._telling({*blank.split()})
        if telling:
            starts = [start for start, _ in pieces]
            for word in telling:
                mark, whole = self._marks[word], f" {word} "
                at = blank.find(whole)
                while at != -1:
                    marks[bisect_right(starts, at) - 1] |= mark
                    at = blank.find(whole, at + len(word) + 1)
        return marks

    def _telling(self, words: set[str]) -> set[str]:
        """The words that hold a query term."""
        new = words - self._seen
        self._seen |= new
        bits = self._bits
        without = bits.keys().isdisjoint
        for word, terms in zip(new, map(analysis.ANALYZER.__getitem__, new), strict=True):
            if not without(terms):
                self._marks[word] = reduce(or_, [bits.get(term, 0) for term in terms])
        return words.intersection(self._marks)


class _Sums(dict[int, float]):
    """Mark → the sum of the weights of its terms."""

    def __init__(self, weights: Iterable[float]) -> None:
        self._weights = [*weights]

    def __missing__(self, mark: int) -> float:
        known = self[mark] = sum([weight for i, weight in enumerate(self._weights) if mark >> i & 1])
        return known
