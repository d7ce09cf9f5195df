"""Stretches of time on the calendar: days, months, and those that count from now.

A stretch is half-open, [since, until). Days that count from `now` begin at midnight in its zone; written dates are UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction

from daypack.text.prose import months

Stretch = tuple[datetime, datetime]

_MONTH_NAMES = [name.lower() for name in months.ENGLISH]
_SHORT_MONTHS = {name[:3]: i + 1 for i, name in enumerate(_MONTH_NAMES)} | {"sept": 9}
MONTHS = {name: i + 1 for i, name in enumerate(_MONTH_NAMES)} | _SHORT_MONTHS
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # name → its first month
HOLIDAYS = {  # name → month, day, number of days
    "christmas": (12, 24, 3), "christmas eve": (12, 24, 1), "christmas day": (12, 25, 1),
    "new year's eve": (12, 31, 1), "new year's day": (1, 1, 1),
}  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
NUMBER_WORDS = sorted(NUMBERS, key=len, reverse=True)
UNITS = ("minute", "hour", "day", "week", "month", "year")
MONTHS_OF_A_YEAR = 12
_THIRDS, _HALVES, _QUARTERS = (
    [(Fraction(n, of), Fraction(n + 1, of)) for n in range(of)] for of in (3, 2, 4)
)
PARTS_OF_MONTHS = {  # of a month, a quarter or a year: from one share of it to another
    "early": _THIRDS[0], "beginning": _THIRDS[0], "start": _THIRDS[0], "mid": _THIRDS[1], "middle": _THIRDS[1],
    "late": _THIRDS[2], "end": _THIRDS[2],
    "first half": _HALVES[0], "second half": _HALVES[1], "last half": _HALVES[1], "latter half": _HALVES[1],
    "first quarter": _QUARTERS[0], "second quarter": _QUARTERS[1], "third quarter": _QUARTERS[2], "fourth quarter": _QUARTERS[3],
    "last quarter": _QUARTERS[3], "q1": _QUARTERS[0], "q2": _QUARTERS[1], "q3": _QUARTERS[2], "q4": _QUARTERS[3],
}  # fmt: skip
PARTS_OF_DAY = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24)}  # hours


def midnight(moment: datetime) -> datetime:
    """The beginning of the day of a moment, in its zone."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def days_from(start: datetime, count: int = 1) -> Stretch:
    """`count` whole days."""
    return start, start + timedelta(days=count)


def day_of(year: int, month: int, number: int) -> Stretch | None:
    """A written day; None where its month has no such number."""
    try:
        return days_from(datetime(year, month, number, tzinfo=UTC))
    except ValueError:
        return None


def day_and_month(first: int, mark: str, second: int) -> tuple[int, int] | None:
    """(day, month) of a date in two numbers before its year; None where either may be the month. With points the day is first."""
    if mark == "." or first > MONTHS_OF_A_YEAR or first == second:
        return first, second
    return (second, first) if second > MONTHS_OF_A_YEAR else None


def part_of(day: datetime, part: str | None) -> Stretch:
    """A part of the day that begins at the midnight `day`, or the whole day."""
    first, end = PARTS_OF_DAY[part] if part else (0, 24)
    return day + timedelta(hours=first), day + timedelta(hours=end)


def weekday(name: str, today: datetime, *, ahead: bool = False, may_be_today: bool = False) -> Stretch:
    """The last day of that name, or the next one."""
    step = 1 if ahead else -1
    away = step * (DAYS.index(name) - today.weekday()) % 7
    return days_from(today + timedelta(days=step * (away if may_be_today else away or 7)))


