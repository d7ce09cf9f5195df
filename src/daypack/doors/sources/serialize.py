"""Records of the sources door as plain data, under the names that callers of context stores know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from daypack.doors.sources.retrieval.assembly import listed, reason
from daypack.doors.sources.types import (
    Assembly,
    AuditEntry,
    Confidentiality,
    ContentClass,
    ImportedSources,
    LeftOut,
    Retrieval,
    RetrievedSource,
    Source,
    SourcePart,
    SourcePolicy,
    SourceReceipt,
    SourceStatus,
    SourceType,
    StoredSource,
)
from daypack.shapes.plain import or_none, pick, pick_set, rounded, timestamp, trust_mark
from daypack.verbs.brief import Brief
from daypack.verbs.results import facts

# ---------------------------------------------------------------- JSON Schemas of answers to questions

_ITEM = (
    "record_id:t chunk_id:i kind:t scope:t source_type:t content_class:t source_key source_version:i title:t text:t summary:t tags:[t] "
    "score:n parts:o selection_reason:t token_count_estimate:i created_at:t reference:t cut?:b trust?:t"
)
RETRIEVED = facts(
    "query_text items:[item] weak?:b unknown?:[t] retrieval_strategy total_candidates:i excluded_counts:o degraded:[t]",
    item=facts(_ITEM),
)
PREPARED = facts(
    "query_text assembly_mode token_budget:i token_count_estimate:i context_blocks:[block] truncated:b",
    block=facts("name:t text:t score:n selection_reason:t token_count_estimate:i provenance:o"),
)
SELECTION = facts(
    "query_text assembly_mode items:[item] omitted_items:i total_candidates:i excluded_counts:o",
    item=facts(f"{_ITEM} selected:b section"),
)


# ---------------------------------------------------------------- records


def source_to_dict(record: Source) -> dict[str, Any]:
    previous = {"previous_record_id": record.previous_record_id} if record.previous_record_id else {}
    return {
        **pick(record, "id kind scope owner_scope=scope source_type content_class title text summary"),
        **pick(record, "user_id session_id source_id=source_key source_key", or_none),
        **pick(record, "source_version source_status"),
        **pick(record, "external_id", or_none),
        **pick(record, "content_checksum"),
        **pick(record, "source_updated_at source_last_synced_at=created_at deleted_at", timestamp),
        **pick(record, "urls tags"),
        "metadata": {**record.metadata, **previous},
        **pick(record, "structured_data data_schema structured_fields"),
        "policy": policy_to_dict(record.policy),
        **pick(record, "token_count_estimate=token_count"),
        **pick(record, "created_at last_used_at=used_at", timestamp),
        **trust_mark(record.trust),
    }


def source_with_parts_to_dict(record: Source, parts: Sequence[SourcePart]) -> dict[str, Any]:
    """A record with its searched parts and their words; an inactive one has none."""
    return {
        **source_to_dict(record),
        "lexical_tokens": sorted({word for part in parts for word in part.words}),
        "chunks": [
            {
                "chunk_id": part.chunk_id,
                "record_id": record.id,
                **pick(part, "chunk_index=index text token_count_estimate=tokens lexical_tokens=words"),
            }
            for part in parts
        ],
    }


def policy_to_dict(policy: SourcePolicy) -> dict[str, Any]:
    return pick(
        policy,
        "confidentiality freshness_days retention_days allowed_user_ids allowed_session_ids"
        " allow_local_model_egress allow_remote_model_egress",
    )


def stored_to_dict(stored: StoredSource) -> dict[str, Any]:
    return {
        **source_to_dict(stored.record),
        **pick(stored, "action redactions similar_record_ids=similar"),
        "pruned": None if stored.pruned is None else receipt_to_dict(stored.pruned),
        "audit_id": stored.audit_id,
    }


def imported_to_dict(imported: ImportedSources) -> dict[str, Any]:
    actions = [source.action.value for source in imported.stored]
    stored = [
        {
            "path": source.record.source_key.removeprefix("file:"),
            "source_key": source.record.source_key,
            "status": "imported",
            "reason": None,
            **pick(source, "record_id=record.id source_version=record.source_version action"),
        }
        for source in imported.stored
    ]
    passed_over = [
        {"path": issue.uri, "status": "skipped", **pick(issue, "reason detail")} for issue in imported.issues
    ]
    return {
        "imported": len(stored),
        "skipped": len(passed_over),
        "actions": {action: actions.count(action) for action in sorted(set(actions))},
        "items": [*stored, *passed_over],
    }


def receipt_to_dict(receipt: SourceReceipt) -> dict[str, Any]:
    return {
        "reason": receipt.reason,
        "deleted": len(receipt.records),
        **pick(receipt, "record_ids=records dry_run purged audit_id"),
    }


def deleted_to_dict(source_key: str, receipt: SourceReceipt) -> dict[str, Any]:
    status = {"source_key": source_key, "source_status": SourceStatus.DELETED.value}
    return status | receipt_to_dict(receipt)


def pruned_to_dict(receipts: Sequence[SourceReceipt]) -> dict[str, Any]:
    return {
        "pruned_records": sum(len(receipt.records) for receipt in receipts),
        "receipts": [*map(receipt_to_dict, receipts)],
    }


def sources_to_dict(sources: Sequence[Source], total: int) -> dict[str, Any]:
    return {"items": [*map(source_to_dict, sources)], "total": total}


def audit_entry_to_dict(entry: AuditEntry) -> dict[str, Any]:
    return {"audit_id": entry.id, "at": timestamp(entry.at), **pick(entry, "action user_id"), **entry.details}


_UNSAID = {"text": "", "summary": "", "title": "", "tags": []}
_ORIGIN = "record_id=record.id chunk_id"


def item_to_dict(item: RetrievedSource) -> dict[str, Any]:
    record = item.record
    return {
        **pick(item, _ORIGIN),
        **pick(record, "kind scope source_type content_class"),
        **pick(record, "source_key", or_none),
        **pick(record, "source_version title"),
        "text": item.text,
        **pick(record, "summary tags"),
        "score": rounded(item.score),
        **{name: rounded(share) for name, share in item.signals.items()},
        "parts": {name: rounded(share) for name, share in item.parts.items()},
        "selection_reason": reason(item.parts),
        "token_count_estimate": item.tokens,
        "created_at": timestamp(record.created_at),
        "reference": item.reference,
        **({"cut": True} if item.cut else {}),
        **trust_mark(record.trust),
    }


def retrieval_to_dict(retrieval: Retrieval) -> dict[str, Any]:
    return {
        "query_text": retrieval.request.query_text,
        **_warning(retrieval),
        "items": [*map(item_to_dict, retrieval.items)],
        **_about(retrieval),
        **pick(retrieval, "empty_reason"),
    }


def _about(retrieval: Retrieval) -> dict[str, Any]:
    return {
        **pick(retrieval, "retrieval_strategy=ranking total_candidates=visible"),
        "excluded_counts": dict(sorted(retrieval.excluded.items())),
        **pick(retrieval, "degraded=stats.degraded audit_id"),
    }


def _request(assembly: Assembly) -> dict[str, Any]:
    request = assembly.request
    about = {"query_text": request.query_text, "assembly_mode": str(request.assembly_mode)}
    return about | _warning(assembly.retrieval)


def _warning(retrieval: Retrieval) -> dict[str, Any]:
    """The marks of an answer that holds the nearest texts and does not answer."""
    return pick_set(retrieval, "weak=stats.weak unknown=stats.unknown") if retrieval.items else {}


def assembly_to_dict(assembly: Assembly) -> dict[str, Any]:
    return {
        **_request(assembly),
        **pick(assembly, "token_budget=request.token_budget context_text token_count_estimate"),
        "selected_items": sum(len(section.items) for section in assembly.sections),
        **pick(assembly, "omitted_items truncated"),
        "sections": [
            {
                "name": section.name,
                "token_count_estimate": sum(item.tokens for item in section.items),
                "items": [*map(item_to_dict, section.items)],
            }
            for section in assembly.sections
        ],
        "omitted": [{**pick(item, _ORIGIN), "reason": why.value} for item, why in listed(assembly)],
        **_about(assembly.retrieval),
    }


def blocks_to_dict(assembly: Assembly) -> dict[str, Any]:
    """The blocks of an assembly, each with its record, version and checksum."""
    blocks = [
        {
            "name": section.name,
            "text": item.text,
            "score": rounded(item.score),
            "selection_reason": reason(item.parts),
            "token_count_estimate": item.tokens,
            "provenance": {
                **pick(item, _ORIGIN),
                **pick(item.record, "source_key", or_none),
                **pick(item.record, "source_version kind scope content_checksum"),
                "created_at": timestamp(item.record.created_at),
                "reference": item.reference,
                **trust_mark(item.record.trust),
            },
        }
        for section in assembly.sections
        for item in section.items
    ]
    return {
        **_request(assembly),
        **pick(assembly, "token_budget=request.token_budget token_count_estimate"),
        "context_blocks": blocks,
        **pick(assembly, "omitted_items truncated"),
        **_about(assembly.retrieval),
    }


def selection_to_dict(assembly: Assembly) -> dict[str, Any]:
    """Every item of an assembly, with the reason why it is in or out."""
    inside = [
        {**item_to_dict(item), "selected": True, "section": section.name}
        for section in assembly.sections
        for item in section.items
    ]
    outside = [
        # of low ones no text: a reader need not trust what it is not shown
        {**item_to_dict(item), **(_UNSAID if why is LeftOut.LOW_SCORE else {}), "selected": False, "section": None, "selection_reason": why.value}
        for item, why in listed(assembly)
    ]  # fmt: skip
    rows = sorted([*inside, *outside], key=lambda row: (-row["score"], row["chunk_id"]))
    return {
        **_request(assembly),
        "items": rows,
        **pick(assembly, "omitted_items"),
        **_about(assembly.retrieval),
    }


_USUAL_POLICY = SourcePolicy(confidentiality=Confidentiality.PRIVATE)
BRIEF = Brief(
    usual={
        "policy": policy_to_dict(_USUAL_POLICY),
        "source_status": SourceStatus.ACTIVE,
        "source_type": SourceType.DIRECT_TEXT,
        "content_class": ContentClass.NORMALIZED_MEMORY,
    },
    repeats={"owner_scope": "scope", "source_id": "source_key", "source_last_synced_at": "created_at"},
    verbatim=("metadata", "structured_data", "data_schema", "structured_fields"),
)
# `get_source` and `prepare_context` give the checksum, `explain_selection` the parts of a score.
BRIEF_LIST = replace(BRIEF, unread=("content_checksum", "parts"))
