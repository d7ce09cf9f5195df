"""The days that a name is about: the name of a file, a title, a heading.

    2026-01-23.md, notes/20260123.md, 23.1.2026, 2026/01/23.md    a day
    ## Friday, 23 January                                         a day, whose year an outer heading or the path may have
    March 2026, 2026-03.md                                        a month

A day or month in two numbers where either may be the month, as 3-4-2026, is none.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from daypack.query.times.stretches import MONTHS_OF_A_YEAR, day_and_month
from daypack.text import analysis
from daypack.text.prose.months import month_names
from daypack.types import Days

INSIDE, SAID, ELSEWHERE, OTHER_YEAR = 1.0, 0.8, 0.6, 0.5
"""Values of a text: about a day asked for; with that day in its sentences; with that day in a heading, in a file that is about
another; about that day of another year. Guesses."""
NEWER = 0.03  # by which the newest day of a stretch is worth more than the first. guess

_YEAR = r"(?:19|20)\d\d"
# 2026-01-23; 20260123, also before a time; 2026/1/23; 2026年1月23日
_DAYS_IN_NUMBERS = [
    re.compile(rf"(?<!\d)(?P<year>{_YEAR})([-./ ]?)(?P<month>\d\d)\2(?P<day>\d\d)(?!\d)"),
    re.compile(rf"(?<!\d)(?P<year>{_YEAR})(?P<month>\d\d)(?P<day>\d\d)(?=\d{{4}}(?:\d\d)?(?!\d))"),
    re.compile(rf"(?<!\d)(?P<year>{_YEAR})([-./])(?P<month>\d{{1,2}})\2(?P<day>\d{{1,2}})(?!\d)"),
    re.compile(rf"(?<!\d)(?P<year>{_YEAR})年 ?(?P<month>\d{{1,2}})月 ?(?P<day>\d{{1,2}})日"),
]
_YEAR_LAST = re.compile(
    rf"(?<![\d.])(?P<first>\d{{1,2}})(?P<mark>[-./])(?P<second>\d{{1,2}})(?P=mark)(?P<year>{_YEAR})(?!\d)"
)
_FRONT_DATE = re.compile(
    r"^(?:date|day|created|created_at)[ \t]*[:=][ \t]*(.+)$", re.MULTILINE | re.IGNORECASE
)
_FRONT = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)
LONGEST_FRONT = 4_000  # characters
_LONGEST_NAME = 300


class NamedDay(NamedTuple):
    """A day, or a month, that a name has; the year may stand elsewhere."""

    year: int | None
    month: int
    day: int | None

    def days(self, year: int) -> tuple[date, date] | None:
        """(first, last) day in a year; None where the calendar has no such day."""
        try:
            last = monthrange(year, self.month)[1] if self.day is None else self.day
            return date(year, self.month, self.day or 1), date(year, self.month, last)
        except ValueError:
            return None


def value_of(asked: Days, uri: str, title: str, headings: Sequence[str], front: str = "") -> float:
    """The value of a text for a question that names days, 0 to 1, by the name of its file, its title, the headings above it from
    the outermost on, and the date in its front matter.
    """
    levels = [found for name in headings if (found := days_of(name))]
    file = [*days_of_path(uri), *days_of(front)] or ([] if levels else days_of(title))
    year = _year_around(uri, title, headings)
    values = [_nearest(asked, level, year) for level in ([file, *levels] if file else levels)]
    is_about = bool(values) and values[-1] > 0 and (values[0] > 0 or not file)
    return max(values, default=0.0) * (1.0 if is_about else ELSEWHERE)


def value_of_mentions(
    asked: Days, mentions: Sequence[NamedDay], uri: str, title: str, headings: Sequence[str]
) -> float:
    """The value of a text that mentions a day asked for, 0 to 1; a mention without a year has that of the names around it."""
    return SAID * _nearest(asked, mentions, _year_around(uri, title, headings)) if mentions else 0.0


def has_day(uri: str, title: str, headings: Sequence[str]) -> bool:
    """True for names of which one is about a day."""
    named = [*days_of_path(uri), *(one for name in (title, *headings) for one in days_of(name))]
    return any(one.day for one in named)


def _year_around(uri: str, title: str, headings: Sequence[str]) -> int | None:
    return next(filter(None, map(_year_in, (*reversed(headings), title, uri))), None)


def _nearest(asked: Days, named: Iterable[NamedDay], year: int | None) -> float:
    return max((_value(asked, one, year) for one in named), default=0.0)


def _value(asked: Days, named: NamedDay, year: int | None) -> float:
    own = named.year or year
    for each in [own] if own else range(asked.first.year, asked.last.year + 1):
        days = named.days(each)
        if days is not None and asked.first <= days[0] and days[1] <= asked.last:
            return INSIDE - NEWER * (asked.last - days[1]).days / asked.length
    is_same_day = asked.any_year and (named.month, named.day) == (asked.first.month, asked.first.day)
    return OTHER_YEAR if is_same_day else 0.0


def days_of(name: str) -> list[NamedDay]:
    """The days that a title or a heading has; its months where it has no day."""
    low = name[:_LONGEST_NAME].replace("_", "-").lower()
    if not any(map(str.isdigit, low)):
        return []
    return [*_days(low)] or [*_months(low)]


def days_of_path(uri: str) -> list[NamedDay]:
    """The days that a path has: in the name of its file, or in the folders from the nearest one, or in folders for year, month and
    day.
    """
    *folders, file = uri.split("/")
    stem = file.rpartition(".")[0] if re.search(r"\.[a-zA-Z][\w]{0,9}$", file) else file
    if found := days_of(stem):
        return found
    placed = [*_in_folders([*folders, stem])]
    if any(one.day for one in placed):
        return placed
    return next((found for name in reversed(folders) if (found := days_of(name))), placed)


def mentions_of(day: date, text: str) -> list[NamedDay]:
    """The mentions of a day, of any year, in a text: "2026-11-30", "30 November", "November 30th, 2026"."""
    found = []
    number, before, after = _around(day.month, day.day)
    for place in number.finditer(text):
        start, end = place.span()
        if not (after.match(text, end) or before.search(text, max(0, start - _WIDEST_MONTH), start)):
            continue
        around = text[max(0, start - _WIDEST_DATE) : end + _WIDEST_DATE]
        here = [one for one in _days(around, _OTHER_WORDS) if (one.month, one.day) == (day.month, day.day)]
        found += [one for one in here if one.year] or here  # "2026-Jan-23" has "Jan-23" in it
        if len(found) >= _MOST_MENTIONS:
            break
    return found


_WIDEST_MONTH = 20  # characters from the month to the day
_WIDEST_DATE = 36  # characters before and after the day, for the month and the year
_MOST_MENTIONS = 8  # of one text, which may be a table of days
# "up to 30 may fail", "the field sep 5": in small letters and without a year these are months in names alone
_OTHER_WORDS = frozenset(
    ["may", "march", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
)


@cache
def _around(month: int, day: int) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """The number of a day, which is quick to find because it begins with digits alone, and its month, as a name or a number, before
    the number and after it.
    """
    names = sorted((name for name, number in month_names() if number == month), key=len, reverse=True)
    named = rf"(?:(?<![^\W\d_])(?:{'|'.join(map(re.escape, names))})(?![^\W\d_])|(?<!\d)0?{month}(?!\d))"
    return (
        re.compile(rf"{day}(?!\d)(?:(?<!\d{day})|(?<=(?<!\d)0{day}))"),
        re.compile(rf"{named}\D{{1,8}}0?\Z", re.IGNORECASE),
        re.compile(rf"\D{{1,8}}{named}", re.IGNORECASE),
    )


def date_of_front_matter(text: str) -> str:
    """The date that the front matter at the beginning of a text has; "" without."""
    front = _FRONT.match(text[:LONGEST_FRONT])
    found = _FRONT_DATE.search(front[2]) if front else None
    return found[1] if found else ""


def terms_of_months(days: Days) -> tuple[set[str], set[str]]:
    """(index terms for the names of the months of some days in any language, those for their numbers)."""
    numbers = {
        (days.first.year * MONTHS_OF_A_YEAR + days.first.month - 1 + step) % MONTHS_OF_A_YEAR + 1
        for step in range(_months_in(days))
    }
    named = {term for name, number in month_names() if number in numbers for term in analysis.terms(name)}
    return named, {form for number in numbers for form in (str(number), f"{number:02}")}


def _months_in(days: Days) -> int:
    return min(
        MONTHS_OF_A_YEAR,
        (days.last.year - days.first.year) * MONTHS_OF_A_YEAR + days.last.month - days.first.month + 1,
    )


def _year_in(name: str) -> int | None:
    found = re.findall(rf"(?<!\d){_YEAR}(?!\d)", name[:_LONGEST_NAME])
    return int(found[-1]) if found else None


def _in_folders(names: Sequence[str]) -> Iterator[NamedDay]:
    """The day, or the month, of a path such as 2026/01/23, 2026/01 January/23 Friday or 2026/January."""
    for at, name in enumerate(names):
        if not re.fullmatch(_YEAR, name):
            continue
        month = _month_called(names[at + 1]) if at + 1 < len(names) else None
        if month is None:
            continue
        day = re.match(r"(\d{1,2})(?!\w)", names[at + 2]) if at + 2 < len(names) else None
        yield NamedDay(int(name), month, int(day[1]) if day else None)


def _month_called(name: str) -> int | None:
    number = re.match(r"(\d{1,2})(?!\w)", name)
    if number:
        return int(number[1]) if 1 <= int(number[1]) <= MONTHS_OF_A_YEAR else None
    return _months_by_name().get(name.lower())


def _days(text: str, other_words: Container[str] = ()) -> Iterator[NamedDay]:
    """The days that a text has; a month without a year that is one of some other words, in its letters, is none."""
    for pattern in _DAYS_IN_NUMBERS:
        for match in pattern.finditer(text):
            yield from _checked(int(match["year"]), int(match["month"]), int(match["day"]))
    for match in _YEAR_LAST.finditer(text):
        found = day_and_month(int(match["first"]), match["mark"], int(match["second"]))
        if found is not None:
            yield from _checked(int(match["year"]), found[1], found[0])
    for pattern in _day_patterns():
        for match in pattern.finditer(text):
            year, month = match["year"], match["month"]
            if year or month not in other_words:
                number = _months_by_name()[month.lower()]
                yield from _checked(int(year) if year else None, number, int(match["day"]))


def _checked(year: int | None, month: int, day: int) -> Iterator[NamedDay]:
    named = NamedDay(year, month, day)
    if named.days(year or 2024) is not None:  # a leap year
        yield named


def _months(low: str) -> Iterator[NamedDay]:
    for pattern in _month_patterns():
        for match in pattern.finditer(low):
            month = match["month"]
            number = int(month) if month.isdigit() else _months_by_name()[month]
            if 1 <= number <= MONTHS_OF_A_YEAR:
                yield NamedDay(int(match["year"]), number, None)


@cache
def _months_by_name() -> dict[str, int]:
    return dict(month_names())


@cache
def _day_patterns() -> tuple[re.Pattern[str], ...]:
    month = "|".join(sorted(map(re.escape, _months_by_name()), key=len, reverse=True))
    month = rf"(?P<month>{month})(?![^\W\d_])\.?"
    between, th = r"[ -]{1,2}(?:of |de |del )?", r"(?:st|nd|rd|th|er|\.)?"
    year = rf"(?:,?[ -]{{1,2}}(?:of |de |del )?(?P<year>{_YEAR})(?!\d))?"
    return (
        re.compile(rf"(?<![\w.])(?P<day>\d{{1,2}}){th}{between}{month}{year}", re.IGNORECASE),
        re.compile(
            rf"(?<![^\W\d_]){month}{between}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:]){year}", re.IGNORECASE
        ),
        re.compile(rf"(?<!\d)(?P<year>{_YEAR})[ -]{month}[ -](?P<day>\d{{1,2}})(?!\w)", re.IGNORECASE),
    )


@cache
def _month_patterns() -> tuple[re.Pattern[str], ...]:
    month = "|".join(sorted(map(re.escape, _months_by_name()), key=len, reverse=True))
    return (
        re.compile(rf"(?<![\d-])(?P<year>{_YEAR})(?:[-./]|年)(?P<month>\d{{1,2}})(?![\d-])"),
        re.compile(
            rf"(?<![^\W\d_])(?P<month>{month})(?![^\W\d_])\.?,?[ -]{{1,2}}(?:of |de |del )?(?P<year>{_YEAR})(?!\d)"
        ),
        re.compile(rf"(?<!\d)(?P<year>{_YEAR})[ -]{{1,3}}(?P<month>{month})(?![^\W\d_])"),
    )
