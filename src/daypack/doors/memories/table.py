"""The life of memories on disk: spaces, keys, versions, forgotten keys, and the audit.

Rows in, nouns out; every function works inside the transaction that the caller holds.
`daypack.doors.memories.rules` decides the meaning of versions; the searched text is a record of the common
index.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from daypack.doors.memories import rules
from daypack.doors.memories.spaces import DOOR, Space
from daypack.doors.memories.types import Gone, GoneState, Memory, MemoryVersion, Verdict
from daypack.index import sql
from daypack.index.audit import AuditLog
from daypack.ports import Connection
from daypack.shapes.plain import pick
from daypack.types import Trust

AUDIT = AuditLog("memory_audit", ("space", "mark", "trust"))
READ_OF_VALUE = 2000  # characters of a value in which a thing may be named


class ValueThen(NamedTuple):
    """A searched value with its time, [`start`, `end`)."""

    record_id: int
    uid: str
    text: str  # its beginning
    start: float
    end: float  # infinite for one without a known end


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A key in its stored form."""

    id: int
    space: Space
    key: str
    created_at: float
    accessed_at: float | None
    recalls: int
    current: int | None
    versions: tuple[MemoryVersion, ...] = ()
    version_ids: tuple[int, ...] = ()


_FIELDS = "token parent value recorded_at valid_from valid_to expires_at tags links source author session trust verdict reviewed_at"
_VERSION = ", ".join(f"v.{name}" for name in ("id", *_FIELDS.split()))
_KEY = "id, key, created_at, accessed_at, recalls, current"


def _strings(stored: str) -> tuple[str, ...]:
    return () if stored == "[]" else tuple(json.loads(stored))


def _version(db: Connection, key: str, row: Sequence[Any]) -> MemoryVersion:
    """A version of a key. Raises StoreDamaged where its content is not the one that its token names."""
    facts = dict(zip(_FIELDS.split(), row[1:], strict=True))
    facts["tags"], facts["links"] = _strings(facts["tags"]), _strings(facts["links"])
    facts["trust"] = Trust(facts["trust"])
    facts["verdict"] = Verdict(facts["verdict"]) if facts["verdict"] else None
    version = MemoryVersion(**facts)
    sql.check_unchanged(db, f"the memory {key!r}", unchanged=rules.token_of(key, version) == version.token)
    return version


# ---------------------------------------------------------------- keys and versions


def find(db: Connection, space: Space, key: str) -> MemoryRow | None:
    """A key with all of its versions, in the order in which they were recorded."""
    statement = f"SELECT {_KEY} FROM memory WHERE space_id = ? AND key = ?"
    return sql.row(db, lambda row: _with_versions(db, space, row), statement, (space.id, key))


def find_by_id(db: Connection, space: Space, memory_id: int) -> MemoryRow:
    statement = f"SELECT {_KEY} FROM memory WHERE space_id = ? AND id = ?"
    return _with_versions(db, space, db.execute(statement, (space.id, memory_id)).get)


def _with_versions(db: Connection, space: Space, row: Sequence[Any]) -> MemoryRow:
    statement = f"SELECT {_VERSION} FROM memory_version AS v WHERE memory_id = ? ORDER BY recorded_at, id"
    rows = list(db.execute(statement, row[:1]))
    ids = tuple(version[0] for version in rows)
    return replace(
        MemoryRow(row[0], space, *row[1:]),
        versions=tuple(_version(db, row[1], version_row) for version_row in rows),
        version_ids=ids,
    )


def make(db: Connection, space: Space, key: str, *, now: float) -> MemoryRow:
    db.execute(
        "INSERT INTO memory (space_id, key, created_at, recalls) VALUES (?, ?, ?, 0)", (space.id, key, now)
    )
    return MemoryRow(db.last_insert_rowid(), space, key, now, None, 0, None)


def add_version(db: Connection, memory_id: int, version: MemoryVersion) -> int:
    """Record a version; 0 when it exists already."""
    row = {"memory_id": memory_id, **pick(version, _FIELDS)}
    return sql.insert(db, "memory_version", row, instead="OR IGNORE")


def note_use(
    db: Connection, memory_id: int, *, created_at: float, accessed_at: float | None, recalls: int
) -> None:
    """Take over an export's use of a key where its creation is older, its access later, its count higher."""
    db.execute(
        "UPDATE memory SET created_at = min(created_at, ?), accessed_at = nullif(max(coalesce(accessed_at, -1e18), coalesce(?, -1e18)), -1e18),"
        " recalls = max(recalls, ?) WHERE id = ?",
        (created_at, accessed_at, recalls, memory_id),
    )


