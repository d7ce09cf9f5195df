"""Pages of documents: the places that a question names by their numbers.

page 4 of the forklift manual        page 4
kickoff deck, slide 4                slide 4
sheet 2 of the budget                sheet 2

A chapter has the number of its heading ("Chapter 3: The Letter", "III", "3. Sand"), since a book begins with its copyright and dedication.
"""

from __future__ import annotations

import re

from daypack.query.sections import Sections
from daypack.types import PageAsked

MOST_PAGES = 3
_UNITS = {
    "page": "page",
    "seite": "page",
    "página": "page",
    "slide": "slide",
    "folie": "slide",
    "chapter": "chapter",
    "kapitel": "chapter",
    "sheet": "sheet",
}
_NAMED = re.compile(rf"(?i)\b({'|'.join(_UNITS)})s?[ ](?:no\.?[ ]?|#)?(\d{{1,4}})(?![\w-]|[.:]\d)")

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_IN_ROMAN = r"(?=[ivxlc])c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})"
_NUMBER = rf"(\d{{1,3}}|{_IN_ROMAN}|{'|'.join(_WORDS)})"
_HEADING = re.compile(
    rf"\s*(?:(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo)\s+{_NUMBER}\b|{_NUMBER}(?:[.:)]|\s*\Z))",
    re.IGNORECASE,
)


def number_of_chapter(heading: str) -> int | None:
    """The number that the heading of a chapter begins with; None without one."""
    found = _HEADING.match(heading)
    if found is None:
        return None
    number = (found[1] or found[2]).lower()
    if number in _WORDS:
        return _WORDS.index(number) + 1
    return int(number) if number.isdecimal() else _of_roman(number)


def _of_roman(number: str) -> int:
    values = [_ROMAN[letter] for letter in number]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def pages_of(sections: Sections) -> tuple[PageAsked, ...]:
    """The places that a question names, in order; none for a report, whose numbers belong to its story."""
    if not sections.is_short:
        return ()
    found = (
        PageAsked(_UNITS[match[1].lower()], int(match[2]), match[0])
        for match in _NAMED.finditer(sections.words)
    )
    return tuple(dict.fromkeys(found))[:MOST_PAGES]
