"""Names in the bodies of macros, which the grammar does not parse."""

from __future__ import annotations

import pytest

from daypack.doors.code.graph.extraction.mentions import _NAMED


def names(text: str) -> list[tuple[str, str]]:
    """The (owner, name) pairs in a text."""
    return [
        ((match[1] or b"").decode().rstrip(".:->"), match[2].decode())
        for match in _NAMED.finditer(text.encode())
        if match[2]
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("port.lift(a) + crane->load", [("port", "lift"), ("", "a"), ("crane", "load")]),
        ("quay::Crane x", [("quay", "Crane"), ("", "x")]),
        ("on ? port:crane.load", [("", "on"), ("", "port"), ("crane", "load")]),
        ("say(\"no \\\"fall\\\" (2)\"); rise('\\'', '\\x41', 'ABCD')", [("", "say"), ("", "rise")]),
        ('say("no fall \\\n (2)"); rise', [("", "say"), ("", "rise")]),
        ("1'000 + rise(2) /* fall */ // sink", [("", "rise")]),
        ('say("no end\nrise', [("", "say"), ("", "rise")]),
        ("rise /* no end", [("", "rise")]),
    ],
)
def test_texts_and_comments_hold_no_names(text: str, found: list[tuple[str, str]]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("repeated", "times", "found"),
    [
        ("\\'", 400_000, 1),
        ('\\"', 400_000, 0),
        ("/*", 400_000, 0),
        ("a:", 200_000, 200_001),
        ("a##", 200_000, 1),
    ],
)
def test_long_runs_of_signs_are_read_once(repeated: str, times: int, found: int) -> None:
    assert len(names(repeated * times + " rise")) == found
