"""Captured questions, and the notes of sessions themselves, are no answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sessions.types import Noted, Said, Step
from support import WORDS

NOW = 1_790_000_000.0
QUESTION = "How does the ferry validate seat choices?"
DAY = 86_400.0


@pytest.fixture
def ferry(tmp_path: Path) -> Iterator[Daypack]:
    """A project in which a session began a minute ago, and asked a question."""
    (tmp_path / "seats.md").write_text(
        "# Seats\n\nThe ferry checks each seat choice with `validate_seat`, and refuses a seat that is taken.\n"
    )
    (tmp_path / "menu.md").write_text("# Menu\n\nTea is sold until the harbour is in sight.\n")
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS, clock=lambda: NOW) as opened:
        opened.files.add(tmp_path)
        steps(opened, "live", (-60, Noted("session startup")), (-50, Said("user", QUESTION)))
        yield opened


def steps(daypack: Daypack, session: str, *told: tuple[float, Said | Noted]) -> None:
    daypack.sessions.add_steps([Step(session, NOW + after, what) for after, what in told])


def sources(daypack: Daypack, question: str) -> list[str]:
    return [excerpt.citation.uri.partition("/")[0] for excerpt in daypack.pack(question)]


@pytest.mark.parametrize("question", [QUESTION, "seat choices validation", "how are seat choices validated"])
def test_a_prompt_that_was_just_captured_does_not_answer_itself(ferry: Daypack, question: str) -> None:
    assert sources(ferry, question) == ["seats.md"]
    assert {hit.chunk.uri for hit in ferry.search(question)} == {"seats.md"}
    assert {hit.chunk.uri for hit in ferry.search(question, ranking="ctx")} == {"seats.md"}


def test_earlier_questions_of_the_session_do_not_answer(ferry: Daypack) -> None:
    steps(ferry, "live", (-40, Said("assistant", "By name.")), (-30, Said("user", "and the tests of it?")))
    assert sources(ferry, "seat choices validation") == ["seats.md"]


def test_other_sessions_that_asked_the_same_do_not_answer(ferry: Daypack) -> None:
    for number in (1, 2, 3):
        steps(
            ferry,
            f"old-{number}",
            (-number * DAY, Said("user", f"{QUESTION[:-1]}, please?")),
            (5 - number * DAY, Said("assistant", "The seat choice goes through `validate_seat`.")),
        )
    found = [excerpt.text for excerpt in ferry.pack(QUESTION)]
    assert any("validate_seat" in text for text in found)
    assert not any(text.startswith("How does") for text in found)
    listed = [hit.chunk.text for hit in ferry.search(QUESTION, door="sessions")]
    assert f"{QUESTION[:-1]}, please?" in listed  # whoever searches sessions by its words looks for it


def test_a_question_that_waits_does_not_make_its_misspelt_word_known(ferry: Daypack) -> None:
    asked = "How does the ferry validte seat choices?"
    steps(ferry, "live", (-10, Said("user", asked)))
    assert ferry.search(asked).stats.corrections == {"validte": "validate"}


def test_what_was_asked_for_is_found_when_it_is_asked_for(ferry: Daypack) -> None:
    steps(ferry, "live", (-10, Said("user", "Can you paint the rail of the ferry green?")))
    assert "live" not in [hit.chunk.session for hit in ferry.search("green rail of the ferry")]
    found = ferry.search("what did I ask about the rail?").candidates
    assert found[0].chunk.text.startswith("Can you paint the rail")


def test_a_request_is_found_by_other_words_than_its_own(ferry: Daypack) -> None:
    steps(ferry, "live", (-10, Said("user", "Paint the rail of the ferry green.")))
    assert ferry.search("green rail").candidates[0].chunk.text.startswith("Paint the rail")
    assert "live" not in [hit.chunk.session for hit in ferry.search("paint the rail of the ferry green")]


def test_a_search_among_sessions_finds_the_prompts_of_the_session_that_goes_on(ferry: Daypack) -> None:
    said = "Paint the rail of the ferry green."
    steps(ferry, "live", (-40, Said("assistant", "By name.")), (-30, Said("user", said)))
    steps(ferry, "live", (-25, Said("assistant", "It is green.")), (-20, Said("user", "Is the rail dry?")))

    def found(question: str) -> list[str]:
        return [hit.chunk.text for hit in ferry.search(question, door="sessions")]

    assert said in found(said)
    assert QUESTION in found(QUESTION)
    assert "Is the rail dry?" not in found("Is the rail dry?")  # the prompt that this search is to answer


def test_only_the_newest_prompts_of_a_long_session_are_read_for_each_search(ferry: Daypack) -> None:
    """Nine hundred long prompts took a second and a half of each search."""
    said = "Paint the rail of the ferry green."
    steps(ferry, "live", (-45, Said("user", said)))
    assert said not in [hit.chunk.text for hit in ferry.search(said)]
    log = "The pump squeaks when the tide turns. " * 400
    steps(ferry, "live", *((number - 40, Said("user", f"Pump {number}. {log}")) for number in range(8)))
    assert said in [hit.chunk.text for hit in ferry.search(said)]


def test_a_prompt_that_demands_something_is_found(ferry: Daypack) -> None:
    steps(ferry, "live", (-10, Said("user", "Paint the rail. It must never be red.")))
    found = ferry.search("colour of the rail, must not be red").candidates
    assert found[0].chunk.text.startswith("Paint the rail")


def test_a_question_that_tells_something_is_found(ferry: Daypack) -> None:
    steps(ferry, "live", (-10, Said("user", "The rail came loose in the storm. Why?")))
    assert ferry.search("loose rail").candidates[0].chunk.text.startswith("The rail came loose")


def test_notes_of_a_session_answer_only_when_they_are_asked_for(ferry: Daypack) -> None:
    steps(ferry, "old", (-DAY, Noted("session startup")), (9 - DAY, Said("user", "Oil the startup motor.")))
    steps(
        ferry,
        "old",
        (60 - DAY, Said("assistant", "The motor is oiled.")),
        (99 - DAY, Noted("compacted (auto)")),
    )
    found = [hit.chunk.text for hit in ferry.search("startup motor", door="sessions")]
    assert found[0] == "Oil the startup motor."
    assert {"session startup", "compacted (auto)"}.isdisjoint(found)
    assert "compacted (auto)" in [hit.chunk.text for hit in ferry.search("when was the session compacted?")]


def test_without_an_answer_the_question_of_another_day_stays(ferry: Daypack) -> None:
    steps(ferry, "old", (-DAY, Said("user", "Where does the anchor chain end?")))
    assert ferry.search("anchor chain length").candidates[0].chunk.text == "Where does the anchor chain end?"
