"""Days as pages write them."""

from __future__ import annotations

from datetime import date


def written_day(day: date) -> str:
    """A day or the day of a moment, as `3 Nov 2026`."""
    return f"{day.day} {day:%b} {day.year}"
