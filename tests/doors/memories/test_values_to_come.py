"""Questions about a time to come see the values planned for it, and those about a thing of before the value before it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from support_memory import DAY

from daypack import Daypack
from daypack.doors.memories.serialize import answer_to_dict
from support import Clock, ills

SAID = [
    ("team/lead", "Ana leads the team", "2024-01-01", None),
    ("team/lead", "Ben leads the team", "2026-03-01", None),
    ("team/lead", "Cem leads the team", "2027-01-01", None),
    ("office/rent", "The rent of the office is 2000 euros", "2026-01-01", None),
    ("office/rent", "The rent of the office is 2300 euros", "2027-02-01", None),
    ("promo", "Delivery is free for all orders", "2026-11-01", "2026-12-24"),
    ("lunch", "Lunch is at noon", "2026-01-01", None),
]


def on(date: str) -> float:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()


def remember(dp: Daypack, said: Sequence[tuple[str, str, str, str | None]]) -> None:
    for key, value, since, until in said:
        dp.memories.remember(key, value, valid_from=on(since), valid_to=on(until) if until else None)


@pytest.fixture
def team(dp: Daypack, clock: Clock) -> Daypack:
    """Memories with a past and with plans; it is 28 November 2026."""
    clock.now = on("2026-11-28T10:00")
    remember(dp, SAID)
    return dp


def first_words(found: Any) -> list[str]:
    return [excerpt.text.split()[0] for excerpt in found.excerpts]


@pytest.mark.parametrize(
    "question",
    [
        "who will lead the team in January?",
        "who leads the team in January 2027?",
        "who will lead the team next year?",
        "who will lead the team?",
        "who is going to lead the team after December?",
    ],
)
def test_the_value_of_a_time_to_come_stands_first_and_says_from_when_it_holds(
    team: Daypack, question: str
) -> None:
    packed = team.pack(question, vectors="none")
    assert first_words(packed)[:2] == ["Cem", "Ben"]
    assert [excerpt.citation.uri for excerpt in packed.excerpts[:2]] == [
        "memory:team/lead@2027-01-01..",
        "memory:team/lead@2026-03-01..2027-01-01",
    ]
    assert team.get("memory:team/lead@2027-01-01..").text == "Cem leads the team"
    lines = team.memories.pack(question).text.split("\n")[1:3]
    assert lines == [
        "- **team/lead** (from 2027-01-01): Cem leads the team",
        "- **team/lead** (2026-03-01 to 2027-01-01): Ben leads the team",
    ]
    hit = answer_to_dict(team.memories.search(question))["hits"][0]
    assert (hit["held_from"][:10], hit["held_until"]) == ("2027-01-01", None)


@pytest.mark.parametrize("question", ["who leads the team?", "what is the rent of the office today?"])
def test_a_question_about_now_never_shows_a_planned_value(team: Daypack, question: str) -> None:
    shown = team.pack(question, vectors="none").text + team.memories.pack(question).text
    assert "Cem" not in shown
    assert "2300" not in shown
    assert "Ben" in shown or "2000" in shown


@pytest.mark.parametrize(
    "question",
    [
        "which region will deploys use by default?",
        "why won't deploys to the region work?",
        "how is the next deploy region chosen?",
    ],
)
def test_a_question_about_how_things_work_never_shows_a_planned_value(
    dp: Daypack, clock: Clock, question: str
) -> None:
    clock.now = on("2026-11-28T10:00")
    regions = [("Frankfurt", "2026-01-01"), ("Virginia", "2027-03-01")]
    remember(dp, [("deploy/region", f"The deploy region is {name}", since, None) for name, since in regions])
    assert [excerpt.text for excerpt in dp.pack(question).excerpts] == ["The deploy region is Frankfurt"]


def test_a_question_that_may_mean_the_present_shows_it_before_the_planned_value(team: Daypack) -> None:
    packed = team.pack("is the rent of the office going to rise?", vectors="none")
    assert [excerpt.citation.uri for excerpt in packed.excerpts[:2]] == [
        "memory:office/rent@2026-01-01..2027-02-01",
        "memory:office/rent@2027-02-01..",
    ]


def test_a_question_about_the_past_never_shows_a_planned_value(team: Daypack) -> None:
    assert first_words(team.pack("who led the team in 2025?", vectors="none"))[:2] == ["Ana", "Ben"]
    assert "Cem" not in team.pack("who led the team before?", vectors="none").text


def test_a_value_that_ends_before_the_time_asked_for_says_its_end(team: Daypack) -> None:
    packed = team.pack("is there free delivery on 2026-12-28?", vectors="none")
    assert packed.excerpts[0].citation.uri == "memory:promo@2026-11-01..2026-12-24"


def test_the_weekday_of_a_question_in_the_present_is_the_next_one(dp: Daypack, clock: Clock) -> None:
    clock.now = on("2026-11-28T10:00")  # a Saturday
    shifts = [("Ann", "2026-11-16"), ("Ben", "2026-11-23"), ("Cem", "2026-11-30")]
    remember(dp, [("oncall", f"{name} is on call", since, None) for name, since in shifts])
    assert first_words(dp.pack("who is on call on Monday?", vectors="none")) == ["Cem", "Ben"]


def test_a_year_far_ahead_finds_the_value_of_then(dp: Daypack, clock: Clock) -> None:
    clock.now = on("2026-11-28T10:00")
    leads = [("Ben", "2026-03-01"), ("Cem", "2028-01-01"), ("Dee", "2030-01-01")]
    remember(dp, [("team/lead", f"{name} leads the team", since, None) for name, since in leads])
    assert first_words(dp.pack("who will lead the team in 2030?", vectors="none"))[0] == "Dee"


def test_who_led_before_a_person_finds_the_one_before(dp: Daypack) -> None:
    leads = [("Tom", "2024-01-01"), ("Ann", "2025-03-01")]
    remember(dp, [("team/lead", f"{name} leads the team", since, None) for name, since in leads])
    assert first_words(dp.pack("who led the team before Ann?", vectors="none")) == ["Tom", "Ann"]


def test_what_will_change_is_what_begins_then(team: Daypack) -> None:
    packed = team.pack("what will change in January?")
    assert "Time read: 2027-01-01 to 2027-01-31" in packed.text
    assert [excerpt.text for excerpt in packed.excerpts] == ["Cem leads the team"]


def test_a_month_that_is_near_is_the_next_for_a_question_in_the_present(team: Daypack) -> None:
    packed = team.pack("who leads the team in December?", vectors="none")
    assert packed.excerpts[0].citation.uri == "memory:team/lead@2026-03-01..2027-01-01"


def test_a_planned_value_becomes_the_present_one_and_the_former_the_past(team: Daypack, clock: Clock) -> None:
    clock.passes(60 * DAY)
    assert first_words(team.pack("who leads the team?", vectors="none")) == ["Cem"]
    assert first_words(team.pack("who led the team in 2026?", vectors="none"))[0] == "Ben"
    assert team.get("memory:team/lead@2026-03-01..2027-01-01").text == "Ben leads the team"
    assert ills(team) == []


@pytest.mark.parametrize(
    "question",
    [
        "what did we use before Redis?",
        "what cache did we use before Redis?",
        "what did we have before we switched to Redis?",
    ],
)
def test_the_value_before_a_named_one_is_found_without_its_own_words(dp: Daypack, question: str) -> None:
    remember(
        dp,
        [
            ("cache/server", "We cache with Memcached", "2024-01-01", None),
            ("cache/server", "We cache with Redis", "2025-05-01", None),
            ("lunch", "Lunch is at noon", "2025-01-01", None),
        ],
    )
    packed = dp.pack(question)
    assert [excerpt.text for excerpt in packed.excerpts[:2]] == [
        "We cache with Memcached",
        "We cache with Redis",
    ]
    assert dp.memories.search(question).hits[0].memory.value == "We cache with Memcached"
    for candidate in dp.search(question).candidates:
        assert sum(part.share for part in candidate.contributions) == pytest.approx(candidate.score)


def test_the_value_before_one_that_is_over_as_well_is_found(dp: Daypack) -> None:
    said = [("us-east-1", "2025-02-01"), ("eu-central-1", "2025-08-15"), ("ap-south-1", "2026-01-01")]
    remember(dp, [("deploy/region", value, since, None) for value, since in said])
    packed = dp.pack("which region did we use before eu-central-1?")
    assert [excerpt.text for excerpt in packed.excerpts[:2]] == ["us-east-1", "eu-central-1"]


def test_the_value_before_a_named_one_is_left_out_where_it_lacks_the_tags_asked_for(dp: Daypack) -> None:
    for value, since, tag in (("Memcached", "2024-01-01", "old"), ("Redis", "2025-05-01", "new")):
        dp.memories.remember("cache/server", f"We cache with {value}", valid_from=on(since), tags=[tag])
    found = [
        [hit.memory.value for hit in dp.memories.search("what did we use before Redis?", tags=tags).hits]
        for tags in (["new"], [])
    ]
    assert found == [["We cache with Redis"], ["We cache with Memcached", "We cache with Redis"]]
