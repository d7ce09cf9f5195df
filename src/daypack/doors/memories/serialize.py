"""Memories as plain data, for JSON: names as in the nouns, times in ISO 8601, UTC."""

from __future__ import annotations

from datetime import UTC, datetime
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


def instant(moment: float | None) -> str | None:
    return (
        None
        if moment is None
        else datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def of_version(version: MemoryVersion) -> dict[str, Any]:
    return {
        "value": version.value,
        "version": version.token,
        "tags": [*version.tags],
        "links": [*version.links],
        "source": version.source,
        "author": version.author,
        "session": version.session,
        "trust": version.trust.value,
        "recorded_at": instant(version.recorded_at),
        "valid_from": instant(version.valid_from),
        "valid_to": instant(version.valid_to),
        "expires_at": instant(version.expires_at),
    }


def of_memory(memory: Memory) -> dict[str, Any]:
    return {
        "key": memory.key,
        **of_version(memory.version),
        "shared": memory.shared,
        "created_at": instant(memory.created_at),
        "updated_at": instant(memory.updated_at),
        "accessed_at": instant(memory.accessed_at),
        "recalls": memory.recalls,
    }


def of_gone(gone: Gone) -> dict[str, Any]:
    return {
        "key": gone.key,
        "value": None,
        "state": gone.state.value,
        "at": instant(gone.at),
        "reason": gone.reason,
    }


def of_recalled(found: Memory | Gone) -> dict[str, Any]:
    return of_gone(found) if isinstance(found, Gone) else of_memory(found)


def of_history(found: tuple[MemoryHistory, ...] | Gone) -> dict[str, Any]:
    if isinstance(found, Gone):
        return of_gone(found)
    return {
        "versions": [
            {**of_version(line.version), "state": line.state.value, "conflict": line.conflict}
            for line in found
        ]
    }


def of_remembered(done: Remembered) -> dict[str, Any]:
    return {
        "key": done.key,
        "version": done.token,
        "written": done.written,
        "waiting": done.waiting,
        "replaced": done.replaced,
        "memory": of_memory(done.memory) if done.memory else None,
        "similar": [
            {"key": s.key, "value": s.value, "version": s.token, "likeness": s.likeness} for s in done.similar
        ],
        "redactions": done.redactions,
    }


def of_page(page: MemoryPage) -> dict[str, Any]:
    return {"memories": [*map(of_memory, page.memories)], "cursor": page.cursor}


def of_answer(answer: MemoryAnswer) -> dict[str, Any]:
    return {
        "query": answer.query,
        "hits": [
            {
                **of_memory(hit.memory),
                "score": round(hit.score, 6),
                "signals": {
                    "ranked": round(hit.ranked, 6),
                    "semantic": None if hit.semantic is None else round(hit.semantic, 6),
                    "keyword": round(hit.keyword, 6),
                    "recency": round(hit.recency, 6),
                },
            }
            for hit in answer.hits
        ],
        "empty_reason": answer.empty_reason.value if answer.empty_reason else None,
        "degraded": [*answer.stats.degraded],
        "corrections": dict(answer.stats.corrections),
    }


def of_block(block: MemoryBlock) -> dict[str, Any]:
    return {
        "topic": block.topic,
        "text": block.text,
        "tokens_used": block.tokens_used,
        "budget": block.budget.limit,
        "tokenizer": block.budget.tokenizer.value,
        "ordering": block.ordering.value,
        "memories": [{"key": m.key, "version": m.token, "shared": m.shared} for m in block.memories],
        "omitted": block.omitted,
        "degraded": [*block.stats.degraded],
    }


def of_receipt(receipt: Receipt) -> dict[str, Any]:
    return {
        "state": receipt.state.value,
        "at": instant(receipt.at),
        "keys": [*receipt.keys],
        "removed": {
            "versions": receipt.versions,
            "chunks": receipt.chunks,
            "vectors": receipt.vectors,
            "postings": receipt.postings,
        },
        "files": [*receipt.files],
        "log_emptied": receipt.log_emptied,
        "may_still_hold": [*receipt.may_still_hold],
    }
