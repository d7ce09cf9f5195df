"""Ranked candidates as a story: those worth telling, in the order of time."""

from __future__ import annotations

from collections.abc import Sequence

from daypack.types import Candidate

WORTH = 0.5  # of the best score: a candidate below it is shown only in spare room. guess
POOL = 60  # ranked candidates to consider


def chronological(candidates: Sequence[Candidate], limit: int) -> tuple[list[Candidate], list[Candidate]]:
    """(at most `limit` candidates, oldest first; those worth telling that were cut, oldest first).

    Of too many, the best answer stays, and the newest of the others. Candidates without a time come first.
    """
    best = candidates[0].score if candidates else 0.0
    worth = [candidate for candidate in candidates if candidate.score >= WORTH * best]
    if len(worth) <= limit:
        return sorted(candidates[:limit], key=_moment), []
    newest = sorted(worth[1:], key=_moment)
    keep = limit - 1 if limit else 0
    told = [*worth[: min(1, limit)], *newest[len(newest) - keep :]]
    return sorted(told, key=_moment), newest[: len(newest) - keep]


def _moment(candidate: Candidate) -> tuple[float, str, int]:
    chunk = candidate.chunk
    return (chunk.time if chunk.time is not None else float("-inf"), chunk.uri, chunk.ordinal)
