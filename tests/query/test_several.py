"""Several questions in one text."""

from __future__ import annotations

import pytest

from daypack.query import questions_in

FLAGS, ALIASES = "How are flags parsed?", "Where are aliases resolved?"


@pytest.mark.parametrize(
    "text",
    [
        f"{FLAGS} {ALIASES}",
        f"{FLAGS}\n{ALIASES}",
        f"1. {FLAGS}\n2. {ALIASES}",
        f"- {FLAGS}\n- {ALIASES}",
        f"Please answer these questions:\n\n1) {FLAGS}\n2) {ALIASES}\n\nThanks!",
        f"Hi! {FLAGS} {ALIASES} Answer briefly.",
        f"{FLAGS} Also, Where are aliases resolved?",
    ],
)
def test_each_question_of_a_text_is_found(text: str) -> None:
    assert questions_in(text) == [FLAGS, ALIASES]


@pytest.mark.parametrize(
    "text",
    [
        FLAGS,
        "",
        "Who built the Hollow Ford bridge? When was he born?",
        f"{FLAGS} And why?",
        f"We use Go. {FLAGS}",
        "How are flags parsed, and why?",
        "When is a line written: when a request comes in or when its response is done?",
        "How do flags and aliases work?",
        "Where is it decided which flags are hidden and how long aliases live?",
        "Parse the flags, and where are aliases resolved?",
        "Flags are parsed, and where are aliases resolved?",
        f"Flags are lost\n\n{FLAGS}\n{ALIASES}",
        f"{FLAGS}\n" * 7,
        f"- {FLAGS}\n- {'long ' * 200}",
        "Are you sure? What do you think?",
        "```\nHow?\nWhere?\n```",
        "How do I find which users have two orders, and how many each has?",
        "What is the difference between what is cached and what is stored?",
        "Where is the code that checks which hosts are allowed and which are blocked?",
        "Why does the query `select a and which is` fail in the parser?",
        'Why does the message "flags are lost and what is hidden" come from the parser?',
        "Where is the option of flags (hidden ones and which are old) parsed?",
    ],
)
def test_a_text_of_one_question_has_none_apart(text: str) -> None:
    assert questions_in(text) == []


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("How are flags parsed, and where are aliases resolved?", [FLAGS, ALIASES]),
        ("How are flags parsed and where are aliases resolved?", [FLAGS, ALIASES]),
        ("How are flags parsed, and which of them are hidden?", [FLAGS, "Which of them are hidden?"]),
        (
            "Why does lint fail, and by when must notifications ask?",
            ["Why does lint fail?", "By when must notifications ask?"],
        ),
        (
            "Which parser reads flags, and how many of the flags may be hidden?",
            ["Which parser reads flags?", "How many of the flags may be hidden?"],
        ),
        ("How are flags parsed, and why can't they be hidden?", [FLAGS, "Why can't they be hidden?"]),
        (
            "What is printed when a flag is lost (or hidden), and when are aliases resolved?",
            ["What is printed when a flag is lost (or hidden)?", "When are aliases resolved?"],
        ),
    ],
)
def test_a_sentence_that_joins_two_questions_has_both(text: str, halves: list[str]) -> None:
    assert questions_in(text) == halves


def test_the_items_of_a_list_need_no_question_mark() -> None:
    assert questions_in("- parsing of flags\n- aliases") == ["parsing of flags", "aliases"]
