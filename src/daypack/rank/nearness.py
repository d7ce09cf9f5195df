"""Nearness: cosines between one question and the chunks of a snapshot, from two tiers of vectors.

    counted chunks      the encoder's own vectors: exact
    all other chunks    the static table's vectors, on the encoder's scale: cosine ≈ intercept + slope · cosine of the table

Which chunks are counted depends on the question and on recorded states of the store, never on what a cache
happens to hold: so equal stores give equal answers, whatever was asked before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from daypack.rank.membership import distinct
from daypack.rank.top_k import Numbering, top_k
from daypack.rank.views import LexicalView, VectorView
from daypack.types.arrays import Bools, Floats, Ints


class StaticTier(NamedTuple):
    """The static table's vectors, the question in its space, and the line from its cosines to the encoder's."""

    vectors: VectorView
    query: Floats
    slope: float
    intercept: float

    def estimated(self, cosines: Floats) -> Floats:
        estimate: Floats = np.float32(self.intercept) + np.float32(self.slope) * cosines
        return estimate


class Nearness(NamedTuple):
    """The similarity of chunks to a question. `counted` is bool (positions,): whose encoder vector counts."""

    vectors: VectorView
    query: Floats
    counted: Bools
    static: StaticTier | None = None

    def counting(self, positions: Ints) -> Nearness:
        """The same with these chunks counted as well."""
        counted = self.counted.copy()
        counted[positions] = True
        return self._replace(counted=counted)

    def at(self, positions: Ints) -> Floats:
        """Cosine of each position; NaN where no tier has a vector that counts."""
        counted = self.counted[positions]
        exact = self.vectors.at(positions[counted], self.query)
        counted[counted] = ~np.isnan(exact)
        exact = exact[~np.isnan(exact)]
        if self.static is None or counted.all():
            cosines = np.full(len(positions), np.nan, dtype=np.float32)
        else:  # of all positions, as before: what was widened for a pool serves until its last comparison
            cosines = self.static.estimated(self.static.vectors.at(positions, self.static.query))
        cosines[counted] = exact
        return cosines

    def nearest(self, depth: int, mask: Bools, numbers_of: Numbering = np.asarray) -> Ints:
        """Positions of the nearest chunks inside the mask, nearest first; ties by the `numbers_of` the positions."""
        every = bool(self.counted.all())
        exact = mask if every else mask & self.counted
        positions, cosines = self.vectors.similarities(self.query, exact)
        if self.static is not None and not every:
            more, static_cosines = self.static.vectors.similarities(
                self.static.query, self.vectors.left(mask, self.counted)
            )
            positions = np.concatenate([positions, more])
            cosines = np.concatenate([cosines, self.static.estimated(static_cosines)])
        return top_k(cosines, positions, depth, numbers_of)

    def in_context(self, view: LexicalView, positions: Ints) -> tuple[Floats, Floats]:
        """(own, context) cosines; NaN where a chunk has no vector that counts. Context is the mean over the chunk and
        its neighbours.

        The encoder pools by the mean, so the mean of three vectors stands for the vector of the three texts read
        together, and needs no second embedding of every text.
        """
        near = np.full((3, len(positions)), np.nan, dtype=np.float32)
        around = (positions, *view.neighbours(positions))
        there = np.stack(
            [np.ones(len(positions), dtype=bool), around[1] != positions, around[2] != positions]
        )
        wanted = np.stack(around)[there]
        each = distinct(wanted)  # most neighbours are in the pool themselves
        near[there] = self.at(each)[each.searchsorted(wanted)]
        own = near[0]
        known = ~np.isnan(near)
        context = np.where(known, near, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return own, np.where(np.isnan(own), np.nan, context).astype(np.float32)
