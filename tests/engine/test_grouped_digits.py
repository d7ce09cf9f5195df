"""A number is found by its digits, however a text groups them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS

TEXTS = {
    "points": "The roof costs 84.300 euros.",
    "commas": "The lift costs 23,450 dollars.",
    "blanks": "The garden costs 134\u202f500 crowns.",
    "cents": "The rent is 1.240,50 euros.",
    "whole": "The gate costs 5600 euros.",
    "parts": "The shed has 84 nails and 300 bolts, the boat 1,240 of 134 500 777 screws.",
    **{f"other {n}": f"Boat {n} carries {n * 7} sacks of rice." for n in range(30)},
}


@pytest.fixture(scope="module")
def daypack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    with Daypack.open(Path(tmp_path_factory.mktemp("digits")) / "store", settings=WORDS) as opened:
        opened.records.add([{"id": name, "text": text} for name, text in TEXTS.items()])
        yield opened


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("84300 euros", "points"),
        ("what costs 23450 dollars?", "commas"),
        ("which garden for 134500 crowns?", "blanks"),
        ("rent of 1240,50 euros", "cents"),
        ("what costs 5600?", "whole"),
    ],
)
def test_a_number_is_found_with_other_groups(daypack: Daypack, asked: str, name: str) -> None:
    found = daypack.search(asked)
    assert found.candidates[0].chunk.uri == name
    assert not found.stats.corrections


def test_parts_of_other_numbers_are_no_groups(daypack: Daypack) -> None:
    found = {one.chunk.uri: one.score for one in daypack.search("134500").candidates}
    assert found["blanks"] > found.get("parts", 0.0)
    assert {one.chunk.uri for one in daypack.search("84300 nails").candidates[:2]} == {"points", "parts"}