def note_verdict(db: Connection, memory_id: int, token: str, verdict: Verdict, *, now: float) -> None:
    db.execute(
        "UPDATE memory_version SET verdict = ?, reviewed_at = ? WHERE memory_id = ? AND token = ?",
        (verdict.value, now, memory_id, token),
    )


def note_current(
    db: Connection, row: MemoryRow, version_id: int | None, tags: Sequence[str], changes_at: float | None
) -> None:
    """Note the version that holds, its tags, and the time when that may change by itself."""
    db.execute("UPDATE memory SET current = ?, changes_at = ? WHERE id = ?", (version_id, changes_at, row.id))
    db.execute("DELETE FROM memory_tag WHERE memory_id = ?", (row.id,))
    db.executemany("INSERT INTO memory_tag VALUES (?, ?, ?)", ((row.space.id, tag, row.id) for tag in tags))


def due(db: Connection, space: Space, now: float) -> list[int]:
    """Memories whose current version may have changed by time."""
    return sql.column(db, "SELECT id FROM memory WHERE space_id = ? AND changes_at <= ?", (space.id, now))


def touch(db: Connection, memory_ids: Iterable[int], *, now: float, recalled: bool) -> None:
    db.executemany(
        "UPDATE memory SET accessed_at = max(coalesce(accessed_at, 0), ?), recalls = recalls + ? WHERE id = ?",
        ((now, int(recalled), memory_id) for memory_id in memory_ids),
    )


_CURRENT = (
    f"SELECT m.id, m.key, m.created_at, m.accessed_at, m.recalls, {_VERSION}"
    " FROM memory AS m JOIN memory_version AS v ON v.id = m.current"
)


def _memory(db: Connection, space: Space, row: Sequence[Any]) -> Memory:
    return Memory(row[1], _version(db, row[1], row[5:]), space.owner, space.project, *row[2:5])


def held(db: Connection, space: Space, keys: Iterable[str]) -> dict[str, tuple[int, Memory]]:
    """Key → (id, current value), for the keys with a value."""
    rows = db.execute(
        f"{_CURRENT} WHERE m.space_id = ? AND m.key IN (SELECT value FROM json_each(?))",
        (space.id, json.dumps([*keys])),
    )
    return {row[1]: (row[0], _memory(db, space, row)) for row in rows}


def chunks_of_space(db: Connection, space: Space, most: int) -> list[int]:
    """Ids of chunks of the memories of a space, at most so many."""
    statement = "SELECT c.id FROM record AS r CROSS JOIN chunk AS c ON c.record_id = r.id WHERE r.door = 'memories' AND r.scope = ? LIMIT ?"
    return sql.column(db, statement, (space.scope, most))


def page(
    db: Connection, space: Space, *, after: str, inclusive: bool, tags: Sequence[str], limit: int
) -> list[Memory]:
    """Current memories with all of the tags, by key, from `after` on (`inclusive`) or from the next one."""
    tagged = (
        " AND EXISTS (SELECT 1 FROM memory_tag AS t WHERE t.space_id = m.space_id AND t.tag = ? AND t.memory_id = m.id)"
        * len(tags)
    )
    rows = db.execute(
        f"{_CURRENT} WHERE m.space_id = ? AND m.key {'>=' if inclusive else '>'} ?{tagged} ORDER BY m.key LIMIT ?",
        (space.id, after, *tags, limit),
    )
    return [_memory(db, space, row) for row in rows]


def count_tags(db: Connection, space: Space) -> dict[str, int]:
    return dict(
        db.execute(
            "SELECT tag, count(*) FROM memory_tag WHERE space_id = ? GROUP BY tag ORDER BY tag", (space.id,)
        )
    )


def count_held(db: Connection, space: Space) -> int:
    return sql.count(
        db, "SELECT count(*) FROM memory WHERE space_id = ? AND current IS NOT NULL", (space.id,)
    )


def keys(db: Connection, space: Space) -> list[str]:
    return sql.column(db, "SELECT key FROM memory WHERE space_id = ? ORDER BY key", (space.id,))


def all_rows(db: Connection, space: Space) -> Iterator[MemoryRow]:
    """Every key with its versions, in the order of the keys."""
    for row in list(db.execute(f"SELECT {_KEY} FROM memory WHERE space_id = ? ORDER BY key", (space.id,))):
        yield _with_versions(db, space, row)


