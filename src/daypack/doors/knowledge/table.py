"""Labelled sources on disk: what stands under a label, where it came from, and what that was like when it was
last looked at.

Rows in, nouns out; every function works inside the transaction that the caller holds. The texts are records
of the common index.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import apsw

SEPARATOR = "\x1f"  # between a label and the name of a record under it


class Label(NamedTuple):
    """One labelled source. `stamp` is what its origin was like: file → (mtime_ns, size), or the validators of
    a page.
    """

    name: str
    kind: str  # text, file, folder, page, output
    origin: str
    added_at: float
    checked_at: float
    size: int
    records: int
    state: str  # "current", "stale" or "gone"
    stamp: Mapping[str, Any]


_COLUMNS = "name, kind, origin, added_at, checked_at, size, records, state, stamp"


def labels(db: apsw.Connection, scope: str, *, kinds: Sequence[str] = ()) -> list[Label]:
    """The sources of a scope, latest first."""
    where, parameters = "scope = ?", [scope]
    if kinds:
        where += " AND kind IN (SELECT value FROM json_each(?))"
        parameters.append(json.dumps(list(kinds)))
    return [
        _label(row)
        for row in db.execute(
            f"SELECT {_COLUMNS} FROM label WHERE {where} ORDER BY added_at DESC, name", parameters
        )
    ]


def find(db: apsw.Connection, scope: str, name: str) -> Label | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM label WHERE scope = ? AND name = ?", (scope, name)).fetchone()
    return _label(row) if row else None


def any_backed(db: apsw.Connection) -> bool:
    """Whether any source is a file or folder, which a query looks at first."""
    return db.execute("SELECT 1 FROM label WHERE kind IN ('file', 'folder') LIMIT 1").fetchone() is not None


def put(db: apsw.Connection, scope: str, label: Label) -> None:
    db.execute(
        "INSERT OR REPLACE INTO label VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            scope,
            label.name,
            label.kind,
            label.origin,
            label.added_at,
            label.checked_at,
            label.size,
            label.records,
            label.state,
            json.dumps(dict(label.stamp)),
        ),
    )


def drop(db: apsw.Connection, scope: str, name: str) -> None:
    db.execute("DELETE FROM label WHERE scope = ? AND name = ?", (scope, name))


def uids(db: apsw.Connection, door: str, scope: str, name: str) -> list[str]:
    """Uids of the records under a label."""
    begin = name + SEPARATOR
    rows = db.execute(
        "SELECT uid FROM record WHERE door = ? AND scope = ? AND uid >= ? AND uid < ?",
        (door, scope, begin, name + chr(ord(SEPARATOR) + 1)),
    )
    return [row[0] for row in rows]


def _label(row: Sequence[Any]) -> Label:
    return Label._make((*row[:-1], json.loads(row[-1])))
