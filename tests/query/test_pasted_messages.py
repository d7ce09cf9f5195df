"""Messages of programs that a query repeats."""

from __future__ import annotations

import pytest

from daypack.query import parse_query
from daypack.query.messages import MOST_WORDS
from support import EPOCH


def messages(text: str) -> tuple[str, ...]:
    return parse_query(text, now=EPOCH).messages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Error: Cart is empty and cannot be paid", "Cart is empty and cannot be paid"),
        ("CartError: Will not pay more than 5 carts", "Will not pay more than 5 carts"),
        ("cannot load carts.yaml: no such file", "cannot load carts.yaml: no such file"),
        ("why do I get order was refused?", "why do I get order was refused?"),
    ],
)
def test_any_sentence_of_a_title_may_be_a_message(text: str, expected: str) -> None:
    assert messages(text) == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        'why do I get "order was refused by the bank"?',
        "what causes the error 'order was refused by the bank'",
        "I see `order was refused by the bank` in the log, where does it come from?",
    ],
)
def test_a_quotation_in_a_question_is_a_message_by_itself(text: str) -> None:
    assert messages(text) == ("order was refused by the bank", text)


@pytest.mark.parametrize("text", ["Error: empty", "empty carts", "is it for me"])
def test_a_few_words_are_no_message(text: str) -> None:
    assert messages(text) == ()


def test_a_message_is_read_from_the_last_line_of_a_trace_and_not_from_its_code() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "shop/cart.py", line 12, in pay\n    refuse the whole order of carts\n'
        "shop.CartError: order was refused by the bank\n"
    )
    assert messages(trace) == ("order was refused by the bank",)


def test_the_words_of_a_message_are_counted() -> None:
    assert messages("Error: " + "refused order " * 500) == (
        " ".join(["refused", "order"] * (MOST_WORDS // 2)),
    )


def test_a_sentence_that_asks_is_a_saying_only_between_marks() -> None:
    def sayings(text: str) -> tuple[str, ...]:
        return parse_query(text, now=EPOCH).sayings

    assert sayings("where is the wait before an attempt computed?") == ()
    assert sayings("how is the card of Ann refused") == ()
    assert sayings('where do the docs ask "how is the card refused?"') == ("how is the card refused?",)
    assert sayings("The card of Ann is refused.") == ("The card of Ann is refused.",)
