"""The time in the past that a question asks about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query, past_time

NOW = datetime(2026, 9, 21, 12, tzinfo=UTC)


def at(date: str) -> float:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("who led the team in 2024?", "2024-01-01", "2025-01-01"),
        ("who led the team before March?", None, "2026-03-01"),
        ("what was our database until last year?", None, "2026-01-01"),
        ("where did I live between May and July 2023?", "2023-05-01", "2023-08-01"),
        ("where did we deploy in March 2025?", "2025-03-01", "2025-04-01"),
    ],
)
def test_a_time_that_is_over(question: str, since: str | None, until: str) -> None:
    assert past_time(parse_query(question, now=NOW), NOW) == (None if since is None else at(since), at(until))


@pytest.mark.parametrize(
    "question",
    [
        "who was formerly the lead?",
        "what was our previous database?",
        "where did the team used to sit?",
        "what did the pool size use to be?",
        "where did I use to live?",
        "what did we use before PostgreSQL?",
        "which database was in place prior to the migration?",
        "who had the keys before Ben?",
        "what was our old database?",
        "which provider did we choose at first?",
        "what was the limit until recently?",
        "where did we keep the logs in the past?",
    ],
)
def test_a_word_for_the_past_means_the_time_before_now(question: str) -> None:
    assert past_time(parse_query(question, now=NOW), NOW) == (None, NOW.timestamp())


@pytest.mark.parametrize(
    "question",
    [
        "who leads the team?",
        "who has led the team since May?",
        "who leads the team this year?",
        "what is due today?",
        "which key is used to sign the release?",
        "which key did you use to sign the release?",
        "what do we use to be sure?",
        "what was the name of the cat?",
        "what must be done before the release?",
        "how many points are needed before a rider counts as there?",
        "is the old town far?",
        "how old was the cat?",
        "what did we do yesterday?",  # asks for events, not for values
        "previously " + "on this ticket " * 30,
    ],
)
def test_the_present_is_not_over(question: str) -> None:
    assert past_time(parse_query(question, now=NOW), NOW) is None
