"""The records that a request admits: filters and policies as conditions in SQL, each with the reason for an exclusion.

They are a second condition, behind that of `daypack.doors.sources.retrieval.visibility`: a record that the viewer may not
know is counted under no reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from daypack.doors.sources import table
from daypack.doors.sources.retrieval.visibility import visible
from daypack.doors.sources.table import DAY
from daypack.doors.sources.types import (
    Confidentiality,
    ContentClass,
    ModelTarget,
    RetrieveRequest,
    Source,
    SourceKind,
    SourceType,
)
from daypack.index import sql
from daypack.ports import Connection, Viewer
from daypack.text.checks import member

Exclusions: TypeAlias = list[tuple[str, str, Sequence[Any]]]
"""(reason, condition under which a record is excluded, parameters)."""


def exclusions(request: RetrieveRequest, now: float) -> Exclusions:
    """The reasons that keep records out of the answer to a request, in the order in which it is counted."""
    found: Exclusions = []
    for name, kind, asked in (
        ("kind", SourceKind, request.kinds),
        ("source_type", SourceType, request.source_types),
        ("content_class", ContentClass, request.content_classes),
        ("source_key", None, request.source_keys),
        ("confidentiality", Confidentiality, request.confidentialities),
    ):
        if asked:
            values = [str(value if kind is None else member(kind, value)) for value in asked]
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
    target = member(ModelTarget, request.model_target)
    egress = "remote_egress" if target is ModelTarget.HOSTED else "local_egress"
    found.append((f"{egress}_denied", f"{egress} = 0", []))
    return found


@dataclass(frozen=True, slots=True)
class Passing:
    """The visible matching records: all active ones without `ids`. `excluded` counts others by reason."""

    count: int
    excluded: Mapping[str, int]
    ids: tuple[str, ...] | None


def passing(db: Connection, viewer: Viewer, reasons: Exclusions) -> Passing:
    """The visible records that no reason excludes; of several reasons the first that holds is counted."""
    where, own = visible(viewer)
    cases = " ".join(f"WHEN {condition} THEN '{name}'" for name, condition, _ in reasons)
    case = f"CASE {cases} END" if reasons else "NULL"
    given = [value for _, _, parameters in reasons for value in parameters]
    counts: dict[str | None, int] = dict(
        db.execute(
            f"SELECT {case} AS reason, count(*) FROM source_item WHERE {where} GROUP BY reason",
            (*given, *own),
        )
    )
    excluded = {name: count for name, count in counts.items() if name is not None}
    if not excluded.keys() - {"source_status"}:
        return Passing(counts.get(None, 0), excluded, None)
    left = f"SELECT record_id FROM source_item WHERE ({where}) AND {case} IS NULL ORDER BY number"
    return Passing(counts.get(None, 0), excluded, tuple(sql.column(db, left, (*own, *given))))


def passing_by_ids(
    db: Connection, viewer: Viewer, reasons: Exclusions, ids: Iterable[str]
) -> dict[str, Source]:
    """The visible records, by id, that no reason excludes."""
    barred = " OR ".join(f"coalesce({condition}, FALSE)" for _, condition, _ in reasons) or "FALSE"
    given = [value for _, _, parameters in reasons for value in parameters]
    wanted = f"record_id IN (SELECT value FROM json_each(?)) AND NOT ({barred})"
    return {item.id: item for item in table.visible_records(db, viewer, wanted, (json.dumps([*ids]), *given))}
