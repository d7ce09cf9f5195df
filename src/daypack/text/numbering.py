"""Texts as numbers of their words, so that each different word is looked at once, however many texts hold it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.text import analysis

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Numbers(defaultdict[str, int]):
    """String → its number, in order of appearance. Missing ones are numbered without a line of Python."""

    def __init__(self) -> None:
        super().__init__(count().__next__)


class NumberedTexts(NamedTuple):
    """The number of every word of some texts, in order, and the number of words of each text."""

    words: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def only(self, chosen: Sequence[bool]) -> NumberedTexts:
        """The same texts, those that are not chosen without a word."""
        return NumberedTexts(self.words[np.repeat(chosen, self.sizes)], np.where(chosen, self.sizes, 0))

    def followed_by(self, others: NumberedTexts) -> NumberedTexts:
        """Each text with the words of its counterpart behind its own."""
        sizes = self.sizes + others.sizes
        starts = np.cumsum(sizes) - sizes
        words = np.empty(len(self.words) + len(others.words), dtype=np.int64)
        words[_places(starts, self.sizes)] = self.words
        words[_places(starts + self.sizes, others.sizes)] = others.words
        return NumberedTexts(words, sizes)


class ReadTexts(NamedTuple):
    """Texts as numbers of words, and the words, each in the place of its number."""

    known: Numbers
    texts: NumberedTexts


def read(texts: Sequence[str]) -> ReadTexts:
    """Texts as numbers of their words."""
    known = Numbers()
    return ReadTexts(known, numbered(known, texts))


def numbered(known: Numbers, texts: Sequence[str]) -> NumberedTexts:
    """Texts as numbers of their words, which join those that are `known`."""
    distinct = Numbers()  # paths and headings repeat with every chunk of a file
    which = np.fromiter(map(distinct.__getitem__, texts), dtype=np.int64, count=len(texts))
    lengths: list[int] = []

    def split(text: str) -> list[str]:
        found = analysis.words(text)
        lengths.append(len(found))
        return found

    words = np.fromiter(map(known.__getitem__, chain.from_iterable(map(split, distinct))), dtype=np.int64)
    sizes = np.asarray(lengths, dtype=np.int64)
    return NumberedTexts(words[members(sizes, which)], sizes[which])


def members(sizes: NDArray[np.int64], chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions of the chosen groups' members: sizes (3, 2), chosen (1, 0) gives 3 4 0 1 2."""
    return _places((np.cumsum(sizes) - sizes)[chosen], sizes[chosen])


def _places(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """So many positions from each start on: starts (7, 2), sizes (2, 3) gives 7 8 2 3 4."""
    ends = np.cumsum(sizes)
    places: NDArray[np.int64] = np.repeat(starts - (ends - sizes), sizes) + np.arange(
        ends[-1] if len(ends) else 0
    )
    return places
