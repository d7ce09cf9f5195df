"""Packs memories on a topic into one block of Markdown, and counts the packed ones as accessed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from daypack import tokens
from daypack.doors.memories import table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.finding.searching import condition
from daypack.doors.memories.finding.then import memories_at, seen_then
from daypack.doors.memories.reading import note_use
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.types import MemoryAnswer, MemoryBlock, Ordering
from daypack.engine.questions import Question
from daypack.ports import Revise
from daypack.shapes import memory_block
from daypack.shapes.memory_block import URI, BlockItem
from daypack.shapes.wording import held_in_words, weak_sentence
from daypack.text.storable import storable
from daypack.types import Budget, Candidate, Pack, Trust, VectorMode

_UNTRUSTED_WEIGHT = 0.5  # of an untrusted candidate, in the common packer. guess


def pack_in_order(topic: str, budget: Budget, ordering: Ordering, answer: MemoryAnswer) -> MemoryBlock:
    """The hits of `answer` in their order; each that is too big for the rest of the budget is skipped."""
    items = [
        BlockItem(
            memory.key,
            memory.value,
            memory.version.trust,
            memory.version.source,
            "" if memory.held is None else held_in_words(*memory.held, is_ahead=memory.is_ahead),
        )
        for memory in (hit.memory for hit in answer.hits)
    ]
    count = tokens.counter(budget.tokenizer)
    warning = weak_sentence(answer.stats) if answer.stats.weak else ""
    block = memory_block.fitted(
        storable(topic), items, budget.limit, count, time=answer.stats.time, warning=warning
    )
    memories = tuple(answer.hits[number].memory for number in block.chosen)
    too_big = tuple(items[number].key for number in block.too_big)
    used, omitted = count(block.text), len(items) - len(memories)
    stats = answer.stats
    return MemoryBlock(topic, block.text, budget, used, memories, ordering, stats, omitted, too_big)


def pack_by_value(
    context: MemoryContext, topic: str, budget: Budget, tags: Sequence[str], mode: VectorMode
) -> MemoryBlock:
    """The choice of the common packer, by value and cost."""
    with context.engine.translating_damage():
        view = seen_then(context.engine, topic, condition(tags))
        packed = view.engine.pack(
            topic,
            budget,
            Question(mode, view.filter, revised=partial(_trusted_first, revised=view.revised)),
            shape="memory-block",
        )
    chunk_ids = [excerpt.citation.chunk_ids[0] for excerpt in packed.excerpts]
    with context.store.reading() as db:
        places = context.store.places_of(db, chunk_ids)
        shown = dict.fromkeys(places[chunk_id] for chunk_id in chunk_ids if chunk_id in places)
        memories_by_place = memories_at(context, db, shown, says_when=view.says_when)
    packed_memories = tuple(memories_by_place[place] for place in shown if place in memories_by_place)
    used, omitted = packed.tokens_used, len(packed.omitted)
    return MemoryBlock(
        topic, packed.text, budget, used, packed_memories, Ordering.AUTO, packed.stats, omitted
    )


def touch_block(context: MemoryContext, block: MemoryBlock) -> MemoryBlock:
    """Count the memories of a block as accessed; returns the block with the new counts."""
    with context.store.reading() as db:
        ids = {
            (memory.owner, key): memory_id
            for space in context.spaces(db)
            for key, (memory_id, memory) in table.held(db, space, [m.key for m in block.memories]).items()
        }
    identified = [(ids.get((memory.owner, memory.key), 0), memory) for memory in block.memories]
    return replace(
        block, memories=tuple(note_use(context, identified, context.engine.clock(), recalled=False))
    )


def touch_packed(context: MemoryContext, pack: Pack) -> None:
    """Count the memories in a common pack as accessed."""
    keys = _keys_of(pack)
    with context.store.reading() as db:
        identified = [item for space in context.spaces(db) for item in table.held(db, space, keys).values()]
    note_use(context, identified, context.engine.clock(), recalled=False)


def _keys_of(pack: Pack) -> Iterable[str]:
    """The keys of the memories in a pack, once each, in the order of the excerpts."""
    uris = (excerpt.citation.uri for excerpt in pack.excerpts if excerpt.door == DOOR)
    return dict.fromkeys(uri.removeprefix(URI) for uri in uris)


def _trusted_first(candidates: list[Candidate], revised: Revise | None) -> list[Candidate]:
    """Candidates for the common packer, in the order that the question wants; untrusted ones count less, and less than the
    last of the others.
    """
    if revised is not None:
        candidates = revised(candidates)
    last = min((c.score for c in candidates if c.chunk.trust is not Trust.UNTRUSTED), default=math.inf)
    below = math.nextafter(last, -math.inf)
    lowered = [
        c._replace(probability=c.probability * _UNTRUSTED_WEIGHT, score=min(c.score, below))
        if c.chunk.trust is Trust.UNTRUSTED
        else c
        for c in candidates
    ]
    return sorted(lowered, key=lambda c: c.chunk.trust is Trust.UNTRUSTED)
