"""The order of time: ranked candidates as a story, and the events of a time by their importance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from daypack.types import Candidate
from daypack.types.arrays import Floats

WORTH = 0.5  # of the best score: a candidate below it is shown only in spare room. guess
POOL = 60  # ranked candidates to consider
# The cost of a step of importance, of which there are five, and of the oldest event's age, as shares of the best score: no
# age outweighs a step, and the least important event still has a chance where there is room. guess
STEP, AGE = 0.04, 0.03
FADE = 0.9  # the score of the second newest event, where the newest is asked for: a pack shows the last ten or so. guess


def chronological(candidates: Sequence[Candidate], limit: int) -> tuple[list[Candidate], list[Candidate]]:
    """(at most `limit` candidates, oldest first; the candidates worth showing that were cut, oldest first).

    If there are too many, the best one and the newest of the others stay. Candidates without a time come first.
    """
    best = candidates[0].score if candidates else 0.0
    worth = [candidate for candidate in candidates if candidate.score >= WORTH * best]
    if len(worth) <= limit:
        return sorted(candidates[:limit], key=_moment), []
    newest = sorted(worth[1:], key=_moment)
    keep = limit - 1 if limit else 0
    shown = [*worth[: min(1, limit)], *newest[len(newest) - keep :]]
    return sorted(shown, key=_moment), newest[: len(newest) - keep]


def event_scores(importance: Sequence[int], times: Sequence[float]) -> Floats:
    """Scores of events by importance (1 most, 5 least), then by age; 1 for the newest of the most important."""
    moments = np.asarray(times, dtype=np.float64)
    ages = moments.max(initial=0.0) - moments
    shares = ages / max(float(ages.max(initial=0.0)), 1.0)
    steps = np.asarray(importance, dtype=np.float64) - 1
    scores: Floats = (1 - STEP * steps - AGE * shares).astype(np.float32)
    return scores


def newest_scores(importance: Sequence[int], times: Sequence[float]) -> Floats:
    """Scores of events by age, 1 for the newest; of events of one moment the more important, then the later in the list is newer."""
    places = np.arange(len(times))
    order = np.lexsort((-places, np.asarray(importance), -np.asarray(times, dtype=np.float64)))
    scores = np.empty(len(times), dtype=np.float32)
    scores[order] = FADE**places
    return scores


def scores_of_state(records: Sequence[int], first: Sequence[int]) -> Floats:
    """Scores of the records that come first, above those of all other events; 0 for these."""
    values = {record_id: 1 + STEP * (1 - place / len(first)) for place, record_id in enumerate(first)}
    return np.asarray([values.get(record_id, 0.0) for record_id in records], dtype=np.float32)


def _moment(candidate: Candidate) -> tuple[float, str, int]:
    chunk = candidate.chunk
    return (chunk.time if chunk.time is not None else float("-inf"), chunk.uri, chunk.ordinal)
