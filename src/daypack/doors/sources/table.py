"""Records of the sources door on disk: every version with its readers, tombstones, and the log.

The active version is a record of the common index as well, under its id. One condition in SQL decides the
visible records; the engine applies it before it makes a view (`daypack.doors.sources.retrieval.visibility`), so that
hidden records affect no statistic, count or suggestion of an answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from daypack.doors.sources.retrieval.visibility import visible
from daypack.doors.sources.rules import checksum
from daypack.doors.sources.types import (
    AuditEntry,
    Confidentiality,
    ContentClass,
    Source,
    SourceKind,
    SourcePolicy,
    SourceScope,
    SourceStatus,
    SourceType,
    StructuredField,
    space_of,
)
from daypack.index import sql
from daypack.index.audit import AuditLog
from daypack.ports import Connection, Viewer
from daypack.shapes.plain import pick
from daypack.text.storable import text_hash
from daypack.types import Trust

DAY = 86_400.0  # seconds
AUDIT = AuditLog("source_audit", ("user_id", "details"))
# columns of `source_item` that hold attributes of a record and of its policy as they are
_RECORD = (
    "record_id=id kind scope user_id session_id source_key version=source_version status=source_status source_type content_class text title"
    " summary tags checksum=content_checksum tokens=token_count created_at used_at deleted_at previous=previous_record_id"
)
_POLICY = (
    "confidentiality allowed_users=allowed_user_ids allowed_sessions=allowed_session_ids local_egress=allow_local_model_egress"
    " remote_egress=allow_remote_model_egress freshness_days retention_days"
)
_DATA = (
    "urls metadata structured_data data_schema external_id source_updated_at trust"  # in the column `data`
)


def _attributes(columns: str) -> dict[str, str]:
    """Column → attribute."""
    pairs = (column.partition("=") for column in columns.split())
    return {column: attribute or column for column, _, attribute in pairs}


_OF_RECORD, _OF_POLICY = _attributes(_RECORD), _attributes(_POLICY)
_NAMES = (*_OF_RECORD, *_OF_POLICY, "data")
_COLUMNS = ", ".join(_NAMES)


def spaces_of(viewer: Viewer) -> tuple[str, ...]:
    """The spaces of a viewer: session, user, their global records, a named session's shared ones."""
    user, session = viewer.user_id, viewer.session_id
    own = (space_of("session", user, session), space_of("user", user, ""), space_of("global", user, ""))
    return (*own, space_of("session", "", session)) if session else own


# ---------------------------------------------------------------- records


def _strings(stored: str) -> tuple[str, ...]:
    return tuple(json.loads(stored))


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "kind": SourceKind, "scope": SourceScope, "status": SourceStatus, "source_type": SourceType, "content_class": ContentClass,
    "confidentiality": Confidentiality, "local_egress": bool, "remote_egress": bool, "tags": _strings, "allowed_users": _strings,
    "allowed_sessions": _strings, "data": json.loads,
}  # fmt: skip


def _source(db: Connection, row: Sequence[Any]) -> Source:
    """A stored record. Raises StoreDamaged for one that is not as it was stored."""
    columns = dict(zip(_NAMES, row, strict=True))
    columns |= {column: read(columns[column]) for column, read in _READERS.items()}
    data = columns["data"]
    digest = data.pop("digest", None)
    item = Source(
        **{attribute: columns[column] for column, attribute in _OF_RECORD.items()},
        policy=SourcePolicy(**{attribute: columns[column] for column, attribute in _OF_POLICY.items()}),
        urls=tuple(data.get("urls", ())),
        metadata=data.get("metadata", {}),
        structured_fields=tuple(StructuredField(*field) for field in data.get("structured_fields", ())),
        **{name: data.get(name) for name in ("structured_data", "data_schema", "source_updated_at")},
        external_id=data.get("external_id", ""),
        trust=Trust(data.get("trust", Trust.USER)),
    )
    if digest is not None:
        same = digest == _digest(item.text, item.title, item.summary, data)
    else:  # written before schema 13; then the checksum of structured data is of another form
        same = item.data_schema is not None or item.content_checksum in ("", checksum(item))
    sql.check_unchanged(db, f"the source {item.id}", unchanged=same)
    return item


def _digest(*content: Any) -> str:
    """A hash of what a record says, and of the facts beside it."""
    return text_hash(json.dumps(content, sort_keys=True))


