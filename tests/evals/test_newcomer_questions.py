"""Packs of newcomer questions are judged by the lines that they show."""

from __future__ import annotations

import pytest

from evals.quality import newcomer
from evals.quality.newcomer import Piece, Unit

TEXT = "one\n\n  two\nthree\nfour\nfive\n"
TEXTS = {"a.py": TEXT, "b.md": "say\n"}
UNIT = Unit("a.py", frozenset({1, 2, 3, 4, 5, 6}), frozenset({4}))


def piece(first: str, last: str, path: str = "a.py") -> Piece:
    """The characters of a file from one word to the end of another."""
    text = TEXTS[path]
    return Piece(path, text.index(first), text.index(last) + len(last))


def test_a_line_is_shown_when_all_its_words_are_in_one_piece() -> None:
    assert newcomer.shown_lines([piece("two", "three")], "a.py", TEXT) == {3, 4}
    assert newcomer.shown_lines([piece("wo", "three")], "a.py", TEXT) == {4}
    assert newcomer.shown_lines([piece("one", "five")], "b.md", TEXTS["b.md"]) == set()


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ([piece("one", "five")], "good"),
        ([piece("one", "three")], "good"),
        ([piece("one", "two"), piece("four", "five")], "partial"),
        ([piece("three", "four")], "partial"),
        ([piece("one", "one")], "partial"),
        ([piece("say", "say", "b.md")], "missed"),
        ([], "missed"),
    ],
)
def test_a_pack_is_good_with_most_lines_and_those_that_decide(pieces: list[Piece], wanted: str) -> None:
    assert newcomer.verdict([UNIT], pieces, TEXTS) == wanted


def test_the_best_unit_counts_and_the_first_item_is_of_any() -> None:
    other = Unit("b.md", frozenset({1}), frozenset({1}))
    pieces = [piece("say", "say", "b.md"), piece("one", "one")]
    assert newcomer.verdict([UNIT, other], pieces, TEXTS) == "good"
    found = newcomer.measures([UNIT], pieces, TEXTS)
    assert found == {"good": 0, "partial": 1, "missed": 0, "first": 0}
    assert newcomer.measures([UNIT, other], pieces, TEXTS)["first"] == 1


def test_every_question_decides_by_lines_that_it_asks_for() -> None:
    found = newcomer.questions()
    assert len(found) == len({asked.id for asked in found}) == 39
    assert {asked.half for asked in found} == {"a", "b"}
    assert all(unit.decisive and unit.decisive <= unit.lines for asked in found for unit in asked.units)
    assert all(len(asked.commit) == 40 and asked.units for asked in found)
    assert len({(asked.repository, asked.commit, asked.half) for asked in found}) == 7
