"""Dates as a text writes them: "3 May 2024", "last week", "on Monday".

The pattern has one alternative a kind of date, named after the kind; the parts of a date are named `kind__part`:
"3 May 2024" is a `day_month` with the parts day, month and year. A date of months may have the words for its part before it: "the end of 2024".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from daypack.query.times import stretches
from daypack.query.times.tense import Tense, tense_of

_BEFORE_DAYS = frozenset({"between", "from", "on"})  # "3 and 5 May"
_AFTER_DAYS = "in|at|with|for|about|and|or"  # "March 3 to 5 in Rome", but not "March 3 and 10 people"
_AFTER_SEASON = f"{_AFTER_DAYS}|when|while|who|what|which|where|how|did|was|were"  # not "in the summer house"
_FEW = 5
_KEPT = 4  # texts: a question as asked, without its address, and in English
_UNITS = "|".join(stretches.UNITS)
NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
OPERATORS = ("since", "before", "after", "until", "till", "by", "between", "from", "to", "and", "through")
_OPERATORS = "|".join(OPERATORS)
_COUNTED = (  # nouns that "in 2000 …" counts when it is not a year
    "tokens?|bits?|bytes?|lines?|items?|rows?|files?|characters?|chars|words?|records?|chunks?|ms|seconds?|entries|times|requests?|users|people"
    "|dollars|steps|columns?|pixels?|px|[kmgt]i?b|iterations?|epochs?|retries|commits?"
)

# after a small month: "dec 5 bytes", "timeout 5 sep 10"
_AFTER_NO_MONTH = re.compile(rf"(?:\ (?:{_COUNTED})\b|\ \d{{1,2}}(?![\w.:]))", re.IGNORECASE)

_BEFORE_A_NAME = ("early", "mid", "late")  # "early 2024"; of the others one says "the end of 2024"
EARLIER = "earlier"
_OF_MONTHS = frozenset({  # kinds
    "quarter_year", "year_quarter", "quarter", "season_year", "season", "in_season", "month_year", "month", "year", "relative", "before_last", "running",
})  # fmt: skip
_UNITS_OF_MONTHS = frozenset({"month", "quarter", "year"})
# before "late last year" these say how it was: "who was late last year?"
_HOW = frozenset({
    "was", "were", "is", "are", "be", "been", "came", "arrived", "paid", "running", "too", "very", "so", "not", "wasn't", "weren't", "isn't", "aren't",
    "always", "often", "never", "ever",
})  # fmt: skip
# "was the delivery late …?", but not "was the plan approved late …?" or "was she in late …?"
_HOW_ASKED = re.compile(
    r"\A\s*(?:(?:and|so|but|why|when|where|how often|how many times) )?(?:was|were|is|are)(?:n['’]t)? "
    r"(?:[\w'’]+|(?:the|a|an|this|that|these|those|my|our|your|his|her|its|their|any|all)(?: [\w'’]+){1,2})(?<!ed)"
    r"(?<! in)(?<! by)(?<! of)(?<! since)(?<! until)(?<! before)(?<! after)(?<! from)(?<! during) \Z"
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
    part: str = ""  # one of PARTS_OF_MONTHS, EARLIER, or "" for the whole

    @property
    def operator(self) -> str:
        """The word that belongs to the date, as in "on Monday" and "since 2024"; "" for none."""
        return self.parts.get("operator", "")

    def number(self, part: str) -> int:
        return int(self.parts[part])

    @property
    def month(self) -> int:
        return stretches.MONTHS[self.parts["month"]]

    @property
    def amount(self) -> int:
        """The number of its units: 3 in "3 weeks ago"."""
        word = self.parts["amount"]
        return int(word) if word.isdigit() else _FEW if word == "few" else stretches.NUMBERS[word]


@lru_cache(maxsize=_KEPT)
def written_dates(text: str) -> tuple[WrittenDate, ...]:
    """The dates that a text may name, in order; `stretch_of` tells whether their words mean one.

    Kept for the next caller: bounds, days, words and the rest of a question are all read from its dates.
    """
    tense = tense_of(text)
    read = ((match, _date_of(match, text, tense)) for match in _pattern().finditer(text.lower()))
    return tuple(_one_day(date, match) if _is_one_day(date) else date for match, date in read)


def date_written(text: str) -> WrittenDate | None:
    """The date that is the whole of a text in small letters; names of months and days count as if they had a capital."""
    match = _pattern().fullmatch(text)
    return None if match is None else _date_of(match, text)._replace(is_capital=True)


def _is_one_day(date: WrittenDate) -> bool:
    """True where the first number of "3 to 5 May" is none of a day: "tickets 41 and 3 May", "room 3 and 5 May"."""
    if date.kind not in ("days_month", "month_days") or is_small_may(date):
        return False
    leads = {date.parts.get("lead"), word_before(date.text.lower(), date.start)}
    is_joined = date.parts["joint"] != "and" or not leads.isdisjoint(_BEFORE_DAYS)
    return not is_joined or date.number("last") <= date.number("day")


def is_small_may(date: WrittenDate) -> bool:
    """True for the verb: "this may 5 percent of …", "between 3 and 5 may fail"."""
    return date.parts["month"] == "may" and not date.is_capital and "year" not in date.parts


def is_small_word(date: WrittenDate) -> bool:
    """True for words in small letters that count things: "dec 5 bytes", "timeout 5 sep 10"."""
    is_month = date.is_capital or "year" in date.parts
    return not is_month and _AFTER_NO_MONTH.match(date.text, date.end) is not None


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
        match.start(kind),
    )
    part = _part_before(match, kind, parts)
    start = match.start() if part else match.start(kind)
    return WrittenDate(kind, parts, text, start, match.end(), text[name : name + 1].isupper(), tense, part)


def _part_before(match: re.Match[str], kind: str, parts: Mapping[str, str]) -> str:
    """The word for a part of the date; "" where the text has none, or where it means something else."""
    if match.start(kind) == match.start():
        return ""
    part, word = match["part"], parts.get("word")
    if part in ("early", "late") and _tells_how(match.string[: match.start()]):
        return ""
    if part == EARLIER:
        return part if kind == "running" or (kind == "relative" and word == "this") else ""
    is_whole = parts.get("unit", "year") in _UNITS_OF_MONTHS and word != "past"  # "the past year" ends now
    return part if kind in _OF_MONTHS and is_whole else ""


def _tells_how(lead: str) -> bool:
    """True for the text before "late last year" where "late" tells how it was."""
    return word_before(lead, len(lead)).replace("’", "'") in _HOW or _HOW_ASKED.search(lead) is not None


@cache
def _groups_of(kind: str) -> tuple[tuple[str, str], ...]:
    """The parts of a kind of date, each with its group in the pattern."""
    prefix = f"{kind}__"
    groups = _pattern().groupindex
    return tuple((group.removeprefix(prefix), group) for group in groups if group.startswith(prefix))


def _any_of(words: Iterable[str]) -> str:
    """A pattern for one of some words; of two that begin alike the longer one."""
    return "|".join(sorted(words, key=len, reverse=True))


@cache
def _pattern() -> re.Pattern[str]:
    """Compiled at the first text with a cue word in it. `(?(part)…)` is for kinds that need a word such as "the end of" before them."""
    month = _any_of(stretches.MONTHS)
    day = "|".join(stretches.DAYS)
    part = "|".join(stretches.PARTS_OF_DAY)
    amount = r"\d{1,4}|" + "|".join(stretches.NUMBER_WORDS)
    season = "|".join(stretches.SEASONS)
    nth = "|".join(NTH)
    ending = "(?:st|nd|rd|th)?"
    holiday = _any_of(stretches.HOLIDAYS).replace("'", "['’]?")
    of_date = _any_of(stretches.PARTS_OF_MONTHS.keys() - {*_BEFORE_A_NAME})
    before_date = "|".join(_BEFORE_A_NAME)
    turn = "last|past|previous|this|next|coming"
    kinds = {
        "iso": r"(?P<year>\d{4})[-/](?P<month_number>\d{1,2})[-/](?P<day>\d{1,2})(?![\d/-])",
        "numeric": r"(?<![\w./-])(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>(?:19|20)\d\d)(?![\w/-]|\.\w)",
        "iso_month": rf"(?P<operator>{_OPERATORS}|in|during) (?P<year>\d{{4}})-(?P<month_number>0[1-9]|1[0-2])(?![\d/-])",
        "bare_month": r"(?<![\w/.-])(?P<year>(?:19|20)\d\d)-(?P<month_number>0[1-9]|1[0-2])(?=[?.!\s]*\Z)",
        "quarter_year": rf"(?:the )?(?:q(?P<number>[1-4])|(?P<nth>{nth}) quarter)[ /-]?(?:of )?(?P<year>\d{{4}})(?![.:/-]\w)",
        "year_quarter": r"(?P<year>\d{4})[ /-]?q(?P<number>[1-4])(?![.:/-]\w)",
        "quarter": rf"(?P<operator>{_OPERATORS}|in|during|for|last|this|next) (?:q(?P<number>[1-4])|the (?P<nth>{nth}) quarter(?! of\b))"
        r"(?![.:/-]\w| (?:of )?\d{4}| of (?:the year|last|this|next)\b)",
        "season_year": rf"(?:the )?(?P<season>{season}) (?:of )?(?P<year>\d{{4}})(?![.:/-]\w)",
        "season": rf"(?P<word>{turn}) (?P<season>{season})(?! (?:through|back|apart|off)\b)",
        "in_season": rf"(?:(?P<operator>in|during|over|since|before|after|until|till) (?:the )?|(?(part)(?:the )?|(?!)))(?P<season>{season})\b"
        rf"(?! (?!(?:{_AFTER_SEASON})\b)\w|['’-])",
        "holiday_year": rf"(?P<name>{holiday}),? (?:of )?(?P<year>\d{{4}})",
        "holiday": rf"(?P<operator>{_OPERATORS}|on|at|over|for|last|this|next) (?P<name>{holiday})\b(?!,? (?:of )?\d{{4}}|['’])",
        "days_month": rf"(?:(?P<lead>between|from) )?(?<![\d.:])(?P<day>\d{{1,2}}){ending} ?(?P<joint>and|to|until|till|[-–])"
        rf" ?(?P<last>\d{{1,2}}){ending} (?:of )?(?P<month>{month})\b\.?,?(?: (?P<year>\d{{4}})\b)?",
        "month_days": rf"(?:(?P<lead>between|from) )?(?P<month>{month})\b\.? (?P<day>\d{{1,2}}){ending} ?"
        rf"(?P<joint>and|to|until|till|[-–]) ?(?P<last>\d{{1,2}}){ending}\b(?![-/:.]\d| (?!(?:{_AFTER_DAYS})\b)[^\W\d])"
        r",?(?: (?P<year>\d{4})\b)?",
        "day_month": rf"(?P<day>\d{{1,2}}){ending} (?:of )?(?P<month>{month})\b\.?,?(?: (?P<year>\d{{4}})\b)?",
        "month_day": rf"(?P<month>{month})\b\.? (?P<day>\d{{1,2}}){ending}\b,?(?: (?P<year>\d{{4}})\b)?",
        "month_year": rf"(?P<month>{month})\b\.?,? (?:of )?(?P<year>\d{{4}})\b",
        "ago": rf"(?P<amount>{amount}) (?P<unit>{_UNITS})s? ago\b",
        "ahead": rf"in (?P<amount>{amount}) (?P<unit>day|week|month|year)s?(?! (?:from now|ago))",
        "from_now": rf"(?:in )?(?P<amount>{amount}) (?P<unit>{_UNITS})s? from now",
        "rolling": rf"(?P<word>last|past|previous|next|coming) (?P<amount>{amount}|few) (?P<unit>{_UNITS})s?\b",
        "relative": rf"(?P<word>{turn}) (?P<unit>night|weekend|week|month|quarter|year|hour|{part})\b",
        "before_last": r"(?:the )?(?P<unit>week|month|year) before last\b",
        "running": rf"(?(part)the (?P<unit>year|month|quarter)|(?!))\b(?! (?!(?:{_AFTER_DAYS})\b)\w)",
        "nth": r"on the (?P<day>\d{1,2})(?:st|nd|rd|th)(?=[?.!\s]*\Z)",
        "weekend": rf"(?P<operator>over|at|on|during|{_OPERATORS}) the weekend\b",
        "weekday": rf"(?P<operator>{_OPERATORS}|last|this|next|coming|on) (?P<weekday>{day})\b",
        "bare_weekday": rf"(?P<weekday>{day})(?= (?:{part})|[?.!\s]*\Z)",
        "month": rf"(?:(?P<operator>{_OPERATORS}|in|during|for|last|this|next|coming) |(?(part)|(?!)))(?P<month>{month})\b(?!\.?,? \d)",
        "year": rf"(?:(?P<operator>{_OPERATORS}|in|during|of) |(?(part)|(?!)))(?P<year>(?:19|20)\d\d)\b"
        rf"(?! (?:{_COUNTED})\b| ?[x×] ?\d)(?![.:/-]\w)",
        "day": rf"(?P<word>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|today|tonight|tomorrow)(?: (?P<part>{part}))?",
    }
    forms = "|".join(
        f"(?P<{kind}>{form.replace('(?P<', f'(?P<{kind}__').replace('(?P=', f'(?P={kind}__')})"
        for kind, form in kinds.items()
    )
    before = rf"(?:(?:the )?(?P<part>(?:{before_date})(?=[ -])|(?:{of_date})(?= of )|{EARLIER}(?= (?:this|in the) ))(?: of | in |[ -]))?"
    return re.compile(rf"\b{before}(?:{forms})\b")


def word_that_bounds(date: WrittenDate) -> str:
    """The word of a date or before it that says which side is open; "until" for "up to"."""
    low = date.text.lower()
    own = date.operator if date.operator in OPERATORS else ""
    word = own or word_before(low, date.start)
    is_count = date.kind == "year" and own != ""  # "up to 2000 photos"
    is_up_to = not is_count and re.search(r"\bup to\s*\Z", low[max(0, date.start - 20) : date.start] + own)
    return "until" if is_up_to else word


def is_as_of(date: WrittenDate) -> bool:
    """True for a date after "as of" or "as at"."""
    lead = f"{date.text[: date.start]} {date.operator}".lower().split()[-3:]
    return [word for word in lead if word != "the"][-2:] in (["as", "of"], ["as", "at"])


def is_one_of_numbers(date: WrittenDate) -> bool:
    """True for a year alone that a number follows as no year does: "from 1920 to 1280", "1950 of 2000"."""
    if date.kind != "year":
        return False
    joint = {"from": "to", "between": "and"}.get(date.operator, "of")
    number = re.match(rf" {joint} (\d{{3,5}})\b(?![-/:.]\d)", date.text[date.end :])
    if number is None:
        return date.operator == "of" and re.search(r"\b\d{3,5} \Z", date.text[: date.start]) is not None
    return joint == "of" or not 1900 <= int(number[1]) < 2100


def word_before(text: str, at: int) -> str:
    """The word that ends before a place; "" where none is near."""
    words = text[max(0, at - 20) : at].split()
    return words[-1].strip("(,") if words else ""
