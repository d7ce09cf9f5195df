"""Typo repair: for a query term that the index does not have, the nearest word that it has.

Terms are compared with the words of the vocabulary, which is small even for much text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter

import numpy as np

from daypack.types.arrays import Ints, UInt64s

SHORTEST = 5  # letters; a shorter word is one letter from several others: file, fine, life
# letters; a shorter word is only repaired to one with the same first letter: bread is not read
SURE_OF_ITS_START = 6
# letters at the end of a word that two edits may change where common words are not listed: there they make another form of
# a word, as "akzeptiert", and elsewhere another word, as "umbenannt" and "unbekannt"
ENDING = 3
MOST_COUNTED = 32  # words as near as each other, in the order of the alphabet


class Vocabulary:
    """The words of a store. An edit changes the length of a word by at most one, and removes and adds at most one letter, so
    lengths and letters rule most words out.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    @cached_property
    def _alphabetic(self) -> list[str]:
        return sorted(filter(str.isalpha, self.words), key=len)

    @cached_property
    def _features(self) -> tuple[UInt64s, Ints]:
        """(the letters of each alphabetic word as bits, its length); lengths rise."""
        words = self._alphabetic
        lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        return np.bitwise_or.reduceat(_bits("".join(words)), np.cumsum(lengths) - lengths), lengths

    def near(self, term: str, edits: int) -> list[str]:
        """The alphabetic words that may be within so many edits of a term, and few others."""
        if not self._alphabetic:
            return []
        letters, lengths = self._features
        own = np.bitwise_or.reduce(_bits(term))
        # The length first: it leaves a quarter of the words, side by side.
        first = int(lengths.searchsorted(len(term) - edits))
        letters = letters[first : lengths.searchsorted(len(term) + edits, side="right")]
        near = (np.bitwise_count(own & ~letters) <= edits) & (np.bitwise_count(letters & ~own) <= edits)
        return [self._alphabetic[first + i] for i in np.flatnonzero(near).tolist()]


def _bits(text: str) -> UInt64s:
    """A bit for each character; characters that are 64 apart share one."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    return np.uint64(1) << (codes & 63).astype(np.uint64)


def repairs(
    unknown: Sequence[str],
    terms: Collection[str],
    vocabulary: Callable[[], Vocabulary],
    frequency: Callable[[str], int],
    *,
    listed: bool = True,
) -> dict[str, str]:
    """Unknown query term → the nearest word with a `frequency` in scope that is not among the `terms` of the query.

    `listed` says that common words of the language are in a list, and that none of the unknown terms is in it.
    """
    nearest = {term: nearest_term(term, vocabulary(), frequency, listed=listed) for term in unknown}
    return {term: near for term, near in nearest.items() if near is not None and near not in terms}


def nearest_term(
    term: str, vocabulary: Vocabulary, frequency: Callable[[str], int] = lambda _: 1, *, listed: bool = True
) -> str | None:
    """The nearest term with a `frequency` above 0, within one edit (two from eight letters on), or None; of several as near
    the most frequent: "hanlde" is "handle", not "hand".

    Where common words are not `listed`, two edits must be at the end of the word.

    Swapped letters are one edit. A prefix of two letters makes another word, often an opposite: "uncaught" is not "caught".
    """
    if len(term) < SHORTEST or not term.isalpha():
        return None
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = 2 if len(term) >= 8 else 1
    choices = vocabulary.near(term, allowed)
    matches = process.extract(term, choices, scorer=OSA.distance, score_cutoff=allowed, limit=None)
    # Most typos spare the first letter; without this, short words turn into unrelated ones.
    near = (
        ((distance, word[:1] != term[:1]), word)
        for word, distance, _ in matches
        if not _has_prefix(word, term)
        and (listed or distance < 2 or word.startswith(term[: len(term) - ENDING]))
    )
    wanted = sorted(item for item in near if len(term) >= SURE_OF_ITS_START or not item[0][1])
    for _, group in groupby(wanted, key=itemgetter(0)):
        counted = [(-frequency(word), word) for _, word in islice(group, MOST_COUNTED)]
        least, word = min(counted)
        if least < 0:
            return word
    return None


def _has_prefix(first: str, second: str) -> bool:
    """True when a prefix of two letters is all that two words differ by."""
    short, long = sorted((first, second), key=len)
    return long[2:] == short
