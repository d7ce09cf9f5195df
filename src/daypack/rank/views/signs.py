"""Signs: one bit a component of many vectors, by which the nearest few of a million are found before any is compared in full.

A component of the query counts for nothing where it is small, twice where it is large; a vector is near when few of the components
that count have another sign. In 100,000 instant vectors of real texts the nearest 40,000 by signs hold .999 of the 50 nearest by cosine, and of 1,000,000 .998, at a
fifteenth of the time of comparing all (docs/decisions/022-a-million-chunks.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Vectors: so many are compared in full. Of 102,181, signs would save 1 of 8 ms, and change the pack of one question in twelve.
SCANNED = 1 << 17
FEWEST, SHARE = 40_000, 1 / 50  # of the vectors, that are compared in full once the signs were
# of the root mean square of a query's components: from here on a component counts, and counts twice
COUNTS, TELLS = 0.35, 1.0
# Of many rows, the words that hold this share of the weights choose so many times as many rows as are wanted.
LEADS, LEADERS = 0.5, 3
_SAMPLED = 64  # one row of so many tells nearly how far those are that are wanted
_BLOCK = 1 << 15  # vectors whose signs stay in the cache of a core


class Signs:
    """The signs of rows of codes, packed: word by word, each with 64 components of all rows."""

    def __init__(self, words: NDArray[np.uint64] | None = None, rows: int = 0) -> None:
        """`words` may hold the signs of the first `rows` already, with room for others behind them."""
        self._rows = rows
        self._words: NDArray[np.uint64] = np.empty((0, 0), dtype=np.uint64) if words is None else words

    def follow(self, codes: NDArray[np.int8]) -> None:
        """Pack the rows that came in since; those that were packed have not changed."""
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

    def nearest(self, query: NDArray[np.float32], inside: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The rows among those `inside` whose signs are most like the query's, rising; of equally like ones all.

        Where they are a small part of all rows, the words that tell most of this query choose the rows that the others look at.
        """
        signs = packed(query[None] > 0)[0]
        counted = np.abs(query) / np.sqrt(np.mean(np.square(query)))
        weights = np.stack([packed(counted[None] > least)[0] for least in (COUNTS, TELLS)])
        tells = np.bitwise_count(weights).sum(axis=0, dtype=np.int64)  # of each word: the largest distance
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

    def _far(
        self,
        signs: NDArray[np.uint64],
        weights: NDArray[np.uint64],
        words: NDArray[np.int64],
        rows: NDArray[np.int64] | None = None,
    ) -> NDArray[Any]:
        """The distance of each row, or of those that `rows` numbers, in some of the words."""
        count = self._rows if rows is None else len(rows)
        # One less than the largest: that stands for rows outside. Bytes are added and compared in half of the time.
        narrow = int(np.bitwise_count(weights[:, words]).sum(dtype=np.int64)) < np.iinfo(np.uint8).max
        far: NDArray[Any] = np.zeros(count, dtype=np.uint8 if narrow else np.uint16)
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


def _least(far: NDArray[Any], inside: NDArray[np.bool_], wanted: int) -> NDArray[np.int64]:
    """The rows inside with the least distances, at least as many as are wanted, rising; of equal ones all. Overwrites `far`."""
    most = np.iinfo(far.dtype).max
    if not inside.all():
        # a choice by bits: one by rows takes ten times as long
        far |= np.multiply(~inside, most, dtype=far.dtype)
    low, high = 0, int(most) - 1
    some = far[::_SAMPLED]
    place = min(wanted // _SAMPLED, len(some) - 1)
    middle = min(int(np.partition(some, place)[place]), high - 1)
    step = 1  # from the distance that a sample tells, which is nearly right
    while low < high:
        if np.count_nonzero(far <= middle) >= wanted:
            high, middle = middle, max(low, middle - step)
        else:
            low, middle = middle + 1, min(middle + step, high - 1)
        step *= 2
    return np.flatnonzero(far <= low)


def packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of bits as rows of words; a last part of a word is filled up with zeros."""
    packed = np.packbits(bits, axis=1)
    words = -(-packed.shape[1] // 8)
    if packed.shape[1] < 8 * words:
        packed = np.pad(packed, ((0, 0), (0, 8 * words - packed.shape[1])))
    return packed.view(np.uint64)
