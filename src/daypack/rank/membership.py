"""Membership of many values in a set of others."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from daypack.types.arrays import Bools, Ints

_WIDEST = (
    8  # range of the wanted values, over their number and that of the values, up to which a table of it pays
)


def distinct(values: Ints) -> Ints:
    """The different values, rising. As `np.unique`, which imports numpy.ma the first time."""
    ordered = np.sort(values, kind="stable")  # which merges runs that rise already
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


def is_in(values: Ints, wanted: Collection[int] | Ints) -> Bools:
    """bool (values,): which of the values are among the wanted ones.

    As `np.isin`, which imports numpy.ma the first time: 20 ms of a cold question.
    """
    if not len(wanted) or not len(values):
        return np.zeros(len(values), dtype=bool)
    chosen = (
        wanted.astype(np.int64)
        if isinstance(wanted, np.ndarray)
        else np.fromiter(wanted, dtype=np.int64, count=len(wanted))
    )
    low, high = int(chosen.min()), int(chosen.max())
    if high - low < _WIDEST * (len(values) + len(chosen)):
        table = np.zeros(high - low + 1, dtype=bool)
        table[chosen - low] = True
        inside: Bools = (values >= low) & (values <= high)
        inside[inside] = table[values[inside] - low]
        return inside
    chosen.sort()
    is_wanted: Bools = chosen[np.minimum(np.searchsorted(chosen, values), len(chosen) - 1)] == values
    return is_wanted
