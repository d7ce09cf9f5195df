"""The stretch of time that each kind of written date means: a table gives each kind the function that reads its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from daypack.query.times.stretches import (
    MONTHS,
    PARTS_OF_MONTHS,
    Stretch,
    ago,
    day_and_month,
    day_of,
    holiday_of,
    latest,
    midnight,
    months_from,
    moved_back,
    nth_of_month,
    part_of,
    part_of_months,
    relative,
    season,
    season_of,
    soonest,
    weekday,
)
from daypack.query.times.tense import Tense, says_past
from daypack.query.times.written_dates import (
    EARLIER,
    NTH,
    WrittenDate,
    is_as_of,
    is_one_of_numbers,
    is_small_may,
    is_small_word,
    word_before,
    word_that_bounds,
)

_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "jan", "dec", "sep", "jun", "august", "april", "june"})
_NEVER_SMALL = frozenset({"mar", "jan", "dec", "sep", "jun"})  # short for other words, in small letters
# In small letters, "to march" is seldom a month.
_BEFORE_OTHER_WORDS = frozenset({"this", "to", "and", "by", "from", "between", "before", "after"})
_SATURDAY = 5
_NEAR = timedelta(days=45)  # within which a question in the present means the next of a name. guess
# words before a date that is not ahead: in a question about the future, and in one in the present
_BACK = frozenset({"since", "last"})
_BACK_NOW = _BACK | {"from", "after", "of"}
_TO_THE_START = frozenset({"before", "after", "until", "till", "by"})
_YEARS_AHEAD = 50  # of a question about the future


def stretch_of(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch that a date means; None when its words do not mean a date, or one outside the calendar."""
    try:
        return _STRETCHES[date.kind](date, now)
    except (OverflowError, ValueError):  # "5000 years ago"
        return None


def _iso(date: WrittenDate, _now: datetime) -> Stretch | None:
    return day_of(date.number("year"), date.number("month_number"), date.number("day"))


def _numeric(date: WrittenDate, _now: datetime) -> Stretch | None:
    """The day of "23.1.2026"; None where the first number may be the month, as in "3/4/2026"."""
    found = day_and_month(date.number("first"), date.parts["mark"], date.number("second"))
    return None if found is None else day_of(date.number("year"), found[1], found[0])


