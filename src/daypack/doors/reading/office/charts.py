"""The values of a chart of PowerPoint or Word, as the program drew them last: a row for each category, a column for each series."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from daypack.doors.reading.office.text import WIDEST, Text, add_table, escaped, in_percent
from daypack.doors.reading.office.zipped_xml import attribute, first, local, words_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_ROWS = 2_000


def add_chart(chart: Element, text: Text) -> None:
    """Add a chart with its title. One without values, as of a kind that is not known, adds nothing."""
    series = [one for one in chart.iter() if local(one) == "ser"][: WIDEST - 1]
    values = [_points(one, ("val", "yVal")) for one in series]
    names = {number: name for one in series for number, name in _points(one, ("cat", "xVal")).items()}
    numbers = sorted({number for column in values for number in column})[:_MOST_ROWS]
    if not numbers:
        return
    title = first(chart, "title")
    said = " ".join(words_of(title, "t", {"p": " "}).split()) if title is not None else ""
    text.gap()
    text.add(escaped(f"Chart: {said}") if said else "Chart:")
    rows = [
        [names.get(number, str(number + 1)), *(column.get(number, "") for column in values)]
        for number in numbers
    ]
    add_table([["", *map(_name, series)], *rows], text)


def _name(series: Element) -> str:
    told = next((one for one in series if local(one) == "tx"), None)
    return words_of(told, "v", {}) if told is not None else ""


def _points(series: Element, kinds: Iterable[str]) -> dict[int, str]:
    """Number of a point → its value or name, of the first element of these kinds."""
    held = next((one for one in series if local(one) in kinds), None)
    if held is None:
        return {}
    code = first(held, "formatCode")
    is_share = code is not None and "%" in (code.text or "")
    found = dict[int, str]()
    for point in held.iter():
        number = attribute(point, "idx")
        if local(point) == "pt" and number.isdecimal() and len(number) < 7:
            found.setdefault(int(number), _shown(words_of(point, "v", {}), is_share=is_share))
    return found


def _shown(value: str, *, is_share: bool) -> str:
    """The value without the digits that only binary numbers have; a share in percent."""
    try:
        number = float(value)
    except ValueError:
        return value
    return in_percent(number) if is_share else f"{number:.10g}"
