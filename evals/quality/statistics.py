"""Measures of many queries as columns, and the paired differences of two systems in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from daypack.evaluate.choosing import Difference, difference


def by_measure(rows: Iterable[Mapping[str, float]]) -> dict[str, list[float]]:
    """Rows of one query each → the values of each measure."""
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return columns


def differences(
    first: Mapping[str, Mapping[str, float]], second: Mapping[str, Mapping[str, float]]
) -> dict[str, Difference]:
    """Measure → paired difference, for rows by query of two systems."""
    found = {}
    for name in by_measure(first.values()):
        one, other = (
            {query: row[name] for query, row in rows.items() if name in row} for rows in (first, second)
        )
        if (paired := difference(one, other)) is not None:
            found[name] = paired
    return found
