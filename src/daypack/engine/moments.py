"""Moments that callers name: dates and words as numbers, relative to the clock of the store."""

from __future__ import annotations


def read_moment(name: str, value: float | str | None, now: float) -> float | None:
    """Unix seconds of a moment (Unix seconds, an ISO 8601 date, "yesterday", "3 days ago"), None for none.

    `name` begins the message for any other text. Raises BadDate.
    """
    if value is None:
        return None
    from daypack.query.dates import moment_of  # few calls name one

    return moment_of(value, now, name)
