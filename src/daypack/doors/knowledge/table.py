"""Labels on disk, one row per label. The texts under a label are records of the common index. Each function works inside the
transaction of its caller.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from daypack.doors.knowledge.types import DOOR, SEPARATOR, Label
from daypack.index import sql
from daypack.ports import Connection
from daypack.types import Trust

_COLUMNS = "name, kind, origin, added_at, checked_at, size, records, state, stamp"


def labels(db: Connection, scope: str, *, kinds: Sequence[str] = ()) -> list[Label]:
    """The labels of a scope, the latest first."""
    where, parameters = "scope = ?", [scope]
    if kinds:
        where += " AND kind IN (SELECT value FROM json_each(?))"
        parameters.append(json.dumps(list(kinds)))
    statement = f"SELECT {_COLUMNS} FROM label WHERE {where} ORDER BY added_at DESC, name"
    return sql.rows(db, _label, statement, parameters)


def find(db: Connection, scope: str, name: str) -> Label | None:
    statement = f"SELECT {_COLUMNS} FROM label WHERE scope = ? AND name = ?"
    return sql.row(db, _label, statement, (scope, name))


def any_backed(db: Connection) -> bool:
    """True when a label has a file or folder as its origin, which is refreshed before a query."""
    return sql.exists(db, "SELECT 1 FROM label WHERE kind IN ('file', 'folder') LIMIT 1")


def put(db: Connection, scope: str, label: Label) -> None:
    db.execute(
        "INSERT OR REPLACE INTO label VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (scope, *label[:-1], json.dumps(dict(label.stamp))),
    )


def drop(db: Connection, scope: str, name: str) -> None:
    db.execute("DELETE FROM label WHERE scope = ? AND name = ?", (scope, name))


def uids(db: Connection, scope: str, name: str) -> list[str]:
    """The uids of the records under a label."""
    return _of_records(db, "uid", scope, name)


def trusts(db: Connection, scope: str, name: str) -> list[Trust]:
    """The different values of trust among the records under a label."""
    return [*map(Trust, _of_records(db, "DISTINCT trust", scope, name))]


def _of_records(db: Connection, column: str, scope: str, name: str) -> list[str]:
    statement = f"SELECT {column} FROM record WHERE door = ? AND scope = ? AND uid >= ? AND uid < ?"
    begin, end = name + SEPARATOR, name + chr(ord(SEPARATOR) + 1)
    return sql.column(db, statement, (DOOR, scope, begin, end))


def _label(row: Sequence[Any]) -> Label:
    return Label._make((*row[:-1], json.loads(row[-1])))
