"""Measures against values worked out by hand, and against a second implementation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

import pytest
from evals.measures import MEASURES, interval, ndcg_at, recall_at, reciprocal_rank
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("ranked", "grades", "rr", "recall", "ndcg"),
    [
        ("abc", {"a": 1}, 1.0, 1.0, 1.0),
        ("abc", {"b": 1}, 1 / 2, 1.0, 1 / log2(3)),  # .6309
        ("abc", {"c": 1}, 1 / 3, 1.0, 1 / 2),  # 1 / log2 4
        ("abc", {"a": 1, "c": 1}, 1.0, 1.0, 1.5 / (1 + 1 / log2(3))),  # .9197
        ("abc", {"a": 1, "z": 1}, 1.0, 1 / 2, 1 / (1 + 1 / log2(3))),  # one of two
        ("abc", {"a": 1, "b": 3}, 1.0, 1.0, (1 + 3 / log2(3)) / (3 + 1 / log2(3))),  # the better one second: .7967
        ("bac", {"a": 2, "b": 2}, 1.0, 1.0, 1.0),  # equal grades: either order is ideal
        ("abc", {"a": 2, "b": 2}, 1.0, 1.0, 1.0),
        ("abc", {"z": 1}, 0.0, 0.0, 0.0),  # not found
        ("", {"a": 1}, 0.0, 0.0, 0.0),  # not answered
    ],
)
def test_the_measures_of_a_ranking(ranked: str, grades: dict[str, int], rr: float, recall: float, ndcg: float) -> None:
    assert reciprocal_rank(ranked, grades) == pytest.approx(rr)
    assert recall_at(10)(ranked, grades) == pytest.approx(recall)
    assert ndcg_at(10)(ranked, grades) == pytest.approx(ndcg)


def test_a_cutoff_cuts_the_ranking_and_the_ideal() -> None:
    assert recall_at(2)("abc", {"b": 1, "c": 1}) == 1 / 2
    assert ndcg_at(1)("abc", {"b": 1, "c": 1}) == 0
    assert ndcg_at(1)("bac", {"b": 1, "c": 1}) == 1  # at one, one of two is all there could be
    assert recall_at(1)("bac", {"b": 1, "c": 1}) == 1 / 2


def plainly(ranked: Sequence[str], grades: Mapping[str, int], cutoff: int) -> tuple[float, float, float]:
    """(RR, R@cutoff, nDCG@cutoff), rank by rank."""
    graded = [(rank, grades[document]) for rank, document in enumerate(ranked, 1) if document in grades]
    within = [(rank, grade) for rank, grade in graded if rank <= cutoff]
    best = [*enumerate(sorted(grades.values(), reverse=True), 1)][:cutoff]
    gain, ideal = (sum(grade / log2(1 + rank) for rank, grade in found) for found in (within, best))
    return (1 / graded[0][0] if graded else 0.0), len(within) / len(grades), gain / ideal


documents = st.sampled_from([f"d{n}" for n in range(15)])


@given(st.lists(documents, unique=True), st.dictionaries(documents, st.integers(1, 4), min_size=1), st.integers(1, 12))
def test_the_measures_are_those_of_a_second_implementation(ranked: list[str], grades: dict[str, int], cutoff: int) -> None:
    rr, recall, ndcg = plainly(ranked, grades, cutoff)
    assert reciprocal_rank(ranked, grades) == pytest.approx(rr)
    assert recall_at(cutoff)(ranked, grades) == pytest.approx(recall)
    assert ndcg_at(cutoff)(ranked, grades) == pytest.approx(ndcg)
    assert all(0 <= measure(ranked, grades) <= 1 + 1e-12 for measure in MEASURES.values())


def test_the_interval_holds_the_mean_and_is_the_same_every_time() -> None:
    values = [1.0, 0.5, 0.0, 1.0, 0.25, 1.0, 0.0, 1.0]
    low, high = interval(values)
    assert low < sum(values) / len(values) < high
    assert interval(values) == (low, high)
    assert interval([0.5] * 10) == (0.5, 0.5)
    assert interval([0.7]) == (0.7, 0.7)
