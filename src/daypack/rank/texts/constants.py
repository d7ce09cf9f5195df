"""Constants: chunks of code that give a name its value. Unlike functions, they have no chunk of their own.

    question   how long is RETRY_SLEEP_MAX?
    code       #define RETRY_SLEEP_MAX (10 * 60 * 1000L)

Other chunks use the name, often more than once, and would stand before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from daypack.rank.texts.pool import Texts
from daypack.text import analysis
from daypack.text.qualified_names import dotted
from daypack.types.arrays import Ints

MOST_PLACES = 3  # chunks that give a name its value; one with more is a variable
_STATEMENTS = r"(?!(?:if|elif|while|until|return|assert|case|when|where|and|or|not|else|yield|await)\b)"
# a type may follow the name: `name: int = 3`, `name []string = …`
_VALUE = r"[ \t]*(?:\[[^\]\n]*\][ \t]*)*(?::[^=\n]{1,80}|[\w.*\[\]]+[ \t]+)?:?=(?![=>~])"


def assigning(names: Iterable[str], texts: Texts) -> dict[str, Ints]:
    """Name → the rows of the chunks of code that give it its value, at most MOST_PLACES; other names are left out.

    A name in capitals may stand anywhere, as a member of an enumeration too; another one begins at the margin of its line.
    """
    found = {}
    for name in names:
        last = dotted(name).rpartition(".")[2]
        terms = analysis.expand(last)
        rows = texts.having_all(terms[:1]) if terms else np.empty(0, np.int64)
        rows = rows[texts.code[rows]]
        for pattern in _patterns(last):
            giving = texts.matching(rows, pattern)
            if len(giving):
                if len(giving) <= MOST_PLACES:
                    found[name] = giving
                break
    return found


def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """Expressions for the line that gives a name its value, the surest first."""
    word = rf"{re.escape(name)}(?!\w)"
    margin = r"[ \t]*" if name.isupper() else ""
    value = rf"^{margin}{_STATEMENTS}(?:[\w<>\[\]*&?.,:]+(?:\([\w ]+\))?[ \t]+){{0,6}}[*&$]?{word}{_VALUE}|^[ \t]*#[ \t]*define[ \t]+{word}"
    member = rf"^[ \t]+{word}[ \t]*(?:\([^\n]*\))?[ \t]*,?[ \t]*(?:$|//|/\*|#|--)"
    texts = (value, member) if name.isupper() else (value,)
    return tuple(re.compile(text, re.MULTILINE) for text in texts)
