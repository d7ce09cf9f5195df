"""Finds memories by their subject: the common ranking, in the orderings of memories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from daypack.doors.memories import rules, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.finding.then import QuestionView, memories_at, seen_then
from daypack.doors.memories.rules import OrderWeights
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.types import Memory, MemoryAnswer, MemoryHit, Ordering
from daypack.engine.answers import read_candidates
from daypack.filters import All, Filter, OneOf, Tagged
from daypack.pack.worth import worth_showing
from daypack.text.checks import check_kind
from daypack.types import Candidate, EmptyReason, Trust, VectorMode

DEPTH = 50  # memories of a pack or a search, as many as the block's contract names
RECENCY = 0.1  # of the score of a blend


def search(
    context: MemoryContext, query: str, tags: Sequence[str], mode: VectorMode, *, weak: bool = False
) -> MemoryAnswer:
    """Up to DEPTH memories with their signals, in the order of the common ranking; without those that have no chance of
    being wanted, unless `weak`, for a text in place of a question. A question about another time also finds the values of then.
    """
    engine, wanted = context.engine, condition(tags)
    with engine.translating_damage():
        view = QuestionView(engine, wanted) if weak else seen_then(engine, query, wanted)
        rank = partial(view.engine.retriever.rank, query, mode=mode, condition=view.filter)
        with engine.in_one_state(rank) as ranked:
            candidates = read_candidates(context.store, ranked, 4 * DEPTH)
            if view.revised is not None:
                candidates = view.revised(candidates)
            shown = candidates if weak else worth_showing(candidates)
            best = _best_memories(context, shown, says_when=view.says_when)
    cosines = {} if ranked.pool is None else ranked.pool.cosines()
    now = engine.clock()
    hits = _as_recent(
        _hit(query, memory, candidate.score, cosines.get(candidate.chunk.id), now)
        for memory, candidate in best
    )
    reason = None if hits else ranked.empty_reason or EmptyReason.NOTHING_RELEVANT
    # the memories beside a text answer nothing
    stats = ranked.stats._replace(weak=False, unknown=()) if weak else ranked.stats
    return MemoryAnswer(query, hits, stats, reason)


def _best_memories(
    context: MemoryContext, candidates: Sequence[Candidate], *, says_when: bool
) -> list[tuple[Memory, Candidate]]:
    """Each memory with its best chunk, best first; hardly any has several."""
    best: dict[tuple[str, str], Candidate] = {}
    with context.store.reading() as db:
        places = context.store.places_of(db, [candidate.chunk.id for candidate in candidates])
        for candidate in candidates:
            if (place := places.get(candidate.chunk.id)) is not None and len(best) < DEPTH:
                best.setdefault(place, candidate)
        memories = memories_at(context, db, best, says_when=says_when)
    return [(memories[place], candidate) for place, candidate in best.items() if place in memories]


def _hit(query: str, memory: Memory, score: float, cosine: float | None, now: float) -> MemoryHit:
    semantic = None if cosine is None else max(0.0, min(1.0, cosine))
    used_at = memory.accessed_at if memory.accessed_at is not None else memory.updated_at
    keyword = rules.keyword(query, f"{memory.key} {memory.value}")
    return MemoryHit(memory, score, score, semantic, keyword, rules.recency(now, used_at))


def _as_recent(hits: Iterable[MemoryHit]) -> tuple[MemoryHit, ...]:
    """Hits in their order: the values of one key are as recent as the latest, for recency is of the key's use."""
    listed = [*hits]
    latest: dict[tuple[str, str], float] = {}
    for hit in listed:
        place = (hit.memory.owner, hit.memory.key)
        latest[place] = max(latest.get(place, 0.0), hit.recency)
    return tuple(replace(hit, recency=latest[hit.memory.owner, hit.memory.key]) for hit in listed)


def related_hits(context: MemoryContext, memory: Memory, hits: Sequence[MemoryHit]) -> list[MemoryHit]:
    """The memories that `memory` links to or is linked from, then the other hits."""
    others = [hit for hit in hits if (hit.memory.key, hit.memory.owner) != (memory.key, memory.owner)]
    ranked = ordered(others, Ordering.RELEVANCE)
    linked = set(memory.version.links) | {
        hit.memory.key for hit in others if memory.key in hit.memory.version.links
    }
    unranked = linked - {hit.memory.key for hit in ranked}
    with context.store.reading() as db:
        unranked_memories = [
            neighbour
            for space in context.spaces(db)
            for _, neighbour in table.held(db, space, unranked).values()
        ]
    return [
        *(MemoryHit(neighbour, 1.0, 0.0, None, 0.0, 0.0) for neighbour in unranked_memories),
        *(hit for hit in ranked if hit.memory.key in linked),
        *(hit for hit in ranked if hit.memory.key not in linked),
    ]


def condition(tags: Sequence[str]) -> Filter:
    """The filter for memories that carry all of `tags`."""
    door = OneOf("door", (DOOR,))
    return All((door, *(Tagged(tag) for tag in tags))) if tags else door


def distinct(hits: Iterable[MemoryHit]) -> list[MemoryHit]:
    """The first hit of each value, with the keys of the others; a value that came back has a hit for each of its times."""
    equal: dict[tuple[str, tuple[float, float] | None], list[MemoryHit]] = defaultdict(list)
    for hit in hits:
        equal[hit.memory.value.strip(), hit.memory.held].append(hit)
    return [
        replace(
            first,
            also=tuple(dict.fromkeys(key for hit in others if (key := hit.memory.key) != first.memory.key)),
        )
        for first, *others in equal.values()
    ]


def ordered(
    hits: Sequence[MemoryHit], ordering: Ordering, weights: OrderWeights | None = None
) -> list[MemoryHit]:
    """Hits, best first, scored on the scale of the ordering; untrusted ones behind all others.

    A blend adds recency to the common ranking; with `weights` it is a sum of three signals.
    """
    best = max((hit.ranked for hit in hits), default=0.0) or 1.0
    # Without vectors the lexical ranking stands in for meaning.
    blind = all(hit.semantic is None for hit in hits)
    if weights is not None:
        check_kind("weights", weights, OrderWeights, "an OrderWeights, as OrderWeights(recency=0.5)")
    w = None if weights is None else weights.normalised()

    def score(hit: MemoryHit) -> float:
        if ordering is not Ordering.BLEND:
            return hit.recency if ordering is Ordering.RECENCY else hit.ranked
        if w is None:
            return (1 - RECENCY) * hit.ranked + RECENCY * hit.recency
        semantic = max(0.0, hit.ranked / best) if blind else hit.semantic or 0.0
        return w.semantic * semantic + w.keyword * hit.keyword + w.recency * hit.recency

    scored = [replace(hit, score=score(hit)) for hit in hits]
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
