"""Texts that hold an option or a variable."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from texts_support import pool

from daypack.rank.texts.keys import holding
from daypack.rank.texts.pool import MOST


def worth(key: str, *texts: str, code: Sequence[bool] | None = None) -> list[float]:
    found = holding([key], pool(key, texts, [True] * len(texts) if code is None else code))
    return [round(float(value), 3) for value in found]


@pytest.mark.parametrize(
    "text",
    ['flags.Bool("dry-run", false)', "parser.add('--dry-run')", "option(`dry-run`)", "usage: shop --dry-run"],
)
def test_code_that_takes_an_option_holds_it(text: str) -> None:
    assert worth("--dry-run", text) == [MOST]


@pytest.mark.parametrize(
    "text", ["dry, then run", "a dry-run of all", 'flags.Bool("dry-run-all")', "--dry-runs"]
)
def test_code_with_the_words_of_an_option_does_not_hold_it(text: str) -> None:
    assert worth("--dry-run", text) == [0]


def test_the_case_of_a_header_does_not_count() -> None:
    assert worth("X-Request-Id", 'headers["x-request-id"]') == [MOST]


def test_a_variable_stands_anywhere_but_in_a_longer_name() -> None:
    assert worth("SHOP_BANK", "read(SHOP_BANK)", "read('SHOP_BANK')", "SHOP_BANK_URL", "OLD_SHOP_BANK") == [
        pytest.approx(MOST / 2**0.5, abs=0.001),
        pytest.approx(MOST / 2**0.5, abs=0.001),
        0,
        0,
    ]


def test_a_variable_may_be_an_attribute() -> None:
    assert worth("SHOP_BANK", "process.env.SHOP_BANK") == [MOST]


def test_a_dotted_name_stands_between_quotation_marks_or_begins_a_line() -> None:
    texts = ('read("bank.url")', "# settings\nbank.url = north", "shop.bank.url", "return bank.url")
    assert [value > 0 for value in worth("bank.url", *texts)] == [True, True, False, False]


def test_a_long_dotted_name_and_a_route_of_several_parts_stand_anywhere() -> None:
    assert worth("shop.bank.url", "return shop.bank.url") == [MOST]
    assert worth("/carts/{id}", "router.get(/carts/{id}, show)") == [MOST]


def test_a_route_of_one_part_stands_between_quotation_marks() -> None:
    assert [value > 0 for value in worth("/carts", 'get("/carts")', "all /carts", 'get("/carts-old")')] == [
        True,
        False,
        False,
    ]


def test_a_page_that_holds_a_key_counts_as_a_quotation() -> None:
    assert worth("--dry-run", "Say `--dry-run` first.", 'take("dry-run")', code=[False, True]) == [1, MOST]


def test_a_code_stands_anywhere_but_in_a_longer_one() -> None:
    texts = ("Bolt A-1 lies here.", "bolts a\u20111, b-2", "A-1-B", "A-12", "A 1", "O-1 and a")
    assert [value > 0 for value in worth("A-1", *texts, code=[False] * len(texts))] == [True] * 2 + [
        False
    ] * 4
