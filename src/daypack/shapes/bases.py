"""Begins that the uris of a pack share, said once.

    src/pay/retry.py
    src/pay/refunds.py     →   [src/pay]   /retry.py   /refunds.py

Only uris beside each other share one: the order of a pack is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ENDS = re.compile(r"[/:#]")  # a base ends before one of them; each rest starts with one
LINE = 8  # characters that a line with a base costs beside it


def is_relative(reference: str) -> bool:
    """True when a base stands before the reference."""
    return reference[:1] in ("/", ":", "#")


def bases(uris: Sequence[str]) -> list[str]:
    """The base of each uri, "" for one that is shown in full. An empty uri has none."""
    chosen: list[str] = []
    while len(chosen) < len(uris):
        at = len(chosen)
        uri, best, run, most = uris[at], "", 1, 0
        for match in _ENDS.finditer(uri, 1):
            base = uri[: match.start()]
            end = at + 1
            while end < len(uris) and _extends(uris[end], base):
                end += 1
            saved = _different(uris[at:end]) * len(base) - len(base) - LINE
            if saved > most:
                best, run, most = base, end - at, saved
        chosen += [best] * run
    return chosen


def _extends(uri: str, base: str) -> bool:
    return uri.startswith(base) and is_relative(uri[len(base) :])


def _different(uris: Sequence[str]) -> int:
    """The number of uris that are shown: one like that before it is not."""
    return sum(uri != before for uri, before in zip(uris, ("", *uris), strict=False))
