"""Memories as plain data, for JSON: names as in the nouns, times in ISO 8601, UTC."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from daypack.doors.memories.types import (
    Gone,
    Memory,
    MemoryAnswer,
    MemoryBlock,
    MemoryHistory,
    MemoryPage,
    MemoryVersion,
    Receipt,
    Remembered,
)
from daypack.shapes.plain import pick, pick_set, plain, rounded, timestamp
from daypack.types import Trust
from daypack.verbs.brief import Brief
from daypack.verbs.results import facts

BRIEF = Brief(
    usual={"shared": False, "trust": Trust.USER.value, "recalls": 0},
    repeats=dict.fromkeys(("valid_from", "created_at", "updated_at"), "recorded_at"),
)

_WRITTEN = ("key", "version", "value", "tags", "recorded_at", "created_at", "updated_at", "accessed_at")


def brief_remembered(data: Mapping[str, Any], required: Collection[str] = ()) -> dict[str, Any]:
    """A write without the text, which its agent has just sent; a value that waits, or that lost a secret, is shown."""
    found = BRIEF(data, required)
    if data["redactions"] or data["waiting"] or not data["memory"]:
        return found
    del found["redactions"]
    made = {name: value for name, value in found["memory"].items() if name not in _WRITTEN}
    return {**found, "memory": made}


_VERSION = "value version:t tags:[t] links:[t] source:t author:t session:t trust:t recorded_at:t valid_from:t valid_to expires_at"
_MEMORY = f"key:t {_VERSION} shared:b created_at:t updated_at:t accessed_at recalls:i held_from? held_until?"
VERSION, MEMORY, HIT = (
    facts(names) for names in (f"{_VERSION} state:t conflict:b", _MEMORY, f"{_MEMORY} score:n signals:o")
)
SIMILAR = facts("key:t value:t version:t likeness:n trust:t")


def version_to_dict(version: MemoryVersion) -> dict[str, Any]:
    return {
        **pick(version, "value version=token tags links source author session trust"),
        **pick(version, "recorded_at valid_from valid_to expires_at", timestamp),
    }


def memory_to_dict(memory: Memory) -> dict[str, Any]:
    return {
        "key": memory.key,
        **version_to_dict(memory.version),
        "shared": memory.shared,
        **pick(memory, "created_at updated_at accessed_at", timestamp),
        "recalls": memory.recalls,
        **_held(memory),
    }


def _held(memory: Memory) -> dict[str, Any]:
    """The time in which a memory of an answer about another time holds; without an end where none is known."""
    if memory.held is None:
        return {}
    start, end = memory.held
    return {"held_from": timestamp(start), "held_until": None if end == math.inf else timestamp(end)}


def gone_to_dict(gone: Gone) -> dict[str, Any]:
    return {
        "key": gone.key,
        "value": None,
        "state": gone.state.value,
        "at": timestamp(gone.at),
        "reason": gone.reason,
    }


def recalled_to_dict(found: Memory | Gone) -> dict[str, Any]:
    return gone_to_dict(found) if isinstance(found, Gone) else memory_to_dict(found)


def history_to_dict(found: tuple[MemoryHistory, ...] | Gone) -> dict[str, Any]:
    if isinstance(found, Gone):
        return gone_to_dict(found)
    return {"versions": [version_to_dict(line.version) | pick(line, "state conflict") for line in found]}


def remembered_to_dict(done: Remembered) -> dict[str, Any]:
    return {
        **pick(done, "key version=token written waiting replaced"),
        "memory": memory_to_dict(done.memory) if done.memory else None,
        "similar": [pick(memory, "key value version=token likeness trust") for memory in done.similar],
        "redactions": done.redactions,
        **_next_step(done),
    }


def _next_step(done: Remembered) -> dict[str, Any]:
    """The step that an untrusted value waits for. An agent cannot take it, so no command is named."""
    if done.waiting:
        return {"note": "the current value stays until a person accepts this one on the page Memories"}
    if done.written and done.memory and done.memory.version.trust is Trust.UNTRUSTED:
        return {"note": "a person can accept it on the page Memories"}
    return {}


def page_to_dict(page: MemoryPage) -> dict[str, Any]:
    return {"memories": [*map(memory_to_dict, page.memories)], "cursor": page.cursor}


def answer_to_dict(answer: MemoryAnswer) -> dict[str, Any]:
    hits = [
        {
            **memory_to_dict(hit.memory),
            **pick_set(hit, "also"),
            "score": rounded(hit.score),
            "signals": pick(hit, "ranked semantic keyword recency", rounded),
        }
        for hit in answer.hits
    ]
    return {
        "query": answer.query,
        **pick_set(answer, "weak=stats.weak unknown=stats.unknown"),
        "hits": hits,
        **pick(answer, "empty_reason degraded=stats.degraded corrections=stats.corrections"),
        **pick_set(answer, "time=stats.time"),
    }


def block_to_dict(block: MemoryBlock) -> dict[str, Any]:
    return {
        **pick(block, "topic text tokens_used budget=budget.limit tokenizer=budget.tokenizer ordering"),
        "memories": [pick(memory, "key version=token shared") | _held(memory) for memory in block.memories],
        **pick(block, "omitted degraded=stats.degraded"),
        **pick_set(block, "too_big time=stats.time weak=stats.weak unknown=stats.unknown"),
    }


def receipt_to_dict(receipt: Receipt) -> dict[str, Any]:
    return {
        "state": receipt.state.value,
        "at": timestamp(receipt.at),
        "keys": plain(receipt.keys),
        **pick_set(receipt, "kept"),
        "removed": pick(receipt, "versions chunks vectors postings"),
        **pick(receipt, "files log_emptied may_still_hold"),
    }
