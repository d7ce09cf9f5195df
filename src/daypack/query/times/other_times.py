"""The other time that a question asks about: one that is over or is to come, in dates or in words.

    "who led the team in 2024?"          from the beginning of 2024 to its end
    "who led the team before March?"     until March
    "which tool was formerly in use?"    until now
    "what did we use before Redis?"      until now, before the value that names Redis
    "who will lead the team?"            from now on
    "is the rent going to rise?"         from now on, the present first
    "is it free on 24 December?"         that day, where it is to come
    "who led the team this year?"        from the beginning of the year until now
    "who led the team earlier this year?"  likewise, the present last
    "how has the rent changed?"          all the past, the present first

A time that holds the present, as "since May" or "this year", asks for the present as well, and is none, unless a word
points ahead, or the time has an end and a word points back.
"""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import NamedTuple

from daypack.query.times.dates import without_times
from daypack.query.times.tense import DID, Tense, says_past, tense_of
from daypack.types import Query

_FORMERLY = re.compile(
    # not the passive: a key that "is used to sign" is so today
    r"\b(?:did\b[^.?!]{1,80}\buse to (?=be\b|have\b|live\b|cost\b)|(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )used to"
    r"|formerly|former|previously|previous|originally|back then"
    # in the present, "before" is a condition: "what must be done before the release?"
    rf"|{DID}\b[^.?!]{{1,80}}\b(?:before|prior to|(?:the|our|my|your|his|her|its|their|\w+['’]s|\w+s['’]) old|at first|initially|until recently|in the past))\b",
    re.IGNORECASE,
)
_BEFORE = rf"(?i)\b{DID}\b[^.?!]{{1,80}}\b(?:before|prior to)\s+([^.?!,;]{{1,80}})"
# Without a time "will", "next" or "scheduled" seldom asks about the future: "which region will deploys use by default?".
_WHO_WILL = r"(?i)(?:\A|[.?!\n])\s*(?:(?:and|so|but)\s+)?(?:who|what)(?:\s+will|['’]ll)\b"
_WHEN_WILL = (
    r"(?i)(?:\A|[.?!\n])\s*(?:(?:and|so|but)\s+)?(?:when|where)(?:\s+will|['’]ll)\b|\b(?:going to|upcoming)\b"
)
_COURSE = re.compile(
    r"\bsince when\b|\bhow long (?:has|have)\b|\bwhat (?:has |have )?changed (?:about|with)\b"
    r"|\bhow (?:has|have|often|many times)\b[^.?!]{1,80}\b(?:change|move|switch|revise|rename|replace|develop|evolve)(?:e?d)?\b"
    # with an object it asks for the way to do it: "how did we change the port?"
    r"|\bhow (?:did|had)\b[^.?!]{1,80}\b(?:change|move|switch|develop|evolve)(?:e?d)?(?=\s*(?:[.?!,;]|\Z|over\b|since\b|during\b))"
    r"|\bwhen did\b[^.?!]{1,80}\b(?:change|move|switch|migrate|become|begin|start|stop)\b",
    re.IGNORECASE,
)
_EARLIER = r"(?i)\bearlier (?:this|in the) "
_LONGEST = 300  # characters; a report says "previously" of its own subject


class OtherTime(NamedTuple):
    """[`since`, `until`), outside the present; a past without a beginning means its end."""

    since: float | None
    until: float | None  # None for a future without an end
    is_ahead: bool = False
    before: str = ""  # a thing that the question names after "before", in place of a date
    happens: bool = False  # it asks what happens then
    present_first: bool = False  # it may mean the present as well
    present_last: bool = False  # a past until now that means another value than the present one


def asks_course(text: str) -> bool:
    """True for a question about the course of a thing until now: since when it is so, how it changed."""
    return len(text) <= _LONGEST and _COURSE.search(text) is not None


def other_time(query: Query, now: datetime) -> OtherTime | None:
    """The time; None for a question about the present, or about what happened."""
    if len(query.text) > _LONGEST:
        return None
    present = now.timestamp()
    points_ahead = tense_of(query.text) is Tense.FUTURE
    if query.since is None and query.until is None:
        if query.happenings is not None:
            return None
        if _FORMERLY.search(query.text):
            return OtherTime(None, present, before=_thing_before(query.text, now))
        if asks_course(query.text):
            return OtherTime(-math.inf, present, present_first=True)
        if not points_ahead:
            return None
        if re.search(_WHO_WILL, query.text):
            return OtherTime(present, None, is_ahead=True)
        may_be_ahead = re.search(_WHEN_WILL, query.text) is not None
        return OtherTime(present, None, is_ahead=True, present_first=True) if may_be_ahead else None
    if query.until is not None and query.until <= present:
        if query.happenings is not None:
            return None
        return OtherTime(query.since, query.until, present_last=re.search(_EARLIER, query.text) is not None)
    since = present if query.since is None else query.since
    if since > present or points_ahead:
        happens = query.happenings is not None
        return OtherTime(max(since, present), query.until, is_ahead=True, happens=happens)
    if None in (query.since, query.until) or query.happenings is not None or not says_past(query.text):
        return None
    return OtherTime(query.since, present)


def _thing_before(text: str, now: datetime) -> str:
    found = re.search(_BEFORE, text)
    return without_times(found[1], now).strip() if found else ""
