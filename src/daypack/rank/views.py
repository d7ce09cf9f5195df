"""One snapshot of the index in memory: columns, postings and vectors as arrays, which ranking reads.

`index.lexical` and `index.vectors` fill them; nothing here reads a store.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from daypack.rank.membership import distinct
from daypack.rank.signs import SCANNED, Signs

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_KEPT, MOST_KEPT_TERMS = 4_000_000, 1_024  # postings, of 12 bytes each; terms
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

    def rows_at(self, wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """(the row of each wanted position, True where there is one)."""
        if not len(self.positions):
            return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
        rows = np.minimum(np.searchsorted(self.positions, wanted), len(self.positions) - 1)
        return rows, self.positions[rows] == wanted


PostingsOf: TypeAlias = Callable[[str], TermPostings]
"""Term → its postings, without positions where it does not occur."""


class KeptPostings:
    """The postings of the terms that were asked for last, by term: steps of one query look at the same terms, and most queries hold
    the most common ones, which cost most to read.
    """

    def __init__(self) -> None:
        self._found: dict[str, TermPostings] = {}
        self._size = 0

    def get(self, term: str) -> TermPostings | None:
        found = self._found.pop(term, None)
        if found is not None:
            self._found[term] = found
        return found

    def put(self, term: str, found: TermPostings) -> None:
        self._found[term] = found
        self._size += len(found.positions)
        while self._size > MOST_KEPT or len(self._found) > MOST_KEPT_TERMS:
            oldest = next(iter(self._found))
            self._size -= len(self._found.pop(oldest).positions)


def together(found: Sequence[TermPostings]) -> TermPostings:
    """The postings of several terms as those of one word; frequencies are added, up to 255."""
    if len(found) == 1:
        return found[0]
    positions, places = np.unique(np.concatenate([one.positions for one in found]), return_inverse=True)
    tf = np.zeros((len(positions), found[0].tf.shape[1]), dtype=np.int64)
    np.add.at(tf, places, np.concatenate([one.tf for one in found]))
    return TermPostings(positions, np.minimum(tf, 255).astype(np.uint8))


class Runs:
    """Positions by a key, such as a record or a section. Equal keys mostly lie side by side, so a key is a few runs."""

    def __init__(self, keys: NDArray[np.int64]) -> None:
        begins = np.ones(len(keys), dtype=bool)
        np.not_equal(keys[1:], keys[:-1], out=begins[1:])
        starts = np.flatnonzero(begins)
        ends = np.append(starts[1:], len(keys))
        of_run = keys[starts]
        order = np.argsort(of_run, kind="stable")
        self._keys, self._starts, self._ends = of_run[order], starts[order], ends[order]

    def members(self, wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(positions with one of the wanted keys, the number of that key in `wanted`), key by key, rising for each.

        The wanted keys rise, each given once.
        """
        first = np.searchsorted(self._keys, wanted, side="left")
        last = np.searchsorted(self._keys, wanted, side="right")
        runs = _ranges(first, last)
        starts, ends = self._starts[runs], self._ends[runs]
        number = np.repeat(np.arange(len(wanted)), last - first)
        return _ranges(starts, ends), np.repeat(number, ends - starts)


