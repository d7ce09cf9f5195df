"""From a ranked query to the candidates and files of an answer, with their texts."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from daypack.engine.query import Ranked, Retriever
from daypack.index import vectors as vector_index
from daypack.index.rows import RecordText
from daypack.index.store import Store
from daypack.rank.blend import rank_files
from daypack.rank.candidates import to_candidates
from daypack.types import Candidate, RankedFile, reference_of

if TYPE_CHECKING:
    from daypack.filters import Filter


def read_candidates(
    store: Store, ranked: Ranked, limit: int, read: dict[int, RecordText] | None = None
) -> list[Candidate]:
    """The best results with their texts. `read` receives the whole texts around them, by record."""
    if ranked.scored is None or ranked.empty_reason is not None:
        return []
    chunks = store.chunks(ranked.scored.chunk_ids[:limit].tolist(), read)
    return to_candidates(ranked.scored, chunks, limit)


def best_files(store: Store, ranked: Ranked, limit: int) -> tuple[RankedFile, ...]:
    """The best files, each at the place of its best chunk."""
    if ranked.pool is None or ranked.scored is None or ranked.empty_reason is not None:
        return ()
    found = rank_files(ranked.pool, ranked.scored, limit)
    places = store.places([chunk_id for chunk_id, _ in found])
    return tuple(
        RankedFile(place.uri, score, reference_of(place.uri, place.start_line, place.end_line), place.name)
        for chunk_id, score in found
        if (place := places.get(chunk_id)) is not None
    )


def with_duplicates(
    retriever: Retriever, candidates: list[Candidate], condition: Filter | None
) -> list[Candidate]:
    """Candidates with equal chunks beyond the pool: the best of a text stands for unranked copies."""
    with retriever.store.reading() as db:
        snapshot = retriever.snapshot(vectors=False)
        mask = retriever.mask(db, snapshot, condition)
        first_of = vector_index.duplicates_of(db, [candidate.chunk.id for candidate in candidates])
        if len(first_of) == len(candidates):  # each chunk only duplicates itself
            return candidates
    positions = snapshot.view.positions_of(np.asarray(list(first_of), dtype=np.int64))
    inside = (positions >= 0) & mask[positions]
    counts = Counter(compress(first_of.values(), inside.tolist()))
    counts.subtract(Counter(first_of.get(candidate.chunk.id, 0) for candidate in candidates))
    return [
        candidate._replace(duplicates=beyond)
        if (beyond := counts.pop(first_of.get(candidate.chunk.id, 0), 0)) > 0
        else candidate
        for candidate in candidates
    ]
