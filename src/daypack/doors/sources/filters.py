"""What keeps a source out of an answer, by name and as a condition in SQL."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from daypack.doors.sources import rules
from daypack.doors.sources.types import (
    Confidentiality,
    ContentClass,
    ModelTarget,
    RetrieveRequest,
    SourceKind,
    SourceType,
)

DAY = 86_400.0
Reasons: TypeAlias = list[tuple[str, str, Sequence[Any]]]


def reasons(request: RetrieveRequest, now: float) -> Reasons:
    """(name, condition under which a record is kept out, parameters), in the order in which they are counted."""
    found: Reasons = []
    for name, kind, asked in (
        ("kind", SourceKind, request.kinds),
        ("source_type", SourceType, request.source_types),
        ("content_class", ContentClass, request.content_classes),
        ("source_key", str, request.source_keys),
        ("confidentiality", Confidentiality, request.confidentialities),
    ):
        if asked:
            values = [str(value if kind is str else rules.member(kind, value)) for value in asked]
            found.append((name, f"{name} NOT IN (SELECT value FROM json_each(?))", [json.dumps(values)]))
    found.append(("source_status", "status != 'active'", []))
    if request.tags:
        tagged = (
            "EXISTS (SELECT 1 FROM json_each(tags) AS t WHERE t.value IN (SELECT value FROM json_each(?)))"
        )
        found.append(("tag", f"NOT {tagged}", [json.dumps([*request.tags])]))
    stale, given = "? - created_at > freshness_days * ?", [now, DAY]
    if request.max_age_days is not None:
        stale, given = f"{stale} OR ? - created_at > ?", [*given, now, request.max_age_days * DAY]
    found.append(("stale", f"({stale})", given))
    if not request.include_user_scope:
        found.append(("user_scope", "scope = 'user'", []))
    if not request.include_global_scope:
        found.append(("global_scope", "scope = 'global'", []))
    target = rules.member(ModelTarget, request.model_target)
    egress = "remote_egress" if target is ModelTarget.HOSTED else "local_egress"
    found.append((f"{egress}_denied", f"NOT {egress}", []))
    return found
