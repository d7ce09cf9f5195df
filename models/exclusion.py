"""Which training texts are left out: those that share words with an evaluation set.

A text is left out when its first 80 normalised characters, or any run of 13 of its words, occur in a text of an evaluation set, question or
document. Normalised means lower case, and only letters and digits of ASCII, so that markup, case and line breaks hide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

PREFIX_CHARACTERS = 80
RUN_WORDS = 13
_WORD = re.compile(r"[a-z0-9]+")
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Exclusion:
    """The prefixes and runs of words of texts that no model may be trained on."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._codes: dict[str, int] = {}
        prefixes, runs = set(), [np.zeros(0, dtype=np.uint64)]
        for text in texts:
            words = _WORD.findall(text.lower())
            if prefix := _prefix(words):
                prefixes.add(prefix)
            runs.append(self._runs(words))
        self._prefixes = prefixes
        self._run_hashes = np.unique(np.concatenate(runs))

    def covers(self, text: str) -> bool:
        """Whether the text shares its beginning or 13 words in a row with a text of the exclusion."""
        words = _WORD.findall(text.lower())
        prefix = _prefix(words)
        if prefix is not None and prefix in self._prefixes:
            return True
        runs = self._runs(words)
        if not len(runs) or not len(self._run_hashes):
            return False
        places = np.minimum(np.searchsorted(self._run_hashes, runs), len(self._run_hashes) - 1)
        return bool((self._run_hashes[places] == runs).any())

    def _runs(self, words: list[str]) -> NDArray[np.uint64]:
        """A hash of each run of 13 words."""
        if len(words) < RUN_WORDS:
            return np.zeros(0, dtype=np.uint64)
        codes = self._codes
        numbers = np.fromiter(
            (codes.setdefault(word, len(codes) + 1) for word in words), np.uint64, len(words)
        )
        hashes = np.zeros(len(words) - RUN_WORDS + 1, dtype=np.uint64)
        for place in range(RUN_WORDS):
            # Wraps around at 64 bits, which is meant.
            hashes = (hashes ^ numbers[place : place + len(hashes)]) * _FACTOR
            hashes ^= hashes >> np.uint64(29)
        return hashes


def _prefix(words: list[str]) -> str | None:
    """The first 80 characters of the words, or None for a text that is shorter."""
    joined = " ".join(words[:PREFIX_CHARACTERS])[:PREFIX_CHARACTERS]
    return joined if len(joined) == PREFIX_CHARACTERS else None