def latest(db: Connection, space: Space, limit: int) -> list[tuple[str, MemoryVersion]]:
    """(key, version), the last recorded first."""
    rows = db.execute(
        f"SELECT m.key, {_VERSION} FROM memory_version AS v JOIN memory AS m ON m.id = v.memory_id"
        " WHERE m.space_id = ? ORDER BY v.recorded_at DESC, v.id DESC LIMIT ?",
        (space.id, limit),
    )
    return [(row[0], _version(db, row[0], row[1:])) for row in rows]


_KEYS = "SELECT DISTINCT m.key FROM memory AS m JOIN memory_version AS v ON v.memory_id = m.id"


def keys_with_tag(db: Connection, space: Space, tag: str) -> list[str]:
    """Keys that carry the tag in any version."""
    tagged = "CROSS JOIN json_each(v.tags) AS t WHERE m.space_id = ? AND t.value = ? ORDER BY m.key"
    return sql.column(db, f"{_KEYS} {tagged}", (space.id, tag))


def keys_of_source(db: Connection, space: Space, source: str) -> list[str]:
    """Keys of which any version comes from the source."""
    theirs = "WHERE v.source = ? AND v.source != '' AND m.space_id = ? ORDER BY m.key"
    return sql.column(db, f"{_KEYS} {theirs}", (source, space.id))


def waiting(db: Connection, space: Space) -> list[str]:
    """Keys with an untrusted version without a verdict."""
    waits = "WHERE v.trust = 'untrusted' AND v.verdict IS NULL AND m.space_id = ? ORDER BY m.key"
    return sql.column(db, f"{_KEYS} {waits}", (space.id,))


def tokens(db: Connection, space: Space) -> list[tuple[str, str]]:
    """(key, token) of every version."""
    statement = "SELECT m.key, v.token FROM memory_version AS v JOIN memory AS m ON m.id = v.memory_id WHERE m.space_id = ?"
    return list(db.execute(statement, (space.id,)))


def delete_key(db: Connection, row: MemoryRow) -> None:
    """Remove a key with all versions."""
    db.execute("DELETE FROM memory_tag WHERE memory_id = ?", (row.id,))
    db.execute("DELETE FROM memory_version WHERE memory_id = ?", (row.id,))
    db.execute("DELETE FROM memory WHERE id = ?", (row.id,))


def delete_versions(db: Connection, row: MemoryRow, tokens: Iterable[str]) -> None:
    """Remove some versions of a key."""
    statement = "DELETE FROM memory_version WHERE memory_id = ? AND token = ?"
    db.executemany(statement, ((row.id, token) for token in tokens))


# ---------------------------------------------------------------- what is gone


def note_gone(db: Connection, mark: bytes, space: bytes, state: GoneState, *, at: float, reason: str) -> None:
    db.execute(
        "INSERT OR REPLACE INTO memory_gone VALUES (?, ?, ?, ?, ?)", (mark, space, state.value, at, reason)
    )


def find_gone(db: Connection, mark: bytes, key: str) -> Gone | None:
    statement = "SELECT state, at, reason FROM memory_gone WHERE mark = ?"
    return sql.row(db, lambda row: Gone(key, GoneState(row[0]), *row[1:]), statement, (mark,))


def gone_of(db: Connection, space: bytes) -> list[tuple[bytes, str, float, str]]:
    """(mark, state, at, reason) of every forgotten or redacted key of a space."""
    return list(
        db.execute("SELECT mark, state, at, reason FROM memory_gone WHERE space = ? ORDER BY mark", (space,))
    )


# ---------------------------------------------------------------- files that memories come from


def sources(db: Connection, space: Space, kind: str) -> dict[str, tuple[int, int]]:
    """Path → (mtime_ns, size) at its last reading."""
    rows = db.execute(
        "SELECT path, mtime_ns, size FROM memory_source WHERE space_id = ? AND kind = ?", (space.id, kind)
    )
    return {path: (mtime_ns, size) for path, mtime_ns, size in rows}


def note_roots(db: Connection, space: Space) -> list[tuple[str, str]]:
    """(path, kind) of the files and folders of notes that were imported."""
    sql = "SELECT path, kind FROM memory_source WHERE space_id = ? AND substr(kind, 1, 6) = 'notes:' ORDER BY path"
    return list(db.execute(sql, (space.id,)))


def note_source(db: Connection, space: Space, path: str, kind: str, *, mtime_ns: int, size: int) -> None:
    db.execute(
        "INSERT OR REPLACE INTO memory_source VALUES (?, ?, ?, ?, ?)", (space.id, path, kind, mtime_ns, size)
    )


