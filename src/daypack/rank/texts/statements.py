"""Statements of code. A failure and a change to be made are about statements; long comments and short declarations tell of the use of a
thing, in the words of those who report about it.

    /** How many redirects to follow. */         a comment and a declaration
    maxRedirects = 20;

    while (redirects++ < max) { response = …     statements

For a question, the name of a class, its first line and a field say the words; a body that calls others answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from daypack.types.arrays import Floats

# docs/decisions/035-statements.md
ENOUGH = 40  # lines of statements
BRIEF = 0.05  # the power of their share; .1 to .2 finds more files and fewer lines
LOOSE = 0.25  # the share of lines that may be comments
TALK = 0.5  # taken from the prior of a text of comments, for the share above LOOSE
MOST_CALLS = 20  # docs/decisions/042-names-and-calls.md

_KEPT = 1 << 12  # texts
_CALL = re.compile(r"\((?<=\w\()")  # found by its bracket, fifteen times as fast as from the letter on

# a block up to its end, or the beginning of a line; without steps back, for a pool has hundreds of texts
_COMMENT = re.compile(
    r"\n[ \t]*+(?:/\*[^*]*(?:\*(?!/)[^*]*)*+|[bru]*(?:\"\"\"[^\"]*(?:\"(?!\"\")[^\"]*)*+|'''[^']*(?:'(?!'')[^']*)*+)|<!--[^-]*(?:-(?!->)[^-]*)*+"
    r"|//|#(?!(?:include|define|if|ifdef|ifndef|elif|else|endif|pragma)\b|[\[!])|--[\s-]|;;|%[% ])"
)


def statement_priors(texts: Iterable[str]) -> Floats:
    """The prior of each text of code for a report, from .5 to 1: less with more comments, and with fewer lines beside them."""
    return np.asarray([_prior(text) for text in texts], dtype=np.float32)


@lru_cache(maxsize=_KEPT)
def _prior(text: str) -> float:
    lines = text.count("\n") - text.count("\n\n") + 1
    comments = sum(match[0].count("\n") for match in _COMMENT.finditer(f"\n{text}"))
    share = min(1.0, comments / lines)
    statements = lines * (1 - share)
    return float(min(1.0, (1 + statements) / ENOUGH) ** BRIEF * (1 - TALK * max(0.0, share - LOOSE)))


def call_shares(texts: Iterable[str]) -> Floats:
    """log(1 + calls) / log(1 + `MOST_CALLS`) of each text of code, at most 1; a definition counts as a call."""
    return np.asarray([_call_share(text) for text in texts], dtype=np.float32)


@lru_cache(maxsize=_KEPT)
def _call_share(text: str) -> float:
    return min(1.0, math.log1p(len(_CALL.findall(text))) / math.log1p(MOST_CALLS))
