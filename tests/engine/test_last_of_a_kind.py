"""Questions about an agent's work that name a kind of event: the first item is of that kind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sessions.types import Did, Said, Step
from daypack.query.times.happenings import happenings_of
from support import WORDS


def at(moment: str) -> float:
    return datetime.fromisoformat(f"2026-11-{moment}").replace(tzinfo=UTC).timestamp()


NOW = at("25T18:00")


def ran(command: str, output: str, *, failed: bool = False) -> Did:
    return Did("Bash", {"command": command}, output, failed)


def edited(path: str) -> Did:
    return Did("Edit", {"file_path": path, "old_string": "1", "new_string": "create(2)"}, "ok", False)


WORK = [
    ("24T09:00", Said("user", "Keep the change small: prices must not change in any file of the fares.")),
    ("24T09:10", edited("src/fares.py")),
    ("24T09:20", ran("pytest -q tests/test_fares.py", "FAILED tests/test_fares.py::test_child", failed=True)),
    ("24T09:30", ran("python -m repro", "Traceback: seat 12 was sold twice", failed=True)),
    ("24T09:40", Did("Write", {"file_path": "src/seats.py", "content": "x"}, "ok", False)),
    ("24T14:00", Said("user", "Should fares be kept in Redis or in SQLite?")),
    ("24T14:10", Said("assistant", "Redis or SQLite would both do for the fares.")),
    ("24T14:20", Said("user", "Let's go with SQLite, in one table.")),
    ("24T14:25", Said("assistant", "Fares: the table of the fares is made, and all fares are in it.")),
    ("24T14:30", ran('git commit -am "Keep fares in SQLite"', "[main 4be91aa] 2 files changed")),
    ("24T14:40", ran("git checkout src/seats.py", "Updated 1 path")),
    ("24T14:50", ran("ls", "src tests")),
    ("25T09:00", Said("user", "Try the parallel sale of seats.")),
    (
        "25T09:10",
        Said("assistant", "The parallel sale of seats sells seats in parallel; the sale is parallel."),
    ),
    ("25T09:20", Said("assistant", "I reverted it, because the parallel sale booked a seat twice.")),
    ("25T09:30", Did("Task", {"description": "Look", "prompt": "Find slow queries"}, "No index on day.")),
    ("25T09:40", ran("make", "error: the last error of the parser was not handled", failed=True)),
    ("25T09:50", Said("user", "Deploy it.")),
    ("25T10:00", ran("terraform plan", "Invalid provider on line 12", failed=True)),
    ("25T10:10", Said("assistant", "Half done: the plan fails, since the provider has no region.")),
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Daypack]:
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS, clock=lambda: NOW) as opened:
        for number, (when, what) in enumerate(WORK):
            opened.sessions.add_steps([Step(when[:2], at(when), what, key=str(number))])
        yield opened


def first(daypack: Daypack, question: str) -> str:
    return daypack.search(question).candidates[0].chunk.text


def assert_all_begin(project: Daypack, question: str, begins: tuple[str, ...]) -> None:
    """A question finds something, and each text found begins with one of these."""
    found = [one.chunk.text for one in project.search(question).candidates]
    assert found
    assert all(text.startswith(begins) for text in found)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("what was the last error?", "`terraform plan` failed"),
        ("which command failed last?", "`terraform plan` failed"),
        ("which test failed last?", "`pytest -q tests/test_fares.py` failed"),
        ("what was my last request?", "Deploy it."),
        ("what was your last answer?", "Half done"),
        ("what file did we edit last?", "Wrote src/seats.py"),
        ("Which file was changed last?", "Wrote src/seats.py"),
        ("what was the last commit?", '$ git commit -am "Keep fares in SQLite"'),
        ("what was our latest decision?", "Let's go with SQLite"),
    ],
)
def test_the_last_of_a_kind_is_the_newest(project: Daypack, question: str, begins: str) -> None:
    assert first(project, question).startswith(begins)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("which files did we change yesterday?", ("Wrote src/seats.py", "Edited src/fares.py")),
        ("which files were created yesterday?", ("Wrote src/seats.py",)),
        ("which tests failed yesterday?", ("`pytest -q tests/test_fares.py` failed",)),
        ("what did we commit yesterday?", ("$ git commit",)),
        ("what commands did I run yesterday afternoon?", ("$ git", "$ ls")),
        ("what did we decide yesterday?", ("Let's go with SQLite",)),
    ],
)
def test_the_events_of_a_time_are_of_the_kind_that_was_asked_for(
    project: Daypack, question: str, begins: tuple[str, ...]
) -> None:
    assert_all_begin(project, question, begins)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("which files did we change?", ("Wrote src/seats.py", "Edited src/fares.py")),
        ("which files have been changed in this session?", ("Wrote src/seats.py", "Edited src/fares.py")),
        ("what have you edited so far?", ("Wrote src/seats.py", "Edited src/fares.py")),
        ("what did we commit?", ("$ git commit",)),
        ("what did we decide in this conversation?", ("Let's go with SQLite",)),
        ("which ideas did we agree on?", ("Let's go with SQLite",)),
    ],
)
def test_a_question_for_deeds_without_a_time_has_the_events_of_the_kind_alone(
    project: Daypack, question: str, begins: tuple[str, ...]
) -> None:
    assert_all_begin(project, question, begins)


@pytest.mark.parametrize(
    "question",
    [
        "which files do we change for a new fare?",
        "which file does this session change?",
        "what did we decide about the parser of this conversation?",
        "which files should we have changed?",
        "how much progress have we made on the edits so far?",
    ],
)
def test_a_rule_or_a_subject_is_ranked_by_words(question: str) -> None:
    assert happenings_of(question, datetime.fromtimestamp(NOW, UTC)) is None


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("what did we decide about the fares?", "Let's go with SQLite"),
        ("why did we revert the parallel sale?", "I reverted it"),
        ("what did the sub-agent find about queries?", "Task Look"),
    ],
)
def test_a_question_with_a_subject_prefers_the_kind_that_it_asks_for(
    project: Daypack, question: str, begins: str
) -> None:
    assert first(project, question).startswith(begins)


def test_an_error_that_came_again_is_the_last_one(project: Daypack) -> None:
    again = ran("python -m repro", "Traceback: seat 12 was sold twice", failed=True)
    project.sessions.add_steps([Step("24", at("25T11:00"), again, key="again")])
    assert first(project, "what was the last error?").startswith("`python -m repro` failed")


def test_the_prompt_that_asks_for_the_last_request_is_not_that_request(project: Daypack) -> None:
    question = "what was my last request?"
    project.sessions.add_steps([Step("25", NOW - 10, Said("user", question), key="asks")])
    assert first(project, question) == "Deploy it."


def test_without_an_event_of_the_kind_texts_answer(project: Daypack, tmp_path: Path) -> None:
    project.records.add([{"id": "note", "text": "The last push was rejected by the server of the harbour."}])
    project.sessions.purge(everything=True)
    project.sessions.add_steps([Step("new", at("25T12:00"), Said("user", "Paint the mast."))])
    assert "harbour" in first(project, "what was the last push?")


# ---------------------------------------------------------------- where the work stands


def test_where_the_work_was_left_is_the_last_answer_then_its_request_and_the_open_errors(
    project: Daypack,
) -> None:
    found = [one.chunk.text for one in project.search("where did we leave off?").candidates]
    assert found[0].startswith("Half done")
    assert found[1] == "Deploy it."
    assert {text.partition(" failed")[0] for text in found[2:4]} == {"`make`", "`terraform plan`"}


def test_where_the_work_was_left_yesterday_is_asked_of_that_day(project: Daypack) -> None:
    found = project.search("where did we leave off yesterday?")
    assert found.candidates[0].chunk.text.startswith("Fares: the table")
    assert "2026-11-24" in found.stats.time


def test_a_request_that_was_not_answered_comes_before_the_last_answer(project: Daypack) -> None:
    project.sessions.add_steps([Step("25", at("25T11:00"), Said("user", "Then set the region."), key="x")])
    assert first(project, "where did we leave off?") == "Then set the region."
