"""Values that options and settings had in earlier releases: accepted, and not shown."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")

_TODAY = {("vectors", "lazy"): "auto"}


def todays(name: str, value: Value) -> Value | str:
    """Today's value for `value` of the option or setting `name`: in most cases the same."""
    return _TODAY.get((name, value), value) if isinstance(value, str) else value
