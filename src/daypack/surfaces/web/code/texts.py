"""The text behind a citation, with numbered lines and the lines around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from daypack.surfaces.web.code.lines import lines_of

if TYPE_CHECKING:
    from daypack.api import Daypack

AROUND = (0, 10, 40)  # lines before and after a citation that the view offers
MOST_AROUND = 400
MOST_LINES = 4_000


def look(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:
    """`given` names a text as `ref`, and the number of lines `around` it. Raises DaypackError."""
    reference, asked = given.get("ref", ""), given.get("around", "0")
    around = min(int(asked), MOST_AROUND) if asked.isascii() and asked.isdigit() and len(asked) < 5 else 0
    found = daypack.get(reference)
    span = found.span
    text, first, marked = found.text, span.start_line, None
    if around and span.start_line:
        whole = daypack.get(found.uri)
        lines = whole.text.split("\n")
        first = max(1, span.start_line - around)
        text = "\n".join(lines[first - 1 : span.end_line + around])
        marked = (span.start_line, span.end_line)
    shown = lines_of(text, found.uri, first=first or 1, marked=marked)
    return {
        "ref": reference, "found": found, "around": around, "choices": AROUND, "lines": shown[:MOST_LINES],
        "rest": max(0, len(shown) - MOST_LINES), "text": text,
    }  # fmt: skip
