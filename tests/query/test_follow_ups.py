"""A follow-up question has the subject of the conversation before it; a question with its own subject is read alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.errors import InputError
from daypack.query import parse_query, turns_of
from daypack.query.asking import before_question
from daypack.text import analysis
from daypack.types import Intent, Query, Turn

NOW = datetime(2026, 11, 27, tzinfo=UTC)
HISTORY = (
    Turn("How are flags parsed?"),
    Turn("`ParseFlags` in command.go reads them, then checkGroups validates.", is_reply=True),
)


def asked(text: str, history: tuple[Turn, ...] = HISTORY) -> Query:
    return parse_query(text, now=NOW, history=history)


@pytest.mark.parametrize(
    "text", ["And why?", "Where is it called?", "For aliases too?", "Default value?", "What about the tests?"]
)
def test_a_question_without_a_subject_takes_the_words_said_before_it(text: str) -> None:
    query, alone = asked(text), asked(text, ())
    assert query.is_incomplete
    assert not alone.is_incomplete
    assert {"flag", "pars"} <= {*query.terms}
    told = {term: weight for term, weight in alone.terms.items() if term not in analysis.STOP_TERMS}
    assert told.items() <= query.terms.items()
    assert (query.dense_text, query.kind) == (alone.dense_text, alone.kind)


@pytest.mark.parametrize(
    "text", ["And with a comma?", "For lists?", "what about groups", "ok, and nested ones?", "Aliases too?"]
)
def test_a_question_without_a_form_asks_for_use_as_the_question_before_it(text: str) -> None:
    use = (Turn("How do I add a flag?"), Turn("Call AddFlag.", is_reply=True), Turn("And a list?"))
    assert asked(text, use).intent is Intent.USAGE
    assert asked(text).intent is asked(text, ()).intent is not Intent.USAGE


@pytest.mark.parametrize(
    "text",
    [
        *(
            "And where is it called?",
            "Which page shows it?",
            "It fails.",
            "How do I call it?",
            "In which file?",
            "From where?",
        ),
        *(
            "and the function that parses it?",
            "And its implementation?",
            "parse_args()?",
            "whose code?",
            "Has it changed?",
        ),
        *(
            "doesn't it fail?",
            "Isn't it slow?",
            "May it?",
            "and fix it",
            "and then fix that",
            "but it fails",
            "Then it crashes",
        ),
    ],
)
def test_a_question_with_a_form_keeps_its_own(text: str) -> None:
    use = (Turn("How do I add a flag?"),)
    assert asked(text, use).intent is asked(text, ()).intent


@pytest.mark.parametrize(
    "text",
    [
        "How does the completion script quote file names with blanks?",
        "Which function writes the man pages of hidden commands?",
        "ParseFlags",
        "src/cart.py",
    ],
)
def test_a_question_with_its_own_subject_is_read_alone(text: str) -> None:
    assert asked(text) == asked(text, ())


def test_a_reply_counts_half_and_only_the_last_one_counts() -> None:
    turns = (
        Turn("How are parcels weighed?"),
        Turn("A hydraulic scale does so.", is_reply=True),
        Turn("And letters?"),
        Turn("A spring balance.", is_reply=True),
    )
    terms = asked("Who built it?", turns).terms
    assert (terms["parcel"], terms["letter"], terms["spring"]) == (1.0, 1.0, 0.5)
    assert "hydraul" not in terms


def test_only_the_last_questions_and_the_beginning_of_a_long_one_are_read() -> None:
    parcels = {f"parcel{number}" for number in range(9)}
    turns = tuple(Turn(f"question about parcel{number}") for number in range(9))
    assert {t for t in asked("Why?", turns).terms if t in parcels} == {"parcel6", "parcel7", "parcel8"}
    long = Turn("Why does the dispatcher fail?\n" + "DEBUG heartbeat\n" * 1_000 + "zebra")
    assert "dispatch" in asked("Why?", (long,)).terms
    assert "zebra" not in asked("Why?", (long,)).terms


def test_a_name_in_the_reply_is_what_a_pronoun_asks_the_callers_of() -> None:
    assert asked("Who calls it?").uses == {"ParseFlags": True, "checkGroups": True}
    assert asked("Where is that called?").uses == {"ParseFlags": True, "checkGroups": True}
    assert asked("Who wrote it?").uses == {}
    assert {"ParseFlags", "checkGroups"} <= {*asked("Is it exported?").mentions}
    assert asked("Who calls `total`?").uses == {"total": True}


def test_messages_come_as_texts_or_as_objects_of_a_model_api() -> None:
    parts = [{"type": "text", "text": "In May."}, {"type": "image", "source": {}}, "And June."]
    assert turns_of(
        [
            "How are fees rounded?",
            "Assistant: down, to the cent",
            "user: and taxes?",
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "When?"},
            {"role": "assistant", "content": parts},
            {"role": "tool", "content": "{}"},
            {"role": "user", "content": None},
            " ",
        ]
    ) == (
        Turn("How are fees rounded?"),
        Turn("down, to the cent", is_reply=True),
        Turn("and taxes?"),
        Turn("When?"),
        Turn("In May.\nAnd June.", is_reply=True),
    )
    assert turns_of(None) == turns_of([]) == ()


def test_messages_of_other_forms_of_an_api_are_left_out() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "1"}]}
    assert turns_of([call, {"type": "function_call", "name": "f"}, {"role": "tool", "output": "{}"}]) == ()


@pytest.mark.parametrize(
    ("message", "missing"),
    [
        ({"rol": "user", "contnt": "hi"}, "has no role, it has rol, contnt"),
        ({"role": "user", "contnt": "hi"}, "has no content, it has role, contnt"),
        ({"content": "hi"}, "has no role"),
        ({"role": "user", "parts": ["hi"]}, "has no content"),
        ({}, "has no role; give"),
    ],
)
def test_a_misspelt_key_of_a_message_is_refused(message: dict[str, object], missing: str) -> None:
    with pytest.raises(InputError, match=missing):
        turns_of([message])


@pytest.mark.parametrize("history", ["How are flags parsed?", {"role": "user"}, 7, [7], [None]])
def test_anything_else_is_refused_with_the_form_that_is_wanted(history: object) -> None:
    with pytest.raises(InputError, match="history"):
        turns_of(history)  # type: ignore[arg-type]


@given(st.text(max_size=80), st.lists(st.builds(Turn, st.text(max_size=80), st.booleans()), max_size=5))
def test_whatever_was_said_the_words_of_the_question_keep_their_weight(text: str, turns: list[Turn]) -> None:
    query, alone = asked(text, tuple(turns)), asked(text, ())
    before = before_question(text, turns)
    assert query.text == text
    assert len(before.said) <= 4
    for term, weight in alone.terms.items():
        assert query.terms.get(term, weight) == weight
    if not before.said:
        assert query == alone
