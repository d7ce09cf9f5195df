"""Measures over one ranking, spelled as in ir_measures: RR, R@10, nDCG@10. A query without an answer counts zero.

A ranking is a list of document ids, best first; parts of one document count at the first of them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence

Measure = Callable[[Sequence[str], Mapping[str, int]], float]


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """1 / rank of the first relevant document, 0 where none was found."""
    return next((1 / rank for rank, document in enumerate(ranked, 1) if document in grades), 0.0)


def recall_at(cutoff: int) -> Measure:
    def recall(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
        return len(set(ranked[:cutoff]) & grades.keys()) / len(grades)

    return recall


def ndcg_at(cutoff: int) -> Measure:
    """Linear gains, as trec_eval has them."""

    def ndcg(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
        gain = sum(grades.get(document, 0) / math.log2(rank + 1) for rank, document in enumerate(ranked[:cutoff], 1))
        ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(sorted(grades.values(), reverse=True)[:cutoff], 1))
        return gain / ideal

    return ndcg


MEASURES: dict[str, Measure] = {"nDCG@10": ndcg_at(10), "R@10": recall_at(10), "R@100": recall_at(100), "RR": reciprocal_rank}


def interval(values: Sequence[float], *, draws: int = 1000, seed: int = 0) -> tuple[float, float]:
    """95 % bootstrap interval of the mean, percentiles, over queries."""
    rng = random.Random(seed)
    n = len(values)
    means = sorted(sum(rng.choices(values, k=n)) / n for _ in range(draws))
    return means[int(0.025 * draws)], means[int(0.975 * draws) - 1]
