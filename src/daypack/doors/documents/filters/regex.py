"""Regular expressions in time linear in the text: those that RE2 takes.

It refuses patterns that need backtracking, and so does Daypack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=256)
def compiled(pattern: str, options: str) -> Any:
    """The compiled pattern, or a string with the reason for a refusal. Options are letters of "ims"."""
    import re2  # type: ignore[import-untyped, unused-ignore]  # it has no types

    settings = re2.Options()
    settings.log_errors = False
    flags = "".join(sorted(set(options) & set("ims")))
    try:
        return re2.compile(f"(?{flags})(?:{pattern})" if flags else pattern, settings)
    except re2.error as error:
        detail = (
            error.args[0].decode("utf-8", "replace")
            if error.args and isinstance(error.args[0], bytes)
            else str(error)
        )
        beyond = "(?" in detail or "escape" in detail
        reason = ": it runs in linear time only without look-around and backreferences" if beyond else ""
        return f"the pattern is refused ({detail}){reason}"
