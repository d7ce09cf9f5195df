"""Tests are the answer to a question for them, and to no other with the word."""

from __future__ import annotations

import pytest

from daypack.query.kinds import asks_where_tests_are


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Where are the tests of the parser?", True),
        ("Which tests cover the parser?", True),
        ("unit tests for the parser", True),
        ("Where is the parser tested?", False),
        ("Why do the tests of the parser fail?", False),
        ("My test of the parser fails", False),
        ("Where is the test client created?", False),
        ("test for an empty parser", False),
        ("What tests for equality?", False),
        ("Which tests that failed are run first?", False),
        ("Which tests that cover the parser are slow?", True),
    ],
)
def test_the_tests_of_a_thing_may_be_the_answer(text: str, asks: bool) -> None:
    assert asks_where_tests_are(text) is asks
