"""Questions about a part of a year find the value that held in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from support_memory import Clock

from daypack import Daypack

SAID = [
    ("infra/database", "The production database is MySQL 8", "2025-01-10", None),
    ("infra/database", "The production database is PostgreSQL 15", "2025-06-01", None),
    ("infra/database", "The production database is PostgreSQL 17", "2026-02-01", None),
    ("infra/cache", "The cache is Memcached", "2025-01-10", None),
    ("infra/cache", "The cache is Redis", "2025-10-01", None),
    ("infra/cache", "The cache is Valkey", "2026-08-01", None),
    ("office/place", "The office is at Hafenstrasse 9", "2026-04-01", "2026-09-01"),
]


def on(date: str) -> float:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()


@pytest.fixture
def infra(dp: Daypack, clock: Clock) -> Daypack:
    """A database, a cache and an office that changed; it is 28 November 2026."""
    clock.now = on("2026-11-28T10:00")
    for key, value, since, until in SAID:
        dp.memories.remember(key, value, valid_from=since, valid_to=until)
    return dp


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("which database did we use in early 2025?", "MySQL 8"),
        ("which database did we use at the beginning of 2025?", "MySQL 8"),
        ("which database did we use at the start of last year?", "MySQL 8"),
        ("which database did we use in the first half of 2025?", "MySQL 8"),
        ("which database did we use in the middle of 2025?", "PostgreSQL 15"),
        ("which database did we use in late 2025?", "PostgreSQL 15"),
        ("which database did we use in the first quarter?", "PostgreSQL 17"),
        ("which database did we use earlier this year?", "PostgreSQL 15"),
        ("which database did we use this year?", "PostgreSQL 17"),
        ("which database do we use?", "PostgreSQL 17"),
        ("which cache did we use in mid-2025?", "Memcached"),
        ("which cache did we use at the end of 2025?", "Redis"),
        ("which cache did we use at the end of last year?", "Redis"),
        ("which cache did we use late in 2025?", "Redis"),
        ("which cache did we use at the start of the year?", "Redis"),
        ("which cache did we use at the end of the year?", "Valkey"),
        ("which cache did we use at the beginning of October 2025?", "Redis"),
        ("which cache did we use at the end of September 2025?", "Memcached"),
    ],
)
def test_the_value_of_that_part_stands_first(infra: Daypack, question: str, value: str) -> None:
    assert infra.pack(question, budget=120, vectors="none").excerpts[0].text.endswith(value)
    assert infra.memories.search(question).hits[0].memory.value.endswith(value)


def test_a_question_in_the_past_sees_a_value_that_ended_in_the_running_year(infra: Daypack) -> None:
    packed = infra.pack("was the office at Hafenstrasse in 2026?", vectors="none")
    assert packed.excerpts[0].text == "The office is at Hafenstrasse 9"
    assert "2026-04-01" in packed.text
    assert infra.memories.search("is the office at Hafenstrasse?").hits == ()
