"""From a ranked query to the candidates and files of an answer, with their texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import compress, groupby
from typing import TYPE_CHECKING

import numpy as np

from daypack.engine.retrieval.retriever import Ranked
from daypack.engine.retrieval.snapshots import Snapshots
from daypack.index import facts
from daypack.index import vectors as vector_index
from daypack.index.rows import RecordText
from daypack.index.store import Store
from daypack.rank.candidates import CALIBRATION_POWER, to_candidates
from daypack.rank.order import rank_files
from daypack.text import logs
from daypack.types import Candidate, Chunk, Contribution, PieceKind, RankedFile, reference_of

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


def candidates_to_pack(
    store: Store,
    snapshots: Snapshots,
    ranked: Ranked,
    limit: int,
    condition: Filter | None,
    read: dict[int, RecordText],
) -> list[Candidate]:
    """The best results with their texts and their equals, and with the remarkable lines of the logs in scope. `read` as in
    `read_candidates`.
    """
    candidates = read_candidates(store, ranked, limit, read)
    candidates = _with_duplicates(store, snapshots, candidates, condition)
    return with_alerts(store, snapshots, candidates, condition, read)


def candidates_to_list(
    store: Store, snapshots: Snapshots, ranked: Ranked, limit: int, condition: Filter | None
) -> list[Candidate]:
    """The best results with their texts, and with the remarkable lines of the logs in scope. It reads more than `limit` results
    only where a filter or a log may reorder them.
    """
    read: dict[int, RecordText] = {}
    candidates = read_candidates(store, ranked, limit, read)
    if limit < DEPTH and (condition is not None or any(one.chunk.language == "log" for one in candidates)):
        candidates = read_candidates(store, ranked, DEPTH, read)
    return with_alerts(store, snapshots, candidates, condition, read)


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
# The most urgent lines have the best candidate's score and probability, or half of its probability where the
# query singles a place out; each further group has these shares of the one before (docs/decisions/006-constants.md).
ALERT, ALERT_PROBABILITY = 0.9, 0.43
SINGLED_OUT = 0.5
WORTH = 0.35  # of the best score, below which other lines of a log are left out
ALIKE = 0.9  # of the best score: the question does not tell such chunks apart
DEPTH = 40  # candidates that tell whether a question singles a line of a log out
ROUTINE = 0.5  # share of the score of routine lines of a log that a question does not tell apart


def with_alerts(
    store: Store,
    snapshots: Snapshots,
    candidates: list[Candidate],
    condition: Filter | None,
    read: dict[int, RecordText],
) -> list[Candidate]:
    """The candidates of a question that a filter holds to a few logs, with the remarkable lines of these logs, the most
    urgent first. The words of the question do not matter for them: people ask a log what went wrong. A failure that the
    words lead to keeps its place, a rare line only where they single it out, and the end of a log stays behind.

    Elsewhere and where nothing is singled out, routine lines are held back.
    """
    if condition is None:
        return routine_held_back(candidates)
    with store.reading() as db:
        snapshot = snapshots.current(vectors=False)
        records = sorted(set(snapshot.view.record_ids[snapshots.mask(db, snapshot, condition)].tolist()))
        if not 0 < len(records) <= MOST_LOGS or not (ids := facts.alerts_of_logs(db, records)):
            return routine_held_back(candidates)
        chunks = store.chunks(ids, read)
    best, second, *_ = [*sorted((one.score for one in candidates), reverse=True), 0.0, 0.0]
    singled_out = len(candidates) > 1 and second < ALIKE * best
    if not singled_out:
        candidates = routine_held_back(candidates)
    score = max((candidate.score for candidate in candidates), default=1.0)
    probability = SINGLED_OUT if singled_out else 1.0
    # Of a log a few lines fit any room: without a floor they would fill it.
    found = {one.chunk.id: one for one in candidates if one.score >= WORTH * score}
    place: dict[int, int] = {}
    telling = _by_urgency([*chunks.values()])
    enough = bool(candidates) or telling[0][0].severity < logs.Severity.RARE
    for urgency, chunk in telling:
        own = found.get(chunk.id)
        if own is None and urgency.severity >= logs.Severity.RARE and enough:
            continue  # rare lines and the end say something where nothing else does
        place[chunk.id] = len(place)
        placed = urgency.severity >= (logs.Severity.TAIL if singled_out else logs.Severity.RARE)
        if own is None or placed or own.probability < probability:
            # The worst has no signals: by those of the question the packer might leave it out, as far from it.
            parts = own.contributions if own is not None and place[chunk.id] else ()
            parts = (
                *parts,
                Contribution("alert", urgency.severity, score - sum(part.share for part in parts)),
            )
            found[chunk.id] = Candidate(chunk, score, probability, parts)
        score, probability = score * ALERT, probability * ALERT_PROBABILITY
    last = len(place)
    return sorted(
        found.values(), key=lambda one: (-one.score, -one.probability, place.get(one.chunk.id, last))
    )


def _by_urgency(chunks: Sequence[Chunk]) -> list[tuple[logs.Urgency, Chunk]]:
    """The remarkable chunks of logs, given log by log in their order, the most urgent first; of equals the earlier one."""
    found: list[tuple[logs.Urgency, Chunk]] = []
    for _, of_log in groupby(chunks, key=lambda chunk: chunk.record_id):
        group = [*of_log]
        found += zip(logs.urgencies([chunk.text for chunk in group]), group, strict=True)
    return sorted(found, key=lambda item: item[0])


def routine_held_back(candidates: list[Candidate]) -> list[Candidate]:
    """Candidates in order, with a part of the score of routine lines where the question fits several places of their log
    alike: it shares its words with each line that passed. A place that it singles out counts in full.
    """
    routine: dict[int, list[Candidate]] = {}
    for one in candidates:
        if one.chunk.language == "log" and one.chunk.kind is PieceKind.BLOCK:
            routine.setdefault(one.chunk.record_id, []).append(one)
    held: dict[int, Candidate] = {}
    for places in routine.values():
        scores = sorted((one.score for one in places), reverse=True)
        if len(scores) > 1 and scores[1] >= ALIKE * scores[0]:
            held |= {one.chunk.id: _held_back(one) for one in places}
    if not held:
        return candidates
    return sorted((held.get(one.chunk.id, one) for one in candidates), key=lambda one: -one.score)


def _held_back(candidate: Candidate) -> Candidate:
    """The candidate with ROUTINE of its score, the rest of which is taken by its prior."""
    before = [part for part in candidate.contributions if part.signal == "prior"]
    taken = Contribution(
        "prior",
        ROUTINE * (before[0].raw if before else 1.0),
        sum(part.share for part in before) - (1 - ROUTINE) * candidate.score,
    )
    return candidate._replace(
        score=ROUTINE * candidate.score,
        probability=ROUTINE**CALIBRATION_POWER * candidate.probability,
        contributions=(*(part for part in candidate.contributions if part.signal != "prior"), taken),
    )


def _with_duplicates(
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
