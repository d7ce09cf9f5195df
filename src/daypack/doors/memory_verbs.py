"""The verbs of memory for agents: plain functions from JSON to JSON, in one table that a server can offer.

Names are those that agents know from memory servers; `access` says what a verb may do: read, write what is one's own, or destroy.
What comes in through here is an agent's word (`trust: agent`), or a tool's or a page's, by its source.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from daypack.doors.memories import MemoriesDoor
from daypack.memory import OrderWeights, default_trust
from daypack.shapes import memory_data
from daypack.types import Trust


class Access(enum.StrEnum):
    READ = "read"
    WRITE = "write"
    DANGEROUS = "dangerous"


@dataclass(frozen=True, slots=True)
class Verb:
    """A function whose first argument is the door; its other arguments and its result are plain data."""

    name: str
    access: Access
    call: Callable[..., Any]

    @property
    def about(self) -> str:
        """What it does, for an agent."""
        return (self.call.__doc__ or "").strip()


def pack_context(door: MemoriesDoor, topic: str, budget_tokens: int = 2000, ordering: str = "relevance+recency") -> str:
    """As many memories about a topic as fit a token budget, as one Markdown block. ordering: relevance, recency, relevance+recency or auto."""
    return door.pack(topic, budget_tokens=budget_tokens, ordering=ordering).text


def search_memories(
    door: MemoriesDoor, query: str, top_k: int = 10, min_score: float = 0.0, filter_tags: list[str] | None = None, w_semantic: float = 0.6,
    w_keyword: float = 0.3, w_recency: float = 0.1,
) -> dict[str, Any]:  # fmt: skip
    """The memories that a query finds by words and by meaning, with what each signal says; filter_tags must all be there."""
    weights = OrderWeights(w_semantic, w_keyword, w_recency)
    return memory_data.of_answer(door.search(query, top_k=top_k, min_score=min_score, tags=filter_tags or [], weights=weights))


def list_memories(door: MemoriesDoor, tag: str = "", limit: int = 100, cursor: str = "") -> dict[str, Any]:
    """Memories in the order of their keys; `cursor` of one page asks for the next."""
    return memory_data.of_page(door.list(tags=[tag] if tag else [], limit=limit, cursor=cursor))


def list_tags(door: MemoriesDoor) -> dict[str, int]:
    """The tags there are, and how many memories carry each."""
    return door.tags()


def recall(door: MemoriesDoor, key: str) -> dict[str, Any]:
    """What holds under a key, with its version; of a forgotten or redacted one, that and when."""
    return memory_data.of_recalled(door.recall(key))


def memory_history(door: MemoriesDoor, key: str) -> dict[str, Any]:
    """Every version of a key, newest first."""
    return memory_data.of_history(door.history(key))


def relate_memories(door: MemoriesDoor, key: str, top_k: int = 5) -> dict[str, Any]:
    """What a memory links to, and what is nearest to it."""
    return memory_data.of_answer(door.related(key, top_k=top_k))


def remember(
    door: MemoriesDoor, key: str, value: str, tags: list[str] | None = None, ttl_seconds: float | None = None, version: str | None = None,
    source: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Remember a value under a key; with `version` only when nothing was written since. Name a tool or page as source: tool:NAME, web:NAME."""
    done = door.remember(key, value, tags=tags or [], ttl_seconds=ttl_seconds, version=version, source=source, trust=_trust(source))
    return memory_data.of_remembered(done)


def remember_if_absent(door: MemoriesDoor, key: str, value: str, tags: list[str] | None = None, source: str = "") -> dict[str, Any]:
    """Remember a value under a key under which nothing holds; otherwise what holds there."""
    return memory_data.of_remembered(door.remember(key, value, tags=tags or [], if_absent=True, source=source, trust=_trust(source)))


def restore_memory(door: MemoriesDoor, key: str, version: str) -> dict[str, Any]:
    """Let an older version of a key hold again."""
    return memory_data.of_remembered(door.restore(key, version))


def forget(door: MemoriesDoor, key: str) -> dict[str, Any]:
    """Remove one key for good, history included."""
    return memory_data.of_receipt(door.forget(key))


def forget_all(door: MemoriesDoor, tag: str) -> dict[str, Any]:
    """Remove for good whatever ever carried a tag."""
    return memory_data.of_receipt(door.forget(tag=tag))


def redact_memory(door: MemoriesDoor, key: str, reason: str) -> dict[str, Any]:
    """Remove one key for good and refuse it from then on."""
    return memory_data.of_receipt(door.redact(key, reason=reason))


def _trust(source: str) -> Trust:
    return Trust.UNTRUSTED if default_trust(source) is Trust.UNTRUSTED else Trust.AGENT


def _table(**verbs: Access) -> Mapping[str, Verb]:
    return {name: Verb(name, access, globals()[name]) for name, access in verbs.items()}


VERBS = _table(
    pack_context=Access.READ, search_memories=Access.READ, list_memories=Access.READ, list_tags=Access.READ, recall=Access.READ,
    memory_history=Access.READ, relate_memories=Access.READ, remember=Access.WRITE, remember_if_absent=Access.WRITE,
    restore_memory=Access.WRITE, forget=Access.WRITE, forget_all=Access.DANGEROUS, redact_memory=Access.DANGEROUS,
)  # fmt: skip
"""Every verb by its name."""


# ---------------------------------------------------------------- resources


def memory_index(door: MemoriesDoor, limit: int = 500) -> dict[str, Any]:
    """The keys there are with their tags: what an agent reads to learn what it can recall."""
    page = door.list(limit=limit)
    return {
        "memories": [{"uri": f"memory:{m.key}", "key": m.key, "tags": [*m.version.tags], "trust": m.version.trust.value} for m in page.memories],
        "cursor": page.cursor,
    }  # fmt: skip


def memory_resource(door: MemoriesDoor, uri: str) -> dict[str, Any]:
    """One memory by its uri, memory:KEY."""
    return memory_data.of_recalled(door.recall(uri.removeprefix("memory:"), touch=False))
