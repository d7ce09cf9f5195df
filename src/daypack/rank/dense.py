"""The dense arm: cosine of the query's vector with every vector there is.

Exact, no graph: filters stay exact too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.top_k import top_k
from daypack.rank.views import LexicalView, VectorView

if TYPE_CHECKING:
    from numpy.typing import NDArray


def nearest(
    vectors: VectorView, query: NDArray[np.float32], *, depth: int, mask: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Positions of the nearest chunks inside the mask, nearest first."""
    positions, cosines = vectors.similarities(query, mask)
    return top_k(cosines, positions, depth)


def similarities_in_context(
    vectors: VectorView, view: LexicalView, positions: NDArray[np.int64], query: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(own, context) cosines; NaN where the chunk has no vector. Context is the mean over the chunk and its
    neighbours.

    The encoder pools by the mean, so the mean of three vectors stands for the vector of the three texts read
    together, and needs no second embedding of every text.
    """
    own = vectors.at(positions, query)
    near = np.full((3, len(positions)), np.nan, dtype=np.float32)
    near[0] = own
    for place, neighbours in enumerate((view.previous[positions], view.following[positions]), 1):
        inner = neighbours != positions
        near[place, inner] = vectors.at(neighbours[inner], query)
    known = ~np.isnan(near)
    context = np.where(known, near, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return own, np.where(np.isnan(own), np.nan, context).astype(np.float32)
