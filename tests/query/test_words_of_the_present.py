"""Words that only say "now" are no subject of a question."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query

NOW = datetime(2026, 9, 21, 12, tzinfo=UTC)


def terms(question: str) -> set[str]:
    return {*parse_query(question, now=NOW).terms}


@pytest.mark.parametrize(
    "question",
    [
        "Which editor do I use right now?",
        "Which editor do I use these days?",
        "Which editor do I use at the moment?",
        "Which editor do I use at present",
        "Which editor do I use currently?",
        "Which editor do I currently use?",
        "Right now, which editor do I use?",
        "Nowadays, which editor do I use?",
    ],
)
def test_a_word_for_the_present_counts_for_nothing(question: str) -> None:
    assert terms(question) == terms("Which editor do I use?")


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("How is the currently selected tab stored?", "current"),
        ("What does the handler log at the moment of the crash?", "moment"),
        ("which pixel is right?", "right"),
        ("how many days does the trial last?", "day"),
        ("right now", "right"),
    ],
)
def test_such_words_with_another_meaning_count(question: str, kept: str) -> None:
    assert kept in terms(question)
