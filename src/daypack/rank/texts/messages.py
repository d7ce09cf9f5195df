"""Messages: how much of a pasted message a chunk of code contains word for word.

    message   jq: error (at <stdin>:1): Cannot iterate over null (null)
    code      "Cannot iterate over %s (%s)"

Programs fill in values and put each other's messages behind a colon, so runs of the message's words count, not the whole
message. They count more the more telling words (not stop words) they have, and less the more chunks contain the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from daypack.rank.texts.pool import MOST, Texts, certainty
from daypack.text import analysis
from daypack.text.verbatim import Message, Run
from daypack.types.arrays import Floats, Ints

LEAST_WORDS, LEAST_TELLING = 3, 2  # of all runs
# of the telling words of a message, or of a part between its colons, or of all of their words
LEAST_SHARE = 0.5
MOST_COLONS = 4
READ = 128  # chunks that are compared with a message: those that have its rarest words
_STOPS = ".,:;!?"


def raised(messages: Sequence[str], texts: Texts) -> Floats:
    """float32 (n,), 0 to `MOST`: how certain it is that a chunk of code prints one of the messages."""
    values = np.zeros(len(texts.code), dtype=np.float32)
    for message in map(_Raised, messages):
        places = message.candidates(texts)
        found = [message.printed(text.casefold()) for text in texts.at(places)]
        shares = np.asarray([one.share for one in found], dtype=np.float32)
        printing = [one.words for one in found if one.words]  # mostly few of the texts
        holders = np.asarray([sum(map(one.words.issubset, printing)) if one.words else 1 for one in found])
        values[places] = np.maximum(values[places], MOST * shares / np.sqrt(holders))
    return values


class _Printed(NamedTuple):
    """The words of a message that a text prints, by their places, and their value, 0 to 1."""

    share: float
    words: frozenset[int]


_NONE = _Printed(0.0, frozenset())


class _Raised:
    """A message and its parts between colons, each of which another program may have printed."""

    def __init__(self, text: str) -> None:
        self._message = Message(text)
        words = self._message.words
        self._telling = self._message.telling
        colons = [place for place, word in enumerate(words[:-1], 1) if word.endswith(":")][:MOST_COLONS]
        # Values are seldom plain words, and code lacks them.
        plain = [
            bare if tells and bare.replace("-", "").isalpha() else ""
            for bare, tells in zip((word.strip(_STOPS) for word in words), self._telling, strict=True)
        ]
        ends = [*colons, len(words)]
        self._parts = {
            (begin, end): {*plain[begin:end]} - {""} for begin in (0, *colons) for end in ends if begin < end
        }

    def candidates(self, texts: Texts) -> Ints:
        """The chunks of code with enough of the telling words of a part, those with the rarest first, at most `READ`."""
        wanted = [frozenset(analysis.terms(" ".join(words))) for words in self._parts.values()]
        every = frozenset[str]().union(*wanted)
        rows = [row for row, term in enumerate(texts.terms) if term.term in every]
        had = texts.tf[rows] > 0
        enough = np.zeros(len(texts.code), dtype=bool)
        for terms in wanted:
            own = np.asarray([texts.terms[row].term in terms for row in rows], dtype=bool)
            enough |= had[own].sum(axis=0) >= max(1, LEAST_SHARE * own.sum())
        rarity = np.asarray([texts.terms[row].idf for row in rows], dtype=np.float32) @ had
        places = np.flatnonzero(texts.code & enough)
        order: Ints = places[np.argsort(-rarity[places], kind="stable")[:READ]]
        return order

    def printed(self, text: str) -> _Printed:
        """Its runs in a text; their value is `certainty` of their telling words, times the root of their share of all words."""
        runs = [*self._message.runs(text)]
        return max((self._of_part(*part, runs) for part in self._parts), key=itemgetter(0)) if runs else _NONE

    def _of_part(self, begin: int, end: int, runs: Sequence[Run]) -> _Printed:
        """The runs in a part. Two words are enough where they begin both the part and a string."""
        printed = {place for run in runs for place in range(max(run.first, begin), min(run.end, end))}
        telling = sum(self._telling[place] for place in printed)
        opened = any(run.begins and run.first == begin for run in runs)
        enough = len(printed) >= LEAST_SHARE * (end - begin)
        enough = enough or telling >= LEAST_SHARE * len(self._parts[begin, end])
        if not enough or telling < LEAST_TELLING or (len(printed) < LEAST_WORDS and not opened):
            return _NONE
        value = certainty(telling) * float((len(printed) / len(self._telling)) ** 0.5)
        return _Printed(value, frozenset(printed))
