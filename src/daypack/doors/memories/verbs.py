"""The verbs of memory, under the names that agents know from memory servers.

What comes in through here is an agent's word (`trust: agent`), or a tool's or a page's, by its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.doors.memories import serialize as memory_data
from daypack.doors.memories.rules import OrderWeights, default_trust
from daypack.types import Trust
from daypack.verbs.table import Access, Answer, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack

Key = Annotated[str, "Its key, as release/cadence."]
Source = Annotated[str, "Where it comes from; tool:NAME, web:NAME and URLs wait for a review."]
Share = Range(0, 1)
Most = Range(1, 500)


def pack_context(
    daypack: Daypack,
    topic: Annotated[str, "What the memories should be about."],
    budget_tokens: Annotated[int, "The most that the block may count; held to 1..100,000."] = 2000,
    ordering: Literal["relevance+recency", "relevance", "recency", "auto"] = "relevance+recency",
) -> Answer:
    """As many memories about a topic as fit a token budget, as one Markdown block."""
    block = daypack.memories.pack(topic, budget_tokens=budget_tokens, ordering=ordering)
    details = memory_data.block_to_dict(block)
    del details["text"]
    return Answer(block.text, details)


def search_memories(
    daypack: Daypack,
    query: str,
    top_k: Annotated[int, Most] = 10,
    min_score: Annotated[float, Share] = 0.0,
    filter_tags: Annotated[list[str] | None, "Only memories that carry all of these."] = None,
    w_semantic: Annotated[float, Share] = 0.6,
    w_keyword: Annotated[float, Share] = 0.3,
    w_recency: Annotated[float, Share] = 0.1,
) -> dict[str, Any]:
    """The memories that a query finds by words and by meaning, with what each signal says."""
    weights = OrderWeights(w_semantic, w_keyword, w_recency)
    return memory_data.answer_to_dict(
        daypack.memories.search(
            query, top_k=top_k, min_score=min_score, tags=filter_tags or [], weights=weights
        )
    )


def list_memories(
    daypack: Daypack,
    tag: str = "",
    limit: Annotated[int, Most] = 100,
    cursor: Annotated[str, "The cursor of the page before."] = "",
) -> dict[str, Any]:
    """Memories in the order of their keys, a page at a time."""
    return memory_data.page_to_dict(
        daypack.memories.list(tags=[tag] if tag else [], limit=limit, cursor=cursor)
    )


def list_tags(daypack: Daypack) -> dict[str, Any]:
    """The tags there are, and how many memories carry each."""
    return {"tags": daypack.memories.tags()}


def recall(daypack: Daypack, key: Key) -> dict[str, Any]:
    """What holds under a key, with its version; of a forgotten or redacted one, that and when."""
    return memory_data.recalled_to_dict(daypack.memories.recall(key))


def memory_history(daypack: Daypack, key: Key) -> dict[str, Any]:
    """Every version of a key, newest first."""
    return memory_data.history_to_dict(daypack.memories.history(key))


def relate_memories(daypack: Daypack, key: Key, top_k: Annotated[int, Most] = 5) -> dict[str, Any]:
    """What a memory links to, and what is nearest to it."""
    return memory_data.answer_to_dict(daypack.memories.related(key, top_k=top_k))


def remember(
    daypack: Daypack,
    key: Key,
    value: Annotated[str, "One fact, in words that make sense alone."],
    tags: list[str] | None = None,
    ttl_seconds: Annotated[float | None, "Forget it by itself after so long.", Range(1, 1e10)] = None,
    version: Annotated[str | None, "Only when this is still the version that stands there."] = None,
    source: Source = "",
) -> dict[str, Any]:
    """Remember a fact for later tasks. What held under the key before stays in its history."""
    done = daypack.memories.remember(
        key,
        value,
        tags=tags or [],
        ttl_seconds=ttl_seconds,
        version=version,
        source=source,
        trust=_trust(source),
    )
    return memory_data.remembered_to_dict(done)


def remember_if_absent(
    daypack: Daypack, key: Key, value: str, tags: list[str] | None = None, source: Source = ""
) -> dict[str, Any]:
    """Remember a value under a key under which nothing holds; otherwise what holds there."""
    done = daypack.memories.remember(
        key, value, tags=tags or [], if_absent=True, source=source, trust=_trust(source)
    )
    return memory_data.remembered_to_dict(done)


def restore_memory(
    daypack: Daypack, key: Key, version: Annotated[str, "A version from its history."]
) -> dict[str, Any]:
    """Let an older version of a key hold again."""
    return memory_data.remembered_to_dict(daypack.memories.restore(key, version))


def forget(daypack: Daypack, key: Key) -> dict[str, Any]:
    """Remove one memory for good, history included. It cannot be undone."""
    return memory_data.receipt_to_dict(daypack.memories.forget(key))


def forget_all(daypack: Daypack, tag: str) -> dict[str, Any]:
    """Remove for good whatever ever carried a tag."""
    return memory_data.receipt_to_dict(daypack.memories.forget(tag=tag))


def redact_memory(
    daypack: Daypack, key: Key, reason: Annotated[str, "What people will read in its place."]
) -> dict[str, Any]:
    """Remove one key for good and refuse it from then on."""
    return memory_data.receipt_to_dict(daypack.memories.redact(key, reason=reason))


def _trust(source: str) -> Trust:
    return Trust.UNTRUSTED if default_trust(source) is Trust.UNTRUSTED else Trust.AGENT


ANY_OBJECT = {"type": "object"}
TOOLSET = "memory"
VERBS = (
    # what is packed counts as used
    Verb("pack_context", TOOLSET, Access.READ, pack_context, "memory pack", idempotent=False),
    Verb("search_memories", TOOLSET, Access.READ, search_memories, "memory search", ANY_OBJECT),
    Verb("list_memories", TOOLSET, Access.READ, list_memories, "memory list", ANY_OBJECT),
    Verb("list_tags", TOOLSET, Access.READ, list_tags, "memory tags", ANY_OBJECT),
    Verb("recall", TOOLSET, Access.READ, recall, "memory recall", ANY_OBJECT),
    Verb("memory_history", TOOLSET, Access.READ, memory_history, "memory history", ANY_OBJECT),
    Verb("relate_memories", TOOLSET, Access.READ, relate_memories, "memory related", ANY_OBJECT),
    Verb("remember", TOOLSET, Access.WRITE, remember, "memory remember", ANY_OBJECT),
    Verb("remember_if_absent", TOOLSET, Access.WRITE, remember_if_absent, "memory remember", ANY_OBJECT),
    Verb("restore_memory", TOOLSET, Access.WRITE, restore_memory, "memory restore", ANY_OBJECT),
    Verb("forget", TOOLSET, Access.WRITE, forget, "memory forget", ANY_OBJECT, destructive=True),
    Verb("forget_all", TOOLSET, Access.DANGEROUS, forget_all, "memory forget", ANY_OBJECT, destructive=True),
    Verb(
        "redact_memory",
        TOOLSET,
        Access.DANGEROUS,
        redact_memory,
        "memory redact",
        ANY_OBJECT,
        destructive=True,
    ),
)


# ---------------------------------------------------------------- resources


def memory_index(daypack: Daypack, limit: int = 500) -> dict[str, Any]:
    """The keys there are with their tags: what an agent reads to learn what it can recall."""
    page = daypack.memories.list(limit=limit)
    return {
        "memories": [
            {
                "uri": f"memory:{m.key}",
                "key": m.key,
                "tags": [*m.version.tags],
                "trust": m.version.trust.value,
            }
            for m in page.memories
        ],
        "cursor": page.cursor,
    }


def memory_resource(daypack: Daypack, uri: str) -> dict[str, Any]:
    """One memory by its uri, memory:KEY."""
    return memory_data.recalled_to_dict(daypack.memories.recall(uri.removeprefix("memory:"), touch=False))
