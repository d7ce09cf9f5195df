"""Postings as bytes: two for most of them, where four columns of frequencies and a number would take eight.

A row holds the postings of one term in one segment, in the order of their ordinals, as units of two bytes:

    first unit     0 | context 1 bit, path 2, name 1, body 3 | the lowest 8 bits of the gap to the ordinal before
    further units  1 | 15 bits: the rest of the gap, lowest first, where the gap is larger
                   1 | 15 bits, three times: all four frequencies, where they exceed their bits and these are all set

As in UTF-8 the highest bit says where a posting begins, so many rows are read at once without a look at each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from daypack.ports import Connection
from daypack.types.arrays import Bools, Ints, UInt16s, UInt32s

_FURTHER = 0x8000
_REST = 0x7FFF
_EXACT = 0x7F  # in place of frequencies that follow
_LARGEST = 0x01030107  # frequencies that fit: context, path, name and body from the highest byte down
_CODES = np.arange(_EXACT, dtype=np.uint32)
_FREQUENCIES = np.append(
    _CODES & 7 | (_CODES & 8) << 5 | (_CODES & 0x30) << 12 | (_CODES & 0x40) << 18, np.uint32(0)
)


class Postings(NamedTuple):
    """Rows of postings: ordinals (int64, rising in a row), frequencies (a byte a field, as one uint32), rows' lengths."""

    ordinals: Ints
    frequencies: UInt32s
    counts: Ints

    def taken(self, kept: Bools) -> Postings:
        """Those where `kept` is True, in as many rows."""
        ends = np.concatenate([[0], np.cumsum(kept)])[np.cumsum(self.counts)]
        return Postings(self.ordinals[kept], self.frequencies[kept], np.diff(ends, prepend=0))


def pack(postings: Postings) -> list[bytes]:
    """The bytes of each row."""
    ordinals, frequencies, counts = postings
    ends = np.cumsum(counts)
    gaps = np.diff(ordinals, prepend=0)
    starts = (ends - counts)[counts > 0]
    gaps[starts] = ordinals[starts]
    codes = frequencies & 7 | frequencies >> 5 & 8 | frequencies >> 12 & 0x30 | frequencies >> 18 & 0x40
    exact = np.flatnonzero((frequencies & ~np.uint32(_LARGEST) != 0) | (codes == _EXACT))
    codes[exact] = _EXACT
    larger = gaps >> 8
    wide, widest = np.flatnonzero(larger), np.flatnonzero(larger > _REST)
    sizes = np.ones(len(gaps), dtype=np.int64)
    sizes[wide] += 1
    sizes[widest] += 1
    sizes[exact] += 3
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    first = bounds[:-1]
    units = np.empty(bounds[-1], dtype="<u2")
    units[first] = codes << 8 | gaps & 0xFF
    units[first[wide] + 1] = _FURTHER | larger[wide] & _REST
    units[first[widest] + 2] = _FURTHER | larger[widest] >> 15
    for part in range(3):
        units[bounds[exact + 1] - 3 + part] = _FURTHER | frequencies[exact] >> 15 * part & _REST
    data = units.tobytes()
    cuts = (bounds[np.concatenate([[0], ends])] * 2).tolist()
    return [data[begin:end] for begin, end in pairwise(cuts)]


def unpack(rows: Sequence[bytes]) -> Postings:
    """The postings of rows. Raises ValueError where a row has half a unit; other damage shows when the postings are packed again."""
    units: UInt16s = np.frombuffer(b"".join(rows), dtype="<u2")
    first = (units < _FURTHER).nonzero()[0]
    leading = units if len(first) == len(units) else units.take(first)
    gaps = (leading & 0xFF).astype(np.int64)
    codes = leading >> np.uint16(8)
    frequencies = _FREQUENCIES.take(codes)
    if len(first) < len(units):
        _add_further(units, first, codes, gaps, frequencies)
    ordinals = gaps.cumsum()
    if len(rows) == 1:
        return Postings(ordinals, frequencies, np.array([len(first)]))
    sizes = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    if (sizes & 1).any():
        raise ValueError("a row of postings ends within a unit")
    ends = first.searchsorted(sizes.cumsum() >> 1)
    counts = np.diff(ends, prepend=0)
    filled = counts > 0
    starts = (ends - counts)[filled]
    ordinals -= (ordinals[starts] - gaps[starts]).repeat(counts[filled])
    return Postings(ordinals, frequencies, counts)


def _add_further(units: UInt16s, first: Ints, codes: UInt16s, gaps: Ints, frequencies: UInt32s) -> None:
    """Add to gaps and frequencies what their further units hold."""
    further = np.empty_like(first)
    further[:-1] = first[1:]
    further[-1:] = len(units)
    further -= first
    further -= 1
    exact = ((codes == _EXACT) & (further >= 3)).nonzero()[0]
    if len(exact):
        ends = (first + further)[exact]
        further[exact] -= 3
        for part in range(3):
            frequencies[exact] |= (units[ends - 2 + part] & np.uint32(_REST)) << np.uint32(15 * part)
    for part in range(2):
        wide = (further > part).nonzero()[0]
        if len(wide):
            gaps[wide] |= (units[first[wide] + 1 + part] & np.int64(_REST)) << (8 + 15 * part)


def pack_former(db: Connection) -> None:
    """Pack the postings of a store from before version 16, whose rows have eight bytes each: an ordinal, four frequencies."""
    for (segment_id,) in list(db.execute("SELECT id FROM segment ORDER BY id")):
        rows = list(
            db.execute("SELECT term, data FROM posting WHERE segment_id = ? ORDER BY term", (segment_id,))
        )
        ordinals, frequencies = (
            np.frombuffer(b"".join(data for _, data in rows), dtype="<u4").reshape(-1, 2).T
        )
        counts = np.array([len(data) >> 3 for _, data in rows], dtype=np.int64)
        packed = pack(Postings(ordinals.astype(np.int64), frequencies.astype(np.uint32), counts))
        db.execute("DELETE FROM posting WHERE segment_id = ?", (segment_id,))
        db.executemany(
            "INSERT INTO posting VALUES (?, ?, ?)",
            ((segment_id, term, data) for (term, _), data in zip(rows, packed, strict=True)),
        )
