"""From a ranked query to the candidates and files of an answer, with their texts."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from daypack.engine.retrieval.retriever import Ranked
from daypack.engine.retrieval.snapshots import Snapshots
from daypack.index import facts
from daypack.index import vectors as vector_index
from daypack.index.rows import RecordText
from daypack.index.store import Store
from daypack.rank.candidates import to_candidates
from daypack.rank.order import rank_files
from daypack.text import logs
from daypack.types import Candidate, PieceKind, RankedFile, reference_of

if TYPE_CHECKING:
    from daypack.filters import Filter


def read_candidates(
    store: Store, ranked: Ranked, limit: int, read: dict[int, RecordText] | None = None
) -> list[Candidate]:
    """The best results with their texts. `read` receives the whole texts that they are parts of, by
    record.
    """
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


MOST_LOGS = 20  # records in the scope of a question
# The most remarkable lines have the best candidate's score and probability, or half of its probability where the
# query singles a place out; each further group has this share of the one before.
ALERT = 0.9
SINGLED_OUT = 0.5
WORTH = 0.35  # of the best score, below which other lines of a log are left out


def with_alerts(
    store: Store,
    snapshots: Snapshots,
    candidates: list[Candidate],
    condition: Filter | None,
    read: dict[int, RecordText] | None = None,
) -> list[Candidate]:
    """The candidates of a question that a filter holds to a few logs, with the remarkable lines of these logs. The words
    of the question do not matter for them: people ask a log what went wrong.
    """
    if condition is None:
        return candidates
    with store.reading() as db:
        snapshot = snapshots.current(vectors=False)
        records = sorted(set(snapshot.view.record_ids[snapshots.mask(db, snapshot, condition)].tolist()))
        if not 0 < len(records) <= MOST_LOGS or not (ids := facts.alerts_of_logs(db, records)):
            return candidates
        chunks = store.chunks(ids, read)
    telling = [
        (min(map(logs.severity, chunk.text.split("\n"))), n, chunk) for n, chunk in enumerate(chunks.values())
    ]
    worst = min(telling)[0]
    least = logs.Severity.MENTION if worst <= logs.Severity.MENTION else logs.Severity.RARE
    if candidates or worst <= logs.Severity.RARE:  # the end of a log says something where nothing else does
        telling = [item for item in telling if item[0] <= least]
    score = max((candidate.score for candidate in candidates), default=1.0)
    others = sorted((candidate.score for candidate in candidates), reverse=True)[1:2]
    probability = SINGLED_OUT if others and others[0] < ALERT * score else 1.0
    # Of a log a few lines fit any room: without a floor they would fill it.
    found = {one.chunk.id: one for one in candidates if one.score >= WORTH * score}
    for _, _, chunk in sorted(telling):
        own = found.get(chunk.id)
        if own is None or own.probability < probability:
            parts = own.contributions if own is not None else ()
            found[chunk.id] = Candidate(chunk, max(score, own.score if own else 0.0), probability, parts)
        score, probability = score * ALERT, probability * ALERT
    return sorted(
        found.values(), key=lambda candidate: (-candidate.score, candidate.chunk.kind is not PieceKind.ALERT)
    )


def with_duplicates(
    store: Store, snapshots: Snapshots, candidates: list[Candidate], condition: Filter | None
) -> list[Candidate]:
    """Candidates with their equal chunks beyond the pool: the best chunk of each text stands for the
    copies that were not ranked.
    """
    with store.reading() as db:
        snapshot = snapshots.current(vectors=False)
        mask = snapshots.mask(db, snapshot, condition)
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
