"""A fold for the ranking: the first positions of a view, with arrays, runs and sums that were prepared in a file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from daypack.rank.views.runs import Runs
from daypack.types.arrays import Array, Bools, Floats, Int8s, Ints, UInt8s, UInt32s, UInt64s


class FoldedVectors(NamedTuple):
    """Instant vectors of a table, one for each position, in the form of `VectorView`, with their signs by word. All arrays have
    room for more positions.
    """

    model: str
    scales: Floats
    codes: Int8s
    signs: UInt64s


class Totals(NamedTuple):
    """The numbers of living chunks of prose and of code, int64 (2,), and the sums of their lengths by field, (2, fields)."""

    living: Ints
    lengths: Ints

    def changed(self, code: Bools, lengths: Array, sign: int) -> Totals:
        """The totals after chunks with these columns are added (`sign` 1) or removed (-1)."""
        living, sums = self.living.copy(), self.lengths.copy()
        for is_code, here in enumerate((~code, code)):
            living[is_code] += sign * np.count_nonzero(here)
            sums[is_code] += sign * lengths[here].sum(axis=0, dtype=np.int64)
        return Totals(living, sums)


def no_chunks(fields: int) -> Totals:
    return Totals(np.zeros(2, dtype=np.int64), np.zeros((2, fields), dtype=np.int64))


class Fold(NamedTuple):
    """The first `rows` positions of a view. `columns`, `flags` and `bodies` (the lengths of the bodies) have room for more.

    `totals` count the chunks without a tombstone. Each segment has chunks with ascending ids, from `first_ids` to `last_ids`,
    at the positions from `starts` to `ends`.
    """

    generation: str
    rows: int
    first_ids: Ints
    last_ids: Ints
    starts: Ints
    ends: Ints
    columns: Array
    flags: UInt8s
    bodies: UInt32s
    records: Runs
    groups: Runs | None  # None when each group is a record
    sections: Runs
    totals: Totals
    vectors: FoldedVectors | None

    def positions_of(self, chunk_ids: Ints) -> Ints:
        """The position of each chunk id; -1 for an id that is not in the fold."""
        found = np.full(len(chunk_ids), -1, dtype=np.int64)
        ids = self.columns["chunk_id"]
        each = chunk_ids[:, None]
        # Pairs (id, segment that may have it), all searched at once in halving steps, which read little of the column.
        which, segment = np.nonzero((each >= self.first_ids) & (each <= self.last_ids))
        wanted, low, high = chunk_ids[which], self.starts[segment], self.ends[segment] - 1
        while (low < high).any():
            middle = (low + high) // 2
            less = ids[middle] < wanted
            low, high = np.where(less, middle + 1, low), np.where(less, high, middle)
        hits = ids[low] == wanted
        found[which[hits]] = low[hits]
        return found
