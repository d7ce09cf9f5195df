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
    "question",
    [
        "Wer ruft total_of_cart auf?",
        "Wo wird total_of_cart verwendet?",
        "Où est utilisée la fonction total_of_cart ?",
        "¿Qué funciones llaman a total_of_cart?",
        "Onde total_of_cart é usada?",
        "Dove viene usata total_of_cart?",
        "Waar wordt total_of_cart aangeroepen?",
        "Где используется total_of_cart?",
        "Gdzie jest używana total_of_cart?",
        "total_of_cart nerede çağrılıyor?",
        "谁调用了 total_of_cart？",
        "total_of_cart 在哪里被调用？",
        "total_of_cartはどこで呼ばれている？",
        "total_of_cartの呼び出し元",
        "total_of_cart를 누가 호출하나요?",
    ],
)
def test_a_question_in_another_language_may_ask_for_the_uses_of_a_name(question: str) -> None:
    assert uses(question) == {"total_of_cart": True}


@pytest.mark.parametrize(
    "question",
    [
        "Wie verwende ich total_of_cart?",
        "¿Dónde se define total_of_cart?",
        "Comment utiliser total_of_cart ?",
        "怎么使用 total_of_cart？",
        "total_of_cart 调用了什么？",
        "total_of_cartはどこで定義されている？",
        "total_of_cart를 호출하면 오류가 나요",
    ],
)
def test_a_question_in_another_language_for_a_definition_is_not_for_uses(question: str) -> None:
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
