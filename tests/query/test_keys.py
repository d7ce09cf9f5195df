"""Options and variables that a question names."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from daypack.query.keys import MOST_KEYS
from support import EPOCH


def keys(text: str) -> tuple[str, ...]:
    return parse_query(text, now=EPOCH).keys


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("where is the --dry-run option handled?", ("--dry-run",)),
        ("what does `--cash` do?", ("--cash",)),
        ("--card.bank=north", ("--card.bank",)),
        ("what does SHOP_BANK_URL do?", ("SHOP_BANK_URL",)),
        ("who sets X-Request-Id?", ("X-Request-Id",)),
        ("is shop.pay-at-once read?", ("shop.pay-at-once",)),
        ("where is `pay-later` read?", ("pay-later",)),
        ("pay-later", ("pay-later",)),
        ("where is shop.bank.url read?", ("shop.bank.url",)),
        ("what does bank.url do?", ("bank.url",)),
        ("which code handles /carts/{id}?", ("/carts/{id}",)),
        ("who serves `/carts/:id/pay`.", ("/carts/:id/pay",)),
        ("is /carts read before shop.bank.url?", ("shop.bank.url", "/carts")),
        ("is $SHOP_BANK_URL read before --bank-url?", ("SHOP_BANK_URL", "--bank-url")),
        ("where does bolt A-1 lie?", ("A-1",)),
        ("is an s-400 or an L-1A meant?", ("s-400", "L-1A")),
        ("IS-2", ("IS-2",)),
    ],
)
def test_options_and_variables_are_keys(text: str, expected: tuple[str, ...]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "when -- if ever -- is it paid?",
        "a dry-run of the shop",
        "is the shop read-only?",
        "READ the JSON",
        "| a --- | b --- |",
        "x--y",
        "pay by card and/or cash",
        "e.g. a cart, i.e. an order",
        "how does src/shop/cart.py sum up?",
        "new in 2.4.1",
        "a / b",
        "a 1-to-1 meeting",
        "5-a-day",
        "the 2024-01-02 meeting",
        "what's 1-2?",
    ],
)
def test_words_with_a_hyphen_paths_and_shouted_words_are_no_keys(text: str) -> None:
    assert keys(text) == ()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("A-1", {"a", "1"}),
        ("where does bolt A-1 lie?", {"bolt", "a", "1", "lie"}),
        ("who has an S-400?", {"s", "400"}),
        ("what's a 1-to-1 meeting?", {"1", "meet"}),
        ("have I a car?", {"car"}),
    ],
)
def test_the_letter_of_a_code_is_no_stop_word(text: str, terms: set[str]) -> None:
    assert parse_query(text, now=EPOCH).terms.keys() == terms


def test_a_report_names_no_keys() -> None:
    story = "The shop stops with --dry-run\n\n" + "It was started by a script that sets SHOP_BANK_URL. " * 20
    assert keys(story) == ()


def test_a_list_of_options_names_the_first() -> None:
    assert keys(" ".join(f"--option-{letter}" for letter in "abcdefghij")) == tuple(
        f"--option-{letter}" for letter in "abcdefghij"[:MOST_KEYS]
    )
