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
    ],
)
def test_words_with_a_hyphen_paths_and_shouted_words_are_no_keys(text: str) -> None:
    assert keys(text) == ()


def test_a_report_names_no_keys() -> None:
    story = "The shop stops with --dry-run\n\n" + "It was started by a script that sets SHOP_BANK_URL. " * 20
    assert keys(story) == ()


def test_a_list_of_options_names_the_first() -> None:
    assert keys(" ".join(f"--option-{letter}" for letter in "abcdefghij")) == tuple(
        f"--option-{letter}" for letter in "abcdefghij"[:MOST_KEYS]
    )
