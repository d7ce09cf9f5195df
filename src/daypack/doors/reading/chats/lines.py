"""Chats that WhatsApp exports as text, as Markdown: who and when as in other chats, each line at its place in the file.

    12/03/2026, 09:14 - Ida Holm: The crane comes.          →   Ida Holm, 12 Mar 2026 09:14: The crane comes.
    [3/12/26, 9:14:02 PM] Ida Holm: The crane comes.        →   Ida Holm, 12 Mar 2026 21:14:02: The crane comes.

The phone decides whether the day or the month is first. Points say the day, a number above 12 says it, and so does the order of
the messages. Where all of that fits both, a date stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from itertools import pairwise

from daypack.doors.reading.office.text import escaped
from daypack.text.prose.written_days import written_day

_BLANK = "[ \u00a0\u202f]?"
_HEAD = re.compile(
    r"[\u200e\u200f\ufeff]*(\[)?"
    rf"(?P<date>(?P<first>\d{{1,4}})(?P<mark>[./-]){_BLANK}(?P<second>\d{{1,2}})(?P=mark){_BLANK}(?P<third>\d{{1,4}}))"
    rf"\.?,? (?P<hour>\d{{1,2}})[:.](?P<rest>\d\d(?(1)(?:[:.]\d\d)?))(?:{_BLANK}(?P<half>[ap])\.?{_BLANK}m\.?)?"
    r"(?(1)\]| -) (?:(?P<who>[^:\n]{1,80}): )?(?P<said>.*)",
    re.IGNORECASE,
)
_MARKS = "\u200e\u200f\u202a\u202c"  # directions, which say nothing
_LOOKED_AT = 200  # lines
_FEWEST = 2  # messages
_SHARE = 0.3  # of the lines that begin a message; a recipe has many lines
_NOON = 12
_CENTURY = 2000
_YEAR_DIGITS = 4

_Order = Callable[[int, int, int], date]


def render_chat_lines(text: str) -> str | None:
    """An exported chat as Markdown; None for other text."""
    if not _HEAD.match(text.lstrip()[:200]):
        return None  # most files of text, which need not be read
    lines = [line.rstrip("\r") for line in text.split("\n")]
    heads = [_HEAD.fullmatch(line) for line in lines]
    written = [head for line, head in zip(lines[:_LOOKED_AT], heads, strict=False) if line.strip()]
    begun = [head for head in written if head]
    if len(begun) < _FEWEST or len(begun) < _SHARE * len(written):
        return None
    if 2 * sum(head["who"] is not None for head in begun) < len(begun):
        return None
    if all(map(_is_stamp, begun)):
        return None
    order = _order([head for head in heads if head])
    return "\n".join(
        escaped(_message(head, order) if head else line) for line, head in zip(lines, heads, strict=True)
    )


def _is_stamp(head: re.Match[str]) -> bool:
    """True for the time of a log, as [2026-03-12 09:14:02]: a chat has a comma behind a date that begins with the year."""
    begin = head[0][: head.start("hour")]
    return bool(head[1]) and len(head["first"]) == _YEAR_DIGITS and "," not in begin


def _message(head: re.Match[str], order: _Order | None) -> str:
    who = head["who"].strip(_MARKS + " ") + ", " if head["who"] else ""
    return f"{who}{_day(head, order)} {_time(head)}: {head['said'].lstrip(_MARKS)}"


def _day(head: re.Match[str], order: _Order | None) -> str:
    with suppress(ValueError):
        if order is not None:
            return written_day(order(*_numbers(head)))
    return head["date"]


def _time(head: re.Match[str]) -> str:
    hour, rest = int(head["hour"]), head["rest"].replace(".", ":")
    if head["half"]:
        hour = hour % _NOON + (_NOON if head["half"] in "pP" else 0)
    return f"{hour:02}:{rest}"


def _numbers(head: re.Match[str]) -> tuple[int, int, int]:
    first, second, third = (int(head[part]) for part in ("first", "second", "third"))
    return first, second, third


def _order(heads: Sequence[re.Match[str]]) -> _Order | None:
    """The order of the numbers in the dates of a chat; None where they fit two."""
    if len(heads[0]["first"]) == _YEAR_DIGITS:
        return date
    if heads[0]["mark"] == ".":
        return _day_first
    dates = dict.fromkeys(map(_numbers, heads))
    known = [days for order in (_day_first, _month_first) if (days := _days(dates, order))]
    rising = [days for days in known if all(earlier <= later for earlier, later in pairwise(days[1]))]
    for orders in (known, rising):
        if len(orders) == 1:
            return orders[0][0]
    return None


def _days(dates: Iterable[tuple[int, int, int]], order: _Order) -> tuple[_Order, list[date]] | None:
    """The order with the days that it makes of dates; None where one is not in the calendar."""
    with suppress(ValueError):
        return order, [order(*numbers) for numbers in dates]
    return None


def _day_first(day: int, month: int, year: int) -> date:
    return date(year if year > _CENTURY else year + _CENTURY, month, day)


def _month_first(month: int, day: int, year: int) -> date:
    return _day_first(day, month, year)
