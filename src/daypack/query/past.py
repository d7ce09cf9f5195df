"""The time in the past that a question asks about: one that is over, in dates or in words.

    "who led the team in 2024?"          from the beginning of 2024 to its end
    "who led the team before March?"     until March
    "which tool was formerly in use?"    until now

A time that is not over, as "since May" or "this year", asks for the present as well, and is none.
"""

from __future__ import annotations

import re
from datetime import datetime

from daypack.query.dates import time_range

# Not the passive: a key that "is used to sign" is so today.
_FORMERLY = re.compile(
    r"\b(?:(?<!is )(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )used to|formerly|former|previously|previous|originally|back then)\b",
    re.IGNORECASE,
)
_LONGEST = 300  # characters; a report says "previously" of its own subject


def past_time(text: str, now: datetime) -> tuple[float | None, float] | None:
    """(since, until) of the time; without a beginning, the question means its end. None for a question about the present."""
    if len(text) > _LONGEST:
        return None
    since, until = time_range(text, now)
    if until is not None:
        return (since, until) if until <= now.timestamp() else None
    return (None, now.timestamp()) if since is None and _FORMERLY.search(text) else None
