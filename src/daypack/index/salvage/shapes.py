"""The tables and indexes that a version of the schema has, in the form in which their rows lie on pages."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import apsw

from daypack.index.salvage.cells import Cell, Value
from daypack.index.schema import APPLICATION_ID, MIGRATIONS

_TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "": (int, float, str, bytes),
}


class Column(NamedTuple):
    name: str
    types: tuple[type, ...]
    optional: bool


class Shape(NamedTuple):
    """A table, or an index, whose last column is the id of the row.

    `alias` is the column that stands for the row's id, -1 without one. `keys` names the table of an index.
    """

    name: str
    columns: tuple[Column, ...]
    rowid: bool = True
    alias: int = -1
    keys: str = ""
    unique: bool = False

    def fits(self, cell: Cell) -> bool:
        """True when a row could be of this table or index."""
        if len(cell.values) != len(self.columns):
            return False
        return all(
            (value is None and (column.optional or at == self.alias)) or isinstance(value, column.types)
            for at, (value, column) in enumerate(zip(cell.values, self.columns, strict=True))
        )

    def row(self, cell: Cell) -> tuple[Value, ...]:
        """The values of a row, with its id in the column that stands for it."""
        if self.alias < 0:
            return cell.values
        return (*cell.values[: self.alias], cell.rowid, *cell.values[self.alias + 1 :])


def made(target: Path, version: int) -> apsw.Connection:
    """A new database of this version of the schema, without a check of references."""
    db = apsw.Connection(str(target))
    db.pragma("journal_mode", "wal")
    db.pragma("foreign_keys", False)
    for step in MIGRATIONS[:version]:
        db.execute(step)
    db.pragma("application_id", APPLICATION_ID)
    db.pragma("user_version", version)
    return db


def shapes_of(version: int) -> tuple[dict[str, Shape], dict[str, Shape]]:
    """(tables, indexes) by name, of a version of the schema."""
    db = apsw.Connection(":memory:")
    for step in MIGRATIONS[:version]:
        db.execute(step)
    tables: dict[str, Shape] = {}
    indexes: dict[str, Shape] = {}
    for name, statement in list(db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")):
        tables[name] = _table(db, name, statement)
    for name, table, statement in list(
        db.execute("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index'")
    ):
        partial = statement is not None and " WHERE " in statement
        made = None if partial or not tables[table].rowid else _index(db, name, tables[table])
        if made is not None:
            indexes[name] = made
    db.close()
    return tables, indexes


def _table(db: apsw.Connection, name: str, statement: str) -> Shape:
    found = list(db.execute(f"SELECT name, type, [notnull], pk FROM pragma_table_info('{name}')"))
    rowid = "WITHOUT ROWID" not in statement
    if not rowid:
        found = sorted(found, key=lambda row: row[3] or len(found) + 1)  # keys come first on a page
    columns = tuple(
        Column(column, _TYPES[kind], not required and (rowid or not key))
        for column, kind, required, key in found
    )
    alias = next(
        (at for at, (_, kind, _, key) in enumerate(found) if rowid and key == 1 and kind == "INTEGER"), -1
    )
    return Shape(name, columns, rowid, alias)


def _index(db: apsw.Connection, name: str, table: Shape) -> Shape | None:
    """An index on plain columns; None for one on an expression."""
    names = [column for (column,) in db.execute(f"SELECT name FROM pragma_index_info('{name}')")]
    if None in names:
        return None
    known = {column.name: column for column in table.columns}
    rowid = Column("rowid", (int,), False)
    unique = name.startswith("sqlite_autoindex_")
    return Shape(name, (*(known[one] for one in names), rowid), keys=table.name, unique=unique)
