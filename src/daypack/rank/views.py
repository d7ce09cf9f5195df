"""One snapshot of the index in memory: columns, postings and vectors as arrays, which ranking reads.

`index.lexical` and `index.vectors` fill them; nothing here reads a store.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from daypack.rank.membership import is_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK = 1 << 19  # components that are widened at once


class ChunkFlag(enum.IntFlag):
    """Properties of a chunk that ranking uses before the text is read."""

    CODE = 1
    EVENT = 2
    TEST = 4  # the path is that of a test
    ASIDE = 8  # the path is that of documentation, an example or vendored code
    IMPORTS = 16  # nothing but import statements: names everything, says nothing
    PAGE = 32  # of a file other than code: documentation, notes, configuration
    GENERATED = 64  # a program wrote the file: it says so, or `.gitattributes` does


class TermPostings(NamedTuple):
    """The occurrences of a term: positions (int64, rising) in the view, and (n, 4) frequencies by field."""

    positions: NDArray[np.int64]
    tf: NDArray[np.uint8]


PostingsOf: TypeAlias = Callable[[str], TermPostings]
"""Term → its postings, without positions where it does not occur."""


def together(found: Sequence[TermPostings]) -> TermPostings:
    """The postings of several terms as those of one word; frequencies are added, up to 255."""
    if len(found) == 1:
        return found[0]
    positions, places = np.unique(np.concatenate([one.positions for one in found]), return_inverse=True)
    tf = np.zeros((len(positions), found[0].tf.shape[1]), dtype=np.int64)
    np.add.at(tf, places, np.concatenate([one.tf for one in found]))
    return TermPostings(positions, np.minimum(tf, 255).astype(np.uint8))


class LexicalView:
    """One snapshot of the index in memory: the columns of every chunk, by position. Positions number all
    chunks of all segments. `alive` is False for deleted chunks and for those of `hidden`
    records, which count in no statistic of the view. `previous` and `following` give the position of the
    neighbour in the same group, or the position itself at a group's edge.
    """

    def __init__(
        self,
        columns: NDArray[Any],
        offsets: Mapping[int, int],
        tombstones: Iterable[int],
        hidden: Iterable[int] = (),
    ) -> None:
        """`offsets` gives the first position of each segment, by its id."""
        self.columns = columns
        self.offsets = offsets
        self.chunk_ids: NDArray[np.int64] = np.ascontiguousarray(self.columns["chunk_id"])
        self.record_ids: NDArray[np.int64] = np.ascontiguousarray(self.columns["record_id"])
        self.groups: NDArray[np.int64] = np.ascontiguousarray(self.columns["group"])
        self.sections: NDArray[np.int64] = np.ascontiguousarray(self.columns["section"])
        self.flags: NDArray[np.uint8] = np.ascontiguousarray(self.columns["flags"])
        self.code: NDArray[np.bool_] = (self.flags & ChunkFlag.CODE) > 0
        self.lengths: NDArray[np.float32] = self.columns["length"].astype(np.float32)
        dead = np.fromiter(tombstones, dtype=np.int64)
        self.alive: NDArray[np.bool_] = (
            ~is_in(self.chunk_ids, dead) if len(dead) else np.ones(len(self.chunk_ids), dtype=bool)
        )
        unseen = np.fromiter(hidden, dtype=np.int64)
        if len(unseen):
            self.alive &= ~is_in(self.record_ids, unseen)
        self._by_id = np.argsort(self.chunk_ids, kind="stable")
        self._sorted_ids = self.chunk_ids[self._by_id]
        self.section_sizes: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        if len(self.chunk_ids):
            _, index = np.unique(self.sections, return_inverse=True)
            self.section_sizes = np.bincount(index, weights=self.alive).astype(np.int64)[index]
        # Postings, kept by `index.lexical.postings` as long as the view lives.
        self.common: dict[str, TermPostings] = {}
        self.recent: dict[str, TermPostings] = {}
        self._link_neighbours()

    @cached_property
    def side_by_side(self) -> float:
        """The degree to which code and pages lie side by side, 0 to 1: the share of pages in the texts beside the code, 0
        without code. Among memories and documents a page is a text like any other.
        """
        texts = self.alive & ~self.code
        if not (self.code & self.alive).any() or not texts.any():
            return 0.0
        return float(((self.flags[texts] & ChunkFlag.PAGE) > 0).mean())

    def _link_neighbours(self) -> None:
        n = len(self.chunk_ids)
        times = np.nan_to_num(self.columns["time"], nan=0.0)
        order = np.lexsort((self.chunk_ids, times, self.groups, ~self.alive))
        self.previous: NDArray[np.int64] = np.arange(n)
        self.following: NDArray[np.int64] = np.arange(n)
        if n > 1:
            left, right = order[:-1], order[1:]
            joined = (self.groups[left] == self.groups[right]) & self.alive[left] & self.alive[right]
            self.previous[right[joined]] = left[joined]
            self.following[left[joined]] = right[joined]

    def __len__(self) -> int:
        return len(self.chunk_ids)

    def positions_of(self, chunk_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of chunk ids; -1 for ids that are not in this snapshot."""
        if not len(self._sorted_ids):
            return np.full(len(chunk_ids), -1, dtype=np.int64)
        at = np.minimum(np.searchsorted(self._sorted_ids, chunk_ids), len(self._sorted_ids) - 1)
        found: NDArray[np.int64] = np.where(self._sorted_ids[at] == chunk_ids, self._by_id[at], -1)
        return found


