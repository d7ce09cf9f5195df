"""Statements that every table needs: rows as nouns, a column, a count, a new row, those of some ids; and the check of a stored text.

Each runs inside the transaction of its caller.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from daypack.errors import StoreDamaged
from daypack.ports import Connection

T = TypeVar("T")
LAST_TEXT = "\U0010ffff"  # comes after every text of a column
AMONG = "IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
"""The condition that a number is one of `ids`; the next are the records and the chunks of these ids, in their order."""
RECORDS = "json_each(?) AS w JOIN record AS r ON r.id = CAST(w.value AS INTEGER)"
CHUNKS = "json_each(?) AS w JOIN chunk AS c ON c.id = CAST(w.value AS INTEGER)"
CHUNKS_IN_RECORDS = f"{CHUNKS} JOIN record AS r ON r.id = c.record_id"


def ids(numbers: Iterable[int]) -> str:
    """Some ids as one parameter: a statement with a mark for each would be another one for each number of them."""
    return json.dumps([*map(int, numbers)])


def rows(db: Connection, make: Callable[[Any], T], sql: str, parameters: Any = ()) -> list[T]:
    """Every row, made into a noun."""
    return [make(row) for row in db.execute(sql, parameters)]


def row(db: Connection, make: Callable[[Any], T], sql: str, parameters: Any = ()) -> T | None:
    """The first row, made into a noun; None without one."""
    found = db.execute(sql, parameters).fetchone()
    return None if found is None else make(found)


def column(db: Connection, sql: str, parameters: Any = ()) -> list[Any]:
    """The first column of every row."""
    return [found[0] for found in db.execute(sql, parameters)]


def plain_number(number: int | float) -> int | float:
    """One form for equal numbers: a whole one of 64 bits for 2.0, and a float beyond them, where SQLite has no whole numbers."""
    if isinstance(number, float) and not number.is_integer():
        return number
    return int(number) if -(1 << 63) <= number < 1 << 63 else float(number)


def count(db: Connection, sql: str, parameters: Any = ()) -> int:
    """The number that the only row holds."""
    found: int = db.execute(sql, parameters).get
    return found


def pairs(db: Connection, first: str, second: str) -> list[tuple[str, str]]:
    """The different values of two columns of text of the table `record` that begin an index, sorted, by two looks into it each; the first is not empty."""
    found: list[tuple[str, str]] = []
    # Not `(first, second) > (?, ?)`: SQLite looks for the first alone, and reads all of its rows to the second.
    same = (
        f"SELECT {first}, {second} FROM record WHERE {first} = ? AND {second} > ? ORDER BY {second} LIMIT 1"
    )
    other = f"SELECT {first}, {second} FROM record WHERE {first} > ? ORDER BY {first}, {second} LIMIT 1"
    at = ("", "")
    while row := db.execute(same, at).fetchone() or db.execute(other, at[:1]).fetchone():
        found.append(at := (row[0], row[1]))
    return found


def insert(db: Connection, table: str, row: Mapping[str, Any], *, instead: str = "") -> int:
    """Write a row of columns, lists and objects as JSON; its id, and 0 when `instead` is "OR IGNORE" and it is
    there already.
    """
    values = [json.dumps(value) if isinstance(value, list | dict) else value for value in row.values()]
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT {instead} INTO {table} ({', '.join(row)}) VALUES ({marks})", values)
    return db.last_insert_rowid() if db.changes() else 0


def exists(db: Connection, sql: str, parameters: Any = ()) -> bool:
    """True when there is a row."""
    return db.execute(sql, parameters).fetchone() is not None


def check_unchanged(db: Connection, what: str, *, unchanged: bool) -> None:
    """Raise StoreDamaged about `what` where it differs from its hash, as every stored text is checked when it is read: a value that
    was edited behind Daypack's back is damage, not an answer.
    """
    if not unchanged:
        raise StoreDamaged(db.store_name, f"{what} has changed on disk since it was stored", db.mend)