def drop_source(db: Connection, space: Space, path: str, kind: str) -> None:
    db.execute(
        "DELETE FROM memory_source WHERE space_id = ? AND kind = ? AND path = ?", (space.id, kind, path)
    )


def count_astray(db: Connection) -> int:
    """Number of memories whose searched value differs from the current one."""
    return sql.count(
        db,
        """SELECT count(*) FROM memory AS m JOIN memory_space AS s ON s.id = m.space_id LEFT JOIN memory_version AS v ON v.id = m.current
           LEFT JOIN record AS r ON r.door = 'memories' AND r.scope = s.owner || char(31) || s.project AND r.uid = m.key
           WHERE r.text IS DISTINCT FROM v.value""",
    )


def remove_empty(db: Connection) -> list[str]:
    """Remove memories of which no version is left; returns their keys."""
    none = "NOT IN (SELECT memory_id FROM memory_version)"
    gone = sql.column(db, f"SELECT key FROM memory WHERE id {none} ORDER BY key")
    db.execute(f"DELETE FROM memory_tag WHERE memory_id {none}")
    db.execute(f"DELETE FROM memory WHERE id {none}")
    return gone


def then_of(db: Connection, scope: str, key: str) -> dict[str, dict[str, Any]]:
    """uid → metadata of the records of the values that a key holds at other times; `scope` is the one for these."""
    statement = "SELECT uid, metadata FROM record WHERE door = ? AND scope = ? AND uid > ? AND uid < ?"
    rows = db.execute(statement, (DOOR, scope, f"{key}\x1f", f"{key} "))
    return {uid: json.loads(metadata) for uid, metadata in rows}


def values_then(db: Connection, scope: str) -> list[ValueThen]:
    """The values of other times; `scope` is the one for these."""
    statement = "SELECT id, uid, substr(text, 1, ?), metadata FROM record WHERE door = ? AND scope = ?"
    rows = db.execute(statement, (READ_OF_VALUE, DOOR, scope))
    parsed = ((record_id, uid, text, json.loads(metadata)) for record_id, uid, text, metadata in rows)
    return [
        ValueThen(record_id, uid, text, times["start"], math.inf if times["end"] is None else times["end"])
        for record_id, uid, text, times in parsed
    ]


def values_now(db: Connection, scope: str, keys: Iterable[str]) -> dict[str, ValueThen]:
    """Key → its present value, for the keys that have one."""
    statement = "SELECT id, uid, substr(text, 1, ?), time FROM record WHERE door = ? AND scope = ? AND uid IN (SELECT value FROM json_each(?))"
    rows = db.execute(statement, (READ_OF_VALUE, DOOR, scope, json.dumps([*keys])))
    return {uid: ValueThen(record_id, uid, text, time, math.inf) for record_id, uid, text, time in rows}


def first_chunks(db: Connection, record_ids: Iterable[int]) -> list[tuple[int, int]]:
    """(record id, id of its first chunk) of records."""
    statement = f"SELECT record_id, min(id) FROM chunk WHERE record_id {sql.AMONG} GROUP BY record_id"
    return list(db.execute(statement, (sql.ids(record_ids),)))


def records_then(db: Connection) -> dict[str, list[str]]:
    """Scope → uids of the records of values of other times."""
    uids: dict[str, list[str]] = {}
    statement = "SELECT scope, uid FROM record WHERE door = ? AND substr(scope, 1, 1) = char(31)"
    for scope, uid in db.execute(statement, (DOOR,)):
        uids.setdefault(scope, []).append(uid)
    return uids


def unindex_all(db: Connection) -> list[tuple[int, int]]:
    """Note that no version of any memory is in the index, so that the next update puts it there; (id, space id) of all."""
    db.execute("UPDATE memory SET current = 0")
    return list(db.execute("SELECT id, space_id FROM memory ORDER BY id"))


def unknown_records(db: Connection) -> list[tuple[str, str]]:
    """(scope, uid) of searched records that belong to no memory, without those of other times."""
    return list(
        db.execute(
            """SELECT scope, uid FROM record AS r WHERE door = ? AND substr(scope, 1, 1) <> char(31) AND NOT EXISTS (
               SELECT 1 FROM memory AS m JOIN memory_space AS s ON s.id = m.space_id
               WHERE r.scope = s.owner || char(31) || s.project AND r.uid = m.key)""",
            (DOOR,),
        )
    )
