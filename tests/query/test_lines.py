"""Lines that a question names beside a file."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from support import EPOCH


def lines(text: str) -> list[tuple[str, int | None]]:
    return [(anchor.text, anchor.line) for anchor in parse_query(text, now=EPOCH).anchors]


@pytest.mark.parametrize(
    "text",
    [
        "src/cart.py:12",
        "src/cart.py line 12",
        "src/cart.py, line 12",
        "what happens in src/cart.py at line 12?",
        "what happens in `src/cart.py` on lines 12-20?",
        "src/cart.py (line 12)",
        "src/cart.py L12",
        "line 12 of src/cart.py",
        "what is done in lines 12 to 20 in the file src/cart.py?",
        "Why `src/cart.py` line 12?",
    ],
)
def test_words_beside_a_path_name_its_line(text: str) -> None:
    assert lines(text)[0] == ("src/cart.py", 12)


@pytest.mark.parametrize(
    "text", ["src/cart.py has 12 lines", "is src/cart.py online 12 hours?", "src/cart.py in 2024"]
)
def test_other_numbers_are_no_lines(text: str) -> None:
    assert lines(text)[0] == ("src/cart.py", None)
