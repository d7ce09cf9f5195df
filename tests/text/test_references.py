"""References taken apart."""

from __future__ import annotations

import pytest

from daypack.text.references import readings_of


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("a.md", [("a.md", None, None, "")]),
        ("a.md:3", [("a.md:3", None, None, ""), ("a.md", 3, 3, "")]),
        (
            "a.md:3-6 @417",
            [("a.md:3-6 @417", None, None, ""), ("a.md:3-6", None, None, "417"), ("a.md", 3, 6, "417")],
        ),
        ("a.md@0bad", [("a.md@0bad", None, None, ""), ("a.md", None, None, "0bad")]),
        ("a.md#L3-L6", [("a.md#L3-L6", None, None, ""), ("a.md", 3, 6, "")]),
        ("a.md#L3", [("a.md#L3", None, None, ""), ("a.md", 3, 3, "")]),
        ("a.md:L3-L6", [("a.md:L3-L6", None, None, ""), ("a.md", 3, 6, "")]),
        ("a.md lines 3 to 6", [("a.md lines 3 to 6", None, None, ""), ("a.md", 3, 6, "")]),
        ("a.md, line 3", [("a.md, line 3", None, None, ""), ("a.md", 3, 3, "")]),
        ("a.py:41:9", [("a.py:41:9", None, None, ""), ("a.py:41", 9, 9, ""), ("a.py", 41, 41, "")]),
        ("a.py:41:9:", [("a.py:41:9:", None, None, ""), ("a.py:41", 9, 9, ""), ("a.py", 41, 41, "")]),
        ("a.py:41:", [("a.py:41:", None, None, ""), ("a.py", 41, 41, "")]),
        ("a.py:41-43:", [("a.py:41-43:", None, None, ""), ("a.py", 41, 43, "")]),
        ("a.pdf#page=3", [("a.pdf#page=3", None, None, "")]),
        ("ann@example", [("ann@example", None, None, "")]),
    ],
)
def test_a_reference_is_read_with_the_longest_name_first(
    text: str, readings: list[tuple[object, ...]]
) -> None:
    assert list(readings_of(text)) == readings
