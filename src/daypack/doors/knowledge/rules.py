"""Rules for what a search of the knowledge base shows. Pure: values in, values out."""

from __future__ import annotations

from dataclasses import replace

from daypack.rank.rrf import SHORTEST
from daypack.text import analysis
from daypack.types import SearchResult


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