def _iso_month(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return months_from(year, date.number("month_number")) if _is_plausible(date, now) else None


def _day_of_month(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch of "3 May 2024" or "May 3"; without a year the one that the tense means."""
    month, day = date.month, date.number("day")
    if "year" in date.parts:
        return day_of(date.number("year"), month, day)
    if (date.kind != "day_month" and is_small_may(date)) or is_small_word(date):
        return None
    return _of_a_year(date, lambda year: day_of(year, month, day), now)


def _days_of_month(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch of "3 to 5 May"; None where the second day is not later."""
    first = _day_of_month(date, now)
    if first is None or date.number("last") <= date.number("day"):
        return None
    last = day_of(first[0].year, date.month, date.number("last"))
    return None if last is None else (first[0], last[1])


def _month_of_year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return _part_so_far(date, months_from(year, date.month), now) if _is_plausible(date, now) else None


def _quarter_of_year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return _part_so_far(date, _months_of_quarter(date, year), now) if _is_plausible(date, now) else None


def _months_of_quarter(date: WrittenDate, year: int) -> Stretch:
    number = NTH[date.parts["nth"]] if "nth" in date.parts else date.number("number")
    return months_from(year, 3 * number - 2, 3)


def _quarter(date: WrittenDate, now: datetime) -> Stretch | None:
    if date.operator == "for" and date.tense is not Tense.FUTURE:
        return None
    return _of_a_year(date, lambda year: _months_of_quarter(date, year), now)


def _season_of_year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return (
        _part_so_far(date, season_of(date.parts["season"], year), now) if _is_plausible(date, now) else None
    )


# "the next Spring release" is one of the framework
_OF_SOFTWARE = re.compile(
    r" (?:app|application|batch|boot|cloud|data|framework|migration|milestone|module|patch|project|release|security|update|upgrade|version)s?\b",
    re.IGNORECASE,
)


def _season(date: WrittenDate, now: datetime) -> Stretch | None:
    if date.is_capital and _OF_SOFTWARE.match(date.text, date.end):
        return None
    found = season(date.parts["word"], date.parts["season"], now)
    return None if found is None else _part_so_far(date, found, now)


def _in_season(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch of "in summer", as the tense means it; None in the present, which is about every year, and for the framework
    Spring.
    """
    is_alone = len(date.text.strip()) == date.end - date.start
    tells = date.tense is Tense.FUTURE or says_past(date.text) or word_that_bounds(date) == "since"
    name = date.parts["season"]
    if not (is_alone or tells) or (date.is_capital and name == "spring"):
        return None
    found = _of_a_year(date, lambda year: season_of(name, year), now)
    is_ahead = found is not None and found[1] is not None and found[1] > now
    return (
        None if is_ahead and date.tense is not Tense.FUTURE and word_that_bounds(date) == "after" else found
    )


def _holiday(date: WrittenDate, now: datetime) -> Stretch | None:
    name = date.parts["name"].replace("’", "'").replace("years", "year's")
    if "year" in date.parts:
        year = date.number("year")
        return holiday_of(name, year) if _is_plausible(date, now) else None
    return _of_a_year(date, lambda year: holiday_of(name, year), now)


def _ago(date: WrittenDate, now: datetime) -> Stretch:
    return ago(date.amount, date.parts["unit"], now)


def _ahead(date: WrittenDate, now: datetime) -> Stretch | None:
    """ "who will lead in 3 months?"; in other tenses it is a duration: "what did we do in 3 days?"."""
    if date.kind == "ahead" and date.tense is not Tense.FUTURE:
        return None
    return ago(-date.amount, date.parts["unit"], now)


def _rolling(date: WrittenDate, now: datetime) -> Stretch:
    if date.parts["word"] in ("next", "coming"):
        return now, moved_back(now, -date.amount, date.parts["unit"])
    return moved_back(now, date.amount, date.parts["unit"]), now


def _relative(date: WrittenDate, now: datetime) -> Stretch:
    return _part_so_far(date, relative(date.parts["word"], date.parts["unit"], now), now)


# words before "the end of the year" that make it a time: "return the start of the month" has none
_BEFORE_RUNNING = frozenset({"at", "in", "by", "since", "before", "after", "until", "till", "during"})
_WITHIN = frozenset({"early", "mid", "late", EARLIER})  # "late in the year"
# "the job that runs at the end of the month"; not "which trains were late …?"
_HABIT = re.compile(r"\w (?:that|which) (?!was\b)\w+s\b[^.?!]*\Z")


def _running(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch of "the end of the year": the next one for a question about the future, for one in the past the last that
    has begun; None where the question says neither, as "what runs at the end of the month?".
    """
    is_alone = len(date.text.strip()) == date.end - date.start
    lead = date.text[: date.start].lower()
    word = word_that_bounds(date)
    if not (is_alone or word in _BEFORE_RUNNING or date.part in _WITHIN) or _HABIT.search(lead):
        return None
    this, last, coming = (
        _part_of(date, relative(one, date.parts["unit"], now), now) for one in ("this", "last", "next")
    )
    if date.tense is Tense.FUTURE:
        return this if this[1] > now else coming
    if not (is_alone or says_past(date.text) or word == "since"):
        return None
    return this if this[0] <= now else last


def _before_last(date: WrittenDate, now: datetime) -> Stretch:
    last, _ = relative("last", date.parts["unit"], now)
    return _part_of(date, relative("last", date.parts["unit"], last), now)


def _nth(date: WrittenDate, now: datetime) -> Stretch | None:
    return nth_of_month(date.number("day"), midnight(now), ahead=_points_ahead(date))


def _weekend(date: WrittenDate, now: datetime) -> Stretch:
    is_last = now.weekday() < _SATURDAY and not _points_ahead(date)
    return relative("last" if is_last else "this", "weekend", now)


def _weekday(date: WrittenDate, now: datetime) -> Stretch:
    name, operator = date.parts["weekday"], date.operator
    is_next = operator in ("next", "coming")
    ahead = is_next or _points_ahead(date)
    return weekday(
        name, midnight(now), ahead=ahead, may_be_today=not is_next if ahead else operator == "this"
    )


def _bare_weekday(date: WrittenDate, now: datetime) -> Stretch | None:
    return _weekday(date, now) if date.is_capital else None


_PART_OF = rf"(?:in )?(?:(?:the )?(?:{'|'.join(PARTS_OF_MONTHS)})(?: of | in |[ -]))?"
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b"
_MONTH_OR_YEAR = rf"\b(?:(?P<month>{_MONTH})\.?,? (?:of )?)?(?P<year>(?:19|20)\d\d)\b"
_YEAR_OF_BOTH = rf"(?i){_MONTH_OR_YEAR}"  # somewhere after "between May"
# after "in April": ", May or early June 2024"
_YEAR_OF_ALL = rf"(?i)(?:, {_PART_OF}{_MONTH})*,? ?(?:\b(?:and|or|to|until|till|through)\b|[-–]) ?{_PART_OF}(?=[a-z]){_MONTH_OR_YEAR}"
_YEAR_WITHIN = 40  # characters after "between May"


def _month(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch of "in May"; None when the name is a common word."""
    name, operator = date.parts["month"], date.operator
    if (year := _shared_year(date, re.match(_YEAR_OF_ALL, date.text[date.end :]))) is not None:
        return _part_of(date, months_from(year, date.month), now)
    if operator == "for" and date.tense is not Tense.FUTURE:
        return None  # "the report for May" may be of any year
    if not date.is_capital and (
        name in _NEVER_SMALL or (name in _AMBIGUOUS_MONTHS and operator in _BEFORE_OTHER_WORDS)
    ):
        return None
    if not date.is_capital and date.part in ("early", "late") and name in ("may", "march"):
        return None  # "a return that comes early may …"
    if (operator or word_before(date.text.lower(), date.start)) in ("between", "from"):
        later = re.search(_YEAR_OF_BOTH, date.text[date.end : date.end + _YEAR_WITHIN])
        if (year := _shared_year(date, later)) is not None:
            return _part_of(date, months_from(year, date.month), now)
    return _of_a_year(date, lambda year: months_from(year, date.month), now)


def _shared_year(date: WrittenDate, later: re.Match[str] | None) -> int | None:
    """The year that the later month has, as in "between May and July 2023"; for "December or January 2024" the year before."""
    if later is None:
        return None
    is_before = later["month"] is not None and MONTHS[later["month"].lower()] < date.month
    return int(later["year"]) - is_before


def _year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return _part_so_far(date, months_from(year, 1, 12), now) if _is_plausible(date, now) else None


def _day(date: WrittenDate, now: datetime) -> Stretch | None:
    word = date.parts["word"]
    if word == "tonight" and word_before(date.text, date.start) == "the":
        return None  # a show
    back = {"yesterday": 1, "tomorrow": -1}.get(word, 2 if "before" in word else -2 if "after" in word else 0)
    return part_of(midnight(now) - timedelta(days=back), date.parts.get("part"))


def _of_a_year(date: WrittenDate, of_year: Callable[[int], Stretch | None], now: datetime) -> Stretch | None:
    """The stretch of a date without a year: the last one, or the next where the date or the tense points there."""

    def of_a_year(year: int) -> Stretch | None:
        stretch = of_year(year)
        return None if stretch is None else _part_of(date, stretch, now)

    last, coming = latest(of_a_year, now), soonest(of_a_year, now)
    word = date.operator or word_before(date.text.lower(), date.start)
    if word in ("next", "coming"):
        return coming if coming is None or coming[0] > now else of_a_year(coming[0].year + 1)
    if coming is None or date.tense is Tense.PAST or word in _BACK:
        return last
    if date.tense is Tense.FUTURE:
        return coming
    return coming if word not in _BACK_NOW and coming[0] - now <= _NEAR else last


def _part_so_far(date: WrittenDate, stretch: Stretch, now: datetime) -> Stretch:
    """The part of a stretch; the whole where a question about the past names a part that is still ahead."""
    part = _part_of(date, stretch, now)
    is_ahead = stretch[0] <= now < part[0] < part[1]
    return stretch if is_ahead and says_past(date.text) else part


def _part_of(date: WrittenDate, stretch: Stretch, now: datetime) -> Stretch:
    """The part of a stretch that the words before a date name; its edge where they say before, since, until or after the edge."""
    if not date.part:
        return stretch
    if date.part == EARLIER:
        return (stretch[0], min(stretch[1], now)) if stretch[0] < now else stretch
    word = word_that_bounds(date)
    if date.part in ("beginning", "start") and word in _TO_THE_START:
        return stretch[0], stretch[0]
    if date.part == "end" and word in ("before", "after", "since"):
        return stretch[1], stretch[1]
    return part_of_months(stretch, date.part)


_STRETCHES: Mapping[str, Callable[[WrittenDate, datetime], Stretch | None]] = {
    "iso": _iso,  # 2024-05-03
    "numeric": _numeric,  # 3.5.2024, 23/5/2024
    "iso_month": _iso_month,  # in 2024-05
    "bare_month": _iso_month,  # 2024-05
    "quarter_year": _quarter_of_year,  # Q1 2024, the first quarter of 2024
    "year_quarter": _quarter_of_year,  # 2024-Q1
    "quarter": _quarter,  # in Q1
    "season_year": _season_of_year,  # summer 2024
    "season": _season,  # last summer
    "in_season": _in_season,  # in the summer
    "holiday_year": _holiday,  # Christmas 2024
    "holiday": _holiday,  # on Christmas
    "days_month": _days_of_month,  # 3 to 5 May 2024
    "month_days": _days_of_month,  # May 3 to 5, 2024
    "day_month": _day_of_month,  # 3 May 2024
    "month_day": _day_of_month,  # May 3, 2024
    "month_year": _month_of_year,  # May 2024
    "ago": _ago,  # two weeks ago
    "ahead": _ahead,  # in two weeks
    "from_now": _ahead,  # two weeks from now
    "rolling": _rolling,  # last few days
    "relative": _relative,  # last week
    "before_last": _before_last,  # the week before last
    "running": _running,  # the end of the year
    "nth": _nth,  # on the 3rd
    "weekend": _weekend,  # over the weekend
    "weekday": _weekday,  # since Monday
    "bare_weekday": _bare_weekday,  # Monday morning
    "month": _month,  # in May
    "year": _year,  # in 2024
    "day": _day,  # yesterday morning
}
COUNTED_FROM_NOW = frozenset(
    {"ago", "ahead", "from_now", "rolling", "relative", "season", "weekend", "before_last", "running", "day"}
)  # kinds


def _is_plausible(date: WrittenDate, now: datetime) -> bool:
    """False for a year that is more likely a number: "a key of 2048 bits", "a width of 1920"."""
    if is_one_of_numbers(date):
        return False
    is_number = date.operator == "of" and not is_as_of(date)
    is_ahead = date.tense is Tense.FUTURE and date.operator != "of"
    first = 1970 if is_number else 1900
    return first <= date.number("year") <= now.year + (_YEARS_AHEAD if is_ahead else 2)


def _points_ahead(date: WrittenDate) -> bool:
    """True for a day without a month that a question in its tense expects after now."""
    word = date.operator or word_before(date.text.lower(), date.start)
    back = {Tense.FUTURE: _BACK, Tense.PRESENT: _BACK_NOW}.get(date.tense)
    return back is not None and word not in back
