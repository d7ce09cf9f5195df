"""A question for uses, and a pasted exception, find the lines that use a thing, not those that define it."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project

CART = """
class EmptyCartError(Exception):
    def __init__(self, cart):
        super().__init__(f"the cart {cart} is empty")


def describe(cart):
    return f"the cart {cart} of {cart.owner}"
"""
CHECKOUT = """
from shop.cart import EmptyCartError, describe


def check_out(cart, payments):
    if not cart.items:
        raise EmptyCartError(cart)
    payments.take(cart.total)


def report(carts):
    return [describe(cart) for cart in carts]
"""
FILES = {
    "shop/cart.py": CART,
    "shop/checkout.py": CHECKOUT,
    **{f"shop/part{n}.py": f"def step{n}(cart):\n    return cart.take(step{n})\n" for n in range(5)},
}


def first_lines(tmp_path: Path, question: str) -> tuple[str, str]:
    """The file and text of the first excerpt of a pack."""
    shop = project(tmp_path / "shop", FILES)
    with Daypack.open(tmp_path / "s", root=shop, settings=WORDS) as daypack:
        daypack.files.add(shop)
        best = daypack.pack(question, budget=300).excerpts[0]
        return best.citation.uri, best.text


@pytest.mark.parametrize(
    "message",
    ["shop.cart.EmptyCartError: the cart 12 is empty", "Uncaught EmptyCartError: the cart 12 is empty"],
)
def test_a_pasted_exception_leads_to_the_line_that_raises_it(tmp_path: Path, message: str) -> None:
    uri, text = first_lines(tmp_path, message)
    assert uri == "shop/checkout.py"
    assert "raise EmptyCartError(cart)" in text


@pytest.mark.parametrize("question", ["what uses EmptyCartError?", "where is EmptyCartError raised?"])
def test_a_question_for_uses_leads_to_a_use(tmp_path: Path, question: str) -> None:
    assert "raise EmptyCartError(cart)" in first_lines(tmp_path, question)[1]


def test_a_definition_is_found_by_a_question_for_it(tmp_path: Path) -> None:
    assert first_lines(tmp_path, "EmptyCartError")[0] == "shop/cart.py"


def test_a_question_for_the_uses_of_a_model_finds_the_files_that_refer_to_it(tmp_path: Path) -> None:
    files = {
        "models/int_paid_orders.sql": "WITH int_paid_orders AS (\n    SELECT * FROM {{ ref('stg_orders') }}\n)\n\nSELECT * FROM int_paid_orders\n",
        "models/fct_turnover.sql": "SELECT day, SUM(price) AS turnover\nFROM {{ ref('int_paid_orders') }}\nGROUP BY day\n",
        **{
            f"models/stg_{name}.sql": f"SELECT id, day FROM {{{{ source('shop', '{name}') }}}}\n"
            for name in ("orders", "carts", "fees")
        },
    }
    root = project(tmp_path / "warehouse", files)
    with Daypack.open(tmp_path / "s", root=root, settings=WORDS) as daypack:
        daypack.files.add(root)
        for question in ("which models use int_paid_orders?", "where is int_paid_orders used?"):
            assert daypack.search(question).candidates[0].chunk.uri == "models/fct_turnover.sql"
