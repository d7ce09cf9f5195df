"""The texts of a pool, read when a signal asks for them, and kept for the next signal."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container, Mapping, Sequence

import numpy as np

from daypack.rank.bm25 import MatchedTerm
from daypack.types.arrays import Bools, Ints, UInt32s

MOST = 4.0  # the highest value, of the only text with a rare string; a short quotation has 1
SURE = 4  # telling words, from which a repeated text is certainly meant
READ = 200  # texts that have all of some terms


def certainty(telling: int) -> float:
    """The certainty, 0 to 1, that a text is meant which repeats so many telling words exactly."""
    return min(1.0, max(0, telling - 1) / (SURE - 1))


class Texts:
    """The texts of a pool, with the frequencies `tf` (terms, n) of the query's terms, those in the four fields as one number.
    `code`, bool (n,), is True for chunks of code.
    """

    def __init__(
        self,
        terms: Sequence[MatchedTerm],
        tf: UInt32s,
        chunk_ids: Ints,
        code: Bools,
        texts_of: Callable[[Sequence[int]], Mapping[int, str]],
    ) -> None:
        self.terms, self.tf, self.chunk_ids, self.code = terms, tf, chunk_ids, code
        self._texts_of = texts_of
        self._read: dict[int, str] = {}

    def having(self, wanted: Container[str]) -> Bools:
        """Bool (terms, n): which texts have which of those wanted terms that are in the query."""
        rows = [row for row, term in enumerate(self.terms) if term.term in wanted]
        had: Bools = self.tf[rows] > 0
        return had

    def having_all(self, wanted: Container[str]) -> Ints:
        """The places of the first texts that have all of those wanted terms that are in the query."""
        had = self.having(wanted)
        return np.flatnonzero(had.all(axis=0))[: READ if len(had) else 0]

    def at(self, places: Ints) -> list[str]:
        """The texts at these places of the pool; "" for a text that is gone."""
        ids = self.chunk_ids[places].tolist()
        if new := [chunk_id for chunk_id in ids if chunk_id not in self._read]:
            self._read.update(self._texts_of(new))
        return [self._read.get(chunk_id, "") for chunk_id in ids]

    def matching(self, places: Ints, pattern: re.Pattern[str], end: int = sys.maxsize) -> Ints:
        """Those of these places whose text has a match of a pattern before its character `end`."""
        return places[[pattern.search(text, 0, end) is not None for text in self.at(places)]]
