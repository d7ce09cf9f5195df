"""Dates as a text writes them: "3 May 2024", "last week", "on Monday", and the stretch of time that each means.

The pattern has one alternative a kind of date, named after the kind; the parts of a date are named `kind__part`:
"3 May 2024" is a `day_month` with the parts day, month and year. A table gives each kind the function that reads its parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from daypack.query.times.stretches import (
    DAYS,
    HOLIDAYS,
    MONTHS,
    NUMBER_WORDS,
    NUMBERS,
    PARTS_OF_DAY,
    SEASONS,
    UNITS,
    Stretch,
    ago,
    coming_weekday,
    day_and_month,
    day_of,
    holiday_of,
    latest,
    latest_nth,
    months_from,
    moved_back,
    part_of,
    relative,
    season,
    season_of,
    soonest,
    soonest_nth,
    weekday,
)
from daypack.query.times.tense import Tense, tense_of

_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "jan", "dec", "sep", "jun", "august", "april", "june"})
_NEVER_SMALL = frozenset({"mar", "jan", "dec", "sep", "jun"})  # short for other words, in small letters
# In small letters, "to march" is seldom a month.
_BEFORE_OTHER_WORDS = frozenset({"this", "to", "and", "by", "from", "between", "before", "after"})
_BEFORE_DAYS = frozenset({"between", "from", "on"})  # "3 and 5 May"
_AFTER_DAYS = "in|at|with|for|about|and|or"  # "March 3 to 5 in Rome", but not "March 3 and 10 people"
_SATURDAY = 5
_NEAR = timedelta(days=45)  # within which a question in the present means the next of a name. guess
# words before a date that is not ahead: in a question about the future, and in one in the present
_BACK = frozenset({"since", "last"})
_BACK_NOW = _BACK | {"from", "after", "of"}
_YEARS_AHEAD = 50  # of a question about the future
_FEW = 5
_UNITS = "|".join(UNITS)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
OPERATORS = ("since", "before", "after", "until", "till", "by", "between", "from", "to", "and", "through")
_OPERATORS = "|".join(OPERATORS)
_COUNTED = (  # nouns that "in 2000 …" counts when it is not a year
    "tokens?|bits?|bytes?|lines?|items?|rows?|files?|characters?|chars|words?|records?|chunks?|ms|seconds?|entries|times|requests?|users|people"
    "|dollars|steps"
)


class WrittenDate(NamedTuple):
    """A date in a text, and its place there."""

    kind: str
    parts: Mapping[str, str]  # in small letters, by name
    text: str
    start: int
    end: int
    is_capital: bool  # its month, weekday or season begins with a capital
    tense: Tense = Tense.PAST  # of its text

    @property
    def operator(self) -> str:
        """The word that belongs to the date, as in "on Monday" and "since 2024"; "" for none."""
        return self.parts.get("operator", "")

    def number(self, part: str) -> int:
        return int(self.parts[part])

    @property
    def month(self) -> int:
        return MONTHS[self.parts["month"]]

    @property
    def amount(self) -> int:
        """The number of its units: 3 in "3 weeks ago"."""
        word = self.parts["amount"]
        return int(word) if word.isdigit() else _FEW if word == "few" else NUMBERS[word]


def written_dates(text: str) -> Iterator[WrittenDate]:
    """The dates that a text may name, in order; `stretch_of` tells whether their words mean one."""
    tense = tense_of(text)
    for match in _pattern().finditer(text.lower()):
        date = _date_of(match, text, tense)
        yield _one_day(date, match) if _is_one_day(date) else date


def date_written(text: str) -> WrittenDate | None:
    """The date that is the whole of a text in small letters; names of months and days count as if they had a capital."""
    match = _pattern().fullmatch(text)
    return None if match is None else _date_of(match, text)._replace(is_capital=True)


def _is_one_day(date: WrittenDate) -> bool:
    """True where the first number of "3 to 5 May" is none of a day: "tickets 41 and 3 May", "room 3 and 5 May"."""
    if date.kind not in ("days_month", "month_days") or _is_small_may(date):
        return False
    leads = {date.parts.get("lead"), word_before(date.text.lower(), date.start)}
    is_joined = date.parts["joint"] != "and" or not leads.isdisjoint(_BEFORE_DAYS)
    return not is_joined or date.number("last") <= date.number("day")


def _one_day(date: WrittenDate, match: re.Match[str]) -> WrittenDate:
    """The day beside the month in "3 to 5 May" or "May 3 to 5"."""
    if date.kind == "days_month":
        parts = {**date.parts, "day": date.parts["last"]}
        return date._replace(kind="day_month", parts=parts, start=match.start("days_month__last"))
    end = date.end if "year" in date.parts else match.end("month_days__day")
    return date._replace(kind="month_day", end=end)


def _date_of(match: re.Match[str], text: str, tense: Tense = Tense.PAST) -> WrittenDate:
    kind = match.lastgroup or ""
    parts = {part: match[group] for part, group in _groups_of(kind) if match[group] is not None}
    name = next(
        (match.start(f"{kind}__{part}") for part in ("month", "weekday", "season") if part in parts),
        match.start(),
    )
    return WrittenDate(kind, parts, text, match.start(), match.end(), text[name : name + 1].isupper(), tense)


@cache
def _groups_of(kind: str) -> tuple[tuple[str, str], ...]:
    """The parts of a kind of date, each with its group in the pattern."""
    prefix = f"{kind}__"
    groups = _pattern().groupindex
    return tuple((group.removeprefix(prefix), group) for group in groups if group.startswith(prefix))


@cache
def _pattern() -> re.Pattern[str]:
    """Compiled at the first text with a cue word in it. The longer names come first."""
    month = "|".join(sorted(MONTHS, key=len, reverse=True))
    day = "|".join(DAYS)
    part = "|".join(PARTS_OF_DAY)
    amount = r"\d{1,4}|" + "|".join(NUMBER_WORDS).replace(" ", r"\ ")
    season = "|".join(SEASONS)
    nth = "|".join(_NTH)
    holiday = "|".join(sorted(HOLIDAYS, key=len, reverse=True)).replace(" ", r"\ ").replace("'", "['’]?")
    turn = "last|past|previous|this|next|coming"
    return re.compile(
        rf"""\b(?:
          (?P<iso>(?P<iso__year>\d{{4}})[-/](?P<iso__month_number>\d{{1,2}})[-/](?P<iso__day>\d{{1,2}}))(?![\d/-])
        | (?P<numeric>(?<![\w./-])(?P<numeric__first>\d{{1,2}})(?P<numeric__mark>[./-])(?P<numeric__second>\d{{1,2}})(?P=numeric__mark)
            (?P<numeric__year>(?:19|20)\d\d))(?![\w/-]|\.\w)
        | (?P<iso_month>(?P<iso_month__operator>{_OPERATORS}|in|during)\ (?P<iso_month__year>\d{{4}})
            -(?P<iso_month__month_number>0[1-9]|1[0-2]))(?![\d/-])
        | (?P<bare_month>(?<![\w/.-])(?P<bare_month__year>(?:19|20)\d\d)-(?P<bare_month__month_number>0[1-9]|1[0-2])(?=[?.!\s]*\Z))
        | (?P<quarter_year>(?:the\ )?(?:q(?P<quarter_year__number>[1-4])|(?P<quarter_year__nth>{nth})\ quarter)
            [\ /-]?(?:of\ )?(?P<quarter_year__year>\d{{4}}))(?![.:/-]\w)
        | (?P<year_quarter>(?P<year_quarter__year>\d{{4}})[\ /-]?q(?P<year_quarter__number>[1-4]))(?![.:/-]\w)
        | (?P<quarter>(?P<quarter__operator>{_OPERATORS}|in|during|for|last|this|next)\ q(?P<quarter__number>[1-4]))(?![.:/-]\w|\ (?:of\ )?\d{{4}})
        | (?P<season_year>(?:the\ )?(?P<season_year__season>{season})\ (?:of\ )?(?P<season_year__year>\d{{4}}))(?![.:/-]\w)
        | (?P<season>(?P<season__word>{turn})\ (?P<season__season>{season}))(?!\ (?:through|back|apart|off)\b)
        | (?P<holiday_year>(?P<holiday_year__name>{holiday}),?\ (?:of\ )?(?P<holiday_year__year>\d{{4}}))
        | (?P<holiday>(?P<holiday__operator>{_OPERATORS}|on|at|over|for|last|this|next)\ (?P<holiday__name>{holiday}))\b(?!,?\ (?:of\ )?\d{{4}}|['’])
        | (?P<days_month>(?:(?P<days_month__lead>between|from)\ )?(?<![\d.:])(?P<days_month__day>\d{{1,2}})(?:st|nd|rd|th)?\ ?(?P<days_month__joint>and|to|until|till|[-–])
            \ ?(?P<days_month__last>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<days_month__month>{month})\b\.?,?(?:\ (?P<days_month__year>\d{{4}})\b)?)
        | (?P<month_days>(?:(?P<month_days__lead>between|from)\ )?(?P<month_days__month>{month})\b\.?\ (?P<month_days__day>\d{{1,2}})(?:st|nd|rd|th)?\ ?
            (?P<month_days__joint>and|to|until|till|[-–])\ ?(?P<month_days__last>\d{{1,2}})(?:st|nd|rd|th)?\b(?![-/:.]\d|\ (?!(?:{_AFTER_DAYS})\b)[^\W\d])
            ,?(?:\ (?P<month_days__year>\d{{4}})\b)?)
        | (?P<day_month>(?P<day_month__day>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<day_month__month>{month})\b
            \.?,?(?:\ (?P<day_month__year>\d{{4}})\b)?)
        | (?P<month_day>(?P<month_day__month>{month})\b\.?\ (?P<month_day__day>\d{{1,2}})(?:st|nd|rd|th)?\b
            ,?(?:\ (?P<month_day__year>\d{{4}})\b)?)
        | (?P<month_year>(?P<month_year__month>{month})\b\.?,?\ (?:of\ )?(?P<month_year__year>\d{{4}}))\b
        | (?P<ago>(?P<ago__amount>{amount})\ (?P<ago__unit>{_UNITS})s?\ ago)\b
        | (?P<ahead>in\ (?P<ahead__amount>{amount})\ (?P<ahead__unit>day|week|month|year)s?)(?!\ (?:from\ now|ago))
        | (?P<from_now>(?:in\ )?(?P<from_now__amount>{amount})\ (?P<from_now__unit>{_UNITS})s?\ from\ now)
        | (?P<rolling>(?P<rolling__word>last|past|previous|next|coming)\ (?P<rolling__amount>{amount}|few)\ (?P<rolling__unit>{_UNITS})s?)\b
        | (?P<relative>(?P<relative__word>{turn})
            \ (?P<relative__unit>night|weekend|week|month|quarter|year|hour|{part}))\b
        | (?P<before_last>(?:the\ )?(?P<before_last__unit>week|month|year)\ before\ last)\b
        | (?P<nth>on\ the\ (?P<nth__day>\d{{1,2}})(?:st|nd|rd|th)(?=[?.!\s]*\Z))
        | (?P<weekend>(?P<weekend__operator>over|at|on|during|{_OPERATORS})\ the\ weekend)\b
        | (?P<weekday>(?P<weekday__operator>{_OPERATORS}|last|this|next|coming|on)\ (?P<weekday__weekday>{day}))\b
        | (?P<bare_weekday>(?P<bare_weekday__weekday>{day})(?=\ (?:{part})|[?.!\s]*\Z))
        | (?P<month>(?P<month__operator>{_OPERATORS}|in|during|for|last|this|next|coming)\ (?P<month__month>{month}))\b(?!\.?,?\ \d)
        | (?P<year>(?P<year__operator>{_OPERATORS}|in|during|of)\ (?P<year__year>(?:19|20)\d\d))\b
            (?!\ (?:{_COUNTED})\b)(?![.:/-]\w)
        | (?P<day>(?P<day__word>(?:the\ )?day\ before\ yesterday|(?:the\ )?day\ after\ tomorrow|yesterday|today|tonight|tomorrow)(?:\ (?P<day__part>{part}))?)
        )\b""",
        re.VERBOSE,
    )


# ---------------------------------------------------------------- the stretch of each kind


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
    if date.kind != "day_month" and _is_small_may(date):
        return None
    return _of_a_year(date, lambda year: day_of(year, month, day), now)


def _is_small_may(date: WrittenDate) -> bool:
    """True for the verb: "this may 5 percent of …", "between 3 and 5 may fail"."""
    return date.parts["month"] == "may" and not date.is_capital and "year" not in date.parts


def _days_of_month(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch of "3 to 5 May"; None where the second day is not later."""
    first = _day_of_month(date, now)
    if first is None or date.number("last") <= date.number("day"):
        return None
    last = day_of(first[0].year, date.month, date.number("last"))
    return None if last is None else (first[0], last[1])


def _month_of_year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return months_from(year, date.month) if _is_plausible(date, now) else None


def _quarter_of_year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    number = _NTH[date.parts["nth"]] if "nth" in date.parts else date.number("number")
    return months_from(year, 3 * number - 2, 3) if _is_plausible(date, now) else None


def _quarter(date: WrittenDate, now: datetime) -> Stretch | None:
    if date.operator == "for" and date.tense is not Tense.FUTURE:
        return None
    return _of_a_year(date, lambda year: months_from(year, 3 * date.number("number") - 2, 3), now)


def _season_of_year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return season_of(date.parts["season"], year) if _is_plausible(date, now) else None


# "the next Spring release" is one of the framework
_OF_SOFTWARE = re.compile(
    r" (?:app|application|batch|boot|cloud|data|framework|migration|milestone|module|patch|project|release|security|update|upgrade|version)s?\b",
    re.IGNORECASE,
)


def _season(date: WrittenDate, now: datetime) -> Stretch | None:
    if date.is_capital and _OF_SOFTWARE.match(date.text, date.end):
        return None
    return season(date.parts["word"], date.parts["season"], now)


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
    return relative(date.parts["word"], date.parts["unit"], now)


def _before_last(date: WrittenDate, now: datetime) -> Stretch:
    last, _ = relative("last", date.parts["unit"], now)
    return relative("last", date.parts["unit"], last)


def _nth(date: WrittenDate, now: datetime) -> Stretch | None:
    nth = soonest_nth if _points_ahead(date) else latest_nth
    return nth(date.number("day"), _midnight(now))


def _weekend(date: WrittenDate, now: datetime) -> Stretch:
    is_last = now.weekday() < _SATURDAY and not _points_ahead(date)
    return relative("last" if is_last else "this", "weekend", now)


def _weekday(date: WrittenDate, now: datetime) -> Stretch:
    name, operator = date.parts["weekday"], date.operator
    if operator in ("next", "coming") or _points_ahead(date):
        return coming_weekday(name, _midnight(now), may_be_today=operator not in ("next", "coming"))
    return weekday(name, _midnight(now), may_be_today=operator == "this")


def _bare_weekday(date: WrittenDate, now: datetime) -> Stretch | None:
    return _weekday(date, now) if date.is_capital else None


def _month(date: WrittenDate, now: datetime) -> Stretch | None:
    """The stretch of "in May"; None when the name is a common word."""
    name, operator = date.parts["month"], date.operator
    if operator == "for" and date.tense is not Tense.FUTURE:
        return None  # "the report for May" may be of any year
    if not date.is_capital and (
        name in _NEVER_SMALL or (name in _AMBIGUOUS_MONTHS and operator in _BEFORE_OTHER_WORDS)
    ):
        return None
    if operator in ("between", "from") and (
        year := re.search(r"\b(?:19|20)\d\d\b", date.text[date.end : date.end + 25])
    ):
        return months_from(int(year[0]), date.month)  # "between May and July 2023": the year comes at the end
    return _of_a_year(date, lambda year: months_from(year, date.month), now)


def _year(date: WrittenDate, now: datetime) -> Stretch | None:
    year = date.number("year")
    return months_from(year, 1, 12) if _is_plausible(date, now) else None


def _day(date: WrittenDate, now: datetime) -> Stretch | None:
    word = date.parts["word"]
    if word == "tonight" and word_before(date.text, date.start) == "the":
        return None  # a show
    back = {"yesterday": 1, "tomorrow": -1}.get(word, 2 if "before" in word else -2 if "after" in word else 0)
    return part_of(_midnight(now) - timedelta(days=back), date.parts.get("part"))


def _of_a_year(date: WrittenDate, of_year: Callable[[int], Stretch | None], now: datetime) -> Stretch | None:
    """The stretch of a date without a year: the last one, or the next where the date or the tense points there."""
    last, coming = latest(of_year, now), soonest(of_year, now)
    word = date.operator or word_before(date.text.lower(), date.start)
    if word in ("next", "coming"):
        return coming if coming is None or coming[0] > now else of_year(coming[0].year + 1)
    if coming is None or date.tense is Tense.PAST or word in _BACK:
        return last
    if date.tense is Tense.FUTURE:
        return coming
    return coming if word not in _BACK_NOW and coming[0] - now <= _NEAR else last


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
    "nth": _nth,  # on the 3rd
    "weekend": _weekend,  # over the weekend
    "weekday": _weekday,  # since Monday
    "bare_weekday": _bare_weekday,  # Monday morning
    "month": _month,  # in May
    "year": _year,  # in 2024
    "day": _day,  # yesterday morning
}
COUNTED_FROM_NOW = frozenset(
    {"ago", "ahead", "from_now", "rolling", "relative", "season", "weekend", "before_last", "day"}
)  # kinds


def word_before(text: str, at: int) -> str:
    """The word that ends before a place; "" where none is near."""
    words = text[max(0, at - 20) : at].split()
    return words[-1].strip("(,") if words else ""


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _is_plausible(date: WrittenDate, now: datetime) -> bool:
    """False for a year that is more likely a number: "a key of 2048 bits"."""
    is_ahead = date.tense is Tense.FUTURE and date.operator != "of"
    return 1970 <= date.number("year") <= now.year + (_YEARS_AHEAD if is_ahead else 2)


def _points_ahead(date: WrittenDate) -> bool:
    """True for a day without a month that a question in its tense expects after now."""
    word = date.operator or word_before(date.text.lower(), date.start)
    back = {Tense.FUTURE: _BACK, Tense.PRESENT: _BACK_NOW}.get(date.tense)
    return back is not None and word not in back
