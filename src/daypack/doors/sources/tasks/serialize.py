"""Envelopes of tasks and preferences as plain data, under the names that callers of context stores know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daypack.doors.sources.serialize import assembly_to_dict
from daypack.doors.sources.tasks.types import Lesson, Preference, Preferences, TaskEnvelope, Taught
from daypack.doors.sources.types import RetrievedSource
from daypack.shapes.plain import or_none, pick, rounded, timestamp, trust_mark
from daypack.verbs.results import facts

_TAUGHT = "name:t value:t origin:t workflow"
_LESSON = facts(f"{_TAUGHT} phrase text at:t")
ENVELOPE = facts(
    "subject workflow action output_type goal confidence:n constraints:[constraint] preferences:o? output_contract:o context:any",
    constraint=facts("kind:t text:t"),
)
PREFERENCES = facts(
    "levels:o style:o defaults:o notes:[t] evidence_count:i version:i explained:[preference]",
    preference=facts(f"{_TAUGHT} evidence:[lesson]", lesson=_LESSON),
)
LEARNED = facts("changed:b learned:[lesson] removed:i preferences:o", lesson=_LESSON)


def envelope_to_dict(envelope: TaskEnvelope) -> dict[str, Any]:
    context = assembly_to_dict(envelope.assembly)
    return {
        "query_text": envelope.request.query_text,
        "subject": context.pop("query_text"),
        **pick(envelope.intent, "workflow action"),
        "output_type": envelope.output_type,
        **pick(envelope.intent, "goal confidence matched target_type constraints"),
        "source_references": [*map(_reference, envelope.source_references)],
        "preferences": None if envelope.preferences is None else _summary(envelope.preferences),
        "context_summary": [
            {"record_id": item.record.id, "text": text, **trust_mark(item.record.trust)}
            for item, text in envelope.context_summary
        ],
        "output_contract": pick(envelope, "type=output_type must_include must_avoid"),
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


def _summary(preferences: Preferences) -> dict[str, Any]:
    def values(part: Mapping[str, Preference]) -> dict[str, str]:
        return {name: preference.value for name, preference in part.items()}

    return {
        **pick(preferences, "levels style defaults", values),
        "notes": [preference.value for preference in preferences.notes],
        "evidence_count": preferences.evidence_count,
        "version": preferences.record.source_version if preferences.record else 0,
        "record_id": preferences.record.id if preferences.record else None,
        **(trust_mark(preferences.record.trust) if preferences.record else {}),
    }


def preferences_to_dict(preferences: Preferences) -> dict[str, Any]:
    """The current preferences, and the lessons that each follows from."""
    every = [
        *preferences.levels.values(),
        *preferences.style.values(),
        *preferences.defaults.values(),
        *preferences.notes,
    ]
    return {**_summary(preferences), "explained": [*map(_explained, every)]}


def _explained(preference: Preference) -> dict[str, Any]:
    return {
        **pick(preference, "name value origin"),
        **pick(preference, "workflow", or_none),
        "evidence": [*map(_lesson, preference.lessons)],
    }


def _lesson(lesson: Lesson) -> dict[str, Any]:
    return {
        **pick(lesson, "name value origin"),
        **pick(lesson, "workflow phrase text", or_none),
        "at": timestamp(lesson.at),
    }


def taught_to_dict(taught: Taught, *earlier: Taught) -> dict[str, Any]:
    """The change, also by earlier calls of the same command, and the current preferences."""
    learned = [lesson for change in (*earlier, taught) for lesson in change.lessons]
    removed = sum(len(change.removed) for change in (*earlier, taught))
    return {
        "changed": bool(learned or removed),
        "learned": [*map(_lesson, learned)],
        "removed": removed,
        "preferences": preferences_to_dict(taught.preferences),
        "audit_id": taught.audit_id,
    }
