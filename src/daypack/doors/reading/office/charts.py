"""The values of a chart of PowerPoint or Word, as the program drew them last: a row for each category, a column for each series."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from daypack.doors.reading.office.text import WIDEST, Text, add_table, escaped, in_percent
from daypack.doors.reading.office.zipped_xml import attribute, first, local, words_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_ROWS = 2_000


def add_chart(chart: Element, text: Text) -> None:
    """Add a chart with its title. One without values, as of a kind that is not known, adds nothing."""
    series = [one for one in chart.iter() if local(one) == "ser"][: WIDEST - 1]
    start = _BEGIN_1904 if attribute(first(chart, "date1904"), "val") in ("1", "true") else _BEGIN
    values = [_points(one, ("val", "yVal"), start) for one in series]
    names = {number: name for one in series for number, name in _points(one, ("cat", "xVal"), start).items()}
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


def _points(series: Element, kinds: Iterable[str], start: date) -> dict[int, str]:
    """Number of a point → its value or name, of the first element of these kinds. Days are counted from `start`."""
    held = next((one for one in series if local(one) in kinds), None)
    if held is None:
        return {}
    told = first(held, "formatCode")
    code = _NO_CODE.sub("", (told.text or "") if told is not None else "")
    found = dict[int, str]()
    for point in held.iter():
        number = attribute(point, "idx")
        if local(point) == "pt" and number.isdecimal() and len(number) < 7:
            found.setdefault(int(number), _shown(words_of(point, "v", {}), code, start))
    return found


def _shown(value: str, code: str, start: date) -> str:
    """The value without the digits that only binary numbers have; a share in percent, a day as in ISO 8601."""
    try:
        number = float(value)
    except ValueError:
        return value
    if _DAY.search(code) and 1 <= number < _MOST_DAYS and number.is_integer():
        return (start + timedelta(number)).isoformat()
    return in_percent(number) if "%" in code else f"{number:.10g}"


_BEGIN, _BEGIN_1904 = date(1899, 12, 30), date(1904, 1, 1)
_MOST_DAYS = 2_900_000
_NO_CODE = re.compile(r"\[[^\[\]]*\]|\"[^\"]*\"|\\.")  # of a number format: a language, words, a sign
_DAY = re.compile(r"yy|mmm|\bd{1,4}\b", re.IGNORECASE)
