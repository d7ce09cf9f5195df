"""Our measures against those of an established evaluator, which sorts ties by document id, the greatest
first, as trec_eval does.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.quality.measures import RANKINGS, ndcg_at, recall_at

ir_measures: Any = pytest.importorskip(
    "ir_measures", reason="ir_measures is not installed; requirements/evals.txt brings it"
)

documents = st.sampled_from([f"d{n}" for n in range(15)])
# few values: most runs have ties
scored = st.dictionaries(documents, st.integers(1, 4).map(float), min_size=1)
judged = st.dictionaries(documents, st.integers(0, 3), min_size=1).filter(lambda grades: any(grades.values()))


def theirs(names: list[str], run: dict[str, float], grades: dict[str, int]) -> dict[str, float]:
    qrels = [ir_measures.Qrel("q", document, grade) for document, grade in grades.items()]
    ranking = [ir_measures.ScoredDoc("q", document, score) for document, score in run.items()]
    found = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names], qrels, ranking)
    return {str(measure): value for measure, value in found.items()}


@given(scored, judged)
def test_the_measures_are_theirs_ties_included(run: dict[str, float], grades: dict[str, int]) -> None:
    order = [
        document for document, _ in sorted(run.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    ]
    relevant = {document: grade for document, grade in grades.items() if grade > 0}
    for name, value in theirs(list(RANKINGS), run, grades).items():
        assert RANKINGS[name](order, relevant) == pytest.approx(value), name


@given(scored, judged, st.sampled_from([1, 3, 5]))
def test_cutoffs_are_theirs(run: dict[str, float], grades: dict[str, int], cutoff: int) -> None:
    order = [
        document for document, _ in sorted(run.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    ]
    relevant = {document: grade for document, grade in grades.items() if grade > 0}
    # its RR@k is another tool's, with another order of ties
    found = theirs([f"nDCG@{cutoff}", f"R@{cutoff}"], run, grades)
    assert ndcg_at(cutoff)(order, relevant) == pytest.approx(found[f"nDCG@{cutoff}"])
    assert recall_at(cutoff)(order, relevant) == pytest.approx(found[f"R@{cutoff}"])
