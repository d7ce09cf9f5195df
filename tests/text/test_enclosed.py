"""Ranges between an opening mark and the one that closes it."""

from __future__ import annotations

import re

from daypack.text.fences import enclosed

OPENING = re.compile(r"<(a|b)>")
CLOSINGS = {name: f"</{name}>" for name in "ab"}


def bodies(text: str) -> list[tuple[str, str]]:
    ranges = enclosed(text, OPENING, CLOSINGS, lambda opening: opening[1])
    return [(name, text[first.end() : last.start()]) for name, first, last in ranges]


def test_ranges_come_in_order_and_one_inside_another_is_none() -> None:
    assert bodies("<a>one</a> <b>two <a>three</a></b>") == [("a", "one"), ("b", "two <a>three</a>")]


def test_a_mark_that_is_never_closed_opens_no_range() -> None:
    assert bodies("<a>one <b>two</b> <a>three <b>four</b>") == [("b", "two"), ("b", "four")]
