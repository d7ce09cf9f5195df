"""Headings in the comments of scripts of MATLAB and Octave: a script is cut at its cells, and they have their names.

    %% Load the data          a cell               % ---- Load the data ----
    x = load('a.mat');                             %%%%%%%%%%%%%%%%%%
                                                   % Load the data

Only text between functions is cut: a function has its own name. A cell without a title ends a piece and has the name of the
heading above it. Scripts of R, Julia and Python cut at such headings answered questions about thirteen research projects no
better.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from daypack.chunk.sizing import Draft
from daypack.text.name_sets import name_set
from daypack.types import PieceKind

HEADED = name_set("matlab")
TITLE_LIMIT = 80
LEAST_LINES = 10  # of a piece before a cell without a title (guess)

_MARK = r"(?:%{1,3}|\#{1,3})"
_HEADING = re.compile(
    rf"^(?:"
    rf"(?:%%|\#\#[ \t]*%%)(?![%\w])[ \t]*(?P<cell>[^\n]*)"  # %% Load
    rf"|{_MARK}[ \t]*(?:[-=*%\#]{{3,}}[ \t]+)?(?P<trailed>[^\W_][^\n]{{0,100}}?)[ \t]*[-=*%\#]{{4,}}[ \t]*"  # % Load ----
    rf"|[ \t]*[-=*%\#]{{8,}}[ \t]*\n{_MARK}[ \t]*(?P<ruled>[^\W_][^\n]*)"
    rf")$",
    re.MULTILINE,
)
_TRIM = re.compile(r"[-=*#%\s]+$")
_CODE = re.compile(r"[{};]|\)$|\s=\s")
_ENDS = re.compile(r"end\b", re.IGNORECASE)


class _Heading(NamedTuple):
    start: int
    title: str  # "" for a cell without one


def _headings(text: str) -> Iterator[_Heading]:
    for found in _HEADING.finditer(text):
        yield _Heading(found.start(), _title(found["cell"] or found["trailed"] or found["ruled"] or ""))


def _title(said: str) -> str:
    """The title that a comment says; "" for prose and for code that is commented out."""
    title = " ".join(_TRIM.sub("", said).split())
    return "" if len(title) > TITLE_LIMIT or _CODE.search(title) else title


def under_headings(text: str, regions: list[Draft], language: str) -> list[Draft]:
    """The regions, those of a file's top level without a name cut at the headings and named after them."""
    headings = [*_headings(text)] if language in HEADED else []
    if not headings:
        return regions
    starts = [heading.start for heading in headings]
    titles = list[str]()
    for heading in headings:
        ends = _ENDS.match(heading.title)
        titles.append("" if ends else heading.title or (titles[-1] if titles else ""))
    cut: list[Draft] = []
    for region in regions:
        if region.symbol is not None or region.name or region.kind is not PieceKind.BLOCK:
            cut.append(region)
            continue
        at = bisect_right(starts, region.start)
        name, begin = titles[at - 1] if at else "", region.start
        for heading, title in zip(headings[at:], titles[at:], strict=True):
            if heading.start >= region.end:
                break
            lines = text.count("\n", begin, heading.start)
            is_new = bool(heading.title) or lines >= LEAST_LINES
            if is_new and text[begin : heading.start].strip():
                cut.append(region._replace(start=begin, end=heading.start, name=name))
                begin = heading.start
            name = title if is_new or not text[begin : heading.start].strip() else name
        cut.append(region._replace(start=begin, name=name))
    return cut
