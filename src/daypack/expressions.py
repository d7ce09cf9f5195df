"""Regular expressions that are compiled when they are first used.

`re.compile` takes a tenth of a millisecond to one, and a command, even more a hook, uses few of those that
stand in the modules that it imports. Where `re.compile` stands instead, the expression is used by nearly
every command, or its module is imported by few.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["expression"]


def expression(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, later."""
    return _Late(pattern, flags)  # type: ignore[return-value]  # it has every method of one


class _Late:
    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, method: str) -> Any:
        found = getattr(re.compile(self._pattern, self._flags), method)
        setattr(self, method, found)  # from now on it is found without coming here
        return found
