"""The chunks and postings of one snapshot of the index."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from daypack.rank.membership import distinct
from daypack.rank.views.folds import Fold, Totals, no_chunks
from daypack.rank.views.runs import Runs, Stretches, ranges, runs_of
from daypack.types.arrays import Array, Bools, Floats, Ints, UInt8s, UInt32s

MOST_KEPT, MOST_KEPT_TERMS = 4_000_000, 1_024  # postings, of 16 bytes each; terms


class ChunkFlag(enum.IntFlag):
    """Properties of a chunk that the ranking uses without reading the text."""

    CODE = 1
    EVENT = 2
    TEST = 4  # the path is that of a test, or a mark above the code says so
    ASIDE = 8  # the path is that of documentation, an example or vendored code
    IMPORTS = 16  # import statements alone, with many names and no answers, a notice, or a list or front matter without words
    PAGE = 32  # in a file that is not code: documentation, notes, configuration
    DECLARES = CODE | PAGE  # in code that declares, as a schema or a build
    SETTINGS = PAGE | ASIDE  # in configuration; no other page stands aside
    GENERATED = 64  # in a file that a program wrote, by its own words or by `.gitattributes`
    CHANGELOG = 128  # in a file that lists versions with their changes, under any name


class TermPostings(NamedTuple):
    """The occurrences of a term: ascending positions in the view (int64, (n,)), and frequencies by field (n, 4)."""

    positions: Ints
    tf: UInt8s

    def rows_at(self, wanted: Ints) -> tuple[Ints, Bools]:
        """(a row for each wanted position, True when it is that of the position)."""
        if not len(self.positions):
            return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
        rows = np.minimum(np.searchsorted(self.positions, wanted), len(self.positions) - 1)
        return rows, self.positions[rows] == wanted


_NO_POSTINGS = TermPostings(np.empty(0, dtype=np.int64), np.empty((0, 4), dtype=np.uint8))
PostingsOf: TypeAlias = Callable[[str], TermPostings]
"""Term → its postings, without positions where it does not occur."""


class KeptPostings:
    """A cache of postings by term: the steps of a query need the same terms, and most queries contain the most common terms,
    whose postings take longest to read.
    """

    def __init__(self) -> None:
        self._found: dict[str, TermPostings] = {}
        self._earlier: dict[str, tuple[int, TermPostings]] = {}  # (rows, postings) from earlier views
        self._shares: dict[str, Floats] = {}
        self._size = 0

    def followed(self, rows: int) -> KeptPostings:
        """The cache for a later view that begins with the first `rows` of this view, in which it may have fewer living chunks."""
        later = KeptPostings()
        later._earlier = {
            term: (min(rows, known), postings) for term, (known, postings) in self._earlier.items()
        }
        later._earlier |= {term: (rows, postings) for term, postings in self._found.items()}
        later._size = self._size
        return later

    def get(self, term: str) -> TermPostings | None:
        postings = self._found.pop(term, None)
        if postings is not None:
            self._found[term] = postings
        return postings

    def earlier(self, term: str) -> tuple[int, TermPostings]:
        """(number of rows, the postings in these rows from an earlier view, some of which may be of deleted chunks)."""
        rows, (positions, tf) = self._earlier.get(term, (0, _NO_POSTINGS))
        end = int(np.searchsorted(positions, rows))
        return rows, TermPostings(positions[:end], tf[:end])

    def put(self, term: str, postings: TermPostings) -> None:
        self._found[term] = postings
        self._size += len(postings.positions)
        if former := self._earlier.pop(term, None):
            self._size -= len(former[1].positions)
        while self._size > MOST_KEPT or len(self._found) > MOST_KEPT_TERMS:
            if self._earlier:
                self._size -= len(self._earlier.pop(next(iter(self._earlier)))[1].positions)
                continue
            oldest = next(iter(self._found))
            self._size -= len(self._found.pop(oldest).positions)
            self._shares.pop(oldest, None)

    def share(self, term: str, postings: TermPostings, make: Callable[[], Floats]) -> Floats:
        """Values that `make` computes, one for each posting of a term; cached together with the postings."""
        known = self._shares.get(term)
        if known is None or self._found.get(term) is not postings:
            known = make()
            if self._found.get(term) is postings:
                self._shares[term] = known
        return known


def together(postings: Sequence[TermPostings]) -> TermPostings:
    """The postings of several terms as if they were one; frequencies are added, up to 255."""
    if len(postings) == 1:
        return postings[0]
    positions = distinct(np.concatenate([term.positions for term in postings]))
    tf = np.zeros((len(positions), postings[0].tf.shape[1]), dtype=np.uint16)
    # The positions of one term are distinct, so this takes a tenth of the time of `add.at`.
    for term in postings:
        at = positions.searchsorted(term.positions)
        tf[at] = np.minimum(tf[at] + term.tf, 255)
    return TermPostings(positions, tf.astype(np.uint8))


class LexicalView:
    """One snapshot of the index in memory: the columns of all chunks, by position. Positions number the chunks of all segments
    in order. `alive` is False for deleted chunks and for those of `hidden` records, which no statistic of the view counts.

    Most questions read a few hundred chunks. So columns that are needed for these alone stay in place, and neighbours and
    sections are computed at their first use.
    """

    def __init__(
        self,
        columns: Array,
        offsets: Mapping[int, int],
        tombstones: Iterable[int],
        hidden: Iterable[int] = (),
        room: Array | None = None,
        fold: Fold | None = None,
    ) -> None:
        """`offsets` maps the id of a segment to its first position. `columns` is the beginning of `room`, into whose rest a later
        view may write the chunks of new segments. With a `fold`, `columns` begins with those of the fold, and little is read
        from the store.
        """
        self.fold = fold
        self.columns = columns
        self.room: Array = columns if room is None else room
        self.offsets = offsets
        # Views of the columns, not copies.
        self.chunk_ids: Ints = columns["chunk_id"]
        self.record_ids: Ints = columns["record_id"]
        self.groups: Ints = columns["group"]
        self.sections: Ints = columns["section"]
        self.lengths: UInt32s = columns["length"]
        self.alive: Bools = np.ones(len(columns), dtype=bool)
        self._first = 0 if fold is None else fold.rows  # the first position after the fold
        dead = np.fromiter(tombstones, dtype=np.int64)
        if len(dead):
            ids, by_id = self._sorted_ids
            first, last = np.searchsorted(ids, dead, "left"), np.searchsorted(ids, dead, "right")
            self.alive[by_id[ranges(first, last)]] = False
            if fold is not None:
                buried = fold.positions_of(dead)
                self.alive[buried[buried >= 0]] = False
        unseen = np.fromiter(hidden, dtype=np.int64)
        self._unseen: Ints = np.empty(0, dtype=np.int64)  # hidden positions in the fold
        if len(unseen):
            members = self.records.members(distinct(unseen))[0]
            self._unseen = members[(members < self._first) & self.alive[members]]
            self.alive[members] = False
        # The positions that are not alive, ascending.
        self.dead: Ints = np.flatnonzero(~self.alive)
        # Both are filled by `index.postings.lexical`. `ranges` maps (begin, end) to the terms in that range.
        self.kept = KeptPostings()
        self.ranges: dict[tuple[str, str], list[str]] = {}
        # Positions plus one, or 0 while unknown, because untouched zeros take no memory.
        self._previous: Ints = np.zeros(len(columns), dtype=np.int64)
        self._following: Ints = np.zeros(len(columns), dtype=np.int64)
        self._section_sizes: Ints = np.zeros(len(columns), dtype=np.int64)

    @cached_property
    def flags(self) -> UInt8s:
        return self._column("flags", None if self.fold is None else self.fold.flags)

    @cached_property
    def bodies(self) -> UInt32s:
        """The length of each chunk's body, in terms."""
        return self._column("length", None if self.fold is None else self.fold.bodies)

    def _column(self, name: str, folded: Array | None) -> Array:
        """A column as a contiguous array; for a column with several values, the first of them."""
        column = self.columns[name] if self.columns[name].ndim == 1 else self.columns[name][:, 0]
        if folded is None or len(folded) < len(self):
            return np.ascontiguousarray(column)
        folded[self._first : len(self)] = column[self._first :]
        return folded[: len(self)]

    @cached_property
    def code(self) -> Bools:
        return (self.flags & np.uint8(ChunkFlag.CODE)).view(np.bool_)  # its lowest bit

    @cached_property
    def events(self) -> Ints:
        """The ascending positions of events, deleted ones too."""
        return np.flatnonzero(self.flags & np.uint8(ChunkFlag.EVENT))

    @cached_property
    def living(self) -> int:
        """The number of chunks that are alive."""
        return len(self) - len(self.dead)

    @cached_property
    def totals(self) -> Totals:
        """The numbers of living chunks and their lengths, as integers, so that the order of additions does not matter."""
        lengths, code = self.lengths[self._first :], self.code[self._first :]
        alive = self.alive[self._first :]
        if self.fold is None:
            return no_chunks(lengths.shape[1]).changed(code[alive], lengths[alive], 1)
        totals = self.fold.totals.changed(code[alive], lengths[alive], 1)
        return totals.changed(self.code[self._unseen], self.lengths[self._unseen], -1)

    @cached_property
    def records(self) -> Stretches:
        """The positions by record."""
        return self._runs(self.record_ids, None if self.fold is None else self.fold.records)

    @cached_property
    def _in_groups(self) -> Stretches:
        if np.array_equal(self.groups[self._first :], self.record_ids[self._first :]) and (
            self.fold is None or self.fold.groups is None
        ):
            return self.records
        return self._runs(self.groups, None if self.fold is None else self.fold.groups or self.fold.records)

    @cached_property
    def _in_sections(self) -> Stretches:
        return self._runs(self.sections, None if self.fold is None else self.fold.sections)

    def _runs(self, keys: Ints, folded: Runs | None) -> Stretches:
        tail = runs_of(keys[self._first :], self._first)
        return Stretches((tail,) if folded is None else (folded, tail))

    @cached_property
    def _sorted_ids(self) -> tuple[Ints, Ints]:
        """(ascending chunk ids, their positions), for the positions after the fold."""
        ids = np.ascontiguousarray(self.chunk_ids[self._first :])
        order = np.argsort(ids, kind="stable")
        return ids[order], order + self._first

    @cached_property
    def side_by_side(self) -> float:
        """The degree, in [0, 1], to which the store mixes code with pages: the share of pages among the texts that are not code,
        0 without code. Next to memories and documents, a page is a text like the others.
        """
        texts, code = map(int, self.totals.living)
        if not texts or not code:
            return 0.0
        either, page = np.uint8(ChunkFlag.DECLARES), np.uint8(ChunkFlag.PAGE)
        pages = sum(
            sign * np.count_nonzero((flags & either) == page)
            for sign, flags in ((1, self.flags), (-1, self.flags[self.dead]))
        )
        return pages / texts

    def numbers_of(self, positions: Ints) -> Ints:
        """Numbers that rise with the record and the place in it, as positions do in an index that was just rebuilt."""
        numbers: Ints = (self.record_ids[positions] << 32) + self.chunk_ids[positions]
        return numbers

    def neighbours(self, positions: Ints) -> tuple[Ints, Ints]:
        """(positions of the previous, of the next neighbour in the same group); at the end of a group the position itself."""
        unknown = positions[self._following[positions] == 0]
        if len(unknown):
            self._link(distinct(self.groups[unknown]))
        return self._previous[positions] - 1, self._following[positions] - 1

    def _link(self, groups: Ints) -> None:
        """Compute the neighbours of all chunks in some groups, in the order of time, then of `numbers_of`."""
        members, group = self._in_groups.members(groups)
        self._previous[members] = self._following[members] = members + 1
        alive = self.alive[members]
        members, group = members[alive], group[alive]
        times = np.nan_to_num(self.columns["time"][members], nan=0.0)
        ids = self.numbers_of(members)
        later = (times[1:] > times[:-1]) | ((times[1:] == times[:-1]) & (ids[1:] > ids[:-1]))
        together = group[1:] == group[:-1]
        if not (later | ~together).all():
            order = np.lexsort((ids, times, group))
            members, group = members[order], group[order]
        left, right = members[:-1][together], members[1:][together]
        self._previous[right] = left + 1
        self._following[left] = right + 1

    def section_sizes(self, positions: Ints) -> Ints:
        """The number of living chunks in the section of each position."""
        unknown = positions[self._section_sizes[positions] == 0]
        if len(unknown):
            members, section = self._in_sections.members(distinct(self.sections[unknown]))
            sizes = np.bincount(section, weights=self.alive[members]).astype(np.int64)
            self._section_sizes[members] = sizes[section]
        return self._section_sizes[positions]

    def shared_with(self, ends: Mapping[int, int]) -> int:
        """The number of rows that a later view shares at its beginning. `ends` maps its segments to the ends of their rows."""
        shared = 0
        for (segment_id, first), (other, end) in zip(self.offsets.items(), ends.items(), strict=False):
            if (segment_id, first) != (other, shared):
                break
            shared = end
        return shared

    def has_room_for(self, ends: Mapping[int, int]) -> bool:
        """True when a later view with these `ends` begins with all rows of this one, and its new rows fit into the room."""
        return self.shared_with(ends) == len(self) and max(ends.values(), default=0) <= len(self.room)

    def __len__(self) -> int:
        return len(self.columns)

    def positions_of(self, chunk_ids: Ints) -> Ints:
        """The positions of chunk ids; -1 for ids that are not in this snapshot."""
        if not len(self):
            return np.full(len(chunk_ids), -1, dtype=np.int64)
        ids, by_id = self._sorted_ids
        positions: Ints = np.full(len(chunk_ids), -1, dtype=np.int64)
        if len(ids):
            at = np.minimum(np.searchsorted(ids, chunk_ids), len(ids) - 1)
            positions = np.where(ids[at] == chunk_ids, by_id[at], -1)
        return (
            positions
            if self.fold is None
            else np.where(positions < 0, self.fold.positions_of(chunk_ids), positions)
        )

    def positions_in(self, record_ids: Collection[int] | Ints) -> Ints:
        """The ascending positions of the chunks of some records."""
        wanted = np.fromiter(record_ids, dtype=np.int64, count=len(record_ids))
        positions, _ = self.records.members(distinct(wanted))
        positions.sort()
        return positions

    def inside(self, mask: Bools, record_ids: Collection[int] | Ints) -> Ints:
        """The ascending positions inside a mask of the chunks of some records."""
        positions = self.positions_in(record_ids)
        return positions[mask[positions]]
