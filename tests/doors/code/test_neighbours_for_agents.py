"""Agents get the neighbours of a symbol by file and relation, as names with their lines, and no signatures."""

from __future__ import annotations

from pathlib import Path

from daypack.surfaces.toolsets import verbs
from tests.doors.code.code_support import opened

FILES = {
    "shop/cart.py": "from shop.money import Rate, cents\n\n\ndef total(items, rate: Rate):\n    return cents(sum(items))\n",
    "shop/money.py": "class Rate:\n    pass\n\n\ndef cents(value):\n    return rounded(value * 100)\n\n\ndef rounded(value):\n    return int(value)\n",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([], None) == 0\n",
}


def test_neighbours_are_listed_by_file_in_the_order_of_the_best(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as dp:
        verb = verbs()["related"]
        sent = verb.for_agent(verb(dp, {"reference": "total"}))
    assert sent["data"]["related"] == [
        {"file": "shop/money.py", "calls": ["cents:5-6"], "uses": ["Rate:1-2"], "calls › calls": ["rounded:9-10"], "calls › contained_in": ["(file)"]},
        {"file": "shop/cart.py", "contained_in": ["(file)"]},
        {"file": "tests/test_cart.py", "imported_by": ["(file)"], "tested_by": ["test_total:4-5"]},
    ]  # fmt: skip
