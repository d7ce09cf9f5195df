"""Dates as Python has them, wherever a moment is taken."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.memories.types import Memory
from daypack.errors import BadDate, InputError
from daypack.query.times.dates import end_of, moment_of
from support import WORDS

NOW = datetime(2026, 10, 20, 9, tzinfo=UTC)


@pytest.fixture
def dp(tmp_path: Path) -> Iterator[Daypack]:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, clock=NOW.timestamp) as daypack:
        yield daypack


@pytest.mark.parametrize(
    "given",
    [
        date(2026, 10, 1),
        datetime(2026, 10, 1),
        datetime(2026, 10, 1, 14, 0, 5, 123456),
        datetime(2026, 10, 1, 14, tzinfo=UTC),
        datetime(2026, 10, 1, 14, tzinfo=timezone(timedelta(hours=-5, minutes=-30))),
    ],
)
def test_a_date_means_the_moment_of_its_iso_text(given: date) -> None:
    assert moment_of(given, NOW) == moment_of(given.isoformat(), NOW)
    exact = given if isinstance(given, datetime) else datetime(given.year, given.month, given.day)
    assert moment_of(given, NOW) == pytest.approx(
        (exact if exact.tzinfo else exact.replace(tzinfo=UTC)).timestamp()
    )


def test_a_day_lasts_until_its_end() -> None:
    assert end_of(date(2026, 10, 1), NOW) == pytest.approx(
        datetime(2026, 10, 2, tzinfo=UTC).timestamp(), abs=1e-3
    )


def test_searches_and_memories_take_dates(dp: Daypack) -> None:
    dp.records.add(
        [
            {"id": "old", "text": "The kettle is new", "time": datetime(2026, 9, 1, 12)},
            {"id": "new", "text": "The kettle is old", "time": date(2026, 10, 2)},
        ]
    )
    for since in (date(2026, 10, 1), datetime(2026, 10, 1, tzinfo=UTC)):
        assert [one.chunk.uri for one in dp.search("kettle", since=since)] == ["new"]
        assert [one.chunk.uri for one in dp.search("kettle", before=since)] == ["old"]
        assert "old" in dp.pack("kettle", since=since, budget=100).text
    memories = dp.memories
    memories.remember("team/lead", "Maria", valid_from=date(2026, 1, 1), valid_to=datetime(2026, 6, 1))
    found = memories.recall("team/lead", as_of=date(2026, 3, 1), known_at=NOW)
    assert isinstance(found, Memory)
    assert found.value == "Maria"
    assert list(dp.sessions.timeline(since=date(2026, 10, 1), before=datetime(2026, 10, 2)).events) == []


def test_a_value_that_is_no_date_is_refused_still(dp: Daypack) -> None:
    with pytest.raises(BadDate, match="is not a valid date"):
        dp.search("kettle", since=timedelta(days=1))  # type: ignore[arg-type]


def test_documents_take_days(dp: Daypack) -> None:
    teas = dp.documents.collection("teas")
    teas.insert({"_id": 1, "picked": date(2026, 10, 1)})
    assert teas.get(1)["picked"] == {"$date": int(datetime(2026, 10, 1, tzinfo=UTC).timestamp()) * 1000}
    assert teas.count({"picked": {"$gte": date(2026, 10, 1), "$lt": datetime(2026, 10, 2)}}) == 1


def test_a_list_for_an_argument_of_one_value_is_called_a_list(dp: Daypack) -> None:
    with pytest.raises(InputError, match="author is a list"):
        dp.search("kettle", author=["ana", "ben"])  # type: ignore[arg-type]
