"""The cited text with numbered lines, and the lines around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from daypack.errors import NotFound
from daypack.surfaces.web.code.lines import lines_of
from daypack.text.references import readings_of
from daypack.types import reference_of

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import Found

AROUND = (0, 10, 40)  # choices for the number of lines before and after a citation
MOST_AROUND = 400
MOST_LINES = 4_000


def read_facts(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:
    """`given` names a text as `ref`, and the number of lines `around` it. Raises DaypackError."""
    reference, asked = given.get("ref", ""), given.get("around", "0")
    around = min(int(asked), MOST_AROUND) if asked.isascii() and asked.isdigit() and len(asked) < 5 else 0
    found, asked_lines = _read(daypack, reference, around)
    span = found.span
    shown = lines_of(
        found.text, found.uri, first=span.start_line or 1, marked=asked_lines if around else None
    )
    if len(shown) != span.end_line - span.start_line + 1:  # lines of a rendered text, which the file has not
        shown = [line._replace(number=0, marked=False) for line in shown]
    return {
        "ref": reference, "found": found, "around": around, "choices": AROUND, "lines": shown[:MOST_LINES],
        "rest": max(0, len(shown) - MOST_LINES), "asked": asked_lines,
    }  # fmt: skip


def _read(daypack: Daypack, reference: str, around: int) -> tuple[Found, tuple[int, int]]:
    """(the text with the lines around it, (first, last) line of the cited text). A reference with lines is read once."""
    *_, named = readings_of(reference)
    if around and (first := named.first_line) and (last := named.last_line):
        wider = reference_of(named.name, max(1, first - around), last + around)
        try:
            found = daypack.get(f"{wider} @{named.hash}" if named.hash else wider)
        except NotFound:  # the end of a name may look like lines
            pass
        else:
            if found.span.start_line <= first <= found.span.end_line:
                return found, (first, min(last, found.span.end_line))
    found = daypack.get(reference)
    lines = found.span.start_line, found.span.end_line
    if around and lines[0]:
        wider = reference_of(found.uri, max(1, lines[0] - around), lines[1] + around, found.record_hash)
        found = daypack.get(wider)._replace(others=found.others)
    return found, lines