def months_from(year: int, month: int, count: int = 1, zone: tzinfo | None = UTC) -> Stretch:
    """`count` whole months."""
    last = year * 12 + month - 1 + count
    return datetime(year, month, 1, tzinfo=zone), datetime(last // 12, last % 12 + 1, 1, tzinfo=zone)


def part_of_months(stretch: Stretch, part: str) -> Stretch:
    """A part of a stretch of whole months: four months for the end of a year, ten days or so for that of a month."""
    first, last = PARTS_OF_MONTHS[part]
    return _at_share(stretch, first), _at_share(stretch, last)


def _at_share(stretch: Stretch, share: Fraction) -> datetime:
    """The midnight before which a share of whole months lies."""
    first, end = stretch
    months, rest = divmod(((end.year - first.year) * MONTHS_OF_A_YEAR + end.month - first.month) * share, 1)
    _, start = months_from(first.year, first.month, months, first.tzinfo)
    _, stop = months_from(first.year, first.month, months + 1, first.tzinfo)
    return start + timedelta(days=int((stop - start).days * rest))


def latest(of_year: Callable[[int], Stretch | None], now: datetime) -> Stretch | None:
    """The last time that a date without a year occurred: people ask about the past."""
    for year in range(now.year, now.year - 9, -1):  # 29 February may be eight years away
        stretch = of_year(year)
        if stretch is not None and stretch[0] <= now:
            return stretch
    return None


def soonest(of_year: Callable[[int], Stretch | None], now: datetime) -> Stretch | None:
    """The next time that a date without a year occurs, or the one that is not over."""
    for year in range(now.year - 1, now.year + 9):  # a winter ends in the year after
        stretch = of_year(year)
        if stretch is not None and stretch[1] > now:
            return stretch
    return None


def nth_of_month(number: int, today: datetime, *, ahead: bool) -> Stretch | None:
    """The last day with a number in its month, or the next one, today included; None for a number that no month has."""
    # the 31st may be two months away
    days = (today + timedelta(days=away if ahead else -away) for away in range(62))
    return next((days_from(day) for day in days if day.day == number), None)


def moved_back(now: datetime, count: int, unit: str) -> datetime:
    """The moment `count` units before now, or after it where the count is negative."""
    if unit in ("month", "year"):
        months = now.year * 12 + now.month - 1 - count * (12 if unit == "year" else 1)
        # Many months have no 31st; the 28th is within three days of it in all.
        return now.replace(year=months // 12, month=months % 12 + 1, day=min(now.day, 28))
    return now - timedelta(**{unit + "s": count})


def ago(count: int, unit: str, now: datetime) -> Stretch:
    """As wide as its unit: "2 weeks ago" is a week, "3 days ago" a day; with a negative count, a time ahead."""
    moment = moved_back(now, count, unit)
    day = midnight(moment)
    match unit:
        case "minute" | "hour":
            wide = timedelta(**{unit + "s": max(1, abs(count) // 4)})
            return moment - wide, moment + wide
        case "day":
            return days_from(day)
        case "week":
            return days_from(day - timedelta(days=3), 7)
        case "month":
            return months_from(day.year, day.month, zone=now.tzinfo)
        case _:
            return days_from(day - timedelta(days=183), 366)


def relative(word: str, unit: str, now: datetime) -> Stretch:
    """The stretch of "last week", "past month", "this morning", "next year"."""
    today = midnight(now)
    week = today - timedelta(days=today.weekday())
    # "the past week" ends now, "last week" ended on Sunday
    if word == "past" and unit not in ("night", "weekend", *PARTS_OF_DAY):
        return (moved_back(now, 3, "month") if unit == "quarter" else moved_back(now, 1, unit)), now
    steps = {"this": 0, "next": -1, "coming": -1}.get(word, 1)
    match unit:
        case part if part in PARTS_OF_DAY:
            return part_of(today - timedelta(days=steps), part)
        case "night":
            start = today - timedelta(hours=24 * steps - 18)
            return start, start + timedelta(hours=12)
        case "weekend":
            return days_from(week + timedelta(days=5 - 7 * steps), 2)
        case "week":
            return days_from(week - timedelta(days=7 * steps), 7)
        case "month":
            months = now.year * 12 + now.month - 1 - steps
            return months_from(months // 12, months % 12 + 1, zone=now.tzinfo)
        case "quarter":
            months = now.year * 12 + (now.month - 1) // 3 * 3 - 3 * steps
            return months_from(months // 12, months % 12 + 1, 3, now.tzinfo)
        case "year":
            return months_from(now.year - steps, 1, 12, now.tzinfo)
        case _:
            start = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=steps)
            return start, start + timedelta(hours=1)


def season_of(name: str, year: int, zone: tzinfo | None = UTC) -> Stretch:
    """Three whole months, as in the north; the winter of a year begins in its December."""
    return months_from(year, SEASONS[name], 3, zone)


def season(word: str, name: str, now: datetime) -> Stretch | None:
    """The stretch of "last summer": the last one that is over; of "this summer": the one of this year."""
    seasons = [season_of(name, now.year + step, now.tzinfo) for step in (-2, -1, 0, 1)]
    match word:
        case "this":
            return next((one for one in seasons if one[0] <= now < one[1]), seasons[2])
        case "next" | "coming":
            return next((one for one in seasons if one[0] > now), None)
        case _:
            return next((one for one in reversed(seasons) if one[1] <= now), None)


def holiday_of(name: str, year: int) -> Stretch:
    """Christmas, from the eve to the second day, one of its days, or the eve or the day of a new year."""
    month, first, days = HOLIDAYS[name]
    return days_from(datetime(year, month, first, tzinfo=UTC), days)


def shortly_before(lead: str, first: datetime) -> Stretch | None:
    """The stretch of "the week before", "two weeks before" or "the Sunday before" a date that begins at `first`."""
    pattern = rf"\b(the|\d{{1,3}}|{'|'.join(NUMBER_WORDS)}) ({'|'.join((*UNITS, *DAYS))})s? before $"
    if (match := re.search(pattern, lead[-60:])) is None:
        return None
    if match[2] in DAYS:
        return weekday(match[2], first)
    count = int(match[1]) if match[1].isdigit() else NUMBERS.get(match[1], 1)
    return moved_back(first, count, match[2]), first
