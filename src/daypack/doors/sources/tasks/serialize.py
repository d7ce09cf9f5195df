"""Envelopes of tasks and preferences as plain data, under the names that callers of context stores know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daypack.doors.sources.serialize import assembly_to_dict
from daypack.doors.sources.tasks.types import Lesson, Preference, Preferences, TaskEnvelope, Taught
from daypack.doors.sources.types import RetrievedSource
from daypack.shapes.plain import or_none, pick, rounded, timestamp, trust_mark


def envelope_to_dict(done: TaskEnvelope) -> dict[str, Any]:
    context = assembly_to_dict(done.assembly)
    return {
        "query_text": done.request.query_text,
        "subject": context.pop("query_text"),
        **pick(done.intent, "workflow action"),
        "output_type": done.output_type,
        **pick(done.intent, "goal confidence matched target_type constraints"),
        "source_references": [*map(_reference, done.source_references)],
        "preferences": None if done.preferences is None else _summary(done.preferences),
        "context_summary": [
            {"record_id": item.record.id, "text": text, **trust_mark(item.record.trust)}
            for item, text in done.context_summary
        ],
        "output_contract": pick(done, "type=output_type must_include must_avoid"),
        "audit_id": context.pop("audit_id"),
        "context": context,
    }


def _reference(item: RetrievedSource) -> dict[str, Any]:
    return {
        "record_id": item.record.id,
        **pick(item.record, "source_key", or_none),
        **pick(item.record, "source_version kind scope title"),
        "reference": item.reference,
        "score": rounded(item.score),
    }


def _summary(found: Preferences) -> dict[str, Any]:
    def values(part: Mapping[str, Preference]) -> dict[str, str]:
        return {name: one.value for name, one in part.items()}

    return {
        **pick(found, "levels style defaults", values),
        "notes": [one.value for one in found.notes],
        "evidence_count": found.evidence_count,
        "version": found.record.source_version if found.record else 0,
        "record_id": found.record.id if found.record else None,
        **(trust_mark(found.record.trust) if found.record else {}),
    }


def preferences_to_dict(found: Preferences) -> dict[str, Any]:
    """The current preferences, and the lessons that each follows from."""
    every = [*found.levels.values(), *found.style.values(), *found.defaults.values(), *found.notes]
    return {**_summary(found), "explained": [*map(_explained, every)]}


def _explained(one: Preference) -> dict[str, Any]:
    return {
        **pick(one, "name value origin"),
        **pick(one, "workflow", or_none),
        "evidence": [*map(_lesson, one.lessons)],
    }


def _lesson(one: Lesson) -> dict[str, Any]:
    return {
        **pick(one, "name value origin"),
        **pick(one, "workflow phrase text", or_none),
        "at": timestamp(one.at),
    }


def taught_to_dict(done: Taught, *earlier: Taught) -> dict[str, Any]:
    """The change, also by earlier calls of the same command, and the current preferences."""
    learned = [lesson for one in (*earlier, done) for lesson in one.lessons]
    removed = sum(len(one.removed) for one in (*earlier, done))
    return {
        "changed": bool(learned or removed),
        "learned": [*map(_lesson, learned)],
        "removed": removed,
        "preferences": preferences_to_dict(done.preferences),
        "audit_id": done.audit_id,
    }
