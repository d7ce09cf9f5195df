"""Finds memories by their subject: the common ranking, in the orderings of memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.rules import OrderWeights
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.types import Memory, MemoryAnswer, MemoryHit, Ordering
from daypack.types import EmptyReason, Trust, VectorMode

if TYPE_CHECKING:
    from daypack.engine.retrieval.retriever import Ranked
    from daypack.filters import Filter

DEPTH = 50  # memories of a pack or a search, as many as the block's contract names


def search(context: MemoryContext, query: str, tags: Sequence[str], mode: VectorMode) -> MemoryAnswer:
    """Up to DEPTH memories with their signals, in the order of the common ranking."""
    engine = context.engine
    with engine.translating_damage():
        ranked = engine.retriever.rank(query, mode=mode, condition=condition(tags))
        if ranked.scored is None or ranked.pool is None or ranked.empty_reason is not None:
            return MemoryAnswer(query, (), ranked.stats, ranked.empty_reason)
        now = engine.clock()
        found = _best_memories(context, ranked)
    hits = [_hit(query, memory, score, cosine, now) for memory, score, cosine in found]
    return MemoryAnswer(query, tuple(hits), ranked.stats, None if hits else EmptyReason.NOTHING_RELEVANT)


def _best_memories(context: MemoryContext, ranked: Ranked) -> list[tuple[Memory, float, float]]:
    """(memory, score, cosine) of the best chunk of each memory, best first."""
    assert ranked.scored is not None and ranked.pool is not None
    order = ranked.scored.order
    dense = ranked.pool.features.dense[order].tolist()
    rows = zip(ranked.scored.chunk_ids.tolist(), ranked.scored.scores.tolist(), dense, strict=True)
    ranking = islice(rows, 4 * DEPTH)  # hardly any memory has several chunks
    best: dict[tuple[str, str], tuple[float, float]] = {}
    with context.store.reading() as db:
        while len(best) < DEPTH and (batch := [*islice(ranking, DEPTH)]):
            places = context.store.places_of(db, [chunk_id for chunk_id, _, _ in batch])
            for chunk_id, score, cosine in batch:
                place = places.get(chunk_id)
                if place is not None and len(best) < DEPTH:
                    best.setdefault(place, (score, cosine))
        memories = {
            (spaces.scope_of(space.owner, space.project), key): memory
            for space in context.spaces(db)
            for key, (_, memory) in table.held(db, space, [key for _, key in best]).items()
        }
    return [(memories[place], *signals) for place, signals in best.items() if place in memories]


def _hit(query: str, memory: Memory, score: float, cosine: float, now: float) -> MemoryHit:
    semantic = None if np.isnan(cosine) else max(0.0, min(1.0, cosine))
    used_at = memory.accessed_at if memory.accessed_at is not None else memory.updated_at
    keyword = rules.keyword(query, f"{memory.key} {memory.value}")
    return MemoryHit(memory, score, score, semantic, keyword, rules.recency(now, used_at))


def related_hits(context: MemoryContext, found: Memory, hits: Sequence[MemoryHit]) -> list[MemoryHit]:
    """The memories that `found` links to or is linked from, then the other hits."""
    others = [hit for hit in hits if (hit.memory.key, hit.memory.owner) != (found.key, found.owner)]
    ranked = ordered(others, Ordering.RELEVANCE, OrderWeights())
    linked = set(found.version.links) | {
        hit.memory.key for hit in others if found.key in hit.memory.version.links
    }
    unranked = linked - {hit.memory.key for hit in ranked}
    with context.store.reading() as db:
        named = [
            memory for space in context.spaces(db) for _, memory in table.held(db, space, unranked).values()
        ]
    return [
        *(MemoryHit(memory, 1.0, 0.0, None, 0.0, 0.0) for memory in named),
        *(hit for hit in ranked if hit.memory.key in linked),
        *(hit for hit in ranked if hit.memory.key not in linked),
    ]


def condition(tags: Sequence[str]) -> Filter:
    """The filter for memories that carry all of `tags`."""
    from daypack.filters import All, OneOf, Tagged

    door = OneOf("door", (DOOR,))
    return All((door, *(Tagged(tag) for tag in tags))) if tags else door


def ordered(hits: Sequence[MemoryHit], ordering: Ordering, weights: OrderWeights) -> list[MemoryHit]:
    """Hits, best first, scored on the scale of the ordering; untrusted ones behind all others."""
    best = max((hit.ranked for hit in hits), default=0.0) or 1.0
    # Without vectors the lexical ranking stands in for meaning.
    blind = all(hit.semantic is None for hit in hits)
    scored = []
    w = weights.normalised()
    for hit in hits:
        match ordering:
            case Ordering.RECENCY:
                score = hit.recency
            case Ordering.BLEND:
                semantic = max(0.0, hit.ranked / best) if blind else hit.semantic or 0.0
                score = w.semantic * semantic + w.keyword * hit.keyword + w.recency * hit.recency
            case _:
                score = hit.ranked
        scored.append(replace(hit, score=score))
    return sorted(
        scored,
        key=lambda hit: (
            hit.memory.version.trust is Trust.UNTRUSTED,
            -hit.score,
            -hit.ranked,
            hit.memory.key,
            hit.memory.shared,
        ),
    )
