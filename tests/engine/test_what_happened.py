"""Questions that hold nothing but a time: "what did we do yesterday?"."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sessions.types import Did, Noted, Said, Step
from daypack.types import EmptyReason
from support import WORDS


def at(moment: str) -> float:
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()


NOW = at("2026-11-25T18:00")  # a Wednesday
TALK = [
    ("2026-11-17T13:20", "old", "user", "We decided to charge the card when the ferry leaves."),
    ("2026-11-24T08:00", "tue", "user", "The printer of the kiosk hangs after two hundred sales."),
    ("2026-11-24T09:00", "tue", "assistant", "The driver keeps a handle open for each receipt."),
    ("2026-11-25T09:00", "wed", "user", "Switch the sender of the mails."),
]


@pytest.fixture
def ferry(tmp_path: Path) -> Iterator[Daypack]:
    now = [NOW]
    (tmp_path / "fares.md").write_text(
        "# Fares\n\nSince March 2020 a bicycle costs four euros, last week or next.\n"
    )
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS, clock=lambda: now[0]) as opened:
        opened.files.add(tmp_path)
        for when, session, who, text in TALK:
            opened.sessions.add_steps([Step(session, at(when), Said(who, text))])
        read = Did("Read", {"file_path": "kiosk.py"}, "a driver")
        opened.sessions.add_steps([Step("tue", at("2026-11-24T08:30"), read)])
        now[0] = at("2026-11-24T14:00")
        opened.memories.remember("seats/overbooking", "Three percent, until winter.", tags=["decision"])
        now[0] = NOW
        yield opened


def texts(daypack: Daypack, question: str) -> list[str]:
    return [excerpt.text for excerpt in daypack.pack(question)]


def test_yesterday_is_what_was_said_and_remembered_then_the_important_first(ferry: Daypack) -> None:
    pack = ferry.pack("what did we do yesterday?")
    assert {excerpt.text for excerpt in pack} >= {TALK[1][3], TALK[2][3], "Three percent, until winter."}
    assert [excerpt.time for excerpt in pack if excerpt.time and not NOW - 172_800 < excerpt.time < NOW] == []
    assert "kiosk.py" not in pack.excerpts[0].text + pack.excerpts[1].text
    assert pack.text.startswith("Time read: 2026-11-24 (UTC).\n\n[1 ")


@pytest.mark.parametrize(
    ("question", "time"),
    [
        ("what happened last week?", "2026-11-16 to 2026-11-22"),
        ("What have we been working on this week?", "2026-11-23 to 2026-11-29"),
        ("summarise today's session", "2026-11-25"),
        ("anything new since yesterday?", "since 2026-11-24"),
        ("what did I ask you this morning?", "2026-11-25 to 2026-11-25 12:00"),
        ("Tuesday", "2026-11-24"),
        ("where did we leave off?", "2026-11-25 09:00, the last session"),
        ("summarise what we did", "2026-11-25, the newest day"),
    ],
)
def test_an_answer_says_which_time_it_read(ferry: Daypack, question: str, time: str) -> None:
    pack = ferry.pack(question)
    assert pack.excerpts
    assert f"Time read: {time} (UTC)." in pack.text
    assert json.loads(pack.to_json())["stats"]["time"] == time
    assert f"<note>Time read: {time} (UTC).</note>" in pack.to_xml()
    assert ferry.search(question).stats.time == time


def test_an_answer_of_any_time_names_none(ferry: Daypack) -> None:
    pack = ferry.pack("what do you remember?")
    assert pack.excerpts
    assert "Time read" not in pack.text
    assert pack.stats.time == ""


LAST = (
    "What did we do in the last session?",
    "summarise the last session",
    "what did we do last time?",
    "where did we leave off?",
    "what happened in our previous session?",
)


@pytest.mark.parametrize("question", LAST)
def test_the_last_session_is_the_one_before_the_session_that_asks(ferry: Daypack, question: str) -> None:
    ferry.sessions.add_steps([Step("tue", at("2026-11-25T09:30"), Said("assistant", "Closed it."))])
    ferry.sessions.add_steps(
        [Step("new", NOW - 20, Noted("session startup")), Step("new", NOW - 10, Said("user", question))]
    )
    pack = ferry.pack(question)
    assert "Time read: 2026-11-24 08:00 to 2026-11-25 09:30, the last session (UTC)." in pack.text
    assert {excerpt.text for excerpt in pack} >= {TALK[1][3], TALK[2][3], "Three percent, until winter."}
    assert TALK[3][3] not in pack.text
    assert "startup" not in pack.text
    assert question not in pack.text


@pytest.mark.parametrize(
    "question",
    [
        "which decisions did we make last time?",
        "where did the last session end?",
        "how far did we get in the last session?",
        "did anything fail last time?",
        "show me the previous session",
        "Continue where we left off",
    ],
)
def test_other_words_for_the_last_session_mean_it_too(ferry: Daypack, question: str) -> None:
    assert ferry.search(question).stats.time == "2026-11-25 09:00, the last session"


@pytest.mark.parametrize(
    "question",
    [
        "where does it stop?",
        "where does it resume?",
        "where is it stopped?",
        "when was the last time we ran tests?",
        "how do I resume the last session?",
        "how can I continue the previous session?",
        "how is the last session stored?",
        "where is the last session stored?",
        "where do I resume a session?",
        "last time",
    ],
)
def test_a_question_about_a_program_is_not_answered_with_the_last_session(
    ferry: Daypack, question: str
) -> None:
    said = "To run its tests: it stops and resumes the last session, stored each time. Continue the previous one."
    ferry.records.add([{"id": "note", "text": said}])
    found = ferry.pack(question)
    assert "the last session" not in found.stats.time
    assert said in [excerpt.text for excerpt in found]


def test_without_a_session_under_way_the_last_session_is_the_newest(ferry: Daypack) -> None:
    assert texts(ferry, LAST[0]) == [TALK[3][3]]
    ferry.sessions.add_steps(
        [
            Step("new", NOW - 90, Said("user", "Oil the winch.")),
            Step("new", NOW - 60, Said("assistant", "Done.")),
        ]
    )
    assert texts(ferry, LAST[0]) == ["Done.", "Oil the winch."]


def test_a_session_that_was_interrupted_within_the_hour_is_the_last_one(ferry: Daypack) -> None:
    edit = Did("Edit", {"file_path": "mast.py", "old_string": "a", "new_string": "b"}, "ok")
    ferry.sessions.add_steps([Step("killed", NOW - 900, Said("user", "Paint the mast."))])
    ferry.sessions.add_steps([Step("killed", NOW - 800, edit)])
    ferry.sessions.add_steps([Step("new", NOW - 10, Said("user", "Where did we leave off?"))])
    assert "Paint the mast." in texts(ferry, "Where did we leave off?")
    ferry.sessions.add_steps(
        [Step("killed", NOW - 5, edit)]
    )  # by its last prompt the other one is the newest
    assert "Paint the mast." in texts(ferry, "Where did we leave off?")


def test_a_session_of_the_same_name_in_another_project_changes_no_last_session(tmp_path: Path) -> None:
    def project(name: str) -> Daypack:
        return Daypack.open(
            tmp_path / "s", root=tmp_path / name, settings=WORDS, clock=lambda: NOW, shared=name
        )

    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with project("one") as one:
        one.sessions.add_steps([Step("chat", NOW - 900, Said("user", "Paint the mast."))])
        one.sessions.add_steps([Step("chat", NOW - 890, Said("assistant", "It has two coats."))])
    with project("two") as two:
        two.sessions.add_steps([Step("chat", NOW - 100, Said("user", "Oil the winch."))])
    with project("one") as one:
        assert texts(one, LAST[0]) == ["It has two coats.", "Paint the mast."]


def test_a_kind_of_event_chooses_among_those_of_the_last_session(ferry: Daypack) -> None:
    failing = Did("Bash", {"command": "make winch"}, "rope broke", failed=True)
    ferry.sessions.add_steps([Step("wed", at("2026-11-25T09:10"), failing)])
    assert [text[:19] for text in texts(ferry, "what failed in the last session?")] == ["`make winch` failed"]


def test_a_project_whose_first_session_asks_for_the_last_has_none(ferry: Daypack) -> None:
    ferry.sessions.purge(everything=True)
    ferry.memories.forget("seats/overbooking")
    ferry.sessions.add_steps([Step("new", NOW - 10, Said("user", LAST[0]))])
    pack = ferry.pack(LAST[0])
    assert pack.empty_reason is EmptyReason.NOTHING_THEN
    assert pack.text.startswith("Time read: the last session (UTC). No event of a session")


def test_a_small_budget_still_says_the_time(ferry: Daypack) -> None:
    assert ferry.pack("what did we do yesterday?", budget=60).text.startswith("Time read: 2026-11-24 (UTC).")


def test_a_kind_of_event_chooses_among_those_of_a_time(ferry: Daypack) -> None:
    assert texts(ferry, "what did we decide last week?") == [TALK[0][3]]
    assert texts(ferry, "Which decisions did we make yesterday?") == ["Three percent, until winter."]
    # nothing was decided then; the day as it was is more than nothing
    assert texts(ferry, "what did we decide today?") == [TALK[3][3]]


def test_what_is_remembered_are_memories(ferry: Daypack) -> None:
    assert texts(ferry, "what do you remember?") == ["Three percent, until winter."]


def test_a_time_from_which_nothing_is_stored_is_answered_so(ferry: Daypack) -> None:
    pack = ferry.pack("what did we do on Sunday?")
    assert (pack.excerpts, pack.empty_reason) == ((), EmptyReason.NOTHING_THEN)
    assert pack.text == (
        "Time read: 2026-11-22 (UTC). No event of a session and no memory is stored from then.\n"
    )
    ferry.records.add([{"id": "note", "text": "The ferry has 3 decks."}])
    assert ferry.pack("what did we do 3 days ago?").empty_reason is EmptyReason.NOTHING_THEN
    found = ferry.search("what happened in September?")
    assert (found.candidates, found.empty_reason) == ((), EmptyReason.NOTHING_THEN)


def test_a_date_that_a_text_writes_is_asked_of_texts(ferry: Daypack) -> None:
    assert "bicycle" in ferry.pack("what happened in March 2020?").text


def test_a_memory_that_writes_the_date_comes_whenever_it_was_recorded(ferry: Daypack) -> None:
    said = "On 24 November 2026 the ferry lost an anchor."
    ferry.memories.remember("accidents/anchor", said)
    ferry.memories.remember("accidents/bell", "The bell fell overboard on 24 October 2026.")
    for question in ("what happened on 24 November 2026?", "what happened on 24 November?"):
        found = texts(ferry, question)
        assert {said, TALK[1][3]} <= {*found}
        assert not any("bell" in text for text in found)
    assert said not in texts(ferry, "what did we do yesterday?")


def test_the_date_of_a_memory_of_another_year_is_no_text_that_writes_it(ferry: Daypack) -> None:
    ferry.memories.remember("seats/number", "The ferry has ninety seats", valid_from="2025-11-17")
    block = ferry.memories.pack("what did I ask for on 17 November?")
    assert "_No memory is from 2026-11-17 (UTC)._" in block.text


def test_a_search_for_what_happened_looks_through_all_sessions(ferry: Daypack) -> None:
    assert TALK[0][3] in [one.chunk.text for one in ferry.search("what happened last week?")]


def test_a_question_with_a_subject_is_ranked_by_it(ferry: Daypack) -> None:
    pack = ferry.pack("what did we say about the printer last week?")
    # The text begins with a warning, because the answer is weak.
    assert pack.stats.time == "2026-11-16 to 2026-11-22"
    assert TALK[1][3] in [excerpt.text for excerpt in pack]


def test_without_sessions_and_memories_such_a_question_is_asked_of_texts(tmp_path: Path) -> None:
    (tmp_path / "log.md").write_text("# Notes\n\nYesterday the store moved.\n")
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS) as opened:
        opened.files.add(tmp_path)
        assert "moved" in opened.pack("what happened yesterday?").text


def test_memories_are_found_by_their_time(ferry: Daypack) -> None:
    assert [hit.memory.key for hit in ferry.memories.search("what did we decide yesterday?")] == [
        "seats/overbooking"
    ]
    block = ferry.memories.pack("what did we decide on Sunday?")
    assert block.text.endswith("_No memory is from 2026-11-22 (UTC)._")


def test_filters_hold_for_what_happened(ferry: Daypack) -> None:
    found = ferry.pack("what happened this week?", session="wed")
    assert [excerpt.text for excerpt in found] == [TALK[3][3]]


# ---------------------------------------------------------------- open work


@pytest.fixture
def working(ferry: Daypack) -> Daypack:
    """A project with two open tasks and a finished one, of another session than the last."""
    todos = [
        {"content": "Measure the anchor chain", "status": "pending"},
        {"content": "Paint the funnel", "status": "in_progress"},
        {"content": "Grease the winch", "status": "completed"},
    ]
    ferry.sessions.add_steps([Step("old", at("2026-11-10T09:00"), Did("TodoWrite", {"todos": todos}, "ok"))])
    failed = Did("Bash", {"command": "make winch"}, "left out: 3 ropes", failed=True)
    ferry.sessions.add_steps([Step("wed", at("2026-11-25T09:10"), failed)])
    return ferry


@pytest.mark.parametrize(
    "question",
    [
        "what is still to do?",
        "what is left to do?",
        "what's next?",
        "what is not done yet?",
        "What remains to be done?",
        "What do we still have to do?",
        "what should I do next?",
        "which tasks are open?",
        "open todos",
        "pending tasks",
        "anything left?",
        "is there anything left to do",
    ],
)
def test_a_question_for_open_work_finds_open_tasks_of_any_session(working: Daypack, question: str) -> None:
    pack = working.pack(question)
    assert {excerpt.text for excerpt in pack} == {"Measure the anchor chain", "Paint the funnel"}
    assert "Time read" not in pack.text
    assert len(working.search(question, other_sessions=False).candidates) == 2


@pytest.mark.parametrize("question", ["what is left to do on the printer?", "what's next after the mails?"])
def test_a_question_for_open_work_with_a_subject_is_ranked_by_it(working: Daypack, question: str) -> None:
    assert {*texts(working, question)} & {TALK[1][3], TALK[3][3]}


@pytest.mark.parametrize(
    "question",
    [
        "next",
        "pending",
        "left",
        "remaining",
        "the next item",
        "list next",
        "over left",
        "project next",
        "what does next do?",
        "what did the pending do?",
        "is next done?",
    ],
)
def test_a_search_for_a_word_that_open_work_has_too_is_ranked_by_it(working: Daypack, question: str) -> None:
    said = "Project: list the next item; what is pending, remaining or left over is done."
    working.records.add([{"id": "note", "text": said}])
    assert said in texts(working, question)


def test_without_open_tasks_a_question_for_them_is_ranked_by_its_words(ferry: Daypack) -> None:
    ferry.records.add([{"id": "note", "text": "Left to do: the anchor."}])
    assert texts(ferry, "what is left to do?") == ["Left to do: the anchor."]


# ---------------------------------------------------------------- a time and a subject


@pytest.mark.parametrize(
    "question",
    ["what did we say about the printer yesterday?", "what did I ask yesterday about the printer?"],
)
def test_a_question_with_a_subject_says_its_time_too(ferry: Daypack, question: str) -> None:
    pack = ferry.pack(question)
    assert pack.text.startswith("Time read: 2026-11-24 (UTC).\n\n")
    assert pack.excerpts[0].text == TALK[1][3]


def test_a_time_that_no_event_was_ranked_by_is_not_said(ferry: Daypack) -> None:
    assert "Time read" not in ferry.pack("what did we charge since March 2020?", door="files").text
    assert "Time read" not in ferry.pack("which printer hung yesterday?").text


def test_what_was_tried_is_what_was_given_up(ferry: Daypack) -> None:
    said = "We gave up on seeding the clock: the printer test is still flaky."
    ferry.sessions.add_steps([Step("tue", at("2026-11-24T10:00"), Said("assistant", said))])
    assert texts(ferry, "what did we try yesterday?") == [said]
    assert said in texts(ferry, "what did we try for the flaky printer test yesterday?")[:2]
