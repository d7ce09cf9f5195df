"""Texts that a file holds word for word, however its lines are broken.

asked   the first line names the shop, and the second the till
file    # The first line names the shop,
        # and the second the till.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Blanks and line ends, with the mark of a comment behind a line end.
_BETWEEN = r"(?:\s+(?:(?:/{2,3}!?|#+|\*+|--+|;+|>+)[ \t]+)?)"
_KEPT = 64  # patterns
_STOPS = ".,:;!? "  # around a sentence, which its place may lack


def find(said: str, text: str) -> int:
    """The character at which a text holds another in any case, with any blanks between its words; -1 where it does not."""
    # Making the pattern takes longer than a question has, and few texts have all of the words.
    folded = text.lower()
    words = said.strip(_STOPS).lower().split()
    if not words or not all(word in folded for word in words):
        return -1
    found = _pattern(" ".join(words)).search(text)
    return found.start() if found else -1


@lru_cache(maxsize=_KEPT)
def _pattern(said: str) -> re.Pattern[str]:
    return re.compile(_BETWEEN.join(map(re.escape, said.split())), re.IGNORECASE)
