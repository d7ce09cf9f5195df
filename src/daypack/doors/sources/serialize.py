"""Records of the sources door as plain data, under the names that callers of context stores know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daypack.doors.memories.serialize import instant
from daypack.doors.sources.retrieval.assembly import reason
from daypack.doors.sources.types import (
    Assembly,
    AuditEntry,
    ImportedSources,
    Retrieval,
    RetrievedSource,
    Source,
    SourcePart,
    SourcePolicy,
    SourceReceipt,
    SourceStatus,
    StoredSource,
)


def source_to_dict(record: Source) -> dict[str, Any]:
    return {
        "id": record.id,
        "kind": record.kind.value,
        "scope": record.scope.value,
        "owner_scope": record.scope.value,
        "source_type": record.source_type.value,
        "content_class": record.content_class.value,
        "title": record.title,
        "text": record.text,
        "summary": record.summary,
        "user_id": record.user_id or None,
        "session_id": record.session_id or None,
        "source_id": record.source_key or None,
        "source_key": record.source_key or None,
        "source_version": record.source_version,
        "source_status": record.source_status.value,
        "external_id": record.external_id or None,
        "content_checksum": record.content_checksum,
        "source_updated_at": instant(record.source_updated_at),
        "source_last_synced_at": instant(record.created_at),
        "deleted_at": instant(record.deleted_at),
        "urls": [*record.urls],
        "tags": [*record.tags],
        "metadata": {
            **record.metadata,
            **({"previous_record_id": record.previous_record_id} if record.previous_record_id else {}),
        },
        "structured_data": record.structured_data,
        "data_schema": None if record.data_schema is None else dict(record.data_schema),
        "structured_fields": [
            {"path": one.path, "value_text": one.value_text, "value_type": one.value_type}
            for one in record.structured_fields
        ],
        "policy": policy_to_dict(record.policy),
        "token_count_estimate": record.token_count,
        "created_at": instant(record.created_at),
        "last_used_at": instant(record.used_at),
    }


def source_with_parts_to_dict(record: Source, parts: Sequence[SourcePart]) -> dict[str, Any]:
    """A record with its parts and their words, as they are searched; one that is not active has none."""
    return {
        **source_to_dict(record),
        "lexical_tokens": sorted({word for part in parts for word in part.words}),
        "chunks": [
            {
                "chunk_id": part.chunk_id,
                "record_id": record.id,
                "chunk_index": part.index,
                "text": part.text,
                "token_count_estimate": part.tokens,
                "lexical_tokens": [*part.words],
            }
            for part in parts
        ],
    }


def policy_to_dict(policy: SourcePolicy) -> dict[str, Any]:
    return {
        "confidentiality": policy.confidentiality.value if policy.confidentiality else None,
        "freshness_days": policy.freshness_days,
        "retention_days": policy.retention_days,
        "allowed_user_ids": [*policy.allowed_user_ids],
        "allowed_session_ids": [*policy.allowed_session_ids],
        "allow_local_model_egress": policy.allow_local_model_egress,
        "allow_remote_model_egress": policy.allow_remote_model_egress,
    }


def stored_to_dict(done: StoredSource) -> dict[str, Any]:
    return {
        **source_to_dict(done.record),
        "action": done.action.value,
        "redactions": done.redactions,
        "similar_record_ids": [*done.similar],
        "pruned": None if done.pruned is None else receipt_to_dict(done.pruned),
        "audit_id": done.audit_id,
    }


def imported_to_dict(done: ImportedSources) -> dict[str, Any]:
    actions = [one.action.value for one in done.stored]
    kept = [
        {
            "path": one.record.source_key.removeprefix("file:"),
            "source_key": one.record.source_key,
            "status": "imported",
            "reason": None,
            "record_id": one.record.id,
            "source_version": one.record.source_version,
            "action": one.action.value,
        }
        for one in done.stored
    ]
    passed_over = [
        {"path": issue.uri, "status": "skipped", "reason": issue.reason.value, "detail": issue.detail}
        for issue in done.issues
    ]
    return {
        "imported": len(kept),
        "skipped": len(passed_over),
        "actions": {action: actions.count(action) for action in sorted(set(actions))},
        "items": [*kept, *passed_over],
    }


def receipt_to_dict(receipt: SourceReceipt) -> dict[str, Any]:
    return {
        "reason": receipt.reason,
        "deleted": len(receipt.records),
        "record_ids": [*receipt.records],
        "dry_run": receipt.dry_run,
        "purged": receipt.purged,
        "audit_id": receipt.audit_id,
    }


def deleted_to_dict(source_key: str, receipt: SourceReceipt) -> dict[str, Any]:
    return {"source_key": source_key, "source_status": SourceStatus.DELETED.value, **receipt_to_dict(receipt)}


def pruned_to_dict(done: Sequence[SourceReceipt]) -> dict[str, Any]:
    return {
        "pruned_records": sum(len(one.records) for one in done),
        "receipts": [*map(receipt_to_dict, done)],
    }


def sources_to_dict(found: Sequence[Source], total: int) -> dict[str, Any]:
    return {"items": [*map(source_to_dict, found)], "total": total}


def audit_entry_to_dict(entry: AuditEntry) -> dict[str, Any]:
    return {
        "audit_id": entry.id,
        "at": instant(entry.at),
        "action": entry.action,
        "user_id": entry.user_id,
        **entry.details,
    }


def item_to_dict(item: RetrievedSource) -> dict[str, Any]:
    record = item.record
    return {
        "record_id": record.id,
        "chunk_id": item.chunk_id,
        "kind": record.kind.value,
        "scope": record.scope.value,
        "source_type": record.source_type.value,
        "content_class": record.content_class.value,
        "source_key": record.source_key or None,
        "source_version": record.source_version,
        "title": record.title,
        "text": item.text,
        "summary": record.summary,
        "tags": [*record.tags],
        "score": round(item.score, 6),
        **_rounded(item.signals),
        "parts": _rounded(item.parts),
        "selection_reason": reason(item.parts),
        "token_count_estimate": item.tokens,
        "created_at": instant(record.created_at),
        "reference": item.reference,
    }


def _rounded(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: round(share, 6) for name, share in parts.items()}


def retrieval_to_dict(found: Retrieval) -> dict[str, Any]:
    return {
        "query_text": found.request.query_text,
        "items": [*map(item_to_dict, found.items)],
        **_about(found),
        "empty_reason": found.empty_reason.value if found.empty_reason else None,
    }


def _about(found: Retrieval) -> dict[str, Any]:
    return {
        "retrieval_strategy": found.ranking.value,
        "total_candidates": found.visible,
        "excluded_counts": dict(sorted(found.excluded.items())),
        "degraded": [*found.stats.degraded],
        "audit_id": found.audit_id,
    }


def assembly_to_dict(done: Assembly) -> dict[str, Any]:
    return {
        "query_text": done.request.query_text,
        "assembly_mode": str(done.request.assembly_mode),
        "token_budget": done.request.token_budget,
        "context_text": done.context_text,
        "token_count_estimate": done.tokens_used,
        "selected_items": sum(len(s.items) for s in done.sections),
        "omitted_items": done.omitted_items,
        "truncated": done.truncated,
        "sections": [
            {
                "name": section.name,
                "token_count_estimate": sum(item.tokens for item in section.items),
                "items": [*map(item_to_dict, section.items)],
            }
            for section in done.sections
        ],
        "omitted": [
            {"record_id": item.record.id, "chunk_id": item.chunk_id, "reason": why.value}
            for item, why in done.left_out
        ],
        **_about(done.retrieval),
    }


def blocks_to_dict(done: Assembly) -> dict[str, Any]:
    """The blocks of an assembly, each with where it comes from."""
    blocks = [
        {
            "name": section.name,
            "text": item.text,
            "score": round(item.score, 6),
            "selection_reason": reason(item.parts),
            "token_count_estimate": item.tokens,
            "provenance": {
                "record_id": item.record.id,
                "chunk_id": item.chunk_id,
                "source_key": item.record.source_key or None,
                "source_version": item.record.source_version,
                "kind": item.record.kind.value,
                "scope": item.record.scope.value,
                "content_checksum": item.record.content_checksum,
                "created_at": instant(item.record.created_at),
                "reference": item.reference,
            },
        }
        for section in done.sections
        for item in section.items
    ]
    return {
        "query_text": done.request.query_text,
        "assembly_mode": str(done.request.assembly_mode),
        "token_budget": done.request.token_budget,
        "token_count_estimate": done.tokens_used,
        "context_blocks": blocks,
        "omitted_items": done.omitted_items,
        "truncated": done.truncated,
        **_about(done.retrieval),
    }


def selection_to_dict(done: Assembly) -> dict[str, Any]:
    """Why each item is in or out."""
    inside = [
        {**item_to_dict(item), "selected": True, "section": section.name}
        for section in done.sections
        for item in section.items
    ]
    outside = [
        {**item_to_dict(item), "selected": False, "section": None, "selection_reason": why.value}
        for item, why in done.left_out
    ]
    rows = sorted([*inside, *outside], key=lambda row: (-row["score"], row["chunk_id"]))
    return {
        "query_text": done.request.query_text,
        "assembly_mode": str(done.request.assembly_mode),
        "items": rows,
        **_about(done.retrieval),
    }
