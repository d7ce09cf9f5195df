"""From a ranked query to the candidates and files of an answer, with their texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import compress, zip_longest
from typing import TypeVar

import numpy as np

from daypack.engine.retrieval.retriever import Ranked
from daypack.engine.retrieval.snapshots import Snapshots
from daypack.engine.visibility import Visibility
from daypack.filters import Filter
from daypack.index import facts
from daypack.index import vectors as vector_index
from daypack.index.rows import RecordText
from daypack.index.store import Store
from daypack.rank.candidates import to_candidates
from daypack.rank.log_lines import routine_held_back, with_remarkable_lines
from daypack.rank.order import rank_files
from daypack.types import Candidate, Chunk, RankedFile
from daypack.types.arrays import Ints

Item = TypeVar("Item")
MOST_LOGS = 20  # in the scope of a question whose answer shows their remarkable lines
READ_TOGETHER = 1_024  # positions, whose records are counted before more are read
DEPTH = 40  # candidates that tell whether a question singles a line of a log out


def read_candidates(
    store: Store, ranked: Ranked, limit: int, record_texts: dict[int, RecordText] | None = None
) -> list[Candidate]:
    """The best candidates with their texts. `record_texts` receives the whole texts of their records, by record id."""
    if ranked.scored is None or ranked.empty_reason is not None:
        return []
    chunks = store.chunks(ranked.scored.chunk_ids[:limit].tolist(), record_texts)
    candidates = to_candidates(ranked.scored, chunks, limit)
    return (
        [one._replace(parts=ranked.parts.get(one.chunk.id, ())) for one in candidates]
        if ranked.parts
        else candidates
    )


def candidates_to_pack(
    store: Store,
    snapshots: Snapshots,
    ranked: Ranked,
    limit: int,
    condition: Filter | None,
    record_texts: dict[int, RecordText],
) -> list[Candidate]:
    """The candidates that a pack chooses from, each with the number of its copies; `record_texts` as in `read_candidates`."""
    candidates = read_candidates(store, ranked, limit, record_texts)
    candidates = _with_duplicates(store, snapshots, candidates, condition)
    return _with_log_lines(store, snapshots, candidates, condition, record_texts)


def candidates_to_list(
    store: Store, snapshots: Snapshots, ranked: Ranked, limit: int, condition: Filter | None
) -> list[Candidate]:
    """The candidates that a search lists: more than `limit` where a filter or a log may reorder them."""
    record_texts: dict[int, RecordText] = {}
    candidates = read_candidates(store, ranked, limit, record_texts)
    if limit < DEPTH and (
        condition is not None or any(candidate.chunk.language == "log" for candidate in candidates)
    ):
        candidates = read_candidates(store, ranked, DEPTH, record_texts)
    return _with_log_lines(store, snapshots, candidates, condition, record_texts)


def told_apart(store: Store, visibility: Visibility, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; the reference of one whose name another visible text has leads to its own text by the hash."""
    shared = _shared_names(store, visibility, (candidate.chunk.uri for candidate in candidates))
    return [
        candidate._replace(chunk=candidate.chunk._replace(shares_name=True))
        if candidate.chunk.uri in shared
        else candidate
        for candidate in candidates
    ]


def _shared_names(store: Store, visibility: Visibility, uris: Iterable[str]) -> set[str]:
    with store.reading() as db:
        several = facts.uris_of_several(db, uris, ("TRUE", []))  # seldom any, and the conditions take longer
        return several and facts.uris_of_several(db, several, visibility.visible(db))


def best_files(store: Store, visibility: Visibility, ranked: Ranked, limit: int) -> tuple[RankedFile, ...]:
    """The best files, each with the lines of its best chunk."""
    if ranked.pool is None or ranked.scored is None or ranked.empty_reason is not None:
        return ()
    best = rank_files(ranked.pool, ranked.scored, limit)
    places = store.places([chunk_id for chunk_id, _ in best])
    shared = _shared_names(store, visibility, (place.uri for place in places.values()))
    files = []
    for chunk_id, score in best:
        if (place := places.get(chunk_id)) is not None:
            told_by = place.record_hash if place.uri in shared else ""
            files.append(RankedFile(place.uri, score, place.reference(told_by), place.name))
    return tuple(files)


def in_turn(answers: Sequence[Sequence[Item]], key: Callable[[Item], Hashable]) -> list[Item]:
    """The items of several answers: the best of each, then the second of each, and so on; of equal keys the first."""
    if len(answers) == 1:
        return [*answers[0]]
    found: dict[Hashable, Item] = {}
    for row in zip_longest(*answers):
        for item in row:
            if item is not None:
                found.setdefault(key(item), item)
    return [*found.values()]


def _with_log_lines(
    store: Store,
    snapshots: Snapshots,
    candidates: list[Candidate],
    condition: Filter | None,
    record_texts: dict[int, RecordText],
) -> list[Candidate]:
    """The candidates, with the alert lines of the logs that pass the filter, when these are at most `MOST_LOGS`."""
    remarkable: list[Chunk] = []
    if condition is not None:
        with store.reading() as db:
            snapshot = snapshots.current(vectors=False)
            mask = snapshots.mask(db, snapshot, condition)
            if records := few_records(snapshot.view.record_ids, np.flatnonzero(mask)):
                remarkable = [*store.chunks(facts.alerts_of_logs(db, records), record_texts).values()]
    return with_remarkable_lines(candidates, remarkable) if remarkable else routine_held_back(candidates)


def few_records(record_ids: Ints, positions: Ints) -> list[int]:
    """The records of some positions, rising; none when they are more than `MOST_LOGS`."""
    found: set[int] = set()
    for first in range(0, len(positions), READ_TOGETHER):  # most filters pass too many at once
        found.update(record_ids[positions[first : first + READ_TOGETHER]].tolist())
        if len(found) > MOST_LOGS:
            return []
    return sorted(found)


def _with_duplicates(
    store: Store, snapshots: Snapshots, candidates: list[Candidate], condition: Filter | None
) -> list[Candidate]:
    """The candidates, the best one of each text with the number of its copies in scope that were not ranked."""
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
