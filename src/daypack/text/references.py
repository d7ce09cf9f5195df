"""References to stored text, taken apart.

    docs/retries.md:3-6 @417     docs/retries.md, lines 3 to 6, of a text whose hash has the checksum 417
    docs/retries.md#L3-L6        the same lines, as links to code are written on the web; `:L3-L6` and `lines 3 to 6` too
    src/pay/retry.py:41:9        line 41, as compilers and linters write a place, with its column
    src/pay/retry.py:41:         the same line, as `grep -n` writes it before the text

A name may itself end as lines or a hash do, so a reference has several readings, and the store knows which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Reference(NamedTuple):
    """One reading of a reference. Lines are 1-based and inclusive, and not checked."""

    name: str
    first_line: int | None = None
    last_line: int | None = None
    hash: str = ""  # the beginning of a hash, or the three digits of its checksum


_LINES = r"(.+?)(?::L?|#L|,? lines? )(\d{1,9})(?:(?:-L?| to )(\d{1,9}))?:?"


def readings_of(text: str) -> Iterator[Reference]:
    """Every reading of a reference, the longest name first."""
    yield Reference(text)
    name, wanted = text, ""
    if match := re.fullmatch(r"(.+?) ?@([0-9a-f]{4,32}|[0-9]{3})", text, re.DOTALL):
        name, wanted = match[1], match[2]
        yield Reference(name, hash=wanted)
    if match := re.fullmatch(_LINES, name, re.DOTALL):
        yield Reference(match[1], int(match[2]), int(match[3] or match[2]), wanted)
    if match := re.fullmatch(r"(.+?):(\d{1,9}):\d{1,9}:?", name, re.DOTALL):
        yield Reference(match[1], int(match[2]), int(match[2]), wanted)


def without_column(text: str) -> str:
    """A reference to a line without the column, and the colon before a message, that tools add."""
    return re.sub(r"(:\d{1,9}(?:-\d{1,9})?)(?::\d{1,9})?:?$", r"\1", text)