def _where(db: Connection, condition: str, parameters: Sequence[Any]) -> list[Source]:
    statement = f"SELECT {_COLUMNS} FROM source_item WHERE {condition}"
    return sql.rows(db, partial(_source, db), statement, parameters)


def add(db: Connection, item: Source, number: int) -> None:
    """Write a record as the row of a new number."""
    fields = [[field.path, field.value_text, field.value_type] for field in item.structured_fields]
    row = {"number": number} | pick(item, _RECORD) | pick(item.policy, _POLICY)
    row["space"] = item.space
    row["confidentiality"] = row["confidentiality"] or Confidentiality.PRIVATE.value
    data = json.loads(json.dumps(pick(item, _DATA) | {"structured_fields": fields}))
    row["data"] = data | {"digest": _digest(item.text, item.title, item.summary, data)}
    sql.insert(db, "source_item", row)


def visible_records(
    db: Connection,
    viewer: Viewer,
    condition: str,
    parameters: Sequence[Any],
    *,
    tail: str = "ORDER BY number",
) -> list[Source]:
    """The visible records that meet a condition, oldest first by default."""
    where, own = visible(viewer)
    return _where(db, f"({where}) AND {condition} {tail}", (*own, *parameters))


def by_ids(db: Connection, viewer: Viewer, ids: Iterable[str]) -> dict[str, Source]:
    among, wanted = "record_id IN (SELECT value FROM json_each(?))", json.dumps([*ids])
    return {item.id: item for item in visible_records(db, viewer, among, (wanted,))}


def listed(
    db: Connection, viewer: Viewer, equal: Mapping[str, str | None], limit: int, offset: int
) -> tuple[list[Source], int]:
    """(the newest records with the given values of columns, None for any; their number without limit)."""
    wanted = {column: value for column, value in equal.items() if value}
    condition = " AND ".join(["TRUE", *(f"{column} = ?" for column in wanted)])
    tail = "ORDER BY number DESC LIMIT ? OFFSET ?"
    newest = visible_records(db, viewer, f"({condition})", (*wanted.values(), limit, offset), tail=tail)
    where, own = visible(viewer)
    total = f"SELECT count(*) FROM source_item WHERE ({where}) AND {condition}"
    return newest, sql.count(db, total, (*own, *wanted.values()))


def active(db: Connection, viewer: Viewer) -> list[Source]:
    """The visible active records, oldest first."""
    return visible_records(db, viewer, "status = 'active'", ())


def own_active(db: Connection, viewer: Viewer) -> list[Source]:
    """The viewer's own active records, oldest first."""
    return _own(db, viewer, "status = 'active'")


def own_by_id(db: Connection, viewer: Viewer, record_id: str) -> list[Source]:
    """The viewer's own record of an id, or None."""
    return _own(db, viewer, "record_id = ?", record_id)


def own_scopes(db: Connection, viewer: Viewer, key: str) -> list[str]:
    """The scopes in which the viewer has a record under a key."""
    active = _own(db, viewer, "source_key = ? AND status = 'active'", key)
    return [*dict.fromkeys(item.scope.value for item in active)]


def _own(db: Connection, viewer: Viewer, condition: str, *parameters: Any) -> list[Source]:
    among, spaces = "space IN (SELECT value FROM json_each(?))", json.dumps(spaces_of(viewer))
    return visible_records(db, viewer, f"{among} AND {condition}", (spaces, *parameters))


# By space, and so by owner, whatever a policy says about readers.


def under_key(db: Connection, space: str, key: str) -> list[Source]:
    """Every version under a key, oldest first; none for the empty one, which records without a key have."""
    if not key:
        return []
    return _where(db, "space = ? AND source_key = ? ORDER BY number", (space, key))


def same_text(db: Connection, space: str, checksum: str) -> Source | None:
    """The active record without a key and with exactly this content."""
    condition = "space = ? AND checksum = ? AND status = 'active' AND source_key = '' LIMIT 1"
    return next(iter(_where(db, condition, (space, checksum))), None)


def latest(db: Connection, space: str, kind: str, count: int) -> list[tuple[str, str]]:
    """(id, text) of the newest active records of a kind."""
    newest = "space = ? AND kind = ? AND status = 'active' ORDER BY number DESC LIMIT ?"
    return [(source.id, source.text) for source in _where(db, newest, (space, kind, count))]


