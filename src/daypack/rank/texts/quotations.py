"""Quotations: the texts that hold what a question quotes or says, letter for letter but for case.

a quoted string     "refused"                                      occurs everywhere
a saying            the bank refused the card of the buyer         whole quotations and sentences of some words: in one place
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.texts.pool import MARKS, MOST, Texts, certainty
from daypack.text import analysis
from daypack.text.verbatim import find

if TYPE_CHECKING:
    from numpy.typing import NDArray


def quoting(quoted: Sequence[str], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): 1 for other texts that hold one of the strings. In code 1 / √(chunks of code that hold it), as for definitions:
    a message occurs where it is raised, "error" everywhere.
    """
    code = texts.code
    found = np.zeros(len(code), dtype=np.float32)
    if not quoted:
        return found
    folded = [text.casefold() for text in texts.at(np.arange(len(code)))]
    for wanted in {text.casefold() for text in quoted}:
        held = np.asarray([wanted in text for text in folded], dtype=bool)
        share = np.where(code, 1 / max(1, int((held & code).sum())) ** 0.5, 1.0)
        found = np.maximum(found, held * share).astype(np.float32)
    return found


def saying(said: Sequence[str], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): up to `MOST`, less the fewer of its words tell and the more texts hold it, for texts that hold one of the
    sayings, whatever blanks and marks of comments its words have between them.
    """
    found = np.zeros(len(texts.code), dtype=np.float32)
    # The users of a name have it too, so a name is not a saying.
    for one in (text for text in said if " " in text):
        places = texts.having_all(analysis.terms(one))
        held = places[np.asarray([find(one, text) >= 0 for text in texts.at(places)], dtype=bool)]
        found[held] = np.maximum(found[held], MOST * certainty(_telling(one)) / max(1, len(held)) ** 0.5)
    return found


def _telling(said: str) -> int:
    """The number of words of a saying that tell something."""
    return sum(word.strip(MARKS) not in analysis.STOP_WORDS for word in said.casefold().split())
