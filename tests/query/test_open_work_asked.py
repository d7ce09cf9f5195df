"""Which questions ask for open work with a subject, and which ask for what a text or a program says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query.times.happenings import open_work_about

NOW = datetime(2026, 11, 25, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What is left to do in the garden?", ("garden",)),
        ("What are the next steps of the greenhouse?", ("greenhous",)),
        ("What is still open for the concert?", ("concert",)),
        ("Which items are still open in the kitchen?", ("kitchen",)),
        ("What does Ben have to do by 4 December?", ("ben",)),
        ("What must Ann do after Friday?", ("ann",)),
    ],
)
def test_a_question_for_open_work_has_a_subject(question: str, subject: tuple[str, ...]) -> None:
    found = open_work_about(question, NOW)
    assert found is not None
    assert found.words == subject


@pytest.mark.parametrize(
    "question",
    [
        "What are the next steps after installation?",
        "What does Kubernetes have to do with networking?",
        "What must Server do when a client disconnects?",
        "Which tasks are left in the queue when the worker stops?",
        "Is the connection still open?",
        "Which files are still open?",
        "Which questions are still open?",
    ],
)
def test_a_question_about_a_text_or_a_program_asks_for_none(question: str) -> None:
    assert open_work_about(question, NOW) is None
