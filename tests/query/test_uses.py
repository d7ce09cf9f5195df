"""Questions for the uses of a name, and exceptions, which are looked for where they are raised."""

from __future__ import annotations

import pytest

from daypack.query import parse_query


def uses(text: str) -> dict[str, bool]:
    return dict(parse_query(text, now=0.0).uses)


@pytest.mark.parametrize(
    "question",
    [
        "who calls total_of_cart?",
        "What uses `total_of_cart`?",
        "which functions call total_of_cart()",
        "every class that uses total_of_cart",
        "where is total_of_cart called?",
        "Where is the `total_of_cart` function used",
        "callers of total_of_cart",
        "list the usages of total_of_cart",
    ],
)
def test_a_question_for_the_uses_of_a_name_means_each_of_them(question: str) -> None:
    assert uses(question) == {"total_of_cart": True}


@pytest.mark.parametrize(
    "question",
    [
        "where is total_of_cart defined?",
        "how does total_of_cart use the rate of a currency?",
        "what does total_of_cart call?",
        "total_of_cart",
        "Fix total_of_cart: it uses the wrong rate",
    ],
)
def test_other_questions_about_a_name_ask_for_its_definition(question: str) -> None:
    assert not uses(question)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("shop.cart.EmptyCartError: no item", "shop.cart.EmptyCartError"),
        ("PHP Fatal error:  Uncaught Shop\\NoSuchItem: no item 12", "Shop.NoSuchItem"),
        ("** (Shop.CartError) no item", "Shop.CartError"),
        ("terminate called after throwing an instance of 'shop::no_item'", "shop.no_item"),
        ("Caused by: com.shop.CartException: no item\n\tat com.shop.Cart.total(Cart.java:12)", "com.shop.CartException"),
        ('Traceback (most recent call last):\n  File "cart.py", line 2, in total\nshop.CartError: no item', "shop.CartError"),
    ],
)  # fmt: skip
def test_the_exception_of_a_pasted_error_was_raised_once(message: str, name: str) -> None:
    assert uses(message) == {name: False}


def test_a_message_without_an_exception_names_no_use() -> None:
    assert not uses("Error: the queue 'orders' already exists")
    assert not uses("Note: use Cart.total here")
