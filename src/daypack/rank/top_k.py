"""The few highest of many values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WIDTH = 64  # values of which only the highest is checked first


def top_k(values: NDArray[Any], names: NDArray[np.int64], depth: int) -> NDArray[np.int64]:
    """The names of the `depth` highest values, highest first; of equal ones the lowest name.

    All names when there are no more.
    """
    if 0 < depth < len(values):
        chosen = np.flatnonzero(values >= kth_value(values, depth))
        values, names = values[chosen], names[chosen]
    highest: NDArray[np.int64] = names[np.lexsort((names, -values))]
    return highest[:depth]


def kth_value(values: NDArray[Any], depth: int) -> Any:
    """The value at `depth`, from 1 to their number, when the highest comes first."""
    stretches = len(values) // _WIDTH
    if stretches > depth:
        # The highest of each stretch are values as well, so the one at `depth` among them is a lower bound of
        # the result. Few values reach it, and finding them takes a tenth of the time that a partition of all
        # takes.
        peaks = values[: stretches * _WIDTH].reshape(stretches, _WIDTH).max(axis=1)
        values = values[values >= kth_value(peaks, depth)]
    return np.partition(values, len(values) - depth)[len(values) - depth]


def best_positions(scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions of the highest positive scores, best first; ties by position."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > depth:
        positive = _without_crowd(positive, scores, depth)
    return top_k(scores[positive], positive, depth)


def _without_crowd(positive: NDArray[np.int64], scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions without the mass of one score.

    Thousands of copies of one text score alike and would fill the pool by themselves.
    """
    values = scores[positive]
    for crowd in crowds(values, depth):
        alike = np.flatnonzero(values == crowd)
        keep = np.ones(len(values), dtype=bool)
        keep[alike[depth // 4 :]] = False
        positive, values = positive[keep], values[keep]
    return positive


def crowds(values: NDArray[np.float32], depth: int) -> NDArray[np.float32]:
    """The values that more than half of the `depth` highest have."""
    best = np.sort(values[values >= kth_value(values, depth)])[-depth:]
    distinct, sizes = np.unique(best, return_counts=True)
    return distinct[sizes > depth // 2]
