"""Finding memories by what they are about, and packing them: the common ranking, in the orderings and the
block of memories.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from daypack import tokens
from daypack.doors.memories import block as memory_block
from daypack.doors.memories import rules, table
from daypack.doors.memories.block import URI, BlockItem
from daypack.doors.memories.reading import MOST_LISTED, MemoryReading
from daypack.doors.memories.rules import OrderWeights
from daypack.doors.memories.space import Memories
from daypack.doors.memories.types import Gone, Memory, MemoryAnswer, MemoryBlock, MemoryHit, Ordering
from daypack.errors import BadBudget, InputError, NotFound, member
from daypack.index import spaces
from daypack.index.spaces import DOOR
from daypack.settings import LARGEST_BUDGET
from daypack.shapes.wording import day
from daypack.text.storable import storable
from daypack.types import Budget, Candidate, EmptyReason, Pack, Packing, Tokenizer, Trust, VectorMode

if TYPE_CHECKING:
    from daypack.filters import Filter

DEPTH = 50  # memories of a pack or a search, as many as the block's contract names
_UNTRUSTED_WEIGHT = 0.5  # of a candidate that nobody vouches for, in the common packer. guess


class MemoryPacking(MemoryReading):
    """Verbs that answer a question."""

    def search(
        self,
        query: str,
        *,
        top_k: int = 10,
        min_score: float = 0.0,
        tags: Sequence[str] = (),
        ordering: Ordering | str = Ordering.BLEND,
        weights: OrderWeights | None = None,
        vectors: VectorMode | str = VectorMode.LAZY,
    ) -> MemoryAnswer:
        """The memories that a query finds, best first, with what each signal says of them.

        `score` is on the scale of the ordering.
        """
        if not 1 <= top_k <= MOST_LISTED:
            raise InputError(f"top_k {top_k} is not from 1 to {MOST_LISTED}")
        if not math.isfinite(min_score):
            raise InputError("min_score must be a number")
        answer = self._found(query, tags, VectorMode(vectors))
        hits = [
            hit
            for hit in _ordered(answer.hits, member(Ordering, ordering), weights or OrderWeights())
            if hit.score >= min_score
        ]
        return replace(answer, hits=tuple(hits[:top_k]))

    def related(self, key: str, *, top_k: int = 5) -> MemoryAnswer:
        """What a memory links to or is linked from, then what is nearest to its value. Raises NotFound."""
        found = self.recall(key, touch=False)
        if isinstance(found, Gone):
            raise NotFound(f"the memory {key}", f"it was {found.state.value} on {day(found.at)}")
        text = f"{found.key.replace('/', ' ')} {found.value}".encode()[:4000].decode("utf-8", "ignore")
        answer = self._found(text, (), VectorMode.LAZY)
        others = [
            hit for hit in answer.hits if (hit.memory.key, hit.memory.owner) != (found.key, found.owner)
        ]
        ranked = _ordered(others, Ordering.RELEVANCE, OrderWeights())
        linked = set(found.version.links) | {
            hit.memory.key for hit in others if found.key in hit.memory.version.links
        }
        have = {hit.memory.key for hit in ranked}
        with self.store.reading() as db:
            named = [
                memory
                for space in self._spaces(db)
                for _, memory in table.held(db, space, linked - have).values()
            ]
        first = [MemoryHit(memory, 1.0, 0.0, None, 0.0, 0.0) for memory in named]
        ordered = [
            *first,
            *(hit for hit in ranked if hit.memory.key in linked),
            *(hit for hit in ranked if hit.memory.key not in linked),
        ]
        return replace(
            answer,
            query=key,
            hits=tuple(ordered[:top_k]),
            empty_reason=None if ordered else answer.empty_reason,
        )

    def _found(self, query: str, tags: Sequence[str], mode: VectorMode) -> MemoryAnswer:
        """Up to DEPTH memories with their signals, in the order of the common ranking."""
        self.settle_quietly()
        engine = self._engine
        with engine.careful():
            ranked = engine.rank(query, mode=mode, condition=_condition(rules.check_tags(tags)))
            if ranked.scored is None or ranked.pool is None or ranked.empty_reason is not None:
                return MemoryAnswer(query, (), ranked.stats, ranked.empty_reason)
            now = engine.clock()
            dense = ranked.pool.features.dense[ranked.scored.order].tolist()
            ranking = zip(ranked.scored.chunk_ids.tolist(), ranked.scored.scores.tolist(), dense, strict=True)
            best: dict[tuple[str, str], tuple[float, float]] = {}
            with self.store.reading() as db:
                # hardly any memory has several chunks
                for batch in _batches(islice(ranking, 4 * DEPTH), DEPTH):
                    if len(best) == DEPTH:
                        break
                    places = self.store.places_of(db, [chunk_id for chunk_id, _, _ in batch])
                    for chunk_id, score, cosine in batch:
                        place = places.get(chunk_id)
                        if place is not None and len(best) < DEPTH:
                            best.setdefault(place, (score, cosine))
                memories = {
                    (spaces.scope_of(space.owner, space.project), key): memory
                    for space in self._spaces(db)
                    for key, (_, memory) in table.held(db, space, [key for _, key in best]).items()
                }
        hits = []
        for place, (score, cosine) in best.items():
            if (memory := memories.get(place)) is None:
                continue
            semantic = None if np.isnan(cosine) else max(0.0, min(1.0, cosine))
            age_of = memory.accessed_at if memory.accessed_at is not None else memory.updated_at
            hits.append(
                MemoryHit(
                    memory,
                    score,
                    score,
                    semantic,
                    rules.keyword(query, f"{memory.key} {memory.value}"),
                    rules.recency(now, age_of),
                )
            )
        return MemoryAnswer(query, tuple(hits), ranked.stats, None if hits else EmptyReason.NOTHING_RELEVANT)

    def pack(
        self,
        topic: str,
        *,
        budget_tokens: int = 2000,
        ordering: Ordering | str = Ordering.BLEND,
        tokenizer: Tokenizer | str = Tokenizer.APPROX,
        tags: Sequence[str] = (),
        weights: OrderWeights | None = None,
        vectors: VectorMode | str = VectorMode.LAZY,
        touch: bool = True,
    ) -> MemoryBlock:
        """What is remembered about a topic, as one Markdown string of at most `budget_tokens` (clamped to 1 …
        100,000) of `tokenizer`.

        Memories are taken in their order, and one that is too big for what is left is passed over, never cut;
        `auto` leaves the choice to the common packer, which may. What is in the block counts as accessed,
        unless `touch` is False.
        """
        if isinstance(budget_tokens, bool) or not isinstance(budget_tokens, int):
            raise BadBudget(budget_tokens, LARGEST_BUDGET)
        order, counter = member(Ordering, ordering), member(Tokenizer, tokenizer)
        budget = Budget(max(rules.SMALLEST_BLOCK, min(budget_tokens, rules.LARGEST_BLOCK)), counter)
        if order is Ordering.AUTO:
            return self._packed_by_value(topic, budget, tags, VectorMode(vectors), touch=touch)
        answer = self._found(topic, tags, VectorMode(vectors))
        hits = _ordered(answer.hits, order, weights or OrderWeights())
        items = [
            BlockItem(hit.memory.key, hit.memory.value, hit.memory.version.trust, hit.memory.version.source)
            for hit in hits
        ]
        count = tokens.counter(counter)
        text, chosen = memory_block.fitted(storable(topic), items, budget.limit, count)
        memories = [hits[number].memory for number in chosen]
        if touch:
            memories = self._noted(memories)
        return MemoryBlock(
            topic,
            text,
            budget,
            count(text),
            tuple(memories),
            order,
            answer.stats,
            omitted=len(hits) - len(chosen),
        )

    def _packed_by_value(
        self, topic: str, budget: Budget, tags: Sequence[str], mode: VectorMode, *, touch: bool
    ) -> MemoryBlock:
        self.settle_quietly()
        with self._engine.careful():
            packed = self._engine.pack(
                topic,
                budget,
                packing=Packing.AUTO,
                shape="memory-block",
                mode=mode,
                condition=_condition(rules.check_tags(tags)),
                revised=_trusted_first,
            )
        scopes = {excerpt.citation.uri.removeprefix(URI): None for excerpt in packed.excerpts}
        with self.store.reading() as db:
            by_key: dict[str, Memory] = {}
            for space in self._spaces(db):
                for key, (_, memory) in table.held(db, space, scopes).items():
                    by_key.setdefault(key, memory)
        memories = [by_key[key] for key in scopes if key in by_key]
        if touch:
            memories = self._noted(memories)
        return MemoryBlock(
            topic,
            packed.text,
            budget,
            packed.tokens_used,
            tuple(memories),
            Ordering.AUTO,
            packed.stats,
            omitted=len(packed.omitted),
        )

    def note_packed(self, pack: Pack) -> None:
        """Count the memories in a common pack as accessed."""
        keys = {excerpt.citation.uri.removeprefix(URI) for excerpt in pack.excerpts if excerpt.door == DOOR}
        with self.store.reading() as db:
            found = [item for space in self._spaces(db) for item in table.held(db, space, keys).values()]
        self._touched(found, self._engine.clock(), recalled=False)

    def _noted(self, memories: Sequence[Memory]) -> Memories:
        """Count memories as accessed."""
        with self.store.reading() as db:
            ids = {
                (memory.owner, key): memory_id
                for space in self._spaces(db)
                for key, (memory_id, memory) in table.held(db, space, [m.key for m in memories]).items()
            }
        return self._touched(
            [(ids.get((m.owner, m.key), 0), m) for m in memories], self._engine.clock(), recalled=False
        )


def _condition(tags: Sequence[str]) -> Filter:
    from daypack.filters import All, OneOf, Tagged

    door = OneOf("door", (DOOR,))
    return All((door, *(Tagged(tag) for tag in tags))) if tags else door


def _ordered(hits: Sequence[MemoryHit], ordering: Ordering, weights: OrderWeights) -> list[MemoryHit]:
    """Hits, best first, scored on the scale of the ordering.

    What nobody vouches for comes behind everything that somebody does.
    """
    best = max((hit.ranked for hit in hits), default=0.0) or 1.0
    # Without any vector the lexical ranking stands in for meaning.
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


def _trusted_first(candidates: list[Candidate]) -> list[Candidate]:
    """Candidates for the common packer, of which untrusted ones count less, and follow their equals."""
    revised = [
        c._replace(probability=c.probability * _UNTRUSTED_WEIGHT) if c.chunk.trust is Trust.UNTRUSTED else c
        for c in candidates
    ]
    return sorted(revised, key=lambda c: c.chunk.trust is Trust.UNTRUSTED)


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