def _ranges(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of all ranges, one after another: starts (3, 0), ends (5, 1) gives 3 4 0."""
    sizes = ends - starts
    before = np.cumsum(sizes) - sizes
    found: NDArray[np.int64] = np.repeat(starts - before, sizes) + np.arange(sizes.sum())
    return found


class LexicalView:
    """One snapshot of the index in memory: the columns of every chunk, by position. Positions number all
    chunks of all segments. `alive` is False for deleted chunks and for those of `hidden`
    records, which count in no statistic of the view.

    Most questions look at some hundred chunks, so columns that only these need are read in place, and neighbours and
    sections are found when they are first asked for.
    """

    def __init__(
        self,
        columns: NDArray[Any],
        offsets: Mapping[int, int],
        tombstones: Iterable[int],
        hidden: Iterable[int] = (),
        room: NDArray[Any] | None = None,
    ) -> None:
        """`offsets` gives the first position of each segment, by its id. `columns` are the first of `room`, where a later view
        may put the chunks of new segments.
        """
        self.columns = columns
        self.room: NDArray[Any] = columns if room is None else room
        self.offsets = offsets
        # Views of the columns, not copies.
        self.chunk_ids: NDArray[np.int64] = columns["chunk_id"]
        self.record_ids: NDArray[np.int64] = columns["record_id"]
        self.groups: NDArray[np.int64] = columns["group"]
        self.sections: NDArray[np.int64] = columns["section"]
        self.lengths: NDArray[np.uint32] = columns["length"]
        self.alive: NDArray[np.bool_] = np.ones(len(columns), dtype=bool)
        dead = np.fromiter(tombstones, dtype=np.int64)
        if len(dead):
            ids, by_id = self._sorted_ids
            first, last = np.searchsorted(ids, dead, "left"), np.searchsorted(ids, dead, "right")
            self.alive[by_id[_ranges(first, last)]] = False
        unseen = np.fromiter(hidden, dtype=np.int64)
        if len(unseen):
            self.alive[self.records.members(distinct(unseen))[0]] = False
        # Positions that are not alive, rising.
        self.dead: NDArray[np.int64] = np.flatnonzero(~self.alive)
        # Kept by `index.lexical` as long as the view lives; terms that begin alike by the first and the end of their range.
        self.kept = KeptPostings()
        self.ranges: dict[tuple[str, str], list[str]] = {}
        # One more than the position, 0 where it was not asked for yet: memory that is not touched costs nothing.
        self._previous: NDArray[np.int64] = np.zeros(len(columns), dtype=np.int64)
        self._following: NDArray[np.int64] = np.zeros(len(columns), dtype=np.int64)
        self._section_sizes: NDArray[np.int64] = np.zeros(len(columns), dtype=np.int64)

    @cached_property
    def flags(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.columns["flags"])

    @cached_property
    def code(self) -> NDArray[np.bool_]:
        return (self.flags & ChunkFlag.CODE) > 0

    @cached_property
    def living(self) -> int:
        """The number of chunks that are alive."""
        return len(self) - len(self.dead)

    @cached_property
    def records(self) -> Runs:
        """The positions of the chunks of a record."""
        return Runs(self.record_ids)

    @cached_property
    def _in_groups(self) -> Runs:
        return self.records if np.array_equal(self.groups, self.record_ids) else Runs(self.groups)

    @cached_property
    def _in_sections(self) -> Runs:
        return Runs(self.sections)

    @cached_property
    def _sorted_ids(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(chunk ids, rising, the position of each)."""
        ids = np.ascontiguousarray(self.chunk_ids)
        order = np.argsort(ids, kind="stable")
        return ids[order], order

    @cached_property
    def side_by_side(self) -> float:
        """The degree to which code and pages lie side by side, 0 to 1: the share of pages in the texts beside the code, 0
        without code. Among memories and documents a page is a text like any other.
        """
        texts = self.alive & ~self.code
        if not (self.code & self.alive).any() or not texts.any():
            return 0.0
        return float(((self.flags[texts] & ChunkFlag.PAGE) > 0).mean())

    def neighbours(self, positions: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The positions of the neighbours in the same group, before and after; at a group's edge the position itself."""
        unknown = positions[self._following[positions] == 0]
        if len(unknown):
            self._link(distinct(self.groups[unknown]))
        return self._previous[positions] - 1, self._following[positions] - 1

    def _link(self, groups: NDArray[np.int64]) -> None:
        """Find the neighbours of all chunks of some groups: in the order of time, then of their ids."""
        members, group = self._in_groups.members(groups)
        self._previous[members] = self._following[members] = members + 1
        alive = self.alive[members]
        members, group = members[alive], group[alive]
        times = np.nan_to_num(self.columns["time"][members], nan=0.0)
        ids = self.chunk_ids[members]
        later = (times[1:] > times[:-1]) | ((times[1:] == times[:-1]) & (ids[1:] > ids[:-1]))
        together = group[1:] == group[:-1]
        if not (later | ~together).all():
            order = np.lexsort((ids, times, group))
            members, group = members[order], group[order]
        left, right = members[:-1][together], members[1:][together]
        self._previous[right] = left + 1
        self._following[left] = right + 1

    def section_sizes(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of living chunks in the section of each position."""
        unknown = positions[self._section_sizes[positions] == 0]
        if len(unknown):
            members, section = self._in_sections.members(distinct(self.sections[unknown]))
            sizes = np.bincount(section, weights=self.alive[members]).astype(np.int64)
            self._section_sizes[members] = sizes[section]
        return self._section_sizes[positions]

    def room_for(self, ends: Mapping[int, int]) -> tuple[NDArray[Any], int]:
        """(room for the columns of a later view, the number of rows that are in it already), from where its segments end."""
        kept, total = 0, max(ends.values(), default=0)
        for (segment_id, first), (other, end) in zip(self.offsets.items(), ends.items(), strict=False):
            if (segment_id, first) != (other, kept):
                break
            kept = end
        if kept == len(self) and total <= len(self.room):
            return self.room, kept
        room = np.empty(total + total // 16, dtype=self.columns.dtype)
        room[:kept] = self.columns[:kept]
        return room, kept

    def __len__(self) -> int:
        return len(self.columns)

    def positions_of(self, chunk_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of chunk ids; -1 for ids that are not in this snapshot."""
        if not len(self):
            return np.full(len(chunk_ids), -1, dtype=np.int64)
        ids, by_id = self._sorted_ids
        at = np.minimum(np.searchsorted(ids, chunk_ids), len(ids) - 1)
        found: NDArray[np.int64] = np.where(ids[at] == chunk_ids, by_id[at], -1)
        return found

    def positions_in(self, record_ids: Collection[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of the chunks of some records, rising."""
        wanted = np.fromiter(record_ids, dtype=np.int64, count=len(record_ids))
        found, _ = self.records.members(distinct(wanted))
        found.sort()
        return found

    def inside(
        self, mask: NDArray[np.bool_], record_ids: Collection[int] | NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Positions inside a mask of the chunks of some records, rising."""
        found = self.positions_in(record_ids)
        return found[mask[found]]


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
        self._signs = Signs()
        self._in_order = True  # row n is that of position n

    def followed(self, before: LexicalView, view: LexicalView) -> VectorView:
        """These vectors over a later snapshot, for the chunks that it still has.

        The new view takes over the arrays of this one, which must not be used afterwards.
        """
        found = VectorView(view, self.dim, self.model)
        chunk_ids = before.chunk_ids[self._positions]
        positions = view.positions_of(chunk_ids)
        # Deleted chunks stay under a tombstone for a while: mostly, the rows are handed over unchanged.
        if (positions >= 0).all():
            found._take_over(self, positions)
        else:
            found.add(view, chunk_ids, self.scales, self.codes)
        return found

    def grown(self, view: LexicalView) -> VectorView:
        """These vectors over a later snapshot, in which their chunks have the same positions.

        The new view takes over the arrays of this one, as in `followed`.
        """
        found = VectorView(view, self.dim, self.model)
        found._take_over(self, self._positions)
        return found

    def _take_over(self, other: VectorView, positions: NDArray[np.int64]) -> None:
        self.codes, self.scales, self._room, self._signs = (
            other.codes,
            other.scales,
            other._room,
            other._signs,
        )
        self._positions = positions
        numbers = np.arange(len(positions))
        self.row_of[positions] = numbers
        self._in_order = bool((positions == numbers).all())

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
        if not used and len(self._room) < wanted:
            self._room = codes  # in order of arrival: a second copy would be as large as the store
        else:
            self.reserve(wanted)  # with spare room: queries add a few rows at a time
            self._room[used:wanted] = codes
        self.row_of[positions] = np.arange(used, wanted)
        self.codes = self._room[:wanted]
        self.scales = np.concatenate([self.scales, scales])
        self._positions = np.concatenate([self._positions, positions])
        self._in_order &= bool((positions == np.arange(used, wanted)).all())

    def reserve(self, rows: int) -> None:
        """Make room for so many rows and some more; memory that is not written to costs nothing."""
        if rows > len(self._room):
            room = np.empty((rows + rows // 16 + 256, self.dim), dtype=np.int8)
            room[: len(self.codes)] = self.codes
            self._room = room
            self.codes = room[: len(self.codes)]

    def missing(self, view: LexicalView) -> int:
        """The number of living chunks of the view without a vector."""
        return view.living - int(np.count_nonzero(view.alive[self._positions]))

    def similarities(
        self, vector: NDArray[np.float32], mask: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """(positions, cosines) of every chunk inside the mask that has a vector; of more than SCANNED those that are
        nearest by their signs.
        """
        inside = mask[self._positions] if len(self.codes) < len(mask) or not self._in_order else mask
        if np.count_nonzero(inside) > SCANNED:
            self._signs.follow(self.codes)
            rows = self._signs.nearest(vector, inside)
            return self._positions[rows], products(self.codes, self.scales, vector, rows)
        rows = np.flatnonzero(inside)
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
