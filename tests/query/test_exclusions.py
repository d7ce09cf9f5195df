"""Files that a question excludes do not become what it asks for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query
from daypack.query.asking.addressing import question_of

NOW = datetime(2026, 11, 27, tzinfo=UTC)
QUESTION = "Where are flags parsed?"


@pytest.mark.parametrize(
    "text",
    [
        "Where are flags parsed, not in the tests?",
        "Where are flags parsed, excluding tests and docs?",
        "Where are flags parsed (no tests)?",
        "Where are flags parsed, without examples?",
        "Where are flags parsed, ignoring the changelog?",
        "Where are flags parsed - except in the unit tests?",
        "Where are flags parsed (source code only)?",
        "Where are flags parsed? Ignore the tests.",
        "Where are flags parsed? I don't mean the documentation.",
        "Where are flags parsed? Don't look in the test files, examples or docs.",
        "Ignoring tests and docs, Where are flags parsed?",
    ],
)
def test_what_is_excluded_is_no_part_of_the_question(text: str) -> None:
    assert question_of(text) == QUESTION
    query = parse_query(text, now=NOW)
    assert not query.asks_for_tests
    assert not query.asks_for_docs


@pytest.mark.parametrize(
    "text",
    [
        "Why is this flag not in the documentation?",
        "Where are flags tested?",
        "How do I run the parser without fixtures?",
        "Which flags have no tests?",
        "Why do the tests fail?",
        "How are docs built without examples of their own?",
        "no tests",
    ],
)
def test_a_question_about_tests_or_pages_stays(text: str) -> None:
    assert question_of(text) == text
