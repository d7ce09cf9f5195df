"""The kinds of event that a question names, and the last event of a kind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.doors.sessions.rules import WRITTEN_AS
from daypack.doors.sessions.types import Category
from daypack.query import parse_query
from daypack.query.times.event_kinds import KINDS, WIDE
from daypack.query.times.happenings import happenings_of
from daypack.types import Happenings

NOW = datetime(2026, 11, 25, 18, tzinfo=UTC)


def asked(question: str) -> Happenings | None:
    return happenings_of(question, NOW)


def kinds(question: str) -> list[str]:
    """The first tag of each kind that a question without a subject names."""
    happenings = asked(question)
    assert happenings is not None
    return [kind.tags[0] for kind in happenings.kinds]


def test_the_tags_of_all_kinds_are_those_of_events() -> None:
    tags = {tag for kind in (*KINDS, *WIDE) for tag in kind.tags.split()}
    assert tags <= {*map(str, Category)}
    meant = {tag for kind in KINDS if kind.tags == "file" for tag in kind.meant.split()}
    assert meant == {*WRITTEN_AS.values()}


@pytest.mark.parametrize(
    ("question", "tags"),
    [
        ("which files did we change yesterday?", ["file"]),
        ("what files did I touch this morning?", ["file"]),
        ("which tests failed yesterday?", ["test", "error"]),
        ("which commands failed today?", ["error"]),
        ("what did we rule out yesterday?", ["reject"]),
        ("which approaches did we reject last week?", ["reject"]),
        ("what did we do yesterday?", []),
        ("what topics did we talk about on 3 November?", []),
        ("which subjects did we discuss last week?", []),
    ],
)
def test_a_question_without_a_subject_names_kinds(question: str, tags: list[str]) -> None:
    assert kinds(question) == tags


@pytest.mark.parametrize(
    "question",
    [
        "what was the last error?",
        "which command failed last?",
        "what is the most recent failure?",
        "what was my last request?",
        "show me my last request",
        "what file did we edit last?",
        "Which file was changed last?",
        "what was the last test run?",
        "what is the latest commit?",
        "what did we decide last?",
        "which files did we change recently?",
        "what was the last error yesterday?",
        "what was the last error in the last session?",
    ],
)
def test_last_and_a_kind_ask_for_the_newest_of_it(question: str) -> None:
    happenings = asked(question)
    assert happenings is not None
    assert happenings.newest
    assert happenings.kinds


@pytest.mark.parametrize(
    "question",
    [
        "last error",
        "latest commit",
        "what is the latest test?",
        "what are the latest changes?",
        "which file is the last?",
        "how do I see the last error?",
        "where is the last error kept?",
        "what was the last error of the parser?",
        "what was the limit until recently?",
        "what are our latest requirements?",
        "when do we run the last test?",
        "which tests have to run last?",
        "what happens when the last task failed?",
        "which command do I run to fix the last error?",
    ],
)
def test_a_question_that_texts_may_answer_is_none_for_the_newest(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    "question", ["what ideas do we have?", "what was our approach?", "which ideas did we have last week?"]
)
def test_an_idea_without_a_verb_for_a_choice_is_the_subject_of_the_question(question: str) -> None:
    """They were answered with all that was done."""
    assert asked(question) is None


def test_last_week_is_a_time_and_names_no_newest() -> None:
    happenings = asked("what failed last week?")
    assert happenings is not None
    assert not happenings.newest


@pytest.mark.parametrize(
    ("question", "tags"),
    [
        ("what did we decide about the fares?", ["decis"]),
        ("Which decisions have we made about the fares?", ["decis"]),
        ("what was agreed about the error of the parser?", ["decis"]),
        ("why did we revert the cache?", ["reject"]),
        ("why was the cache reverted?", ["reject"]),
        ("what did the sub-agent find about the fares?", ["deleg"]),
        ("what errors did we get from the parser?", ["error"]),
        ("what did we change in the parser?", []),
        ("what problems did we have with the parser?", []),
        ("why are hooks rejected?", []),
        ("why were hooks rejected on 16 September?", []),
        ("how is an error decided?", []),
    ],
)
def test_a_question_with_a_subject_asks_for_a_kind_by_its_verb(question: str, tags: list[str]) -> None:
    assert [kind.tags[0] for kind in parse_query(question, now=NOW).event_kinds] == tags


def test_a_question_for_a_person_is_not_for_all_events_of_a_time() -> None:
    assert asked("what happened at the end of November?") is not None
    assert asked("who leaves at the end of November?") is None
