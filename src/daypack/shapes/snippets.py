"""The part of a text that shows why it was found: the window with the most words of the query."""

from __future__ import annotations

import re
from collections.abc import Collection

from daypack.text import analysis

_WORD = re.compile(r"\w+(?:[._/-]\w+)*")


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
        (match.start(), match.end(), matches)
        for match in _WORD.finditer(flat)
        if (matches := wanted.intersection(analysis.terms(match[0])))
    ]
    start = _best_start(places, width)
    end = start + width
    if start > 0:
        start = flat.find(" ", max(0, start - 1)) + 1
    if end < len(flat):
        end = max(flat.rfind(" ", start, end), start + width // 2)
    return ("… " if start > 0 else "") + flat[start:end] + (" …" if end < len(flat) else "")


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
