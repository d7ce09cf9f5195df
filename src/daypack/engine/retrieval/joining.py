"""Joining: documents whose titles the best hits of a pool name become candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from daypack.engine.retrieval.features import Evidence, features_of
from daypack.engine.retrieval.snapshots import Snapshot
from daypack.index import facts
from daypack.ports import Connection
from daypack.rank.blend import Features, Pool
from daypack.rank.nearness import Nearness
from daypack.rank.views import ChunkFlag
from daypack.types import Query
from daypack.types.arrays import Bools, Floats

MOST_JOINED = 32  # documents


class Joining(NamedTuple):
    """The chunks that may join a pool, and their nearness to its question."""

    mask: Bools
    nearness: Nearness | None


def joined(
    db: Connection, snapshot: Snapshot, query: Query, joining: Joining, pool: Pool, names: Sequence[str]
) -> Pool:
    """The pool with the best chunk of each document inside the mask of `joining` whose title is one of `names`.

    The values of a joined chunk are clipped to the range of the pool, so that no other candidate changes its score.
    """
    view = snapshot.view
    known = set(pool.features.record.tolist())
    ids = [record_id for record_id in facts.records_named(db, names) if record_id not in known]
    positions = view.positions_of(np.asarray(facts.chunks_of_records(db, ids), dtype=np.int64))
    positions = positions[positions >= 0]
    positions = positions[joining.mask[positions] & ~view.code[positions]]
    order = np.lexsort((positions, -snapshot.bm25.unit(pool.lexical, positions)))
    best = {int(view.record_ids[p]): int(p) for p in positions[order][::-1]}
    if not best:
        return pool
    new = np.asarray(sorted(best.values())[:MOST_JOINED], dtype=np.int64)
    evidence = Evidence(pool.lexical, joining.nearness)
    features, titles = features_of(db, snapshot, query, evidence, new)
    others = pool.features
    features = features._replace(
        unit=_within(features.unit, others.unit),
        context=_within(features.context, others.context),
        dense=_within(features.dense, others.dense),
        dense_context=_within(features.dense_context, others.dense_context),
    )
    positions = np.concatenate([pool.positions, new])
    order = np.argsort(positions, kind="stable")
    return pool._replace(
        positions=positions[order],
        chunk_ids=view.chunk_ids[positions[order]],
        imports=(view.flags[positions[order]] & ChunkFlag.IMPORTS) > 0,
        features=Features._make(
            np.concatenate([old, added])[order] for old, added in zip(pool.features, features, strict=True)
        ),
        titles={**pool.titles, **titles},
    )


def _within(values: Floats, others: Floats) -> Floats:
    """Values clipped to the range of the others; NaN when all others are."""
    return np.clip(values, np.fmin.reduce(others), np.fmax.reduce(others))
