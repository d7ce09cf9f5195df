"""The texts of a pool, read when a signal asks for them, and kept for the next signal."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING

from daypack.rank.bm25 import MatchedTerm

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Texts:
    """`tf` are the frequencies (terms, n) of the query's terms; `code`, bool (n,), is true of chunks of code."""

    def __init__(
        self,
        terms: Sequence[MatchedTerm],
        tf: NDArray[np.uint32],
        chunk_ids: NDArray[np.int64],
        code: NDArray[np.bool_],
        texts_of: Callable[[Sequence[int]], Mapping[int, str]],
    ) -> None:
        self.code = code
        self._terms, self._tf, self._chunk_ids, self._texts_of = terms, tf, chunk_ids, texts_of
        self._read: dict[int, str] = {}

    def having(self, wanted: Container[str]) -> NDArray[np.bool_]:
        """Bool (terms, n): which texts have each of the wanted terms that the query has."""
        rows = [row for row, term in enumerate(self._terms) if term.term in wanted]
        had: NDArray[np.bool_] = self._tf[rows] > 0
        return had

    def at(self, places: NDArray[np.int64]) -> list[str]:
        """The texts at these places of the pool; "" for a text that is gone."""
        ids = self._chunk_ids[places].tolist()
        if new := [one for one in ids if one not in self._read]:
            self._read.update(self._texts_of(new))
        return [self._read.get(one, "") for one in ids]
