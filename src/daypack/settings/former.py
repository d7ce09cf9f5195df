"""Values of options and settings from earlier releases, which are accepted, but not shown."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")

_TODAY = {("vectors", "lazy"): "auto"}


def todays(name: str, value: Value) -> Value | str:
    """The present value that `value` means for the option or setting `name`: mostly `value` itself."""
    return _TODAY.get((name, value), value) if isinstance(value, str) else value
