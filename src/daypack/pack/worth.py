"""Worth: the hits of an answer that have a chance of being wanted.

    every hit   at least .35 of the best score; .2 in a ranking by words alone
    a text      also: nearly as near as the nearest (.7 of its cosine, and at least .2), or with the words of the question
                (.4 of the best BM25), or named by the question; turns and code need no such reason

Scores are relative to the pool, and the weakest hit of a few scores 0, so a score leaves none of fewer than 30 hits out.
A pack has a higher floor for texts (`daypack.pack.sifting`).
"""

from __future__ import annotations

from collections.abc import Sequence

from daypack.types import Candidate, RecordKind

# Of the best score, with vectors and by words alone; of the best cosine; of the best BM25.
FLOOR, LOW_FLOOR = 0.35, 0.2
AS_NEAR, AS_GOOD = 0.7, 0.4
# A cosine below it is noise, above all for texts in a language that the model does not read: half a of the everyday world
# loses answers from .27 on, and none at .2.
NEAR_AT_ALL = 0.2
FEWEST = 30  # candidates; the weakest of fewer scores 0 and may still be relevant
DEPTH = 40  # candidates that show how the best of a pool score
BY_WORDS = frozenset({"bm25", "bm25_context"})  # of a chunk by itself, and with its frame
BY_NAME = frozenset({"author", "exact", "link", "name", "path", "symbol", "trace"})


def worth_showing(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with a chance of being wanted, in their order; the best one always is."""
    best = max((candidate.score for candidate in candidates), default=0.0)
    by_meaning = any(part.signal == "dense" for candidate in candidates for part in candidate.contributions)
    least = (FLOOR if by_meaning else LOW_FLOOR) * best if len(candidates) >= FEWEST else 0.0
    with_reason = ids_with_reason(candidates)
    return tuple(
        candidate
        for candidate in candidates
        if candidate.score == best or (candidate.score >= least and candidate.chunk.id in with_reason)
    )


def ids_with_reason(candidates: Sequence[Candidate]) -> set[int]:
    """The ids of chunks with a reason beside their score: texts that are near, that have the words, or that are named; and
    all turns, code and texts without a vector, so every chunk in a ranking by words alone.
    """
    raws = [{part.signal: part.raw for part in candidate.contributions} for candidate in candidates]
    cosines = [raw.get("dense") for raw in raws]
    by_words = [max(raw.get(name, 0.0) for name in BY_WORDS) for raw in raws]
    nearest = max((cosine for cosine in cosines if cosine is not None), default=0.0)
    near = max(AS_NEAR * nearest, min(NEAR_AT_ALL, nearest))
    good = AS_GOOD * max(by_words, default=0.0)
    return {
        candidate.chunk.id
        for candidate, cosine, words in zip(candidates, cosines, by_words, strict=True)
        if cosine is None
        or cosine >= near
        or (words >= good and words > 0)
        or candidate.chunk.record_kind in (RecordKind.CODE, RecordKind.EVENT)
        or any(part.signal in BY_NAME and part.share > 0 for part in candidate.contributions)
    }
