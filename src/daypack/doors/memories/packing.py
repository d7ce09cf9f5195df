"""Packs memories on a topic into one block of Markdown, and counts the packed ones as accessed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from daypack import tokens
from daypack.doors.memories import table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.reading import note_use
from daypack.doors.memories.searching import condition
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.types import Memory, MemoryAnswer, MemoryBlock, Ordering
from daypack.shapes import memory_block
from daypack.shapes.memory_block import URI, BlockItem
from daypack.text.storable import storable
from daypack.types import Budget, Candidate, Pack, Packing, Trust, VectorMode

_UNTRUSTED_WEIGHT = 0.5  # of an untrusted candidate, in the common packer. guess


def pack_in_order(topic: str, budget: Budget, ordering: Ordering, answer: MemoryAnswer) -> MemoryBlock:
    """The hits of `answer` in their order; each that is too big for the rest of the budget is skipped."""
    items = [
        BlockItem(hit.memory.key, hit.memory.value, hit.memory.version.trust, hit.memory.version.source)
        for hit in answer.hits
    ]
    count = tokens.counter(budget.tokenizer)
    block = memory_block.fitted(storable(topic), items, budget.limit, count, time=answer.stats.time)
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
        packed = context.engine.pack(
            topic,
            budget,
            packing=Packing.AUTO,
            shape="memory-block",
            mode=mode,
            condition=condition(tags),
            revised=_trusted_first,
        )
    keys = _keys_of(packed)
    with context.store.reading() as db:
        by_key: dict[str, Memory] = {}
        for space in context.spaces(db):
            for key, (_, memory) in table.held(db, space, keys).items():
                by_key.setdefault(key, memory)
    memories = tuple(by_key[key] for key in keys if key in by_key)
    used, omitted = packed.tokens_used, len(packed.omitted)
    return MemoryBlock(topic, packed.text, budget, used, memories, Ordering.AUTO, packed.stats, omitted)


def touch_block(context: MemoryContext, block: MemoryBlock) -> MemoryBlock:
    """Count the memories of a block as accessed; returns the block with the new counts."""
    with context.store.reading() as db:
        ids = {
            (memory.owner, key): memory_id
            for space in context.spaces(db)
            for key, (memory_id, memory) in table.held(db, space, [m.key for m in block.memories]).items()
        }
    found = [(ids.get((memory.owner, memory.key), 0), memory) for memory in block.memories]
    return replace(block, memories=tuple(note_use(context, found, context.engine.clock(), recalled=False)))


def touch_packed(context: MemoryContext, pack: Pack) -> None:
    """Count the memories in a common pack as accessed."""
    keys = _keys_of(pack)
    with context.store.reading() as db:
        found = [item for space in context.spaces(db) for item in table.held(db, space, keys).values()]
    note_use(context, found, context.engine.clock(), recalled=False)


def _keys_of(pack: Pack) -> Iterable[str]:
    """The keys of the memories in a pack, once each, in the order of the excerpts."""
    uris = (excerpt.citation.uri for excerpt in pack.excerpts if excerpt.door == DOOR)
    return dict.fromkeys(uri.removeprefix(URI) for uri in uris)


def _trusted_first(candidates: list[Candidate]) -> list[Candidate]:
    """Candidates for the common packer, which shows the best first: untrusted ones count less, and less than the
    last of the others.
    """
    last = min((c.score for c in candidates if c.chunk.trust is not Trust.UNTRUSTED), default=math.inf)
    below = math.nextafter(last, -math.inf)
    revised = [
        c._replace(probability=c.probability * _UNTRUSTED_WEIGHT, score=min(c.score, below))
        if c.chunk.trust is Trust.UNTRUSTED
        else c
        for c in candidates
    ]
    return sorted(revised, key=lambda c: c.chunk.trust is Trust.UNTRUSTED)
