"""The words of a time in a question about memories choose the time, and texts need not hold them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack import Daypack
from support import Clock

SAID = [
    ("deploy/region", "eu-west-1", "2025-06-01"),
    ("deploy/region", "us-east-1", "2026-02-01"),
    ("deploy/region", "eu-central-1", "2026-08-15"),
    ("deploy/region", "ap-south-1", "2026-11-01"),
    ("team/lead", "Ana leads the team", "2024-01-01"),
    ("team/lead", "Ben leads the team", "2026-03-01"),
    ("office/rent", "The rent of the office is 2000 euros a month", "2026-01-01"),
    ("promo", "Delivery is free", "2026-11-01"),
]


def on(date: str) -> float:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()


@pytest.fixture
def regions(dp: Daypack, clock: Clock) -> Daypack:
    """A region that moved three times; it is 28 November 2026."""
    clock.now = on("2026-11-28T10:00")
    for key, value, since in SAID:
        dp.memories.remember(key, value, valid_from=on(since))
    return dp


@pytest.mark.parametrize(
    ("time", "region"),
    [
        ("six months ago", "us-east-1"),
        ("6 months ago", "us-east-1"),
        ("twelve months ago", "eu-west-1"),
        ("three weeks ago", "ap-south-1"),
        ("last month", "eu-central-1"),
        ("last spring", "us-east-1"),
        ("last summer", "us-east-1"),
        ("in autumn 2025", "eu-west-1"),
        ("in Q2 2026", "us-east-1"),
        ("2026-03", "us-east-1"),
        ("in 2026-03", "us-east-1"),
        ("on Christmas 2025", "eu-west-1"),
    ],
)
def test_a_subject_with_a_time_in_any_form_finds_the_value_of_then(
    regions: Daypack, time: str, region: str
) -> None:
    for question in (f"deploy region {time}", f"what was the deploy region {time}?"):
        packed = regions.pack(question, vectors="none")
        assert packed.excerpts[0].text == region
        assert "Weak answer" not in packed.text
        assert packed.stats.corrections == {}


def test_a_time_without_an_end_is_no_reason_to_call_an_answer_weak(regions: Daypack) -> None:
    packed = regions.pack("which deploy region have we had since February?")
    assert packed.excerpts[0].text == "ap-south-1"
    assert "Weak answer" not in packed.text


def test_a_subject_that_the_store_does_not_know_is_named_and_its_time_is_not(regions: Daypack) -> None:
    stats = regions.pack("what was the deploy quota six months ago?").stats
    assert "quota" in stats.unknown
    assert {"six", "months", "ago"}.isdisjoint(stats.unknown)


def test_a_year_ago_means_the_one_that_led_in_the_middle_of_that_time(regions: Daypack) -> None:
    packed = regions.pack("who led the team a year ago?")
    assert [excerpt.text for excerpt in packed.excerpts[:2]] == ["Ana leads the team", "Ben leads the team"]