def crowded(db: Connection, space: str, kind: str, most: int, *, but: str) -> list[Source]:
    """The active records of a kind that were used longest ago, beyond the `most` that stay; `but` stays."""
    order = "ORDER BY max(coalesce(used_at, 0), created_at) DESC, number DESC LIMIT -1 OFFSET ?"
    others = "space = ? AND kind = ? AND status = 'active' AND record_id != ?"
    return _where(db, f"{others} {order}", (space, kind, but, most - 1))


def supersede(db: Connection, record_id: str) -> None:
    db.execute("UPDATE source_item SET status = 'superseded' WHERE record_id = ?", (record_id,))


def bury(db: Connection, ids: Iterable[str], *, now: float) -> None:
    """Make tombstones: owner, kind, key, version and time, without any text."""
    db.execute(
        "UPDATE source_item SET status = 'deleted', deleted_at = ?, text = '', title = '', summary = '', tags = '[]', data = '{}', checksum = '',"
        " tokens = 0 WHERE record_id IN (SELECT value FROM json_each(?)) AND status != 'deleted'",
        (now, json.dumps([*ids])),
    )


def note_use(db: Connection, ids: Iterable[str], *, now: float) -> None:
    db.execute(
        "UPDATE source_item SET used_at = ? WHERE record_id IN (SELECT value FROM json_each(?))",
        (now, json.dumps([*ids])),
    )


# ---------------------------------------------------------------- counts


def pruned(db: Connection, user_id: str) -> dict[str, dict[str, int]]:
    """Reason → scope and kind ("user/user_prompt") → number of a user's records deleted for it."""
    statement = (
        "SELECT action, details FROM source_audit WHERE user_id = ? AND action IN ('retention', 'capacity')"
    )
    total: dict[str, dict[str, int]] = {}
    for reason, details in db.execute(statement, (user_id,)):
        counted = total.setdefault(reason, {})
        stored = json.loads(details)
        # entries of early stores name no groups
        for group, count in stored.get("groups", {"": stored.get("records", 0)}).items():
            counted[group] = counted.get(group, 0) + count
    return total


def counts(db: Connection, viewer: Viewer, column: str) -> dict[str, int]:
    """Value of a column → number of visible records with it, active ones but for `status` itself."""
    where, own = visible(viewer)
    active = "" if column == "status" else " AND status = 'active'"
    statement = f"SELECT {column}, count(*) FROM source_item WHERE ({where}){active} GROUP BY {column} ORDER BY {column}"
    return dict(db.execute(statement, own))


# ---------------------------------------------------------------- the log


def audit(db: Connection, action: str, user_id: str, details: Mapping[str, Any], *, at: float) -> int:
    """Write a line of the log; returns its id."""
    return AUDIT.append(db, at, action, user_id, json.dumps(dict(details), sort_keys=True))


def audited(
    db: Connection, user_id: str, *, audit_id: int | None = None, limit: int = 100
) -> list[AuditEntry]:
    """The entries of one user, the latest first."""
    only, given = ("", ()) if audit_id is None else (" AND id = ?", (audit_id,))
    statement = f"SELECT id, at, action, user_id, details FROM source_audit WHERE user_id = ?{only} ORDER BY id DESC LIMIT ?"
    rows = db.execute(statement, (user_id, *given, limit))
    return [AuditEntry(row[0], row[1], row[2], row[3], json.loads(row[4])) for row in rows]


def count_astray(db: Connection) -> int:
    """Number of records that are active and not searched, or searched and not active."""
    return sql.count(
        db,
        """SELECT count(*) FROM (SELECT record_id FROM source_item WHERE status = 'active') AS s
           FULL JOIN (SELECT uid FROM record WHERE door = 'sources') AS r ON r.uid = s.record_id
           WHERE r.uid IS NULL OR s.record_id IS NULL""",
    )


def unsearched(db: Connection) -> list[tuple[str, Source]]:
    """(space, record) of every active record that the common index lacks."""
    lacking = "record_id NOT IN (SELECT uid FROM record WHERE door = 'sources')"
    statement = (
        f"SELECT space, {_COLUMNS} FROM source_item WHERE status = 'active' AND {lacking} ORDER BY number"
    )
    return [(row[0], _source(db, row[1:])) for row in list(db.execute(statement))]


def unknown_records(db: Connection) -> list[tuple[str, str]]:
    """(scope, uid) of searched records that are not active records of this door."""
    active = "SELECT record_id FROM source_item WHERE status = 'active'"
    statement = f"SELECT scope, uid FROM record WHERE door = 'sources' AND uid NOT IN ({active})"
    return list(db.execute(statement))
