"""Texts that a file holds word for word: whole ones, however its lines are broken, and messages apart from their values.

asked   the first line names the shop, and the second the till
file    # The first line names the shop,
        # and the second the till.

asked   chart name orders must not contain path separators
code    "chart name %s must not contain path separators"
         └─ run ──┘    └── run ────────────────────────┘
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from daypack.text import analysis

# Blanks and line ends, with the mark of a comment behind a line end.
_BETWEEN = r"(?:\s+(?:(?:/{2,3}!?|#+|\*+|--+|;+|>+)[ \t]+)?)"
_KEPT = 64  # patterns
MARKS = "\"'`.,:;!?()[]{}"
_STOPS = ".,:;!? "  # around a sentence, which its place may lack


def find(said: str, text: str, *, is_whole: bool = False) -> int:
    """The character at which a text holds another in any case, with any blanks between its words; -1 where it does not.
    With `is_whole`, its first and last word are whole words there.
    """
    # Making the pattern takes longer than a question has, and few texts have all of the words.
    folded = text.lower()
    words = said.strip(_STOPS).lower().split()
    if not words or not all(word in folded for word in words):
        return -1
    found = _pattern(" ".join(words), is_whole).search(text)
    return found.start() if found else -1


@lru_cache(maxsize=_KEPT)
def _pattern(said: str, is_whole: bool) -> re.Pattern[str]:
    pattern = _BETWEEN.join(map(re.escape, said.split()))
    if is_whole:  # a mark at an end has no bound: "(the bank"
        before = r"(?<!\w)" if re.match(r"\w", said) else ""
        after = r"(?!\w)" if re.search(r"\w\Z", said) else ""
        pattern = f"{before}{pattern}{after}"
    return re.compile(pattern, re.IGNORECASE)


BEGINNING, TELLING = 2, 3
LEAST_RUN = 2  # words in a row that count
_MOST_PLACES = 4  # of a run in one text that are looked at
# No apostrophe, and not the marks that begin a docstring.
_OPENING = re.compile(r"""(?<![\w"'`])[a-z]{0,2}(?:"(?!"")|'(?!'')|`(?!``))""")


class Run(NamedTuple):
    """The words `first` to `end` of a message, which a text has at the character `at`; `begins` is true directly behind a
    quotation mark.
    """

    first: int
    end: int
    at: int
    begins: bool


class Message:
    """The words of a message that a program printed, in small letters. Of one that is not sure, a sentence that may have a message
    in it, a run tells nothing without TELLING telling words, or BEGINNING where it begins a string.
    """

    def __init__(self, text: str, *, is_sure: bool = True) -> None:
        self.words = text.casefold().split()
        self.telling = [word.strip(MARKS) not in analysis.STOP_WORDS for word in self.words]
        self._is_sure = is_sure
        self._joined: dict[tuple[int, int], str] = {}

    def runs(self, text: str) -> list[Run]:
        """The longest runs of its words in a text in small letters, where a quotation mark is before them in their line: comments
        and docstrings share words with questions too. Behind one that begins a string, single words of the line are runs.
        """
        runs = [*self._runs(text)]
        return runs if self._is_sure or any(map(self._tells, runs)) else []

    def _tells(self, run: Run) -> bool:
        return sum(self.telling[run.first : run.end]) >= (BEGINNING if run.begins else TELLING)

    def _runs(self, text: str) -> Iterator[Run]:
        start, last, line, behind = 0, len(self.words), "", 0
        for end in range(1, last + 2):
            if end <= last and self._run(start, end) in text:
                continue
            run = self._run(start, end - 1)
            if end - 1 - start >= LEAST_RUN:
                if found := _printed(run, text):
                    yield Run(start, end - 1, *found)
                    behind = found[0] + len(run)
                    line = text[behind:].partition("\n")[0] if found[1] else ""
            elif run and (at := f"{line} ".find(f" {run} ")) >= 0:
                yield Run(start, end - 1, behind + at + 1, begins=False)
                behind, line = behind + at + len(run) + 1, line[at + len(run) + 1 :]
            # A run that is absent is absent with a further word.
            while start < end <= last and self._run(start, end) not in text:
                start += 1

    def _run(self, start: int, end: int) -> str:
        if (start, end) not in self._joined:
            self._joined[start, end] = " ".join(self.words[start:end])
        return self._joined[start, end]


def _printed(run: str, text: str) -> tuple[int, bool] | None:
    """(the place of a run in a string that begins in its line, True for the place directly behind the mark)."""
    at = text.find(run)
    best: tuple[int, bool] | None = None
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        marks = [*_OPENING.finditer(text, text.rfind("\n", 0, at) + 1, at)]
        if marks and marks[-1].end() == at:
            return at, True
        if best is None and any(_goes_on(text[mark.end() - 1], text[mark.end() : at]) for mark in marks):
            best = at, False
        at = text.find(run, at + 1)
    return best


def _goes_on(mark: str, text: str) -> bool:
    """True when a string that begins with a quotation mark holds all of the text behind it: "`wait` the futures" ends it."""
    return mark not in text.replace(f"\\{mark}", "")
