"""Running heads and feet: lines that a PDF repeats at the top or bottom of its pages.

Handbook 2026        page 1: kept, so that no text of the document is lost
…
Page 1 of 8
Handbook 2026        page 2 and on: left out
…
Page 2 of 8

A line that counts the pages beside other words, as the names of chapters, stays where these words are new. It is not a heading: the
chapter has one of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

EDGE = 2  # lines at the top of a page, and at the bottom
FEWEST_PAGES = 4
SHARE = 0.4  # of the pages; left and right pages may have different heads
FEWEST_LINES = 3  # other lines that a page must have, because a form is the same on every page
MOST_NUMBERS = 3  # in a line
LONGEST = 200  # characters of a line
_NUMBER = re.compile(r"\d{1,6}")
_FIRST_OR_LAST = re.compile(r"\A(\d{1,6})\b|\b(\d{1,6})\Z")
_ROMAN = re.compile(r"[ivxlc]+|[IVXLC]+")  # the number of a page before the first chapter
_COUNTING = "\n"  # in no line; begins the form of a line that counts the pages


class Running(NamedTuple):
    """The running lines of a page, by index."""

    gone: frozenset[int]  # said on an earlier page
    kept: frozenset[int]  # those that count the pages, or are repeated on a page with little else


def running(pages: Sequence[Sequence[str]]) -> list[Running]:
    """For each page its lines that at least SHARE of all pages repeat; gone are those that are not the first of their words."""
    edges = [_edges(page, number) for number, page in enumerate(pages)]
    counts = Counter(form for edge in edges for form in {form for forms in edge.values() for form in forms})
    least = max(FEWEST_PAGES, SHARE * len(pages))
    seen: set[str] = set()
    found = []
    for page, edge in zip(pages, edges, strict=True):
        repeated = {
            at: {form for form in forms if not form.startswith(_COUNTING)}
            for at, forms in edge.items()
            if any(counts[form] >= least for form in forms)
        }
        said = {at for at, ran in repeated.items() if ran & seen}
        counting = {
            at
            for at, forms in edge.items()
            if any(counts[form] >= least for form in forms if form.startswith(_COUNTING))
            or _ROMAN.fullmatch(page[at].strip())
        }
        others = sum(bool(line.strip()) for line in page) - len(repeated)
        gone = said if others >= FEWEST_LINES else set()
        found.append(Running(frozenset(gone), frozenset((said | counting) - gone)))
        seen.update(*repeated.values())
    return found


def _edges(page: Sequence[str], number: int) -> dict[int, set[str]]:
    """Index of a line → its forms, for the first and last lines of a page that are not blank."""
    filled = [at for at, line in enumerate(page) if line.strip()]
    return {at: _forms(" ".join(page[at].split()), number) for at in {*filled[:EDGE], *filled[-EDGE:]}}


def _forms(line: str, number: int) -> set[str]:
    """The forms that a line may share with other pages: each of its numbers is unchanged, or reduced by the page's number."""
    values = [*map(int, _NUMBER.findall(line))]
    counting = {
        f"{_COUNTING}{int(match[1] or match[2]) - number:+}" for match in _FIRST_OR_LAST.finditer(line)
    }
    if len(line) > LONGEST or len(values) > MOST_NUMBERS:
        return counting | {line}
    between = _NUMBER.split(line)
    choices = product(*((str(value), f"{value - number:+}p") for value in values))
    return counting | {
        "".join(part for pair in zip(between, (*chosen, ""), strict=True) for part in pair)
        for chosen in choices
    }
