"""Meaning: the vector of a question, and its nearness to the chunks of a snapshot.

The static table has a vector for every chunk, and the encoder for every chunk of a complete place: these count for every
question. Missing vectors of the encoder are made for the best few candidates, and kept. So stored vectors make an answer
faster, and never change it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from daypack.engine.embedding import Embedding
from daypack.engine.retrieval.snapshots import Snapshot, Snapshots
from daypack.errors import ModelError
from daypack.filters import Filter
from daypack.index.store import Store
from daypack.rank.nearness import Nearness, StaticTier
from daypack.types import Query, VectorMode
from daypack.types.arrays import Floats


class Meaning(NamedTuple):
    """The vector of a question; None where words alone answer."""

    vector: Floats | None
    degraded: tuple[str, ...] = ()  # the reason, where the caller wanted a vector


def meaning_of(
    query: Query,
    mode: VectorMode,
    condition: Filter | None,
    store: Store,
    snapshots: Snapshots,
    embedding: Embedding,
) -> Meaning:
    """The vector of a query. It loads the vectors of the store; in mode ALL it first makes every missing one inside the
    filter.
    """
    if mode is VectorMode.NONE or not query.dense_text.strip():
        return Meaning(None)
    try:
        if query.language and is_calibrated(embedding.model.model_id):
            return Meaning(None)  # the packaged model reads English alone, and would only add noise
        vector = embedding.question_vector(query.dense_text)
        if not vector.any():
            return Meaning(None)
        with store.reading() as db:
            snapshot = snapshots.current(vectors=True)
            tiers, lacking = snapshot.vectors, np.empty(0, dtype=np.int64)
            if mode is VectorMode.ALL and snapshot.count_without_vector():
                wanted = snapshot.without_vector() & snapshots.mask(db, snapshot, condition)
                lacking = snapshot.view.chunk_ids[wanted]
        if len(lacking) and store.is_reading:  # in a transaction that cannot keep them
            assert tiers is not None
            degraded = embedding.fill_chunks(tiers.encoder, snapshot.view, lacking).degraded
            if degraded:  # texts without a vector would rank below all others
                return Meaning(None, degraded)
        elif len(lacking):
            embedding.fill(lacking.tolist())
    except ModelError as error:  # the lexical arm still answers, and reports that it was alone
        return Meaning(None, (f"vectors: {error}",))
    return Meaning(vector)


def is_calibrated(embedder: str) -> bool:
    """True for the model whose cosines the constants of the ranking were measured with."""
    return embedder.startswith("minilm-")


def nearness_of(vector: Floats, mode: VectorMode, snapshot: Snapshot, embedding: Embedding) -> Nearness:
    """The nearness of a snapshot's chunks to a question, by the vectors that count in this mode."""
    tiers = snapshot.vectors
    assert tiers is not None
    if mode is VectorMode.ALL:
        return Nearness(tiers.encoder, vector, np.ones(len(snapshot.view), dtype=bool))
    static = None
    if tiers.static is not None and (table := embedding.static) is not None:
        static = StaticTier(tiers.static, table.project(vector), *table.line)
    return Nearness(tiers.encoder, vector, tiers.counted, static)
