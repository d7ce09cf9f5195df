"""Means over queries with bootstrap intervals, and paired differences of two systems.

Queries are resampled 1,000 times with a fixed seed; an interval holds the middle 95 % of the resampled means (percentiles).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from daypack.evaluate.measures import middle, resampled

SEED = 7


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` queries and its 95 % interval."""

    mean: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class Difference:
    """First system minus second over the queries that both have. `p` is two-sided: how often a resampled mean lies beyond zero."""

    estimate: Estimate
    p: float


def estimate(values: Sequence[float]) -> Estimate | None:
    """Mean and interval; None of nothing, for a mean over no query is no number."""
    if not values:
        return None
    return Estimate(float(np.mean(values)), *middle(resampled(values, seed=SEED)), len(values))


def difference(first: Mapping[str, float], second: Mapping[str, float]) -> Difference | None:
    """Paired over the keys that both have, None without any."""
    values = [first[query] - second[query] for query in first if query in second]
    found = estimate(values)
    if found is None:
        return None
    means = resampled(values, seed=SEED)
    beyond = min(float((means <= 0).mean()), float((means >= 0).mean()))
    return Difference(found, min(1.0, 2 * beyond))


def by_measure(rows: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    """Rows of one query each → the values of each measure."""
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return columns


def differences(first: Mapping[str, Mapping[str, float]], second: Mapping[str, Mapping[str, float]]) -> dict[str, Difference]:
    """Measure → paired difference, for rows by query of two systems."""
    found = {}
    for name in by_measure(first.values()):
        one, other = ({query: row[name] for query, row in rows.items() if name in row} for rows in (first, second))
        if (paired := difference(one, other)) is not None:
            found[name] = paired
    return found


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What comes of choosing among settings: the value of each query under the setting that was best on the other folds."""

    values: Mapping[str, float]
    chosen: Mapping[str, int]  # setting → folds that chose it


def held_out(settings: Mapping[str, Mapping[str, float]], folds: int) -> HeldOut:
    """Choose among settings (name → query → value) by cross-validation over the queries that all of them have.

    Queries are dealt into folds in an order drawn with a fixed seed; of equally good settings the first is chosen. The mean of the values
    is what choosing is worth on queries that were not looked at. Raises ValueError without a fold to choose on and one to look at.
    """
    queries = sorted(set.intersection(*(set(rows) for rows in settings.values()))) if settings else []
    if not 2 <= folds <= len(queries):
        raise ValueError(f"{folds} folds of {len(queries)} queries; at least two folds, and a query in each")
    dealt = np.random.default_rng(SEED).permutation(len(queries)) % folds
    values: dict[str, float] = {}
    chosen = dict.fromkeys(settings, 0)
    for fold in range(folds):
        rest = [query for query, at in zip(queries, dealt, strict=True) if at != fold]
        best = max(settings, key=lambda name: float(np.mean([settings[name][query] for query in rest])))
        chosen[best] += 1
        values |= {query: settings[best][query] for query, at in zip(queries, dealt, strict=True) if at == fold}
    return HeldOut(values, chosen)
