"""The verbs of memory, under the names that agents know from memory servers.

A server opens the store for an agent, so that writes through these verbs are an agent's statements.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from daypack.doors.memories import serialize as memory_data
from daypack.doors.memories.rules import OrderWeights, check_new_key, check_tags
from daypack.shapes.memory_block import URI
from daypack.shapes.plain import pick
from daypack.types.modes import TokenizerName
from daypack.verbs.command import BadUsage
from daypack.verbs.results import facts
from daypack.verbs.table import (
    AGENTS,
    TEAM,
    TERMINAL,
    UNBOUNDED,
    Access,
    Answer,
    Flag,
    Positional,
    Range,
    Verb,
)

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.memories.types import (
        Gone,
        Memory,
        MemoryAnswer,
        MemoryBlock,
        MemoryHistory,
        MemoryPage,
        Receipt,
        Remembered,
    )


def _weights(text: str) -> OrderWeights:
    try:
        return OrderWeights(*(float(part) for part in text.split(",", 2)))
    except (ValueError, TypeError):
        raise BadUsage(f"{text!r} is not three weights; write 0.6,0.3,0.1") from None


Key = Annotated[str, "Its key, as release/cadence.", Positional()]
Source = Annotated[
    str,
    "Its origin; facts of tool:NAME, web:NAME and URLs are untrusted until a review.",
    Flag(metavar="TEXT"),
]
Tags = Annotated[
    list[str] | None, TERMINAL, Flag("--tag", "Only with this tag. [repeatable: all of them]", "TAG")
]
Vectors = Annotated[
    Literal["auto", "none"],
    TERMINAL,
    "auto: words and meaning; none: words alone, and no model is loaded.",
    Flag(retired="--lexical=none"),
]
Date = Flag(metavar="DATE", read="date")
Known = Flag(metavar="DATE", read="date", advanced=True)
Begin = Flag("--since", metavar="DATE", read="date", retired="--valid-from")
End = Flag("--before", metavar="DATE", read="date", retired="--valid-to")
Touch = Annotated[bool, TERMINAL, Flag("--no-touch", "Do not count this as a use.")]
Shared = Annotated[bool, TEAM, "The project's shared memory, instead of one's own."]
Labels: TypeAlias = list[str] | None
Order = Literal["relevance", "recency", "relevance+recency", "auto"]
MOST_LISTED = 500
Share, Most = Range(0, 1), Range(1, MOST_LISTED)
Weight = Annotated[float | None, Share, AGENTS, "With any weight the score sums meaning, words and recency."]
Weights = Annotated[
    OrderWeights | None,
    TERMINAL,
    "Weights of semantic, keyword and recency, in place of the common ranking with .1 of recency.",
    Flag(metavar="S,K,R", read=_weights, advanced=True),
]
HowMany = Flag("--limit -n", "Number of memories, at most 500.", range=UNBOUNDED, seed="--top-k")


def _key(daypack: Daypack, key: str) -> str:
    """A key, also as packs and results cite a memory: `memory:release/cadence:1-1`."""
    cited = key.removeprefix(URI)
    if cited in ("", key) or key in daypack.memories:
        return key
    return cited if cited in daypack.memories else re.sub(r"(?<=.):\d+-\d+\Z", "", cited)


def _of_three(*given: float | None) -> OrderWeights | None:
    """The weights of which some are given; the others are the defaults."""
    named = zip(("semantic", "keyword", "recency"), given, strict=True)
    chosen = {name: weight for name, weight in named if weight is not None}
    return OrderWeights(**chosen) if chosen else None


def pack_context(
    daypack: Daypack,
    topic: Annotated[str, "Topic of the memories.", Positional(read="query")],
    budget_tokens: Annotated[
        int, "Maximum size of the block; clamped to 1..100,000.", Flag("--budget -b", seed="--budget-tokens")
    ] = 2000,
    ordering: Annotated[
        Literal["relevance+recency", "relevance", "recency", "auto"],
        "The order; auto: by value and cost.",
        Flag("--sort", "The order; auto: the common packer's choice by value and cost.", seed="--ordering"),
    ] = "relevance+recency",
    tokenizer: Annotated[
        TokenizerName, TERMINAL, "The tokenizer of the budget; approx is four characters a token."
    ] = "approx",
    w_semantic: Weight = None,
    w_keyword: Weight = None,
    w_recency: Weight = None,
    weights: Weights = None,
    tags: Tags = None,
    vectors: Vectors = "auto",
    touch: Touch = True,
) -> MemoryBlock:
    """Memories (notes, facts) about a topic as one Markdown block: as many as fit a token budget."""
    return daypack.memories.pack(
        topic,
        budget_tokens=budget_tokens,
        ordering=ordering,
        tokenizer=tokenizer,
        weights=weights or _of_three(w_semantic, w_keyword, w_recency),
        tags=tags or [],
        vectors=vectors,
        touch=touch,
    )


def _block_answer(block: MemoryBlock) -> Answer:
    details = memory_data.block_to_dict(block)
    del details["text"]
    return Answer(block.text, details)


def search_memories(
    daypack: Daypack,
    query: Annotated[str, "Topic or question.", Positional(read="query")],
    top_k: Annotated[int, "Maximum number of memories.", Most, HowMany] = 10,
    min_score: Annotated[
        float,
        "Only memories with at least this score.",
        Share,
        Flag(help="Only with at least this score.", range=UNBOUNDED),
    ] = 0.0,
    filter_tags: Annotated[
        list[str] | None,
        "Only memories that carry all of these.",
        Flag("--tag", "Only with this tag. [repeatable: all of them]", "TAG"),
    ] = None,
    w_semantic: Weight = None,
    w_keyword: Weight = None,
    w_recency: Weight = None,
    weights: Weights = None,
    ordering: Annotated[
        Order, TERMINAL, "What counts.", Flag("--sort", seed="--ordering")
    ] = "relevance+recency",
    vectors: Vectors = "auto",
) -> MemoryAnswer:
    """Search memories: saved facts and notes by words and by meaning, and why each matched: its scores."""
    return daypack.memories.search(
        query,
        top_k=top_k,
        min_score=min_score,
        tags=filter_tags or [],
        ordering=ordering,
        weights=weights or _of_three(w_semantic, w_keyword, w_recency),
        vectors=vectors,
    )


def list_memories(
    daypack: Daypack,
    tag: Annotated[str, AGENTS, "Only memories with this tag; by default all."] = "",
    limit: Annotated[
        int, "Memories a page.", Most, Flag("--limit -n", "Memories a page, at most 500.", range=UNBOUNDED)
    ] = 100,
    cursor: Annotated[
        str, "The cursor of the page before.", Flag("--page", metavar="CURSOR", retired="--cursor")
    ] = "",
    tags: Tags = None,
) -> MemoryPage:
    """List memories in the order of their keys, a page at a time; all saved notes, or those with a tag."""
    return daypack.memories.list(tags=[tag] if tag else tags or [], limit=limit, cursor=cursor)


def list_tags(daypack: Daypack) -> dict[str, int]:
    """List all tags (labels) that memories carry, and how many memories each has."""
    return daypack.memories.tags()


def recall(
    daypack: Daypack,
    key: Key,
    as_of: Annotated[float | None, TERMINAL, "The value valid at this time, as known today.", Date] = None,
    known_at: Annotated[float | None, TERMINAL, "The value known at this time.", Known] = None,
    touch: Touch = True,
) -> Memory | Gone:
    """Recall a memory: the value stored under a key, with its version, or when it was forgotten or redacted."""
    return daypack.memories.recall(_key(daypack, key), as_of=as_of, known_at=known_at, touch=touch)


def memory_history(daypack: Daypack, key: Key) -> tuple[MemoryHistory, ...] | Gone:
    """History of one memory: every earlier version and value of a key, before it was changed, newest first."""
    return daypack.memories.history(_key(daypack, key))


def relate_memories(
    daypack: Daypack, key: Key, top_k: Annotated[int, "Maximum number of memories.", Most, HowMany] = 5
) -> MemoryAnswer:
    """Memories near another: those that a memory links to, and the nearest neighbours of it by meaning."""
    return daypack.memories.related(_key(daypack, key), top_k=top_k)


def remember(
    daypack: Daypack,
    key: Key,
    value: Annotated[str, "One fact, in words that make sense alone."],
    tags: Labels = None,
    ttl_seconds: Annotated[float | None, "Forget it automatically after this time.", Range(1, 10**10)] = None,
    version: Annotated[str | None, "Write only when this is still the current version."] = None,
    source: Source = "",
    shared: Shared = False,
) -> Remembered:
    """Remember for later sessions and agents: note, save, record or keep a fact, decision, preference or
    lesson, or update it. The key's previous value stays in its history.
    """
    return daypack.memories.remember(
        _key(daypack, key),
        value,
        tags=tags,
        ttl_seconds=ttl_seconds,
        version=version,
        source=source,
        shared=shared,
    )


def remember_if_absent(
    daypack: Daypack,
    key: Key,
    value: Annotated[str, "One fact, in words that make sense alone."],
    tags: Annotated[Labels, "Labels of the memory; by default none."] = None,
    source: Source = "",
    shared: Shared = False,
) -> Remembered:
    """Remember a value only if its key has none yet, without overwriting; else return the existing value."""
    return daypack.memories.remember(
        _key(daypack, key), value, tags=tags, if_absent=True, source=source, shared=shared
    )


def restore_memory(
    daypack: Daypack,
    key: Key,
    version: Annotated[str, "A version from its history.", Positional(read="path")],
    shared: Shared = False,
) -> Remembered:
    """Restore an older version of a memory: undo a change and put the old value back."""
    return daypack.memories.restore(_key(daypack, key), version, shared=shared)


def forget(daypack: Daypack, key: Key, shared: Shared = False) -> Receipt:
    """Forget one memory: delete, erase, remove or wipe a saved fact or note by its key, history included."""
    return daypack.memories.forget(check_new_key(_key(daypack, key)), shared=shared)


def forget_all(
    daypack: Daypack, tag: Annotated[str, "The tag of the memories to erase."], shared: Shared = False
) -> Receipt:
    """Erase all memories with a tag at once: every memory that ever carried it."""
    return daypack.memories.forget(tag=check_tags([tag])[0], shared=shared)


def redact_memory(
    daypack: Daypack,
    key: Key,
    reason: Annotated[str, "The text that people will read in its place.", Flag(metavar="TEXT")],
    shared: Shared = False,
) -> Receipt:
    """Redact a memory: remove one key and make sure that it is never saved or remembered again."""
    return daypack.memories.redact(_key(daypack, key), reason=reason, shared=shared)


ANSWER = facts(
    "query weak?:b unknown?:[t] hits:[hit] empty_reason degraded:[t] corrections:o time?", hit=memory_data.HIT
)
REMEMBERED = facts(
    "key version written:b waiting:b memory:memory? similar:[similar]",
    memory=memory_data.MEMORY,
    similar=memory_data.SIMILAR,
)
RECEIPT = facts("state at keys:[t] removed:o files:[t]")
PAGE = facts("memories:[memory] cursor", memory=memory_data.MEMORY)
HISTORY = facts("key? versions?:[version] state? at?", version=memory_data.VERSION)
TOOLSET = "memory"
READ, WRITE, DANGEROUS = Access.READ, Access.WRITE, Access.DANGEROUS
VERBS = (
    # packed memories count as used
    Verb("pack_context", TOOLSET, READ, pack_context, "memory pack", idempotent=False, plain=_block_answer),
    Verb("search_memories", TOOLSET, READ, search_memories, "memory search", ANSWER, plain=memory_data.answer_to_dict, brief=memory_data.BRIEF),
    Verb("list_memories", TOOLSET, READ, list_memories, "memory list", PAGE, plain=memory_data.page_to_dict, brief=memory_data.BRIEF),
    Verb("list_tags", TOOLSET, READ, list_tags, "memory tags", facts("tags:o"), plain=lambda counts: {"tags": counts}),
    Verb("recall", TOOLSET, READ, recall, "recall", facts("key value version? tags?:[t] state? at?"), plain=memory_data.recalled_to_dict, brief=memory_data.BRIEF),
    Verb("memory_history", TOOLSET, READ, memory_history, "memory history", HISTORY, plain=memory_data.history_to_dict, brief=memory_data.BRIEF),
    Verb("relate_memories", TOOLSET, READ, relate_memories, "memory related", ANSWER, plain=memory_data.answer_to_dict, brief=memory_data.BRIEF),
    Verb("remember", TOOLSET, WRITE, remember, "remember", REMEMBERED, plain=memory_data.remembered_to_dict, brief=memory_data.brief_remembered),
    Verb("remember_if_absent", TOOLSET, WRITE, remember_if_absent, "remember", REMEMBERED, plain=memory_data.remembered_to_dict, brief=memory_data.BRIEF),
    Verb("restore_memory", TOOLSET, WRITE, restore_memory, "memory restore", REMEMBERED, plain=memory_data.remembered_to_dict, brief=memory_data.BRIEF),
    Verb("forget", TOOLSET, WRITE, forget, "forget", RECEIPT, destructive=True, plain=memory_data.receipt_to_dict),
    Verb("forget_all", TOOLSET, DANGEROUS, forget_all, "forget", RECEIPT, destructive=True, plain=memory_data.receipt_to_dict),
    Verb("redact_memory", TOOLSET, DANGEROUS, redact_memory, "memory redact", RECEIPT, destructive=True, plain=memory_data.receipt_to_dict),
)  # fmt: skip


# ---------------------------------------------------------------- resources


def memory_index(daypack: Daypack) -> dict[str, Any]:
    """All keys with their tags: an agent reads them to learn what it can recall."""
    page = daypack.memories.list(limit=MOST_LISTED)
    return {
        "memories": [
            {"uri": f"memory:{m.key}", **pick(m, "key tags=version.tags trust=version.trust")}
            for m in page.memories
        ],
        "cursor": page.cursor,
    }


def memory_resource(daypack: Daypack, uri: str) -> dict[str, Any]:
    """One memory by its uri, memory:KEY."""
    return memory_data.recalled_to_dict(daypack.memories.recall(uri.removeprefix("memory:"), touch=False))
