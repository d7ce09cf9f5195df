"""Measures over one ranking, and their confidence intervals. Names as in ir_measures: RR, R@10.

The evaluation harness (evals/) computes by these as well: one number has one formula.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from daypack.types.arrays import Float64s

DRAWS = 1000

Z95 = 1.959964  # of the normal distribution: 95 % lie within so many standard deviations


def reciprocal_rank(rank: int | None) -> float:
    """1 / rank of the first expected item, in (0, 1]; 0 where none was found."""
    return 1 / rank if rank else 0.0


def recall(ranks: Sequence[int | None], cutoff: int) -> float:
    """The share of the expected items at rank `cutoff` or better, in [0, 1]. `ranks` must not be empty."""
    return sum(rank is not None and rank <= cutoff for rank in ranks) / len(ranks)


def dcg(gains: Sequence[float]) -> float:
    """Discounted cumulative gain, best rank first (Järvelin & Kekäläinen, TOIS 2002), gains as they are."""
    return math.fsum(gain / math.log2(1 + rank) for rank, gain in enumerate(gains, 1))


def ndcg(ranks: Sequence[int | None], cutoff: int) -> float:
    """nDCG@cutoff of equally wanted things, in [0, 1]. `ranks` may be equal, and must not be empty."""
    gains = [0.0] * cutoff
    for rank in ranks:
        if rank is not None and rank <= cutoff:
            gains[rank - 1] += 1
    return min(1.0, dcg(gains) / dcg([1.0] * min(len(ranks), cutoff)))


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def wilson(hits: int, n: int) -> tuple[float, float]:
    """95 % interval of a rate (Wilson, JASA 1927), honest for few cases; (0, 1) without any."""
    if not n:
        return 0.0, 1.0
    rate, square = hits / n, Z95 * Z95
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = Z95 * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    # At a rate of 0 or 1, one end is that rate itself, and rounding must not move it.
    return (0.0 if hits == 0 else max(0.0, middle - half)), (1.0 if hits == n else min(1.0, middle + half))


def resampled(values: Sequence[float], *, seed: int) -> Float64s:
    """Sorted means of DRAWS bootstrap resamples, float64 (DRAWS,), by the seed. `values` is not empty."""
    array = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(seed).integers(0, len(array), (DRAWS, len(array)))
    return np.sort(array[picks].mean(axis=1))


def middle(means: Float64s) -> tuple[float, float]:
    """The 95 % interval of resampled means: the percentiles around their middle."""
    return float(means[int(0.025 * DRAWS)]), float(means[int(0.975 * DRAWS) - 1])
