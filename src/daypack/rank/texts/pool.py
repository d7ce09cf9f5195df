"""The texts of a pool, read when a signal asks for them, and kept for the next signal."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.bm25 import MatchedTerm

if TYPE_CHECKING:
    from numpy.typing import NDArray

# worth of the only text that holds what few texts hold, on the scale of a short quotation
MOST = 4.0
SURE = 4  # telling words from which a text repeated letter for letter is as sure as any
MARKS = "\"'`.,:;!?()[]{}"
READ = 200  # texts that have all of some terms


def certainty(telling: int) -> float:
    """0 to 1: how sure a text is meant that repeats so many telling words letter for letter."""
    return min(1.0, max(0, telling - 1) / (SURE - 1))


class Texts:
    """`tf` are the frequencies (terms, n) of the query's terms, those of the four fields as one number; `code`, bool (n,), is
    true of chunks of code.
    """

    def __init__(
        self,
        terms: Sequence[MatchedTerm],
        tf: NDArray[np.uint32],
        chunk_ids: NDArray[np.int64],
        code: NDArray[np.bool_],
        texts_of: Callable[[Sequence[int]], Mapping[int, str]],
    ) -> None:
        self.terms, self.tf, self.chunk_ids, self.code = terms, tf, chunk_ids, code
        self._texts_of = texts_of
        self._read: dict[int, str] = {}

    def having(self, wanted: Container[str]) -> NDArray[np.bool_]:
        """Bool (terms, n): which texts have each of the wanted terms that the query has."""
        rows = [row for row, term in enumerate(self.terms) if term.term in wanted]
        had: NDArray[np.bool_] = self.tf[rows] > 0
        return had

    def having_all(self, wanted: Container[str]) -> NDArray[np.int64]:
        """The places of the first texts that have each of the wanted terms that the query has."""
        had = self.having(wanted)
        return np.flatnonzero(had.all(axis=0))[: READ if len(had) else 0]

    def at(self, places: NDArray[np.int64]) -> list[str]:
        """The texts at these places of the pool; "" for a text that is gone."""
        ids = self.chunk_ids[places].tolist()
        if new := [one for one in ids if one not in self._read]:
            self._read.update(self._texts_of(new))
        return [self._read.get(one, "") for one in ids]
