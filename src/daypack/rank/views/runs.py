"""Runs: the positions of a key, such as a record or a section. Equal keys are mostly neighbours, so a key has few runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from daypack.types.arrays import Ints


class Runs(NamedTuple):
    """The runs of a range of positions: their ascending keys, and the start and end of each."""

    keys: Ints
    starts: Ints
    ends: Ints

    def members(self, wanted: Ints) -> tuple[Ints, Ints]:
        """(positions with one of the wanted keys, index of that key in `wanted`), by key, then by position. `wanted` must be
        ascending, without repetitions.
        """
        first = np.searchsorted(self.keys, wanted, side="left")
        last = np.searchsorted(self.keys, wanted, side="right")
        runs = ranges(first, last)
        starts, ends = self.starts[runs], self.ends[runs]
        number = np.repeat(np.arange(len(wanted)), last - first)
        return ranges(starts, ends), np.repeat(number, ends - starts)


class Stretches(NamedTuple):
    """The runs of all positions: those of the fold, if any, and those of the positions after it."""

    parts: tuple[Runs, ...]

    def members(self, wanted: Ints) -> tuple[Ints, Ints]:
        """As `Runs.members`."""
        found = [part.members(wanted) for part in self.parts]
        if len(found) == 1 or not any(len(positions) for positions, _ in found[1:]):
            return found[0]
        positions, number = (np.concatenate(columns) for columns in zip(*found, strict=True))
        order = np.argsort(number, kind="stable")
        return positions[order], number[order]


def runs_of(keys: Ints, first: int = 0) -> Runs:
    """The runs of `keys`, which are those of the positions from `first` on."""
    begins = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(keys))
    of_run = keys[starts]
    order = np.argsort(of_run, kind="stable")
    return Runs(of_run[order], starts[order] + first, ends[order] + first)


def ranges(starts: Ints, ends: Ints) -> Ints:
    """The numbers of all half-open ranges, one range after another: starts (3, 0) and ends (5, 1) give 3 4 0."""
    sizes = ends - starts
    before = np.cumsum(sizes) - sizes
    found: Ints = np.repeat(starts - before, sizes) + np.arange(sizes.sum())
    return found
