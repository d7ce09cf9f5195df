"""Runs of words that a pasted message has from the code that raised it."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from support import EPOCH


def runs(text: str) -> tuple[str, ...]:
    return parse_query(text, now=EPOCH).messages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Error: Cart is empty and cannot be paid", ["Cart is empty and cannot be paid"]),
        (
            "Error: Total to be set with --cash had already been set with --card",
            ["Total to be set with", "had already been set with"],
        ),
        ("Unable to find a cart named 'blue' in /srv/carts", ["Unable to find a cart named"]),
        ("CartError: Will not pay more than 5 carts", ["Will not pay more than"]),
        ("fields `cash` and `card` are mutually exclusive.", ["are mutually exclusive"]),
        ("shop: order was refused by the bank: EOF", ["order was refused by the bank"]),
    ],
)
def test_values_end_a_run_of_a_message(text: str, expected: list[str]) -> None:
    assert runs(text) == tuple(expected)


@pytest.mark.parametrize(
    "text",
    ["Which carts are never paid by the bank?", "how are empty carts paid", "Error: empty", "empty carts"],
)
def test_a_question_and_a_few_words_are_no_message(text: str) -> None:
    assert runs(text) == ()


def test_a_message_is_read_from_the_last_line_of_a_trace_and_not_from_its_code() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "shop/cart.py", line 12, in pay\n    refuse the whole order of carts\n'
        "shop.CartError: order was refused by the bank\n"
    )
    assert runs(trace) == ("order was refused by the bank",)
