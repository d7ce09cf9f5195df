"""The numbers of a list in Word, which its file counts and does not write.

word/numbering.xml   numId 3 → its levels, each with a format, a beginning and a label such as "%1." or "Step %1:"
word/styles.xml      the style "List Number" → numId 3
"""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree.ElementTree import Element

from daypack.doors.reading.office.zipped_xml import attribute, first, local

BULLET = "-"
_MOST_STYLES = 20  # that a style is based on, one on the next


class _Level(NamedTuple):
    """A level of a list: the format of its numbers, the first one, and the label around them."""

    form: str
    first: int
    label: str


class Numbering:
    """Counts the items of the lists of a document, in their order."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        kinds = {
            attribute(one, "abstractNumId"): _levels(one)
            for one in (numbering if numbering is not None else ())
            if local(one) == "abstractNum"
        }
        self._lists: dict[str, tuple[str, dict[int, _Level]]] = {}  # numId → its kind and its levels
        self._restarts: dict[str, dict[int, int]] = {}
        for one in numbering if numbering is not None else ():
            if local(one) == "num":
                kind, number = attribute(first(one, "abstractNumId"), "val"), attribute(one, "numId")
                self._lists[number] = kind, {**kinds.get(kind, {}), **_levels(one)}
                self._restarts[number] = {
                    number_of(attribute(level, "ilvl")): number_of(attribute(begin, "val"))
                    for level in one
                    if (begin := first(level, "startOverride")) is not None
                }
        self._of_styles = _of_styles(styles)
        self._counts: dict[str, dict[int, int]] = {}  # kind → level → the last number

    def label_of(self, facts: Element | None) -> str | None:
        """The number or "-" before an item of a list by its properties; None for another paragraph. Each item is asked for once, in
        the order of the document.
        """
        number, level = _place(facts) if facts is not None else ("", None)
        style = attribute(first(facts, "pStyle"), "val") if facts is not None else ""
        of_style, its_level = self._of_styles.get(style, ("", None))
        number = number or of_style
        depth = next((one for one in (level, its_level) if one is not None), 0)
        if number in ("", "0"):
            return None
        kind, levels = self._lists.get(number, ("", {}))
        own = levels.get(depth)
        if own is None or own.form in ("bullet", "none"):
            return BULLET
        counts = self._counts.setdefault(kind, {})
        if depth in (begins := self._restarts.get(number, {})):
            counts[depth] = begins.pop(depth) - 1
        counts[depth] = counts.get(depth, own.first - 1) + 1
        for deeper in [one for one in counts if one > depth]:
            del counts[deeper]

        def number_at(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            level = levels.get(at, own)
            return written(counts.get(at, level.first), level.form)

        return re.sub(r"%([1-9])", number_at, own.label).strip() or BULLET


def _levels(element: Element) -> dict[int, _Level]:
    return {
        number_of(attribute(one, "ilvl")): _Level(
            attribute(first(one, "numFmt"), "val") or "decimal",
            number_of(attribute(first(one, "start"), "val") or "1"),
            attribute(first(one, "lvlText"), "val"),
        )
        for one in element.iter()
        if local(one) == "lvl"
    }


def _of_styles(styles: Element | None) -> dict[str, tuple[str, int | None]]:
    """Id of a style → (numId, level) of its lists, its own or those of the style that it is based on."""
    own, based_on = dict[str, tuple[str, int | None]](), dict[str, str]()
    for style in styles if styles is not None else ():
        if local(style) == "style":
            key = attribute(style, "styleId")
            own[key], based_on[key] = _place(style), attribute(first(style, "basedOn"), "val")
    found = {}
    for key in own:
        number, level, at = "", None, key
        for _ in range(_MOST_STYLES):
            its_number, its_level = own.get(at, ("", None))
            number, level = number or its_number, its_level if level is None else level
            at = based_on.get(at, "")
        found[key] = number, level
    return found


def _place(element: Element) -> tuple[str, int | None]:
    """(numId, level) that properties name; "" and None where they do not."""
    facts = first(element, "numPr")
    if facts is None:
        return "", None
    level = attribute(first(facts, "ilvl"), "val")
    return attribute(first(facts, "numId"), "val"), (number_of(level) if level else None)


def number_of(written: str) -> int:
    """The number in a few digits; 0 for other text."""
    return int(written) if written.isdecimal() and len(written) < 9 else 0


def written(number: int, form: str) -> str:
    """A number in a format of Word; in digits for the formats of other scripts."""
    match form:
        case "lowerLetter" | "upperLetter" if number > 0:
            letter = chr(ord("a") + (number - 1) % 26) * min(9, (number + 25) // 26)
            return letter if form == "lowerLetter" else letter.upper()
        case "lowerRoman" | "upperRoman" if 0 < number < 4000:
            roman = _roman(number)
            return roman if form == "lowerRoman" else roman.upper()
        case _:
            return str(number)


def _roman(number: int) -> str:
    parts = []
    for value, letters in (
        *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
        *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
    ):
        parts.append(letters * (number // value))
        number %= value
    return "".join(parts)
