"""Messages: how much of a pasted message a chunk of code contains word for word.

    message   chart name orders must not contain path separators
    code      "chart name %s must not contain path separators"
               └─ run ──┘    └── run ────────────────────────┘

Programs fill in values, so runs of the message's words count, not the whole message. They count more the more telling
words (not stop words) they have, and less the more chunks contain as many.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.texts.pool import MARKS, MOST, Texts, certainty
from daypack.text import analysis

if TYPE_CHECKING:
    from numpy.typing import NDArray

RUN = 2  # words in a row that count
LEAST_WORDS, LEAST_TELLING = 3, 2  # of all runs
LEAST_SHARE = 0.5  # of the telling words of a message
READ = 32  # chunks that are compared with a message: those that have most of its words
MOST_PLACES = 4  # of a run in one text that are looked at
# No apostrophe, and not the marks that begin a docstring.
_OPENING = re.compile(r"""(?<![\w"'`])[a-z]{0,2}(?:"(?!"")|'(?!'')|`(?!``))""")


def raised(messages: Sequence[str], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,), 0 to `MOST`: how certain it is that a chunk of code prints one of the messages."""
    values = np.zeros(len(texts.code), dtype=np.float32)
    for message in map(_Message, messages):
        places = message.candidates(texts)
        shares = np.asarray([message.share(text.casefold()) for text in texts.at(places)], dtype=np.float32)
        holders = (shares[:, None] <= shares).sum(axis=1)
        values[places] = np.maximum(values[places], MOST * shares / np.sqrt(holders))
    return values


class _Message:
    """The words of a message."""

    def __init__(self, text: str) -> None:
        self._words = text.casefold().split()
        self._runs: dict[tuple[int, int], str] = {}
        bare = [word.strip(MARKS) for word in self._words]
        self._telling = [word not in analysis.STOP_WORDS for word in bare]
        # Values are seldom plain words, and code lacks them.
        plain = {word for word, tells in zip(bare, self._telling, strict=True) if tells and word.isalpha()}
        self._least = max(LEAST_TELLING, LEAST_SHARE * len(plain))
        self._terms = frozenset(analysis.terms(" ".join(plain)))

    def candidates(self, texts: Texts) -> NDArray[np.int64]:
        """The chunks of code with enough of its telling words, those with most first, at most `READ`."""
        had = texts.having(self._terms)
        counts = texts.code * had.sum(axis=0)
        order = np.argsort(-counts, kind="stable")[:READ]
        enough: NDArray[np.int64] = order[counts[order] >= max(1, LEAST_SHARE * len(had))]
        return enough

    def share(self, text: str) -> float:
        """The value of its runs in a text, 0 to 1: `certainty` of their telling words, times the root of their share of all
        words.
        """
        printed = set[int]()
        start, last = 0, len(self._words)
        for end in range(1, last + 2):
            if end <= last and self._run(start, end) in text:
                continue
            if end - 1 - start >= RUN and _is_printed(self._run(start, end - 1), text):
                printed.update(range(start, end - 1))
            # A run that is absent is absent with a further word.
            while start < end <= last and self._run(start, end) not in text:
                start += 1
        telling = sum(self._telling[place] for place in printed)
        if len(printed) < LEAST_WORDS or telling < self._least:
            return 0.0
        return certainty(telling) * float((len(printed) / len(self._words)) ** 0.5)

    def _run(self, start: int, end: int) -> str:
        if (start, end) not in self._runs:
            self._runs[start, end] = " ".join(self._words[start:end])
        return self._runs[start, end]


def _is_printed(run: str, text: str) -> bool:
    """True when a quotation mark is before the run in its line: comments and docstrings share words with questions too."""
    at = text.find(run)
    for _ in range(MOST_PLACES):
        if at < 0:
            break
        if _OPENING.search(text, text.rfind("\n", 0, at) + 1, at):
            return True
        at = text.find(run, at + 1)
    return False
