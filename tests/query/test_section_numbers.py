"""Numbers of sections that a question names."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from support import EPOCH


def numbers(text: str) -> tuple[str, ...]:
    return parse_query(text, now=EPOCH).numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what does section 4.2 of the harbour rules say?", ("4.2",)),
        ("harbour rules, clause 12: who pays?", ("12",)),
        ("what did chapter 3 say about oars?", ("3",)),
        ("may I leave by Article IV?", ("IV",)),
        ("what is in Appendix B.2", ("B.2",)),
        ("§ 7 and §8.1", ("7", "8.1")),
        ("was steht in Abschnitt 5.1?", ("5.1",)),
    ],
)
def test_a_word_names_the_number_of_a_section(text: str, expected: tuple[str, ...]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "which part I have to oil?",
        "what rule of thumb is there?",
        "python 3.11 or 3.12?",
        "connect to 10.0.0.1",
        "what changed in 2.4.1?",
        "how many pumps does a gallery with Harbour 5.3.0 have?",
        "in section four",
        "the sections of it",
    ],
)
def test_other_numbers_and_words_name_none(text: str) -> None:
    assert numbers(text) == ()


def test_a_report_names_none() -> None:
    assert numbers("The pump stops.\n\n" + "As section 4.2 says, it should not stop at low tide. " * 12) == ()