class VectorView:
    """The vectors of one model over one lexical snapshot, in their stored form.

    `codes` is int8 (n_vectors, dim) and `scales` float32 (n_vectors,): a row is scale · code. `row_of` maps a
    position of the lexical view to its row, -1 for none.
    """

    def __init__(self, view: LexicalView, dim: int, model: str = "") -> None:
        self.dim = dim
        self.model = model
        self.codes: NDArray[np.int8] = np.empty((0, dim), dtype=np.int8)
        self.scales: NDArray[np.float32] = np.empty(0, dtype=np.float32)
        self.row_of: NDArray[np.int64] = np.full(len(view), -1, dtype=np.int64)
        self._positions: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._room = self.codes  # the buffer that `codes` is the used part of

    def followed(self, before: LexicalView, view: LexicalView) -> VectorView:
        """These vectors over a later snapshot, for the chunks that it still has.

        The new view takes over the arrays of this one, which must not be used afterwards.
        """
        found = VectorView(view, self.dim, self.model)
        chunk_ids = before.chunk_ids[self._positions]
        positions = view.positions_of(chunk_ids)
        # Deleted chunks stay under a tombstone for a while: mostly, the rows are handed over unchanged.
        if (positions >= 0).all():
            found.codes, found.scales, found._positions, found._room = (
                self.codes,
                self.scales,
                positions,
                self._room,
            )
            found.row_of[positions] = np.arange(len(positions))
        else:
            found.add(view, chunk_ids, self.scales, self.codes)
        return found

    def add(
        self,
        view: LexicalView,
        chunk_ids: NDArray[np.int64],
        scales: NDArray[np.float32],
        codes: NDArray[np.int8],
    ) -> None:
        """Add vectors of chunks; ids that the snapshot does not have are ignored."""
        positions = view.positions_of(chunk_ids)
        known = positions >= 0
        if not known.any():
            return
        if not known.all():
            positions, scales, codes = positions[known], scales[known], codes[known]
        self.place(positions, scales, codes)

    def place(
        self, positions: NDArray[np.int64], scales: NDArray[np.float32], codes: NDArray[np.int8]
    ) -> None:
        """Bring in vectors of the chunks at these positions."""
        used, wanted = len(self.codes), len(self.codes) + len(positions)
        self.row_of[positions] = np.arange(used, wanted)
        if not used:
            self._room = codes  # in order of arrival: a second copy would be as large as the store
        else:
            if wanted > len(self._room):  # with spare room: queries add a few rows at a time
                self._room = np.empty((wanted + wanted // 16 + 256, self.dim), dtype=np.int8)
                self._room[:used] = self.codes
            self._room[used:wanted] = codes
        self.codes = self._room[:wanted]
        self.scales = np.concatenate([self.scales, scales])
        self._positions = np.concatenate([self._positions, positions])

    def similarities(
        self, vector: NDArray[np.float32], mask: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """(positions, cosines) of every chunk inside the mask that has a vector."""
        rows = np.flatnonzero(mask[self._positions])
        if 4 * len(rows) < 3 * len(self.codes):
            return self._positions[rows], products(self.codes, self.scales, vector, rows)
        found = products(self.codes, self.scales, vector)  # picking rows takes longer than a few too many
        return (self._positions, found) if len(rows) == len(found) else (self._positions[rows], found[rows])

    def at(self, positions: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of each position; NaN without a vector."""
        rows = self.row_of[positions]
        cosines = np.full(len(positions), np.nan, dtype=np.float32)
        have = rows >= 0
        rows = rows[have]
        # In double, so that the last bit does not depend on a row's place in the matrix: a process that
        # embedded lazily and one that loaded the same vectors give the same bytes.
        wide = self.codes[rows].astype(np.float32) * self.scales[rows][:, None]
        cosines[have] = wide.astype(np.float64) @ vector.astype(np.float64)
        return cosines


def products(
    codes: NDArray[np.int8],
    scales: NDArray[np.float32],
    vector: NDArray[np.float32],
    rows: NDArray[np.int64] | None = None,
) -> NDArray[np.float32]:
    """Inner products of a vector with each row scale · code, or with the rows that `rows` numbers.

    Bytes are widened a block at a time, which stays in the cache of a core: as fast as a scan of floats, in a
    quarter of the memory. Not by BLAS: its threads wait for each other beside a model's.
    """
    count = len(codes) if rows is None else len(rows)
    step = max(1, _BLOCK // max(1, codes.shape[1]))
    wide = np.empty((min(step, count), codes.shape[1]), dtype=np.float32)
    found = np.empty(count, dtype=np.float32)
    for first in range(0, count, step):
        part = codes[first : first + step] if rows is None else codes.take(rows[first : first + step], axis=0)
        block = wide[: len(part)]
        block[...] = part
        np.vecdot(block, vector, out=found[first : first + step])
    found *= scales if rows is None else scales[rows]
    return found
