"""A change is the same task, however one asks for it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from daypack.query import parse_query

NOW = datetime(2026, 11, 27, tzinfo=UTC)
TASK = "fix the parser of flags"


@pytest.mark.parametrize(
    "text",
    [
        "Where do I have to change the code to fix the parser of flags?",
        "Which files do I need to change to fix the parser of flags?",
        "In which file should we edit something in order to fix the parser of flags?",
        "Which functions need to be changed to fix the parser of flags?",
        "What parts of the code have to change to fix the parser of flags?",
        "Can you fix the parser of flags?",
        "Could you please fix the parser of flags?",
        "I want you to fix the parser of flags",
        "Your task is to fix the parser of flags",
        "We need to fix the parser of flags",
        "Let's fix the parser of flags",
        "Implement the following change: fix the parser of flags",
        "Fix this issue:\n\nfix the parser of flags",
        "<issue>\nfix the parser of flags\n</issue>\n\nResolve the issue above.",
        "# Task\n\nfix the parser of flags\n\nMake a plan first. Don't change unrelated files.",
    ],
)
def test_a_task_is_the_change_that_it_asks_for(text: str) -> None:
    assert parse_query(text, now=NOW)._replace(about_asker=False) == parse_query(TASK, now=NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Can you add a colour to a progress bar?",
        "Where do I change the colour of a progress bar?",
        "We need to disable telemetry in production",
        "I want to add a header to all responses",
        "Which files have to be in a package?",
        "Where do we fix prices to the cent?",
    ],
)
def test_what_may_be_about_use_stays_a_question(text: str) -> None:
    assert parse_query(text, now=NOW).text == text


def test_the_first_line_of_a_report_is_read_in_the_same_way() -> None:
    body = "\n\nA value that begins with a dash is dropped."
    asked = parse_query(f"Can you please fix the parser of flags?{body}", now=NOW)
    assert asked == parse_query(f"{TASK}{body}", now=NOW)
