"""Measures against values worked out by hand, and against a second implementation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.evaluate.choosing import difference, estimate, held_out
from evals.quality.datasets import GoldKind, Qrel
from evals.quality.measures import (
    RANKINGS,
    accuracy_at,
    evidence_recall,
    line_recall,
    ndcg_at,
    recall_at,
    reciprocal_rank,
    span_ranking,
)


@pytest.mark.parametrize(
    ("ranked", "grades", "rr", "recall", "ndcg"),
    [
        ("abc", {"a": 1}, 1.0, 1.0, 1.0),
        ("abc", {"b": 1}, 1 / 2, 1.0, 1 / log2(3)),  # .6309
        ("abc", {"c": 1}, 1 / 3, 1.0, 1 / 2),  # 1 / log2 4
        ("abc", {"a": 1, "c": 1}, 1.0, 1.0, 1.5 / (1 + 1 / log2(3))),  # .9197
        ("abc", {"a": 1, "z": 1}, 1.0, 1 / 2, 1 / (1 + 1 / log2(3))),  # one of two
        # the better one second: .7967
        ("abc", {"a": 1, "b": 3}, 1.0, 1.0, (1 + 3 / log2(3)) / (3 + 1 / log2(3))),
        ("bac", {"a": 2, "b": 2}, 1.0, 1.0, 1.0),  # equal grades: either order is ideal
        ("abc", {"a": 2, "b": 2}, 1.0, 1.0, 1.0),
        ("abc", {"z": 1}, 0.0, 0.0, 0.0),  # not found
        ("", {"a": 1}, 0.0, 0.0, 0.0),  # not answered
    ],
)
def test_the_measures_of_a_ranking(
    ranked: str, grades: dict[str, int], rr: float, recall: float, ndcg: float
) -> None:
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


@given(
    st.lists(documents, unique=True),
    st.dictionaries(documents, st.integers(1, 4), min_size=1),
    st.integers(1, 12),
)
def test_the_measures_are_those_of_a_second_implementation(
    ranked: list[str], grades: dict[str, int], cutoff: int
) -> None:
    rr, recall, ndcg = plainly(ranked, grades, cutoff)
    assert reciprocal_rank(ranked, grades) == pytest.approx(rr)
    assert recall_at(cutoff)(ranked, grades) == pytest.approx(recall)
    assert ndcg_at(cutoff)(ranked, grades) == pytest.approx(ndcg)
    assert all(0 <= measure(ranked, grades) <= 1 + 1e-12 for measure in RANKINGS.values())


def test_accuracy_wants_everything_among_the_first() -> None:
    assert accuracy_at(1)("abc", {"a": 1}) == 1
    assert accuracy_at(1)("abc", {"a": 1, "b": 1}) == 0
    assert accuracy_at(5)("abc", {"a": 1, "c": 1}) == 1
    assert accuracy_at(5)("abc", {"a": 1, "z": 1}) == 0


# ---------------------------------------------------------------- packs


def whole(document: str, **bounds: int) -> dict[str, object]:
    return {"doc_id": document, **bounds}


def test_a_document_is_in_a_pack_when_enough_of_it_is() -> None:
    qrel = Qrel("q", {"long": 1, "short": 1}, ("long", "short"))
    lengths = {"long": 1000, "short": 50, "empty": 0}

    def recall(*items: dict[str, object]) -> float:
        return evidence_recall(items, qrel, GoldKind.DOCUMENTS, lengths)

    assert recall(whole("long"), whole("short")) == 1
    assert recall(whole("long", start=0, end=199)) == 0
    # 200 characters, in two places
    assert recall(whole("long", start=0, end=100), whole("long", start=900, end=1000)) == 1 / 2
    assert recall(whole("long", start=0, end=150), whole("long", start=0, end=150)) == 0  # the same 150 twice
    assert recall(whole("short", start=0, end=49)) == 0
    assert recall() == 0
    assert (
        evidence_recall([whole("empty")], Qrel("q", {"empty": 1}, ("empty",)), GoldKind.DOCUMENTS, lengths)
        == 1
    )
    assert evidence_recall([], Qrel("q", {"empty": 1}, ("empty",)), GoldKind.DOCUMENTS, lengths) == 0


def test_spans_count_by_their_characters() -> None:
    # 40 characters, for two overlap
    qrel = Qrel("q", {}, ("d",), spans={"d": ((0, 10), (5, 20), (100, 120))})
    lengths = {"d": 200}
    assert (
        evidence_recall(
            [whole("d", start=0, end=15), whole("d", start=10, end=20)], qrel, GoldKind.SPANS, lengths
        )
        == 1 / 2
    )
    assert evidence_recall([whole("d")], qrel, GoldKind.SPANS, lengths) == 1
    assert evidence_recall([whole("other")], qrel, GoldKind.SPANS, lengths) == 0


def test_a_span_is_found_once_half_of_it_is_seen() -> None:
    spans = {"d": ((0, 10), (5, 20), (100, 120))}
    ranked = [whole("d", start=50, end=60), whole("d", start=0, end=20), whole("d")]
    found = span_ranking(ranked, spans, {"d": 200})
    assert (found["RR"], found["R@10"]) == (1 / 2, 1)
    assert found["nDCG@10"] == pytest.approx((2 / log2(3) + 1 / 2) / (1 + 1 / log2(3) + 1 / 2))
    assert span_ranking([], spans, {"d": 200}) == {"nDCG@10": 0, "R@10": 0, "R@100": 0, "RR": 0}


def test_lines_count_one_by_one() -> None:
    lines = {"x": ((3, 4),), "y": ((10, 11),)}
    assert line_recall([{"doc_id": "x", "start_line": 4, "end_line": 9}], lines) == 1 / 4
    assert line_recall([whole("x"), whole("y")], lines) == 1
    assert (
        line_recall(
            [
                {"doc_id": "x", "start_line": 1, "end_line": 3},
                {"doc_id": "y", "start_line": 11, "end_line": 11},
            ],
            lines,
        )
        == 1 / 2
    )


# ---------------------------------------------------------------- means


def test_the_interval_holds_the_mean_and_is_the_same_every_time() -> None:
    found = estimate([1.0, 0.5, 0.0, 1.0, 0.25, 1.0, 0.0, 1.0])
    assert found.low < found.mean < found.high
    assert estimate([1.0, 0.5, 0.0, 1.0, 0.25, 1.0, 0.0, 1.0]) == found
    assert str(estimate([0.5] * 10)) == "0.500 [0.500, 0.500]"


def test_a_difference_over_no_query_is_none() -> None:
    assert difference({"a": 1.0}, {"b": 1.0}) is None


def test_a_difference_is_paired() -> None:
    first = {f"q{n}": n / 20 + 0.1 for n in range(20)}
    second = {f"q{n}": n / 20 for n in range(20)}
    found = difference(first, {**second, "only here": 1.0})
    assert found is not None
    assert found.estimate.mean == pytest.approx(0.1)
    assert found.estimate.low == pytest.approx(0.1)  # every query gains as much: resampling changes nothing
    assert found.p == 0
    same = difference(first, first)
    assert same is not None
    assert (same.estimate.mean, same.p) == (0, 1)


# ---------------------------------------------------------------- choosing among settings


def test_a_setting_that_is_better_for_most_queries_is_chosen_and_counts_where_it_was_not_looked_at() -> None:
    default = {f"q{n}": 0.5 for n in range(10)}
    better = default | {f"q{n}": 1.0 for n in range(8)}
    found = held_out({"default": default, "better": better}, folds=5)
    assert found.chosen == {"default": 0, "better": 5}
    assert found.values == better


def test_what_one_query_alone_speaks_for_is_worth_nothing_on_queries_that_were_not_looked_at() -> None:
    default = {f"q{n}": 0.5 for n in range(10)}
    lucky = {f"q{n}": 0.45 for n in range(9)} | {"q9": 1.0}
    found = held_out({"default": default, "lucky": lucky}, folds=10)
    assert found.chosen == {"default": 1, "lucky": 9}
    assert sum(found.values.values()) < sum(default.values()) < sum(lucky.values())


@pytest.mark.parametrize("folds", [0, 1, 4])
def test_there_is_something_to_choose_on_and_something_to_look_at(folds: int) -> None:
    with pytest.raises(ValueError, match=f"{folds} folds of 3 questions"):
        held_out({"default": {"a": 0.1, "b": 0.2, "c": 0.3}}, folds=folds)
