"""Times and texts in the fields of a transcript."""

from __future__ import annotations

from datetime import datetime
from typing import Any


def moment_of(value: Any) -> float | None:
    """Unix seconds from a number of seconds or milliseconds, or from a date; None for other values."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        if not 0 < value < 4 * 10**12:  # no float holds every int of JSON
            return None
        seconds = value / 1000 if value > 10**11 else float(value)
        return seconds if seconds < 4 * 10**9 else None
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return None
    return None


_TEXTS = (None, "text", "input_text", "output_text")  # types of blocks with the author's own words


def content_of(value: Any) -> str:
    """The text of a message, which is a string, or objects and lists around strings. Blocks of other types than text are left
    out: the result of a call is not the author's text.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        if value.get("type") not in _TEXTS:
            return ""
        return content_of(value.get("parts") or value.get("text") or value.get("content"))
    if isinstance(value, list):
        return "\n\n".join(part for item in value if (part := content_of(item)).strip())
    return ""
