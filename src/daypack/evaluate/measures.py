"""Measures over one ranking, and how far they can be trusted. Names as in ir_measures: RR, R@10."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

Z95 = 1.959964  # of the normal distribution: 95 % lie within so many standard deviations


def reciprocal_rank(rank: int | None) -> float:
    """1 / rank of the first that was wanted, in (0, 1]; 0 where none was found."""
    return 1 / rank if rank else 0.0


def recall(ranks: Sequence[int | None], cutoff: int) -> float:
    """The share of what was wanted that stands at rank `cutoff` or better, in [0, 1]. `ranks` must not be empty."""
    return sum(rank is not None and rank <= cutoff for rank in ranks) / len(ranks)


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def wilson(hits: int, n: int) -> tuple[float, float]:
    """95 % interval of a rate (Wilson, JASA 1927): honest for few cases, where all or none were found. (0, 1) of nothing."""
    if not n:
        return 0.0, 1.0
    rate, square = hits / n, Z95 * Z95
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = Z95 * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    # Where all or none were found, one end is that rate itself, and no rounding may move it.
    return (0.0 if hits == 0 else max(0.0, middle - half)), (1.0 if hits == n else min(1.0, middle + half))


def interval(values: Sequence[float], *, draws: int = 1000, seed: int = 0) -> tuple[float, float]:
    """95 % bootstrap interval of the mean over queries: percentiles of `draws` resamples, the same for equal seeds."""
    rng = random.Random(seed)
    n = len(values)
    means = sorted(sum(rng.choices(values, k=n)) / n for _ in range(draws))
    return means[int(0.025 * draws)], means[int(0.975 * draws) - 1]
