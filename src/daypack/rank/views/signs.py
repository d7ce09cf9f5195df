"""Signs: one bit for each component of a vector. They choose a few vectors of a million, which are then compared in full.

A small component of the query does not count, a large one counts twice; a vector is near when few of the counting
components have another sign than in the query. Of the 50 nearest vectors by cosine, the nearest 40,000 by signs contain .999
among 100,000 instant vectors of real texts, and .998 among 1,000,000, in a fifteenth of the time that comparing all takes
(docs/decisions/022-a-million-chunks.md).
"""

from __future__ import annotations

import numpy as np

from daypack.types.arrays import Array, Bools, Floats, Int8s, Ints, UInt64s

# The number of vectors up to which all are compared. With 102,181, signs would save 1 of 8 ms, and change one pack in twelve.
SCANNED = 1 << 17
# vectors that signs choose: this number, or this share of all if that is more
FEWEST, SHARE = 40_000, 1 / 50
# in multiples of the root mean square of a query's components: from the first on a component counts, from the second twice
COUNTS, TELLS = 0.35, 1.0
# Of many rows, the heaviest words, with the share LEADS of the weights, choose LEADERS times the wanted rows; the other words
# choose among these.
LEADS, LEADERS = 0.5, 3
_SAMPLED = 64  # one of so many rows is sampled to estimate the distance of the wanted rows
_BLOCK = 1 << 15  # vectors, whose signs fit into the cache of a core


class Signs:
    """The packed signs of rows of codes, as an array (words, rows): a word has the signs of 64 components of a row."""

    def __init__(self, words: UInt64s | None = None, rows: int = 0) -> None:
        """`words` may already have the signs of the first `rows`, with room for more rows after them."""
        self._rows = rows
        self._words: UInt64s = np.empty((0, 0), dtype=np.uint64) if words is None else words

    def follow(self, codes: Int8s) -> None:
        """Pack the signs of the new rows of `codes`; its first rows must be those that were packed before."""
        wanted, words = len(codes), -(-codes.shape[1] // 64)
        if wanted > self._words.shape[1]:
            room = np.empty((words, wanted + wanted // 16), dtype=np.uint64)
            if self._rows:
                room[:, : self._rows] = self._words[:, : self._rows]
            self._words = room
        for first in range(self._rows, wanted, _BLOCK):
            part = slice(first, min(first + _BLOCK, wanted))
            self._words[:, part] = packed(codes[part] > 0).T
        self._rows = wanted

    def nearest(self, query: Floats, inside: Bools) -> Ints:
        """The `inside` rows whose signs are nearest to the query's, ascending; of rows at the largest distance all.

        When they are a small part of all rows, the words with the largest weights choose the rows that are compared in the
        other words.
        """
        signs = packed(query[None] > 0)[0]
        counted = np.abs(query) / np.sqrt(np.mean(np.square(query)))
        weights = np.stack([packed(counted[None] > least)[0] for least in (COUNTS, TELLS)])
        tells = np.bitwise_count(weights).sum(axis=0, dtype=np.int64)  # by word: the largest distance
        words = np.argsort(-tells, kind="stable")
        first = int(np.searchsorted(np.cumsum(tells[words]), LEADS * tells.sum())) + 1
        passing = np.count_nonzero(inside)
        wanted = max(FEWEST, int(passing * SHARE))
        if LEADERS * wanted * 2 > passing or first == len(words):
            return _least(self._far(signs, weights, words), inside, wanted)
        far = self._far(signs, weights, words[:first])
        rows = _least(far, inside, LEADERS * wanted)
        far = far[rows] + self._far(signs, weights, words[first:], rows).astype(np.uint16)
        return rows[_least(far, np.ones(len(rows), dtype=bool), wanted)]

    def _far(self, signs: UInt64s, weights: UInt64s, words: Ints, rows: Ints | None = None) -> Array:
        """The distances in some of the words: of all rows, or of those numbered by `rows`."""
        count = self._rows if rows is None else len(rows)
        # The largest byte is reserved for rows outside. Bytes are added and compared in half of the time.
        narrow = int(np.bitwise_count(weights[:, words]).sum(dtype=np.int64)) < np.iinfo(np.uint8).max
        far: Array = np.zeros(count, dtype=np.uint8 if narrow else np.uint16)
        picked = np.empty(0 if rows is None else _BLOCK, dtype=np.uint64)
        block = np.empty((2, _BLOCK), dtype=np.uint64)
        counts = np.empty((2, _BLOCK), dtype=np.uint8)
        for first in range(0, count, _BLOCK):
            part = slice(first, min(first + _BLOCK, count))
            size = part.stop - first
            other, chosen, number, doubled = (
                block[0, :size],
                block[1, :size],
                counts[0, :size],
                counts[1, :size],
            )
            for word in words.tolist():
                column = self._words[word]
                here = (
                    column[part] if rows is None else column.take(rows[part], out=picked[:size], mode="clip")
                )
                np.bitwise_xor(here, signs[word], out=other)
                np.bitwise_count(np.bitwise_and(other, weights[0, word], out=chosen), out=number)
                np.bitwise_count(np.bitwise_and(other, weights[1, word], out=chosen), out=doubled)
                number += doubled
                far[part] += number
        return far


def _least(far: Array, inside: Bools, wanted: int) -> Ints:
    """The at least `wanted` rows `inside` with the smallest distances, ascending; of rows at the largest of these distances
    all. Overwrites `far`.
    """
    most = np.iinfo(far.dtype).max
    if not inside.all():
        # setting bits, because an assignment by mask takes ten times as long
        far |= np.multiply(~inside, most, dtype=far.dtype)
    low, high = 0, int(most) - 1
    some = far[::_SAMPLED]
    place = min(wanted // _SAMPLED, len(some) - 1)
    middle = min(int(np.partition(some, place)[place]), high - 1)
    step = 1  # doubles with each step away from the sample's estimate, which is nearly right
    while low < high:
        if np.count_nonzero(far <= middle) >= wanted:
            high, middle = middle, max(low, middle - step)
        else:
            low, middle = middle + 1, min(middle + step, high - 1)
        step *= 2
    return np.flatnonzero(far <= low)


def packed(bits: Bools) -> UInt64s:
    """Rows of bits as rows of 64-bit words; the last word is filled up with zeros."""
    packed = np.packbits(bits, axis=1)
    words = -(-packed.shape[1] // 8)
    if packed.shape[1] < 8 * words:
        packed = np.pad(packed, ((0, 0), (0, 8 * words - packed.shape[1])))
    return packed.view(np.uint64)
