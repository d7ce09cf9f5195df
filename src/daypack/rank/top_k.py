"""The few highest of many values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from daypack.types.arrays import Array, Bools, Floats, Ints

Numbering = Callable[[Ints], Ints]
_WIDTH = 64  # values of which only the highest is checked first


def top_k(values: Array, names: Ints, depth: int, numbers_of: Numbering = np.asarray) -> Ints:
    """The names of the `depth` highest values, highest first; of equal ones that with the lowest of the `numbers_of` the names.

    All names when there are no more.
    """
    if 0 < depth < len(values):
        chosen = np.flatnonzero(values >= kth_value(values, depth))
        values, names = values[chosen], names[chosen]
    highest: Ints = names[np.lexsort((numbers_of(names), -values))]
    return highest[:depth]


def kth_value(values: Array, depth: int) -> Any:
    """The value at `depth`, from 1 to their number, when the highest comes first."""
    stretches = len(values) // _WIDTH
    if stretches > depth:
        # The highest of each stretch are values as well, so the one at `depth` among them is a lower bound of
        # the result. Few values reach it, and finding them takes a tenth of the time that a partition of all
        # takes.
        peaks = values[: stretches * _WIDTH].reshape(stretches, _WIDTH).max(axis=1)
        values = values[values >= kth_value(peaks, depth)]
    return np.partition(values, len(values) - depth)[len(values) - depth]


def best_positions(scores: Floats, positions: Ints, depth: int, numbers_of: Numbering) -> Ints:
    """The positions of the highest positive scores, best first; ties by the `numbers_of` the positions."""
    positive = scores > 0
    scores, positions = scores[positive], positions[positive]
    if len(positions) > depth:
        kept = _without_crowd(scores, positions, depth, numbers_of)
        scores, positions = scores[kept], positions[kept]
    return top_k(scores, positions, depth, numbers_of)


def _without_crowd(scores: Floats, positions: Ints, depth: int, numbers_of: Numbering) -> Bools:
    """False for the mass of one score.

    Thousands of copies of one text score alike and would fill the pool by themselves.
    """
    keep = np.ones(len(scores), dtype=bool)
    for crowd in crowds(scores, depth):
        alike = np.flatnonzero(scores == crowd)
        order = np.argsort(numbers_of(positions[alike]), kind="stable")
        keep[alike[order[depth // 4 :]]] = False
    return keep


def crowds(values: Floats, depth: int) -> Floats:
    """The values that more than half of the `depth` highest have."""
    best = np.sort(values[values >= kth_value(values, depth)])[-depth:]
    distinct, sizes = np.unique(best, return_counts=True)
    return distinct[sizes > depth // 2]
