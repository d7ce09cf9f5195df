"""Temporal cues: the stretch of time that a question names.

    "what did we decide last week"      Monday to Monday before this week
    "changes since 3 days ago"          from the beginning of that day on
    "between May and July 2023"         from the first of May to the end of July

A stretch is half-open, [since, until), in Unix seconds. Days that count from now begin at midnight in the zone of the asker,
whose evening may be the next day in UTC; a date that is written out is UTC, as all dates that Daypack shows.
Ambiguous words count only in company: "May" needs a day, a year or a preposition, and "this may break" is not a date. Vague words (recently, soon) are not
cues.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache

from daypack.errors import BadDate
from daypack.query.stretches import (
    DAYS,
    PARTS_OF_DAY,
    Stretch,
    ago,
    day_of,
    latest,
    latest_nth,
    months_from,
    moved_back,
    part_of,
    relative,
    weekday,
)

LONGEST_TEXT = 2_000

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORT_MONTHS = {name[:3]: i + 1 for i, name in enumerate(_MONTHS)} | {"sept": 9}
_MONTH = {name: i + 1 for i, name in enumerate(_MONTHS)} | _SHORT_MONTHS
_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "jan", "dec", "sep", "jun", "august", "april", "june"})
_SATURDAY = 5
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_CUE_WORDS = frozenset([
    *_MONTH, *DAYS, "ago", "today", "yesterday", "tonight", "last", "past", "previous", "this", "in", "during", "since", "before", "after",
    "until", "till", "by", "between", "from", "on", "of", "over", "at",
])  # fmt: skip
_TELLING = frozenset([*_MONTH, *DAYS, "ago", "today", "yesterday", "tonight", "st", "nd", "rd", "th"])
_UNITS = "minute|hour|day|week|month|year"
_UNITS_OF_TIME = frozenset(
    [
        *_UNITS.split("|"),
        *(unit + "s" for unit in _UNITS.split("|")),
        "night",
        "weekend",
        "quarter",
        *PARTS_OF_DAY,
    ]
)
_OPERATORS = "since|before|after|until|till|by|between|from|to|and|through"
_OPERATOR_WORDS = frozenset(_OPERATORS.split("|"))
_COUNTED = (  # nouns that "in 2000 …" counts when it is not a year
    "tokens?|bytes?|lines?|items?|rows?|files?|characters?|chars|words?|records?|chunks?|ms|seconds?|entries|times|requests?|users|people"
    "|dollars|steps"
)

_RELATIVE = ("ago", "rolling", "relative", "weekend", "before_last", "day")

_LONGEST_DATE = 60


def moment_of(value: object, now: datetime, name: str = "") -> float:
    """Unix seconds of a moment that a caller names: a number, an ISO 8601 date (UTC where it names no zone), or words as in a
    question; a stretch ("last week") means its beginning. Raises BadDate.
    """
    moment: float | None = None
    try:
        if isinstance(value, str):
            moment = _moment_in_words(" ".join(value.lower().split()), now)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            datetime.fromtimestamp(value, UTC)  # raises for a year that no calendar has
            moment = float(value)
    except (OverflowError, ValueError, OSError):
        moment = None
    if moment is None:
        raise BadDate(value, name)
    return moment


def _moment_in_words(text: str, now: datetime) -> float | None:
    try:
        date = datetime.fromisoformat(text.upper())  # only Z names UTC there, z does not
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        pass  # no ISO date
    if text == "now" or len(text) > _LONGEST_DATE:
        return now.timestamp() if text == "now" else None
    for said in (text, f"in {text}", f"last {text}"):  # "2024" and "monday" need a word before them
        match = _pattern().fullmatch(said)
        if match is not None and match["ago"]:
            count, unit = int(match["n6"] or _NUMBERS[match["w6"]]), match["u6"]
            back = moved_back(now, count, unit)
            exact = (
                back
                if unit in ("minute", "hour")
                else back.replace(hour=0, minute=0, second=0, microsecond=0)
            )
            return exact.timestamp()
        stretch = _stretch(match, said.title(), now) if match is not None else None
        if stretch is not None:
            return stretch[0].timestamp()
    return None


def is_month(word: str) -> bool:
    """True for the name of a month, in lower case."""
    return word in _MONTH


def named_dates(text: str) -> list[str]:
    """The names of months and days in a text, in lower case, each once."""
    return [
        *dict.fromkeys(word for word in re.findall(r"[a-z]+", text.lower()) if word in _MONTH or word in DAYS)
    ]


def time_range(text: str, now: datetime) -> tuple[float | None, float | None]:
    """(since, until) of the time that the text names; None for an open side, both None for a text without a time."""
    text = text[:LONGEST_TEXT]
    words = set(re.findall(r"[a-z]+|\d{4}", text.lower()))
    digits = any(word.isdigit() for word in words)
    if not (words & _TELLING or (words & _CUE_WORDS and (digits or words & _UNITS_OF_TIME)) or digits):
        return None, None
    try:
        return _range_in(text, now)
    except (OverflowError, ValueError, OSError):  # a year outside the calendar
        return None, None


def without_times(text: str, now: datetime) -> str:
    """The text without the times that `time_range` reads."""
    text = text[:LONGEST_TEXT]
    kept, at = [], 0
    for match in _pattern().finditer(text.lower()):
        if _stretch(match, text, now) is not None:
            kept.append(text[at : match.start()])
            at = match.end()
    return " ".join((*kept, text[at:]))


def relative_words(text: str, now: datetime) -> list[str]:
    """The words of those times in a text that count from now, as "last week"; in a stored text they mean another time."""
    text = text[:LONGEST_TEXT]
    found = ["since", "until", "till"]
    for match in _pattern().finditer(text.lower()):
        if any(match[kind] for kind in _RELATIVE) and _stretch(match, text, now) is not None:
            found += match[0].split()
    return found


def _range_in(text: str, now: datetime) -> tuple[float | None, float | None]:
    """(first second, end) of the time that the dates of a text describe together; None for an open end."""
    low = text.lower()
    since: list[datetime] = []
    until: list[datetime] = []
    open_until = open_since = False
    is_joined = False  # the next date may be the second one of "between … and …"
    for match in _pattern().finditer(low):
        stretch = _stretch(match, text, now)
        if stretch is None:
            continue
        first, end = stretch
        inner = match["r2"] or match["r9"] or match["r10"] or match["r11"] or match["r15"]
        word = inner if inner in _OPERATOR_WORDS else _word_before(low, match.start())
        if is_joined and word in ("and", "to", "until", "till", "through", "-", "–"):
            # of two weekdays the second is the one after the first, also when it is today
            until.append(end + timedelta(days=7) if match["weekday"] and end <= since[-1] else end)
            is_joined = False
            continue
        is_joined = False
        match word:
            case "and" | "to" | "through" if inner == word:
                continue  # "and May": a date only where another one stands before it
            case "before":
                near = _shortly_before(f"{low[: match.start()]}{'before ' * (inner == word)}", first)
                until.append(near[1] if near else first)
                since += near[:1] if near else ()
                open_since = open_since or near is None
            case "until" | "till" | "through" | "by":
                until.append(end)
                open_since = True
            case "after":
                since.append(end)
                open_until = True
            case "since":
                since.append(first)
                open_until = True
            case "between" | "from":
                since.append(first)
                is_joined = word == "between" or _continues(low, match.end())
                if not is_joined:
                    until.append(end)
            case _:
                since.append(first)
                until.append(end)
    if open_since and open_until:  # "after May and before July": both ends as written
        start, stop = max(since, default=None), min(until, default=None)
    else:
        start = None if open_since and not since else min(since, default=None)
        stop = None if open_until and not until else max(until, default=None)
    if start is not None and stop is not None and start >= stop:
        return None, None
    return (start.timestamp() if start else None), (stop.timestamp() if stop else None)


def _word_before(low: str, at: int) -> str:
    words = low[max(0, at - 20) : at].split()
    return words[-1].strip("(,") if words else ""


def _shortly_before(lead: str, first: datetime) -> Stretch | None:
    """The stretch of "the week before", "two weeks before" or "the Sunday before" a date that begins at `first`."""
    number = "|".join(sorted(_NUMBERS, key=len, reverse=True))
    pattern = rf"\b(the|\d{{1,3}}|{number}) ({_UNITS}|{'|'.join(DAYS)})s? before $"
    if (match := re.search(pattern, lead[-60:])) is None:
        return None
    if match[2] in DAYS:
        start = first - timedelta(days=(first.weekday() - DAYS.index(match[2])) % 7 or 7)
        return start, start + timedelta(days=1)
    count = int(match[1]) if match[1].isdigit() else _NUMBERS.get(match[1], 1)
    return moved_back(first, count, match[2]), first


def _continues(low: str, at: int) -> bool:
    return low[at : at + 10].lstrip(" ,").startswith(("to ", "until ", "till ", "through ", "- ", "– "))


@cache
def _pattern() -> re.Pattern[str]:
    """One alternative a kind of date; compiled at the first text with a cue word in it."""
    month = "|".join(sorted(_MONTH, key=len, reverse=True))
    number = "|".join(sorted(_NUMBERS, key=len, reverse=True)).replace(" ", r"\ ")
    return re.compile(
        rf"""\b(?:
          (?P<iso>(?P<y1>\d{{4}})[-/](?P<m1>\d{{1,2}})[-/](?P<d1>\d{{1,2}}))(?![\d/-])
        | (?P<iso_month>(?P<r2>{_OPERATORS}|in|during)\ (?P<y2>\d{{4}})-(?P<m2>0[1-9]|1[0-2]))(?![\d/-])
        | (?P<dmy>(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<m3>{month})\b\.?,?(?:\ (?P<y3>\d{{4}})\b)?)
        | (?P<mdy>(?P<m4>{month})\b\.?\ (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\b,?(?:\ (?P<y4>\d{{4}})\b)?)
        | (?P<month_year>(?P<m5>{month})\b\.?,?\ (?:of\ )?(?P<y5>\d{{4}}))\b
        | (?P<ago>(?:(?P<n6>\d{{1,4}})|(?P<w6>{number}))\ (?P<u6>{_UNITS})s?\ ago)\b
        | (?P<rolling>(?P<r7>last|past|previous)\ (?:(?P<n7>\d{{1,4}})|(?P<w7>{number})|(?P<few7>few))\ (?P<u7>{_UNITS})s?)\b
        | (?P<relative>(?P<r8>last|past|previous|this)\ (?P<u8>night|weekend|week|month|quarter|year|hour|{"|".join(PARTS_OF_DAY)}))\b
        | (?P<before_last>(?:the\ )?(?P<u14>week|month|year)\ before\ last)\b
        | (?P<nth>on\ the\ (?P<d13>\d{{1,2}})(?:st|nd|rd|th)(?=[?.!\s]*\Z))
        | (?P<weekend>(?P<r15>over|at|on|during|{_OPERATORS})\ the\ weekend)\b
        | (?P<weekday>(?P<r9>{_OPERATORS}|last|this|on)\ (?P<d9>{"|".join(DAYS)}))\b
        | (?P<bare>(?P<d12>{"|".join(DAYS)})(?=\ (?:{"|".join(PARTS_OF_DAY)})|[?.!\s]*\Z))
        | (?P<month_only>(?P<r10>{_OPERATORS}|in|during|last|this)\ (?P<m10>{month}))\b(?!\.?,?\ \d)
        | (?P<year>(?P<r11>{_OPERATORS}|in|during|of)\ (?P<y11>(?:19|20)\d\d))\b
          (?!\ (?:{_COUNTED})\b)(?![.:/-]\w)
        | (?P<day>(?:the\ )?day\ before\ yesterday|yesterday|today|tonight)
          (?:\ (?P<part>{"|".join(PARTS_OF_DAY)}))?
        )\b""",
        re.VERBOSE,
    )


def _stretch(match: re.Match[str], text: str, now: datetime) -> Stretch | None:
    """The stretch of one match of `_pattern`; None when its words do not mean a date."""
    found = match.groupdict()
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if found["iso"]:
        return day_of(int(found["y1"]), int(found["m1"]), int(found["d1"]))
    if found["iso_month"]:
        return months_from(int(found["y2"]), int(found["m2"])) if _plausible(int(found["y2"]), now) else None
    if found["dmy"] or found["mdy"]:
        return _day_of_month(match, text, now)
    if found["month_year"]:
        return (
            months_from(int(found["y5"]), _MONTH[found["m5"]]) if _plausible(int(found["y5"]), now) else None
        )
    if found["ago"]:
        return ago(int(found["n6"] or _NUMBERS[found["w6"]]), found["u6"], now)
    if found["rolling"]:
        count = 5 if found["few7"] else int(found["n7"] or _NUMBERS[found["w7"]])
        return moved_back(now, count, found["u7"]), now
    if found["relative"]:
        return relative(found["r8"], found["u8"], now)
    if found["before_last"]:
        return relative("last", found["u14"], relative("last", found["u14"], now)[0])
    if found["nth"]:
        return latest_nth(int(found["d13"]), today)
    if found["weekend"]:
        return relative("last" if today.weekday() < _SATURDAY else "this", "weekend", now)
    if found["bare"] and not _capital(text, match, "d12"):
        return None
    if found["weekday"] or found["bare"]:
        return weekday(found["d9"] or found["d12"], today, may_be_today=found["r9"] == "this")
    if found["month_only"]:
        return _month_alone(match, text, now)
    if found["year"]:
        year = int(found["y11"])
        return months_from(year, 1, 12) if _plausible(year, now) else None
    if found["day"] == "tonight" and _word_before(text, match.start()) == "the":
        return None  # a show
    back = 2 if "before" in found["day"] else int(found["day"] == "yesterday")
    return part_of(today - timedelta(days=back), found["part"])


def _day_of_month(match: re.Match[str], text: str, now: datetime) -> Stretch | None:
    """The stretch of "3 May 2024" or "May 3"; without a year the latest."""
    found = match.groupdict()
    key = "3" if found["dmy"] else "4"
    month, number, year = _MONTH[found["m" + key]], int(found["d" + key]), found["y" + key]
    if year is None and found["m" + key] == "may" and found["mdy"] and not _capital(text, match, "m4"):
        return None  # "this may 5 percent of …"
    return day_of(int(year), month, number) if year else latest(lambda y: day_of(y, month, number), now)


def _month_alone(match: re.Match[str], text: str, now: datetime) -> Stretch | None:
    """The stretch of "in May": the latest month of that name; None when the name is a common word."""
    word, name = match["r10"], match["m10"]
    if name in ("mar", "jan", "dec", "sep", "jun") and not _capital(text, match, "m10"):
        return None
    if (
        name in _AMBIGUOUS_MONTHS
        and word in ("this", "to", "and", "by", "from", "between", "before", "after")
        and not _capital(text, match, "m10")
    ):
        return None
    month = _MONTH[name]
    if word in ("between", "from") and (
        year := re.search(r"\b(?:19|20)\d\d\b", text[match.end() : match.end() + 25])
    ):
        return months_from(int(year[0]), month)  # "between May and July 2023": the year comes at the end
    return latest(lambda y: months_from(y, month), now)


def _capital(text: str, match: re.Match[str], group: str) -> bool:
    return text[match.start(group) : match.start(group) + 1].isupper()


def _plausible(year: int, now: datetime) -> bool:
    return 1970 <= year <= now.year + 2
