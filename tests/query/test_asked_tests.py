"""Tests that are to be written, or that fail, need the code that they test."""

from __future__ import annotations

import pytest

from daypack.query.kinds import asks_for_tests


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Where is the parser tested?", False),
        ("Which tests cover the parser?", True),
        ("Why do the tests of the parser fail?", True),
        ("the tests of the parser", True),
        ("Add a test for the parser", False),
        ("Write unit tests for the parser", False),
        ("please add more specs for the parser", False),
        ("Add a parser for tests", True),
        ("tests fail for the parser", False),
        ("Fix the failing parser test", False),
    ],
)
def test_only_a_question_about_tests_asks_for_them(text: str, asks: bool) -> None:
    assert asks_for_tests(text) is asks
