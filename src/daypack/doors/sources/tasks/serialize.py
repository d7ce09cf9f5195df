"""Envelopes of tasks and preferences as plain data, under the names that callers of context stores know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daypack.doors.memories.serialize import instant
from daypack.doors.sources.serialize import assembly_to_dict
from daypack.doors.sources.tasks.types import Lesson, Preference, Preferences, TaskEnvelope, Taught
from daypack.doors.sources.types import RetrievedSource


def envelope_to_dict(done: TaskEnvelope) -> dict[str, Any]:
    intent = done.intent
    context = assembly_to_dict(done.assembly)
    return {
        "query_text": done.request.query_text,
        "subject": context.pop("query_text"),
        "workflow": intent.workflow,
        "action": intent.action,
        "output_type": done.output_type,
        "goal": intent.goal,
        "confidence": intent.confidence,
        "matched": intent.matched,
        "target_type": intent.target_type,
        "constraints": [{"kind": one.kind, "text": one.text} for one in intent.constraints],
        "source_references": [*map(_reference, done.source_references)],
        "preferences": None if done.preferences is None else _held(done.preferences),
        "context_summary": [
            {"record_id": item.record.id, "text": text} for item, text in done.context_summary
        ],
        "output_contract": {
            "type": done.output_type,
            "must_include": [*done.must_include],
            "must_avoid": [*done.must_avoid],
        },
        "audit_id": context.pop("audit_id"),
        "context": context,
    }


def _reference(item: RetrievedSource) -> dict[str, Any]:
    record = item.record
    return {
        "record_id": record.id,
        "source_key": record.source_key or None,
        "source_version": record.source_version,
        "kind": record.kind.value,
        "scope": record.scope.value,
        "title": record.title,
        "reference": item.reference,
        "score": round(item.score, 6),
    }


def _held(found: Preferences) -> dict[str, Any]:
    """What holds, in short."""

    def values(part: Mapping[str, Preference]) -> dict[str, str]:
        return {name: one.value for name, one in part.items()}

    return {
        "levels": values(found.levels),
        "style": values(found.style),
        "defaults": values(found.defaults),
        "notes": [one.value for one in found.notes],
        "evidence_count": found.evidence_count,
        "version": found.record.source_version if found.record else 0,
        "record_id": found.record.id if found.record else None,
    }


def preferences_to_dict(found: Preferences) -> dict[str, Any]:
    """What holds, and what each of it follows from."""
    every = [*found.levels.values(), *found.style.values(), *found.defaults.values(), *found.notes]
    return {**_held(found), "explained": [*map(_explained, every)]}


def _explained(one: Preference) -> dict[str, Any]:
    return {
        "name": one.name,
        "value": one.value,
        "origin": one.origin.value,
        "workflow": one.workflow or None,
        "evidence": [*map(_lesson, one.lessons)],
    }


def _lesson(one: Lesson) -> dict[str, Any]:
    return {
        "name": one.name,
        "value": one.value,
        "origin": one.origin.value,
        "workflow": one.workflow or None,
        "phrase": one.phrase or None,
        "text": one.text or None,
        "at": instant(one.at),
    }


def taught_to_dict(done: Taught, *earlier: Taught) -> dict[str, Any]:
    """What changed, also by those of the same call that came before, and what holds now."""
    learned = [lesson for one in (*earlier, done) for lesson in one.lessons]
    removed = sum(len(one.removed) for one in (*earlier, done))
    return {
        "changed": bool(learned or removed),
        "learned": [*map(_lesson, learned)],
        "removed": removed,
        "preferences": preferences_to_dict(done.preferences),
        "audit_id": done.audit_id,
    }
