"""Questions about the past: they see what held then, and no other question does."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_memory import DAY, opened

from daypack import Daypack
from daypack.doors.memories.rules import Held, held_then, held_times, holding
from daypack.doors.memories.serialize import answer_to_dict, block_to_dict
from daypack.doors.memories.types import MemoryVersion, Verdict
from daypack.errors import NotFound
from daypack.index import schema
from daypack.types import Trust
from support import START, Clock, bytes_of, ills

MOMENTS = st.integers(-6, 6).map(float)


@st.composite
def versions(draw: st.DrawFn) -> list[MemoryVersion]:
    found = []
    for number in range(draw(st.integers(0, 6))):
        start, recorded = draw(MOMENTS), float(number)
        length = draw(st.none() | st.integers(1, 5))
        trust = draw(st.sampled_from([Trust.USER, Trust.UNTRUSTED]))
        rejected = trust is Trust.UNTRUSTED and draw(st.booleans())
        found.append(
            MemoryVersion(
                token=str(number),
                value=draw(st.none() | st.just(f"value {number}")),
                recorded_at=recorded,
                valid_from=start,
                valid_to=None if length is None else start + length,
                expires_at=draw(st.none() | MOMENTS),
                trust=trust,
                verdict=Verdict.REJECTED if rejected else None,
                reviewed_at=recorded if rejected else None,
            )
        )
    return found


@given(versions())
def test_the_times_of_a_key_agree_with_its_value_at_every_moment(said: list[MemoryVersion]) -> None:
    times = held_times(said)
    assert times == sorted(times, key=lambda held: held.start)
    for moment in (n / 2 for n in range(-16, 30)):
        held = [one.version for one in times if one.start <= moment < one.end]
        holds = holding(said, valid_at=moment)
        assert held == ([] if holds is None else [holds])


def test_a_question_for_a_stretch_means_all_that_held_in_it_and_one_before_a_date_the_last() -> None:
    times = [(0.0, 10.0), (10.0, 20.0), (20.0, 30.0)]
    assert held_then(times, 5.0, 15.0, now_from=30.0) == times[:2]
    assert held_then(times, 20.0, 25.0, now_from=30.0) == times[2:]
    assert held_then(times, None, 20.0, now_from=30.0) == [(10.0, 20.0)]
    assert held_then(times, None, 40.0, now_from=None) == [(20.0, 30.0)]
    assert held_then(times, None, 40.0, now_from=30.0) == []  # what holds now held then as well
    assert held_then(times, None, 0.0, now_from=30.0) == []


def on(date: str) -> float:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()


@pytest.fixture
def team(dp: Daypack, clock: Clock) -> Daypack:
    """A team whose lead and whose database changed; it is September 2026."""
    said = [
        ("2024-11-04", "team/lead", "Tom leads the platform team"),
        ("2024-11-04", "stack/database", "Our database is MySQL 8 on one server"),
        ("2024-11-04", "office/kettle", "The kettle is copper"),
        ("2025-06-02", "team/lead", "Ines leads the platform team"),
        ("2026-03-09", "team/lead", "Priya leads the platform team"),
        ("2026-05-11", "stack/database", "We keep all data in PostgreSQL 16"),
    ]
    for date, key, value in said:
        clock.now = on(date)
        dp.memories.remember(key, value)
    clock.now = START
    return dp


def values(answer: Any) -> list[str]:
    return [hit.memory.value.split()[0] for hit in answer.hits]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("who led the platform team before March?", "Ines"),
        ("who led the platform team in January 2025?", "Tom"),
        ("who led the platform team in 2025?", "Tom Ines"),
        ("who led the platform team before 2025?", "Tom"),
        ("what was our database until last year?", "Our"),
    ],
)
def test_a_question_about_the_past_is_answered_by_what_held_then(
    team: Daypack, question: str, wanted: str
) -> None:
    past = wanted.split()
    found = team.memories.search(question)
    assert sorted(values(found)[: len(past)]) == sorted(past)
    block = team.memories.pack(question)
    assert sorted(memory.value.split()[0] for memory in block.memories[: len(past)]) == sorted(past)
    packed = team.pack(question, vectors="none")
    assert sorted(excerpt.text.split()[0] for excerpt in packed.excerpts[: len(past)]) == sorted(past)
    hit = team.search(question, vectors="none").candidates[0]
    assert hit.chunk.text.split()[0] in past


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("who formerly led the platform team?", "Ines"),
        ("Who led the platform team as the successor of Priya on 10 June 2025?", "Ines"),
        ("which server did our database use to be on?", "Our"),
    ],
)
def test_the_value_of_then_stands_before_the_present_one(team: Daypack, question: str, value: str) -> None:
    assert values(team.memories.search(question))[0] == value
    for ordering in ("relevance+recency", "relevance", "auto"):
        block = team.memories.pack(question, ordering=ordering)
        assert block.memories[0].value.split()[0] == value, ordering
    assert team.pack(question).excerpts[0].text.split()[0] == value
    found = team.search(question).candidates
    assert found[0].chunk.text.split()[0] == value
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert sum(part.share for part in one.contributions) == pytest.approx(one.score)


def test_a_present_value_that_held_then_as_well_keeps_its_place(team: Daypack) -> None:
    first = values(team.memories.search("who led the platform team, Priya perhaps, in March and April 2026?"))
    assert first[0] == "Priya"


def test_each_memory_of_such_an_answer_says_when_it_held(team: Daypack) -> None:
    question = "who led the platform team before March?"
    assert team.memories.pack(question).text.split("\n")[1:] == [
        "- **team/lead** (2025-06-02 to 2026-03-09): Ines leads the platform team",
        "- **team/lead** (since 2026-03-09): Priya leads the platform team",
    ]
    assert "memory:team/lead@2025-06-02..2026-03-09" in [
        excerpt.citation.uri for excerpt in team.pack(question).excerpts
    ]
    assert "/lead@2025-06-02..2026-03-09] Ines leads" in team.pack(question).text
    assert "undated" not in team.pack(question).text
    first, second = answer_to_dict(team.memories.search(question))["hits"]
    assert (first["held_from"][:10], first["held_until"][:10]) == ("2025-06-02", "2026-03-09")
    assert (second["held_from"][:10], second["held_until"]) == ("2026-03-09", None)
    assert block_to_dict(team.memories.pack(question))["memories"][0]["held_until"][:10] == "2026-03-09"
    chosen = team.memories.pack(question, ordering="auto")
    assert "- **team/lead** (2025-06-02 to 2026-03-09): Ines leads the platform team" in chosen.text
    assert [memory.value.split()[0] for memory in chosen.memories] == ["Ines", "Priya"]


def test_a_value_of_one_day_says_its_minutes(dp: Daypack, clock: Clock) -> None:
    clock.now = on("2026-03-02") + 8 * 3600
    dp.memories.remember("door/code", "The code of the door is a tulip")
    clock.passes(600)
    dp.memories.remember("door/code", "The code of the door is a rose")
    clock.passes(90 * DAY)
    packed = dp.pack("what was the code of the door in March?", vectors="none")
    assert "memory:door/code@2026-03-02T08:00..2026-03-02T08:10" in [
        excerpt.citation.uri for excerpt in packed.excerpts
    ]


def test_the_citation_of_a_past_value_leads_back_to_it(team: Daypack) -> None:
    packed = team.pack("who led the platform team before March?", vectors="none")
    first = packed.excerpts[0]
    assert team.get(first.citation.uri).text == first.text == "Ines leads the platform team"
    with pytest.raises(NotFound, match="no record named"):
        team.get("memory:team/lead@2020-01-01..2020-02-01")


def test_an_ordinary_question_is_answered_as_by_a_store_without_a_past(
    team: Daypack, tmp_path: Path, clock: Clock
) -> None:
    questions = (
        "who leads the platform team?", "which database do we use?", "who has led the team since May?", "copper kettle", "MySQL", "what happened last week?",
        "what was the name of the lead?",
    )  # fmt: skip
    with opened(tmp_path / "fresh", clock) as fresh:
        for memory in team.memories:
            fresh.memories.remember(memory.key, memory.value, valid_from=memory.version.valid_from)
        for question in questions:
            assert team.pack(question, vectors="none").text == fresh.pack(question, vectors="none").text
            assert team.memories.pack(question).text == fresh.memories.pack(question).text
            assert team.search(question).candidates == () or [
                (one.chunk.uri, one.score) for one in team.search(question)
            ] == [(one.chunk.uri, one.score) for one in fresh.search(question)]
        assert team.status()["chunks"] == fresh.status()["chunks"]


def test_a_value_that_ended_without_another_is_found_for_its_time(dp: Daypack, clock: Clock) -> None:
    clock.now = on("2025-02-03")
    dp.memories.remember("office/sublet", "We sublet a room at the harbour", valid_to="2025-11-30")
    clock.now = START
    assert values(dp.memories.search("where did we sublet a room?")) == []
    assert values(dp.memories.search("where did we sublet a room in June 2025?")) == ["We"]
    assert values(dp.memories.search("where did we sublet a room before March?")) == ["We"]
    assert values(dp.memories.search("where did we sublet a room in 2024?")) == []


def test_a_correction_of_the_past_counts_for_the_past(team: Daypack) -> None:
    team.memories.remember(
        "team/lead", "Omar leads the platform team", valid_from="2025-01-01", valid_to="2025-06-02"
    )
    assert values(team.memories.search("who led the platform team in March 2025?"))[0] == "Omar"
    assert "Tom" not in values(team.memories.search("who led the platform team in March 2025?"))
    assert values(team.memories.search("who led the platform team before 2025?"))[0] == "Tom"
    assert values(team.memories.search("who leads the platform team?")) == ["Priya"]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("since when does Priya lead the platform team?", "Priya Ines Tom"),
        ("how often did the lead of the platform team change?", "Priya Ines Tom"),
        ("how has our database changed?", "We Our"),
        ("when did our database change?", "We Our"),
    ],
)
def test_a_question_about_the_course_of_a_value_finds_all_of_its_values_the_present_one_first(
    team: Daypack, question: str, wanted: str
) -> None:
    leads = wanted.split()
    assert values(team.memories.search(question))[: len(leads)] == leads
    for ordering in ("relevance+recency", "relevance", "auto"):
        block = team.memories.pack(question, ordering=ordering)
        assert [memory.value.split()[0] for memory in block.memories][: len(leads)] == leads, ordering
    assert "(since 2026-0" in team.memories.pack(question).text
    assert [one.chunk.text.split()[0] for one in team.search(question).candidates][: len(leads)] == leads


def test_since_when_is_answered_with_a_date_for_a_value_that_never_changed(team: Daypack) -> None:
    text = team.memories.pack("since when is the kettle copper?").text
    assert text.split("\n")[1:] == ["- **office/kettle** (since 2024-11-04): The kettle is copper"]


def test_since_when_dates_the_first_memories_and_those_that_changed(team: Daypack) -> None:
    """With a date on every memory a fourth fewer fitted into a small block."""
    for number in range(9):
        team.memories.remember(f"kettle/{number}", f"Kettle number {number} is copper")
    for ordering in ("relevance+recency", "auto"):
        block = team.memories.pack("since when is the kettle copper?", ordering=ordering)
        assert len(block.memories) > 5
        assert [memory.held is not None for memory in block.memories][:4] == [True, True, True, False]
    block = team.memories.pack("since when does Priya lead the platform team and is the kettle copper?")
    assert {memory.held is not None for memory in block.memories if memory.key == "team/lead"} == {True}


def test_memories_of_several_days_with_words_in_common_say_since_when_they_hold(
    team: Daypack, clock: Clock
) -> None:
    clock.now = on("2025-09-02")
    team.memories.remember("home/days", "I work from home on Tuesdays")
    team.memories.remember("home/desk", "The desk at home is white")
    clock.now = on("2025-11-16")
    team.memories.remember("office/days", "On Tuesdays I am in the office, Friday is at home")
    clock.now = START
    dated = {
        memory.key
        for memory in team.memories.pack("on which days do I work from home?").memories
        if memory.held
    }
    assert {"home/days", "office/days"} <= dated
    assert "(since 2025-11-16): On Tuesdays" in team.memories.pack("on which days do I work from home?").text
    assert "since" not in team.memories.pack("what is copper?").text


def test_what_waits_for_a_review_never_held(team: Daypack, clock: Clock) -> None:
    clock.now = on("2025-08-01")
    team.memories.remember("team/lead", "Eve leads the platform team", source="web:example.org")
    clock.now = START
    assert "Eve" not in values(team.memories.search("who led the platform team in August 2025?"))


def test_a_forgotten_past_is_in_no_byte_of_the_store(team: Daypack, tmp_path: Path) -> None:
    team.memories.search("who led the platform team in January 2025?")
    assert team.memories.forget("team/lead").versions == 3
    assert "leads" not in team.memories.pack("who led the platform team in January 2025?").text
    assert b"Ines leads" not in bytes_of(tmp_path)
    assert ills(team) == []


def test_nobody_sees_the_past_of_another(team: Daypack, tmp_path: Path, clock: Clock) -> None:
    team.memories.remember("desk", "The desk of Ana is by the window", valid_from=on("2024-01-01"))
    team.memories.remember("desk", "The desk of Ana is in the yard", valid_from=on("2025-01-01"))
    with opened(tmp_path, clock, owner="ben") as other:
        assert values(other.memories.search("where was the desk of Ana in 2024?")) == []
        assert other.pack("where was the desk of Ana in 2024?", vectors="none").excerpts == ()
        with pytest.raises(NotFound):
            other.get("memory:desk@2024-01-01..2025-01-01")
        assert other.status()["chunks"] == 0


def test_the_past_of_a_shared_memory_is_shared(dp: Daypack, tmp_path: Path, clock: Clock) -> None:
    clock.now = on("2024-02-01")
    dp.memories.remember("deploy/target", "We deploy to Heroku", shared=True)
    clock.now = on("2025-02-01")
    dp.memories.remember("deploy/target", "We deploy to Fly", shared=True)
    clock.now = START
    with opened(tmp_path, clock, owner="ben") as other:
        found = other.memories.search("where did we deploy in 2024?")
        assert next(hit.memory.value for hit in found.hits) == "We deploy to Heroku"
        assert found.hits[0].memory.shared


def test_a_later_pack_of_a_conversation_does_not_call_the_past_removed(team: Daypack) -> None:
    first = team.pack("who led the platform team before March?", after="", vectors="none")
    second = team.pack("which kettle is copper?", after=first.id, vectors="none")
    assert second.chain is not None
    assert second.chain.removed == ()


def test_reindexing_and_the_audit_keep_the_past(team: Daypack) -> None:
    question = "who led the platform team before March?"
    before = team.memories.pack(question).text
    team.reindex()
    assert team.memories.pack(question).text == before
    assert ills(team) == []


def test_the_past_of_an_older_store_is_found(team: Daypack, tmp_path: Path, clock: Clock) -> None:
    store = team.engine.store
    with store.writing() as db:
        gone = db.execute("SELECT scope, uid FROM record WHERE substr(scope, 1, 1) = char(31)").fetchall()
        for scope, uid in gone:
            store.remove_records(db, "memories", scope, [uid])
    assert values(team.memories.search("who led the platform team in January 2025?")) == ["Priya"]
    with store.writing() as db:
        for statement in schema.MIGRATIONS[16].split(";"):
            db.execute(statement)
    assert values(team.memories.search("who led the platform team in January 2025?"))[0] == "Tom"


def test_held_is_infinite_for_what_still_holds(team: Daypack) -> None:
    (last,) = held_times([entry.version for entry in reversed(team.memories.history("team/lead"))])[-1:]
    assert isinstance(last, Held)
    assert (last.version.value, last.end) == ("Priya leads the platform team", math.inf)


def test_a_value_that_held_all_through_a_month_is_not_held_back(dp: Daypack, clock: Clock) -> None:
    clock.now = on("2026-06-01")
    dp.memories.remember("partner/limit", "The partner allows 250 requests a minute")
    dp.memories.remember("oncall/partner", "Jonas answers calls of the partner at night")
    clock.now = on("2026-08-22")
    dp.memories.remember("oncall/shop", "Ines answers calls of the shop at night")
    clock.now = START
    found = dp.search("who answered calls of the partner in August?", vectors="none").candidates
    assert found[0].chunk.text.startswith("Jonas")


def test_a_value_that_began_or_ended_in_a_month_is_not_named_after_it(team: Daypack, clock: Clock) -> None:
    clock.now = on("2026-05-01")
    team.memories.remember("food", "Mara is vegetarian")
    team.memories.remember("meeting", "The meeting is at nine")
    clock.now = on("2026-08-25")
    team.memories.remember("food", "Mara eats fish")
    team.memories.remember("meeting", "The meeting is at ten")
    clock.now = START
    found = team.search("who led the platform team in August?", vectors="none").candidates
    assert found[0].chunk.text == "Priya leads the platform team"
    assert not any(part.signal == "exact" and part.share for one in found for part in one.contributions)
