"""Rescoring: the encoder reads the best chunks of a pool, and its vectors correct the estimates for all others.

    room    the word pieces that the encoder may read for a question, so that more of short chunks are read
    rounds  the first score chooses what half of the room is spent on, the corrected score chooses the rest

The chunks that are read depend on the store and the question alone, not on the vectors that happen to be stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from daypack.engine.embedding import Embedding
from daypack.engine.retrieval.snapshots import Snapshot
from daypack.rank.blend import Pool
from daypack.rank.nearness import Nearness, StaticTier
from daypack.rank.views import LexicalView
from daypack.types.arrays import Float64s, Floats, Ints

ROUNDS = 2
MOST_READ = 64  # chunks of a question
# Word pieces of a chunk for each of its indexed words: measured, and right within a fifth. A symbol is cut earlier.
PIECES_OF_WORD = 1.25
PIECES_OF_WORD_CODE = 2.0
LONGEST, LONGEST_SYMBOL = 256, 144
ASIDE = 8  # titles and special tokens
RUN = 8  # word pieces; starting the encoder for a chunk costs as much
STIFFNESS = 1.0  # the regularisation of the regression; .5 to 2 is flat
SHARED = (
    1.0  # the covariance of the residuals of unlike chunks, added to that by their cosine; .3 to 1 is flat
)


class Rescored(NamedTuple):
    """The pool and the nearness of a question after the encoder read its best chunks."""

    pool: Pool
    nearness: Nearness
    texts: int  # vectors that were made
    commits: int  # each raised the store's `vec_seq` by one
    degraded: tuple[str, ...]


def rescored(
    pool: Pool,
    nearness: Nearness,
    snapshot: Snapshot,
    embedding: Embedding,
    order_of: Callable[[Pool], Ints],
    room: int,
) -> Rescored:
    """The pool after the encoder read its best chunks that have no vector that counts, at most `room` word pieces of them.

    `order_of` gives the rows of a pool, best first.
    """
    view, table = snapshot.view, nearness.static
    read = np.empty(0, dtype=np.int64)
    spent, texts, commits = 0.0, 0, 0
    for number in range(1, ROUNDS + 1):
        share = number / ROUNDS
        best = pool.positions[order_of(pool)]
        best = best[~nearness.counted[best]][: int(MOST_READ * share) - len(read)]
        costs = np.cumsum(cost_of(view, best)) + spent
        best = best[costs <= room * share]
        if not len(best):
            break
        spent = float(costs[len(best) - 1])
        made = embedding.fill_chunks(nearness.vectors, view, view.chunk_ids[best])
        texts, commits = texts + made.texts, commits + made.commits
        read = np.concatenate([read, best])
        nearness = nearness.counting(best)
        if table is not None:
            exact = nearness.vectors.at(read, nearness.query)
            nearness = nearness._replace(static=corrected(table, read, exact))
        own, context = nearness.in_context(view, pool.positions)
        pool = pool._replace(features=pool.features._replace(dense=own, dense_context=context))
        if made.degraded:
            return Rescored(pool, nearness, texts, commits, made.degraded)
    return Rescored(pool, nearness, texts, commits, ())


def cost_of(view: LexicalView, positions: Ints) -> Float64s:
    """The cost of reading each chunk, in word pieces, float64 (n,)."""
    words, names = view.lengths[positions, 0].astype(np.float64), view.lengths[positions, 1]
    code = view.code[positions]
    pieces = np.where(code, PIECES_OF_WORD_CODE, PIECES_OF_WORD) * words + ASIDE
    cost: Float64s = np.minimum(np.where(code & (names > 0), LONGEST_SYMBOL, LONGEST), pieces) + RUN
    return cost


def corrected(tier: StaticTier, positions: Ints, exact: Floats) -> StaticTier:
    """The static tier, corrected by the `exact` cosines of the encoder for these chunks, float32 (n,), NaN for none.

    Its estimates for these chunks are off by residuals, and those for similar chunks by similar residuals. So ridge
    regression of the residuals on the vectors of the chunks and a constant moves its vector of the question and its line.
    """
    rows = tier.vectors.row_of[positions]
    known = ~np.isnan(exact) & (rows >= 0)
    if not known.any():
        return tier
    rows = rows[known]
    texts = tier.vectors.codes[rows].astype(np.float64) * tier.vectors.scales[rows][:, None]
    # By inner products of rows: BLAS would wake threads for products of matrices.
    residuals = exact[known] - (tier.intercept + tier.slope * np.vecdot(texts, tier.query))
    alike = np.vecdot(texts[:, None], texts[None]) + SHARED
    shares = np.linalg.solve(alike + STIFFNESS * np.eye(len(texts)), residuals)
    moved = np.vecdot(np.ascontiguousarray(texts.T), shares) / tier.slope
    return tier._replace(
        query=(tier.query + moved).astype(np.float32), intercept=float(tier.intercept + SHARED * shares.sum())
    )
