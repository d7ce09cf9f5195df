"""The few highest of many values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def highest(values: NDArray[Any], depth: int) -> NDArray[np.int64]:
    """Where the `depth` highest values stand, highest first; of equal ones the first. All of them when there are no more.

    By a partition of the values: `argpartition` takes twice the time, and leaves open which of equal ones it gives.
    """
    if len(values) > depth:
        threshold = np.partition(values, len(values) - depth)[len(values) - depth]
        above = np.flatnonzero(values > threshold)
        where = np.concatenate([above, np.flatnonzero(values == threshold)[: depth - len(above)]])
    else:
        where = np.arange(len(values))
    order: NDArray[np.int64] = where[np.lexsort((where, -values[where]))]
    return order
