"""Rules for what a search of the knowledge base shows. Pure: values in, values out."""

from __future__ import annotations

from dataclasses import replace

from daypack.rank.rrf import SHORTEST
from daypack.text import analysis
from daypack.types import SearchResult, VectorMode

# Of the best score, as in a pack (docs/decisions/010-short-packs.md): with vectors, and by words alone.
FLOOR, LOW_FLOOR = 0.35, 0.2


def worth_showing(found: SearchResult) -> SearchResult:
    """The result without hits that score far below the best one: an empty place says more than a wrong text."""
    best = max((candidate.score for candidate in found.candidates), default=0.0)
    least = best * (LOW_FLOOR if found.stats.vectors is VectorMode.NONE else FLOOR)
    return replace(
        found, candidates=tuple(candidate for candidate in found.candidates if candidate.score >= least)
    )


def holding_words(found: SearchResult) -> SearchResult | None:
    """The hits whose text has most words of the query as they are written, also inside other words; None
    without any.
    """
    asked = {word.lower() for word in analysis.words(found.query)}
    asked = {word for word in asked if len(word) >= SHORTEST and word not in analysis.STOP_WORDS}
    if not asked:
        return None
    kept = []
    for candidate in found.candidates:
        text = f"{candidate.chunk.uri} {candidate.chunk.title} {candidate.chunk.text}".lower()
        if 2 * sum(word in text for word in asked) > len(asked):
            kept.append(candidate)
    return replace(found, candidates=tuple(kept)) if kept else None
