"""The rows of a store's tables, in the order of their keys and as a file holds their values, for copies and comparisons."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from daypack.index import sql
from daypack.index.folded.marks import KEYS as FOLD_KEYS
from daypack.index.postgres.tables import VALUES, Table, tables
from daypack.ports import Connection

Row = tuple[Any, ...]
OF_ONE_STORE = ("seq", "vec_seq", "purge", "folds", "walls", *FOLD_KEYS)
"""Rows of `meta` that count the writes of one store, or tell of a file beside it or of its server's roles."""
COPIED_FROM = "copied_from"  # the row of `meta` that names the source of a copy under way
_TOGETHER = 4 << 20  # bytes of rows that are read and written in one go
_MOST_ROWS = 10_000


class Sum(NamedTuple):
    """The number of rows, and the sum of their hashes, which knows no order."""

    rows: int = 0
    hashes: int = 0

    def plus(self, rows: Sequence[Row]) -> Sum:
        total = sum(int.from_bytes(digest(row)) for row in rows)
        return Sum(self.rows + len(rows), (self.hashes + total) % (1 << 128))


def digest(row: Row) -> bytes:
    """A hash of the types and values of a row."""
    held = blake2b(digest_size=16)
    for value in row:
        held.update(_written(value))
    return held.digest()


def _written(value: Any) -> bytes:
    if value is None:
        return b"n"
    if isinstance(value, int):
        return b"i%d;" % value
    if isinstance(value, float):
        return b"f" + struct.pack(">d", value)
    kind, data = (b"s", value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else (b"b", value)
    return kind + struct.pack(">Q", len(data)) + data


def _size(row: Row) -> int:
    return sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)


class Tables:
    """The tables of a store in a file, over one connection. A store on a server has `postgres.copying.ServerTables`."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def rows(self, name: str, behind: Row | None = None) -> Iterator[list[Row]]:
        """The rows of a table by its key, from the one behind a key on, in lists of some megabytes at most."""
        table = tables()[name]
        order = ", ".join(_quoted(table.key or table.columns))
        wanted = ", ".join(_quoted(table.columns))
        where, most = self._filter(name), 16 if table.key else -1
        while True:
            condition, values = self._behind(name, table, behind) if behind is not None else ("TRUE", ())
            statement = f"SELECT {wanted} FROM {name} WHERE {where} AND {condition} ORDER BY {order} LIMIT ?"
            found = [self._read(name, row) for row in self._db.execute(statement, (*values, most))]
            if found:
                yield found
            if len(found) < most or most < 0:
                return
            behind = self.key_of(name, found[-1])
            size = sum(map(_size, found)) // len(found) + 1
            most = max(1, min(_MOST_ROWS, 4 * most, _TOGETHER // size))

    def key_of(self, name: str, row: Row) -> Row:
        """The key of a row; the whole row, of a table without one."""
        table = tables()[name]
        return tuple(row[table.columns.index(column)] for column in table.key or table.columns)

    def last_key(self, name: str) -> Row | None:
        """The last key of a table to which a copy can return; None for an empty one, and for a table that it copies again."""
        table = tables()[name]
        if not table.key or name == "meta" or name in _UNTYPED:
            return None
        columns = _quoted(table.key)
        order = ", ".join(f"{column} DESC" for column in columns)
        statement = f"SELECT {', '.join(columns)} FROM {name} ORDER BY {order} LIMIT 1"
        return self._db.execute(statement).fetchone()  # type: ignore[no-any-return]

    def count(self, name: str) -> int:
        return sql.count(self._db, f"SELECT count(*) FROM {name} WHERE {self._filter(name)}")

    def put(self, name: str, rows: Sequence[Row]) -> None:
        """Insert rows, inside the transaction of the caller."""
        table = tables()[name]
        marks = ", ".join("?" * len(table.columns))
        statement = f"INSERT INTO {name} ({', '.join(_quoted(table.columns))}) VALUES ({marks})"
        self._db.executemany(statement, [self._written(name, row) for row in rows])

    def clear(self, name: str) -> None:
        """Delete the rows of a table that a copy brings."""
        self._db.execute(f"DELETE FROM {name} WHERE {self._filter(name)}")

    def last_number(self, name: str) -> int:
        """The last number that a table gave to a row, whether the row is still there or not; 0 for none."""
        return self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (name,)).get or 0

    def set_last_number(self, name: str, number: int) -> None:
        """Let a table that never uses a number again go on behind this one."""
        self._db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (number, name))
        if not self._db.changes() and name in self._numbered():
            self._db.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (name, number))

    def _numbered(self) -> set[str]:
        statement = "SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(sql, 'AUTOINCREMENT') > 0"
        return {*sql.column(self._db, statement)}

    def _filter(self, name: str) -> str:
        """The condition of the rows that a copy brings."""
        left_out = ", ".join(f"'{key}'" for key in (*OF_ONE_STORE, COPIED_FROM))
        return f"key NOT IN ({left_out})" if name == "meta" else "TRUE"

    def _behind(self, name: str, table: Table, key: Row) -> tuple[str, Sequence[Any]]:
        """The condition for rows behind a key."""
        if name not in _UNTYPED:
            return f"({', '.join(_quoted(table.key))}) > ({', '.join('?' * len(key))})", key
        # One column after the other, for values without a type are compared in a form of their own.
        parts: list[str] = []
        values: list[Any] = []
        for at, column in enumerate(table.key):
            parts.append(
                "(" + " AND ".join([*(f"{one} = ?" for one in table.key[:at]), f"{column} > ?"]) + ")"
            )
            values += key[: at + 1]
        return f"({' OR '.join(parts)})", values

    def _read(self, name: str, row: Row) -> Row:
        """A row as a file holds it, by one form for values that are equal in a column without a type: a number in `meta` may be
        a text on a server, and 2.0 is 2.
        """
        if name == "meta" and isinstance(row[1], str) and _is_number(row[1]):
            return row[0], int(row[1])
        if name == "document_entry" and isinstance(row[2], float):
            return *row[:2], sql.plain_number(row[2]), row[3]
        return row

    def _written(self, name: str, row: Row) -> Row:
        """A row as this store takes it."""
        del name
        return row


_UNTYPED = frozenset(name for name, _ in VALUES) - {"meta"}


def _quoted(columns: Sequence[str]) -> list[str]:
    return [f'"{column}"' for column in columns]


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) < 19 and str(int(text)) == text
