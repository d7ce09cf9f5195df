"""Texts that hold a whole quotation or sentence of a question."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from texts_support import pool

from daypack.rank.texts.pool import MOST
from daypack.rank.texts.quotations import quoting, saying

SAID = "The bank refused the card of Ann."


def worth(said: str, *texts: str, code: Sequence[bool] | None = None) -> list[float]:
    found = saying([said], pool(said, texts, [True] * len(texts) if code is None else code))
    return [round(float(value), 3) for value in found]


@pytest.mark.parametrize(
    "text",
    [
        "# the bank refused the card of ann",
        "x = 1  // The bank refused\n       // the card of Ann, so stop",
        "/**\n * The bank\n * refused the card of Ann.\n */",
        "The  bank\trefused\nthe card of Ann.",
    ],
)
def test_a_saying_is_held_whatever_breaks_its_lines(text: str) -> None:
    assert worth(SAID, text) == [MOST]


@pytest.mark.parametrize(
    "text", ["The bank refused a card of Ann.", "The card of Ann refused the bank.", "refused"]
)
def test_the_words_of_a_saying_in_another_order_do_not_count(text: str) -> None:
    assert worth(SAID, text) == [0]


def test_a_saying_tells_less_the_more_texts_hold_it() -> None:
    assert worth(SAID, SAID, SAID, "other", SAID, SAID) == [MOST / 2, MOST / 2, 0, MOST / 2, MOST / 2]


@pytest.mark.parametrize(
    ("quoted", "copies", "expected"),
    [("at most 10 % of", 1, MOST), ("at most 10 % of", 4, 1), ("at most", 1, 1)],
)
def test_a_question_that_is_a_long_quotation_finds_the_few_texts_that_hold_it(
    quoted: str, copies: int, expected: float
) -> None:
    texts = ["Of 10, most wait at most a day."] * (quoted != "at most") + [
        "It is at most 10 % of all."
    ] * copies
    found = quoting([quoted], pool(quoted, texts, [False] * len(texts)))
    assert found.tolist()[-1] == expected
    assert quoted == "at most" or found.tolist()[0] == 0


def test_a_quotation_beside_another_word_is_one_hint_of_several() -> None:
    texts = ["Walk the pier at least once.", "Delivery is guaranteed."]
    found = quoting(["at least once"], pool('guaranteed "at least once"', texts, [False, False]))
    assert found.tolist() == [1, 0]


def test_a_question_of_two_quotations_is_nothing_but_quotations() -> None:
    texts = ["Walk the pier at least once.", "It is paid by hand and later."]
    quoted = ["at least once", "by hand and"]
    assert quoting(quoted, pool(" ".join(quoted), texts, [False, False])).tolist() == [MOST, MOST]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A lock is not a mooring.", MOST),
        ("A lock that is not\n    a mooring.", MOST),
        ("This not another lock.", 1),
        ("(Is not a)", MOST),
    ],
)
def test_a_question_that_is_a_quotation_finds_its_whole_words_across_lines(
    text: str, expected: float
) -> None:
    assert quoting(["is not a"], pool("is not a", [text], [False])).tolist() == [expected]


def test_a_page_counts_as_code_does() -> None:
    assert worth(SAID, SAID, "other", code=[False, True]) == [MOST, 0]


def test_a_line_of_code_is_a_saying() -> None:
    line = "if total(cart) > limit and not cart.paid:"
    assert worth(line, f"def pay(cart):\n    {line}\n        stop()", "total(cart) > limit") == [MOST, 0]


def test_a_name_is_no_saying() -> None:
    assert worth("pay_the_card", "def pay_the_card(): ...", "pay_the_card()") == [0, 0]


def test_a_saying_tells_more_with_each_telling_word() -> None:
    said = "the bank refused the card of Ann"
    for words, share in ((3, 1 / 3), (5, 2 / 3), (7, 1)):
        one = " ".join(said.split()[:words])
        assert worth(one, said) == [pytest.approx(MOST * share, abs=0.001)]
