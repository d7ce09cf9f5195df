"""Texts that begin with the section whose number a question names."""

from __future__ import annotations

import numpy as np
import pytest
from texts_support import pool

from daypack.rank.texts.numbers import WITHIN, headed


def worth(number: str, *texts: str, code: bool = False) -> list[float]:
    found = pool(f"section {number}", texts, [code] * len(texts))
    return [float(value) for value in headed([number], found, np.arange(len(texts)))]


@pytest.mark.parametrize(
    "text",
    [
        "4.2. Notice of meetings\n\nIt is given.",
        "   4.2 Notice\n",
        "## 4.2 Notice",
        "# Rules\n\n## 4.2: Notice",
        "**4.2** Members meet.",
        "Section 4.2 Notice",
        "§ 4.2 Notice",
        "= 4.2 Notice",
    ],
)
def test_a_section_has_its_number_first(text: str) -> None:
    assert worth("4.2", text) == [1]


@pytest.mark.parametrize(
    "text",
    [
        "Notice is given by section 4.2 of these rules.",
        "4.2.1 Notice by letter",
        "14.2 Notice",
        "4.20 Notice",
        "4.2 Notice . . . . . . . 12",
        "2.4 Notice",
    ],
)
def test_other_texts_with_the_number_do_not_have_it_first(text: str) -> None:
    assert worth("4.2", text) == [0]


def test_letters_and_roman_numbers_are_taken_as_they_stand() -> None:
    assert worth("IV", "Article IV\n\nMembers meet.", "IV. Meetings", "Article V") == [1, 1, 0]


def test_the_other_texts_of_the_section_belong_to_it() -> None:
    texts = ("4.2 Notice", "It is given in May.", "4.3 Votes", "They are counted.")
    found = headed(["4.2"], pool("section 4.2", texts, [False] * 4), np.asarray([7, 7, 8, 8]))
    assert found.tolist() == [1, pytest.approx(WITHIN), 0, 0]


def test_code_has_no_sections() -> None:
    assert worth("4.2", "4.2 x", code=True) == [0]
