"""The time in the past that a question asks about: one that is over, in dates or in words.

    "who led the team in 2024?"          from the beginning of 2024 to its end
    "who led the team before March?"     until March
    "which tool was formerly in use?"    until now
    "what did we use before Redis?"      until now

A time that is not over, as "since May" or "this year", asks for the present as well, and is none.
"""

from __future__ import annotations

import re
from datetime import datetime

from daypack.types import Query

_FORMERLY = re.compile(
    # not the passive: a key that "is used to sign" is so today
    r"\b(?:did\b[^.?!]{1,80}\buse to (?=be\b|have\b|live\b|cost\b)|(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )used to"
    r"|formerly|former|previously|previous|originally|back then"
    # in the present, "before" is a condition: "what must be done before the release?"
    r"|(?:did|was|were|had)\b[^.?!]{1,80}\b(?:before|prior to|(?:the|our|my|his|her|their) old|at first|initially|until recently|in the past))\b",
    re.IGNORECASE,
)
_LONGEST = 300  # characters; a report says "previously" of its own subject


def past_time(query: Query, now: datetime) -> tuple[float | None, float] | None:
    """(since, until) of the time; without a beginning, the question means its end. None for a question about the present,
    or about what happened.
    """
    if len(query.text) > _LONGEST or query.happenings is not None:
        return None
    if query.until is not None:
        return (query.since, query.until) if query.until <= now.timestamp() else None
    return (None, now.timestamp()) if query.since is None and _FORMERLY.search(query.text) else None
