"""Quotations: texts that contain a string that the question quotes, or a whole sentence of it, in any case.

a quoted string     "refused"                                      often in many places
a question          "the bank refused the card"                    nothing but a quotation of several words
a saying            the bank refused the card of the buyer         a quotation or sentence of several words: in one place
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from daypack.rank.texts.pool import MOST, Texts, certainty
from daypack.text import analysis
from daypack.text.verbatim import MARKS, find
from daypack.types.arrays import Floats

FEWEST_WORDS, FEW = 3, 3  # of a question that is a quotation; texts that hold it. guess


def quoting(quoted: Sequence[str], texts: Texts) -> Floats:
    """float32 (n,): for texts that hold one of the strings, in code 1 / √(chunks of code that hold it), else 1. Code raises
    a message in one place, and has "error" everywhere. Where the question has no term outside its quotations, the few texts
    that hold one of several whole words have `MOST`, however common the words are.
    """
    code = texts.code
    values = np.zeros(len(code), dtype=np.float32)
    if not quoted:
        return values
    whole = texts.at(np.arange(len(code)))
    folded = [text.casefold() for text in whole]
    alone = {one.term for one in texts.terms} <= {*analysis.terms("\n".join(quoted))}
    for wanted in {text.casefold() for text in quoted}:
        if alone and len(wanted.split()) >= FEWEST_WORDS:
            saying_it = np.asarray([find(wanted, text, is_whole=True) >= 0 for text in whole], dtype=bool)
            if int(saying_it.sum()) <= FEW:
                values[saying_it] = MOST
        holders = np.asarray([wanted in text for text in folded], dtype=bool)
        share = np.where(code, 1 / max(1, int((holders & code).sum())) ** 0.5, 1.0)
        values = np.maximum(values, holders * share).astype(np.float32)
    return values


def saying(sayings: Sequence[str], texts: Texts) -> Floats:
    """float32 (n,), 0 to `MOST`: for texts that hold one of the sayings, more the more telling words it has, and less the
    more texts hold it. Blanks and marks of comments between its words do not matter.
    """
    values = np.zeros(len(texts.code), dtype=np.float32)
    # A single word is not a saying: all users of a name contain it.
    for phrase in (text for text in sayings if " " in text):
        places = texts.having_all(analysis.terms(phrase))
        holders = places[np.asarray([find(phrase, text) >= 0 for text in texts.at(places)], dtype=bool)]
        values[holders] = np.maximum(
            values[holders], MOST * certainty(_telling(phrase)) / max(1, len(holders)) ** 0.5
        )
    return values


def _telling(phrase: str) -> int:
    """The number of words of a saying that tell something."""
    return sum(word.strip(MARKS) not in analysis.STOP_WORDS for word in phrase.casefold().split())
