"""The part of a text that shows why it was found: the window with the most words of the query.

Text without blanks is cut between any two of its characters, other text between words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from daypack.text import analysis

_WORD = re.compile(r"\w+(?:[._/-]\w+)*")
# Chinese, Japanese, Thai and their like; Korean has blanks
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\uff65"
)
_PAIR = re.compile(rf"(?=([{_UNSPACED}]{{2}}))")
_BREAK = re.compile(rf" |(?<=[{_UNSPACED}])")


def snippet(text: str, terms: Collection[str], width: int) -> str:
    """At most about `width` characters of a text, white space joined, with `…` where it was cut.

    `terms` are the query's, as `analysis.terms` gives them. It is the first of the windows that hold the most
    terms; the start of the text without any.
    """
    flat = " ".join(text.split())
    if len(flat) <= width:
        return flat
    wanted = set(terms)
    places = [
        (start, end, matches)
        for start, end in _words(flat)
        if (matches := wanted.intersection(analysis.terms(flat[start:end])))
    ]
    start = _best_start(places, width)
    end = start + width
    if start > 0 and (gap := next(_gaps(flat, start - 1, start + width // 2), None)):
        start = max(start, gap.end())
    if end < len(flat):
        end = max((gap.start() for gap in _gaps(flat, start, end)), default=0)
        end = max(end, start + width // 2)
    return ("… " if start > 0 else "") + flat[start:end] + (" …" if end < len(flat) else "")


def _words(text: str) -> Iterator[tuple[int, int]]:
    """The places of words; in text without blanks those of pairs of characters, as the index has them."""
    for word in _WORD.finditer(text):
        pairs = () if word[0].isascii() else _PAIR.finditer(text, *word.span())
        places = [pair.span(1) for pair in pairs]
        yield from places or [word.span()]


def _gaps(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The places at which a text may be cut, none before a mark of a letter."""
    gaps = _BREAK.finditer(text, start, min(end, len(text) - 1))
    return (gap for gap in gaps if not unicodedata.category(text[gap.start()]).startswith("M"))


def _best_start(places: list[tuple[int, int, set[str]]], width: int) -> int:
    """The start of the window that holds most different terms, with a little text before them."""
    best, start = 0, 0
    for i, (begin, _, _) in enumerate(places):
        inside: set[str] = set()
        for _, end, terms in places[i:]:
            if end - begin > width * 3 // 4:
                break
            inside |= terms
        if len(inside) > best:
            best, start = len(inside), max(0, begin - width // 6)
    return start
