"""Records of the sources door as a text in sections, and as plain data under the names that callers of
context stores know.

    ## drafting_instructions

    1. user_profile_note, user, profile, score 0.812 (bm25 0.31, dense 0.22)
    Prefers short e-mails.
    ```
    The client prefers short e-mails with bullet points.
    ```

What is stored stays inside its fence or on its line: it can neither begin a section nor hold live HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daypack.doors.memories.serialize import instant
from daypack.doors.sources.types import (
    AssembledSection,
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
from daypack.guard.fences import encode, fence, inline


def reason(parts: Mapping[str, float]) -> str:
    """The two parts that added most to a score; "least" of what got none, for scores run from the best to the
    least that was found.
    """
    best = sorted(((name, share) for name, share in parts.items() if share > 0), key=lambda part: -part[1])[
        :2
    ]
    return ", ".join(f"{name} {share:.2f}" for name, share in best) or "least"


def assembled(sections: Sequence[AssembledSection]) -> str:
    """The whole text; "" without items. Entries are numbered through all sections."""
    lines: list[str] = []
    number = 0
    for section in sections:
        lines += ["", f"## {section.name}"] if lines else [f"## {section.name}"]
        for item in section.items:
            number += 1
            lines += ["", *_entry(number, item)]
    return "\n".join(lines)


def _entry(number: int, item: RetrievedSource) -> list[str]:
    record = item.record
    names = ", ".join(
        inline(name)
        for name in (record.kind.value, record.scope.value, record.source_key, record.title)
        if name
    )
    shown, _, _ = encode(item.text.strip("\n"))
    bars = fence(shown)
    summary = [inline(record.summary, 300)] if record.summary else []
    return [f"{number}. {names}, score {item.score:.3f} ({reason(item.parts)})", *summary, bars, shown, bars]


# ---------------------------------------------------------------- plain data


def of_source(record: Source) -> dict[str, Any]:
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
        "policy": of_policy(record.policy),
        "token_count_estimate": record.token_count,
        "created_at": instant(record.created_at),
        "last_used_at": instant(record.used_at),
    }


def of_whole(record: Source, parts: Sequence[SourcePart]) -> dict[str, Any]:
    """A record with its parts and their words, as they are searched; one that is not active has none."""
    return {
        **of_source(record),
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


def of_policy(policy: SourcePolicy) -> dict[str, Any]:
    return {
        "confidentiality": policy.confidentiality.value if policy.confidentiality else None,
        "freshness_days": policy.freshness_days,
        "retention_days": policy.retention_days,
        "allowed_user_ids": [*policy.allowed_user_ids],
        "allowed_session_ids": [*policy.allowed_session_ids],
        "allow_local_model_egress": policy.allow_local_model_egress,
        "allow_remote_model_egress": policy.allow_remote_model_egress,
    }


def of_stored(done: StoredSource) -> dict[str, Any]:
    return {
        **of_source(done.record),
        "action": done.action.value,
        "redactions": done.redactions,
        "similar_record_ids": [*done.similar],
        "pruned": None if done.pruned is None else of_receipt(done.pruned),
        "audit_id": done.audit_id,
    }


def of_imported(done: ImportedSources) -> dict[str, Any]:
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


def of_receipt(receipt: SourceReceipt) -> dict[str, Any]:
    return {
        "reason": receipt.reason,
        "deleted": len(receipt.records),
        "record_ids": [*receipt.records],
        "dry_run": receipt.dry_run,
        "purged": receipt.purged,
        "audit_id": receipt.audit_id,
    }


def of_deleted(source_key: str, receipt: SourceReceipt) -> dict[str, Any]:
    return {"source_key": source_key, "source_status": SourceStatus.DELETED.value, **of_receipt(receipt)}


def of_pruned(done: Sequence[SourceReceipt]) -> dict[str, Any]:
    return {"pruned_records": sum(len(one.records) for one in done), "receipts": [*map(of_receipt, done)]}


def of_list(found: Sequence[Source], total: int) -> dict[str, Any]:
    return {"items": [*map(of_source, found)], "total": total}


def of_audit(entry: AuditEntry) -> dict[str, Any]:
    return {
        "audit_id": entry.id,
        "at": instant(entry.at),
        "action": entry.action,
        "user_id": entry.user_id,
        **entry.details,
    }


def of_item(item: RetrievedSource) -> dict[str, Any]:
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


def of_retrieval(found: Retrieval) -> dict[str, Any]:
    return {
        "query_text": found.request.query_text,
        "items": [*map(of_item, found.items)],
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


def of_assembly(done: Assembly) -> dict[str, Any]:
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
                "items": [*map(of_item, section.items)],
            }
            for section in done.sections
        ],
        "omitted": [
            {"record_id": item.record.id, "chunk_id": item.chunk_id, "reason": why.value}
            for item, why in done.left_out
        ],
        **_about(done.retrieval),
    }


def of_prepared(done: Assembly) -> dict[str, Any]:
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


def of_explained(done: Assembly) -> dict[str, Any]:
    """Why each item is in or out."""
    inside = [
        {**of_item(item), "selected": True, "section": section.name}
        for section in done.sections
        for item in section.items
    ]
    outside = [
        {**of_item(item), "selected": False, "section": None, "selection_reason": why.value}
        for item, why in done.left_out
    ]
    rows = sorted([*inside, *outside], key=lambda row: (-row["score"], row["chunk_id"]))
    return {
        "query_text": done.request.query_text,
        "assembly_mode": str(done.request.assembly_mode),
        "items": rows,
        **_about(done.retrieval),
    }
