"""The bullets and numbers of lists and headings in OpenDocument, which its file counts and does not write.

styles.xml, content.xml   the style "L1" → its levels, each with a format, a beginning, and the signs around its number
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from daypack.doors.reading.office.numbering import BULLET, number_of, written
from daypack.doors.reading.office.zipped_xml import NOT_SHOWN, attribute, local

_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_OUTLINE = "outline"  # the style of headings, which has no name
_BLOCKS = ("p", "h", "table")

Placed = tuple[Element, str]
"""A paragraph, heading or table, and the label before it; "" for none."""


class _Level(NamedTuple):
    form: str
    first: int
    before: str
    behind: str
    shown: int  # levels whose numbers are in the label


class ListStyles:
    """Counts the items of the lists of a document, in their order."""

    def __init__(self, parts: Iterable[Element]) -> None:
        self._styles = {
            attribute(one, "name") if local(one) == "list-style" else _OUTLINE: _levels(one)
            for part in parts
            for one in part.iter()
            if local(one) in ("list-style", "outline-style")
        }
        self._headings = dict[int, int]()  # level → the last number
        self._counts = dict[str, dict[int, int]]()  # style → the same of its last list

    def placed(self, body: Element) -> Iterator[Placed]:
        """The outermost paragraphs and tables, each with its label. Each document is asked for once."""
        for block, label in self._inside(body, "", 0):
            level = attribute(block, "outline-level")
            if local(block) == "h" and not label and level.isdecimal() and len(level) < _DIGITS:
                label = self._next(_OUTLINE, int(level), self._headings)
                label = "" if label == BULLET or attribute(block, "is-list-header") == "true" else label
            yield block, label

    def _inside(self, element: Element, style: str, level: int) -> Iterator[Placed]:
        for child in element:
            name = local(child)
            if name in _BLOCKS:
                yield child, ""
            elif name == "list":
                own = attribute(child, "style-name") or style
                if not level and attribute(child, "continue-numbering") != "true":
                    self._counts[own] = {}
                for item in child:
                    yield from self._item(item, own, level + 1)
            elif name not in NOT_SHOWN:
                yield from self._inside(child, style, level)

    def _item(self, item: Element, style: str, level: int) -> Iterator[Placed]:
        """The blocks of an item, of which the first has the label, unless that is a list of its own."""
        label = ""
        if local(item) == "list-item" and len(item) and local(item[0]) in _BLOCKS:
            counts = self._counts.setdefault(style, {})
            if (begin := attribute(item, "start-value")).isdecimal() and len(begin) < _DIGITS:
                counts[level] = int(begin) - 1
            label = self._next(style, level, counts)
        for block, its in self._inside(item, style, level):
            yield block, its or label
            label = ""

    def _next(self, style: str, level: int, counts: dict[int, int]) -> str:
        levels = self._styles.get(style, {})
        own = levels.get(level)
        if own is None or not own.form:
            return BULLET
        counts[level] = counts.get(level, own.first - 1) + 1
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
        around = sorted(at for at in levels if max(0, level - own.shown) < at <= level)
        numbers = (
            written(counts.get(at, levels[at].first), levels[at].form) for at in around if levels[at].form
        )
        return f"{own.before}{'.'.join(numbers)}{own.behind}".strip() or BULLET


_DIGITS = 9


def _levels(style: Element) -> dict[int, _Level]:
    return {
        number_of(attribute(one, "level")): _Level(
            _FORMS.get(attribute(one, "num-format"), ""),
            number_of(attribute(one, "start-value") or "1"),
            attribute(one, "num-prefix"),
            attribute(one, "num-suffix"),
            number_of(attribute(one, "display-levels") or "1"),
        )
        for one in style
        if local(one) in ("list-level-style-number", "outline-level-style")
    }
