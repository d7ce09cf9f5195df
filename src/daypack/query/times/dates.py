"""Temporal cues: the stretch of time that a question names.

    "what did we decide last week"      Monday to Monday before this week
    "changes since 3 days ago"          from the beginning of that day on
    "between May and July 2023"         from the first of May to the end of July
    "the last finals as of 2019"        the year 2019 alone
    "who will lead in January?"         the next January; in the past tense the last one
    "in Q1 2026", "over the summer"     three months; seasons are those of the north
    "at the end of last year"           the last third of it

A stretch is half-open, [since, until), in Unix seconds. Days that count from now begin at midnight in the zone of the asker,
whose evening may be the next day in UTC; a date that is written out is UTC, as all dates that Daypack shows.
Ambiguous words count only in company: "May" needs a day, a year or a preposition, and "this may break" is not a date. Vague words (recently, soon) are not
cues.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date as calendar_date
from datetime import datetime, timedelta
from typing import NamedTuple

from daypack.errors import BadDate
from daypack.query.times.meant_dates import COUNTED_FROM_NOW, stretch_of
from daypack.query.times.stretches import (
    DAYS,
    MONTHS,
    PARTS_OF_DAY,
    SEASONS,
    UNITS,
    Stretch,
    days_from,
    midnight,
    moved_back,
    shortly_before,
)
from daypack.query.times.written_dates import (
    OPERATORS,
    WrittenDate,
    date_written,
    is_as_of,
    word_before,
    word_that_bounds,
    written_dates,
)
from daypack.text import analysis
from daypack.text.checks import in_utc, is_moment
from daypack.types import Days

LONGEST_TEXT = 2_000

_CUE_WORDS = frozenset([
    *MONTHS, *DAYS, "ago", "today", "yesterday", "tonight", "last", "past", "previous", "this", "next", "coming", "in", "during", "since", "before", "after",
    "until", "till", "by", "between", "from", "on", "of", "over", "at", "for", "within",
])  # fmt: skip
_TELLING = frozenset(
    [*MONTHS, *DAYS, "ago", "today", "yesterday", "tonight", "tomorrow", "st", "nd", "rd", "th"]
)
_UNITS_OF_TIME = frozenset(
    [
        *UNITS,
        *(unit + "s" for unit in UNITS),
        "night",
        "weekend",
        "quarter",
        "q",
        "christmas",
        *PARTS_OF_DAY,
        *SEASONS,
    ]
)

_LONGEST_DATE = 60
_CLOCK = re.compile(r"[t ](\d[\d:.,]*)")
_WEEK = re.compile(r"\d{4}-?w\d\d")
_BELONGING = frozenset({*OPERATORS, "in", "on", "at", "during", "over", "for", "of"})  # before a date


def moment_of(value: object, now: datetime, name: str = "") -> float:
    """Unix seconds of a moment that a caller names: a number, a date or datetime, an ISO 8601 date (UTC where they name no
    zone), or words as in a question; a stretch ("last week") means its beginning. Raises BadDate.
    """
    return _stretch_named(value, now, name)[0]


def end_of(value: object, now: datetime, name: str = "") -> float:
    """Unix seconds of the last moment of a stretch that `moment_of` reads: "yesterday" and 2026-11-27 mean the whole day,
    2026-11-27T14:00 the whole minute. Raises BadDate.
    """
    begin, end = _stretch_named(value, now, name)
    return max(begin, end - 1e-6)


def _stretch_named(value: object, now: datetime, name: str) -> tuple[float, float]:
    stretch: tuple[float, float] | None = None
    try:
        if isinstance(value, calendar_date):  # a datetime is one too
            value = value.isoformat()
        if isinstance(value, str):
            found = _stretch_in_words(" ".join(value.lower().split()), now)
            stretch = (found[0].timestamp(), found[1].timestamp()) if found else None
        elif is_moment(value):
            stretch = float(value), float(value)
    except (OverflowError, ValueError, OSError):
        stretch = None
    if stretch is None:
        raise BadDate(value, name)
    return stretch


def _stretch_in_words(text: str, now: datetime) -> Stretch | None:
    if (stretch := _iso_stretch(text)) is not None:
        return stretch
    if text == "now" or len(text) > _LONGEST_DATE:
        return (now, now) if text == "now" else None
    for phrase in (text, f"in {text}", f"last {text}"):  # "2024" and "monday" need a word before them
        date = date_written(phrase)
        if date is None:
            continue
        if date.kind == "ago":
            return _exactly_ago(date, now)
        if (stretch := stretch_of(date, now)) is not None:
            return stretch
    return None


def _iso_stretch(text: str) -> Stretch | None:
    """The week, day, hour, minute or second of an ISO 8601 date; None for another text."""
    try:
        # only Z names UTC there, z does not; lists of Daypack say UTC
        moment = datetime.fromisoformat(text.upper().removesuffix(" UTC"))
    except ValueError:
        return None
    begin = in_utc(moment)
    if (clock := _CLOCK.search(text)) is None:
        return begin, begin + timedelta(days=7 if _WEEK.fullmatch(text) else 1)
    exact = sum(map(str.isdigit, clock[1]))
    return begin, begin + timedelta(seconds={2: 3600, 4: 60, 6: 1}.get(exact, 0))


def _exactly_ago(date: WrittenDate, now: datetime) -> Stretch:
    """The moment of "3 hours ago", the day of "3 days ago"; a question means some time around it."""
    moment = moved_back(now, date.amount, date.parts["unit"])
    if date.parts["unit"] in ("minute", "hour"):
        return moment, moment
    return days_from(midnight(moment))


def is_month(word: str) -> bool:
    """True for the name of a month, in lower case."""
    return word in MONTHS


def named_dates(text: str) -> list[str]:
    """The names of months and days in a text, in lower case, each once."""
    return [
        *dict.fromkeys(word for word in re.findall(r"[a-z]+", text.lower()) if word in MONTHS or word in DAYS)
    ]


def time_range(text: str, now: datetime) -> tuple[float | None, float | None]:
    """(since, until) of the time that the text names; None for an open side, both None for a text without a time."""
    text = text[:LONGEST_TEXT]
    words = set(re.findall(r"[a-z]+|\d{4}", text.lower()))
    digits = any(word.isdigit() for word in words)
    if not (words & _TELLING or (words & _CUE_WORDS and (digits or words & _UNITS_OF_TIME)) or digits):
        return None, None
    try:
        start, stop = _range_of(_dates_in(text, now))
        return (start.timestamp() if start else None), (stop.timestamp() if stop else None)
    except (OverflowError, ValueError, OSError):  # a year outside the calendar
        return None, None


def days_in(text: str, now: datetime) -> Days | None:
    """The days of the time that a text with a time names; None where it has no beginning, or begins after now and has no end."""
    said = _dates_in(text, now)
    try:
        start, stop = _range_of(said)
    except (OverflowError, ValueError, OSError):
        return None
    if start is None:
        return None
    first = start.date()
    last = now.date() if stop is None else (stop - timedelta(seconds=1)).date()
    any_year = all(date.kind in ("day_month", "month_day") and "year" not in date.parts for date, _ in said)
    return Days(first, last, any_year=any_year and first == last) if first <= last else None


def without_times(text: str, now: datetime) -> str:
    """The text without the times that `time_range` reads."""
    rest, at = [], 0
    for date, _ in _dates_in(text, now):
        rest.append(text[at : date.start])
        at = date.end
    return " ".join((*rest, text[at:LONGEST_TEXT]))


def time_words(text: str, now: datetime) -> tuple[list[str], list[str]]:
    """(the words of the times that `time_range` reads, in lower case and with the words that belong to them; those of the times
    that count from now, as "last week", which in a stored text mean another time, and words such as "early").
    """
    words, relative = [], []
    for date, _ in _dates_in(text, now):
        low = date.text.lower()
        said = analysis.words(low[date.start : date.end])
        before = word_before(low, date.start)
        words += [*said, *([before] if before in _BELONGING else [])]
        if date.kind in COUNTED_FROM_NOW:
            relative += said
        elif date.part.isalpha():  # "early", "end", but not the names "Q1" and "first half"
            relative.append(date.part)
    return words, relative


# ---------------------------------------------------------------- the dates of a text together


def _dates_in(text: str, now: datetime) -> list[tuple[WrittenDate, Stretch]]:
    """The dates of a text with the stretch that each means, in order; one after "as of" stands for all of them."""
    dates = written_dates(text[:LONGEST_TEXT])
    known = [(date, stretch) for date in dates if (stretch := stretch_of(date, now)) is not None]
    return [(date, stretch) for date, stretch in known if is_as_of(date)][-1:] or known


class _Bounds(NamedTuple):
    """The beginnings and ends that dates name. A side is open when a date names only the other: "since Monday" has no end."""

    since: tuple[datetime, ...] = ()
    until: tuple[datetime, ...] = ()
    open_since: bool = False
    open_until: bool = False

    def with_more(self, more: _Bounds) -> _Bounds:
        return _Bounds(
            self.since + more.since,
            self.until + more.until,
            self.open_since or more.open_since,
            self.open_until or more.open_until,
        )

    def range(self) -> tuple[datetime | None, datetime | None]:
        """(first moment, end); None for an open end, both None for bounds that exclude each other."""
        if self.open_since and self.open_until:  # "after May and before July": both ends as written
            start, stop = max(self.since, default=None), min(self.until, default=None)
        else:
            start = None if self.open_since and not self.since else min(self.since, default=None)
            stop = None if self.open_until and not self.until else max(self.until, default=None)
        return (None, None) if start is not None and stop is not None and start >= stop else (start, stop)


def _range_of(dates: Iterable[tuple[WrittenDate, Stretch]]) -> tuple[datetime | None, datetime | None]:
    """(first moment, end) of the time that the dates of a text describe together; None for an open end."""
    bounds = _Bounds()
    has_begun = False  # the next date may be the second one of "between … and …"
    for date, stretch in dates:
        low = date.text.lower()
        word = word_that_bounds(date)
        if has_begun and word in _JOINING:
            more, has_begun = _second_bound(date, stretch, bounds.since[-1]), False
        else:
            has_begun = word == "between" or (word == "from" and _continues(low, date.end))
            more = _Bounds(since=stretch[:1]) if has_begun else _bounds_of(date, stretch, word, low)
        bounds = bounds.with_more(more)
    return bounds.range()


_JOINING = frozenset({"and", "to", "until", "till", "through", "-", "–"})


def _second_bound(date: WrittenDate, stretch: Stretch, begin: datetime) -> _Bounds:
    """The end of "between … and …"; of two weekdays the second is the one after the first, also when it is today."""
    _, end = stretch
    return _Bounds(until=(end + timedelta(days=7) if date.kind == "weekday" and end <= begin else end,))


def _bounds_of(date: WrittenDate, stretch: Stretch, word: str, low: str) -> _Bounds:
    """The bounds that a date gives by the word before it."""
    first, end = stretch
    match word:
        case "and" | "to" | "through" if date.operator == word:
            return _Bounds()  # "and May": a date only where another one stands before it
        case "before":
            lead = f"{low[: date.start]}{'before ' * (date.operator == word)}"
            if near := shortly_before(lead, first):
                return _Bounds(since=near[:1], until=near[1:])
            return _Bounds(until=(first,), open_since=True)
        case "until" | "till" | "through" | "by":
            return _Bounds(until=(end,), open_since=True)
        case "after":
            return _Bounds(since=(end,), open_until=True)
        case "since":
            return _Bounds(since=(first,), open_until=True)
        case _:
            return _Bounds(since=(first,), until=(end,))


def _continues(low: str, at: int) -> bool:
    return (
        low[at : at + 10]
        .lstrip(" ,")
        .startswith(("to ", "up to ", "until ", "till ", "through ", "- ", "– "))
    )
