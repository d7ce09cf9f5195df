"""A new database from the readable rows of a damaged one, and a report of the missing ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.index.salvage.image import Image
from daypack.index.salvage.integrity import DROP_MALFORMED
from daypack.index.salvage.shapes import Shape, made, shapes_of
from daypack.index.salvage.trees import Survey
from daypack.index.schema import VERSION
from daypack.text.storable import text_digest, text_hash
from daypack.types import RecordKind, Trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    import apsw

    from daypack.index.salvage.cells import Cell, Value

DERIVED = frozenset(
    ("chunk", "segment", "posting", "tomb", "instant", "code_facts", "code_name", "document_entry")
)
"""Tables that are made from the others; `daypack reindex` and questions make them again."""
MADE_AGAIN = frozenset(
    (
        "model",
        "vec",
        "complete",
        "folder",
        "skipped",
        "document_pending",
        "document_vector",
        "memory_tag",
        "memory_source",
    )
)
"""Tables whose rows are kept, and whose lost rows are not reported: Daypack makes them again."""
_SEQUENCES = "sqlite_sequence"


class Lost(NamedTuple):
    """A row that is missing from the new database. `values` has what was read, `key` what an index says; both may be
    empty.
    """

    table: str
    rowid: int
    why: str
    key: tuple[Value, ...] = ()
    values: tuple[Value, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        plain = {"key": [*map(_plain, self.key)], "values": [*map(_plain, self.values)]}
        return {"table": self.table, "row": self.rowid, "why": self.why, **plain}


class Rescued(NamedTuple):
    """The rows that were kept, by table, and everything that is missing or doubtful.

    `pages` counts pages whose content is lost, `cells` rows on other pages that could not be read, `frames` parts of the
    write-ahead log behind a damaged one: each may have held rows that no index names. `strays` counts rows kept from
    pages that had lost their table. `doubtful` rows were kept although an index has another key for them, or were inferred
    from others.
    """

    kept: Mapping[str, int]
    lost: tuple[Lost, ...]
    doubtful: tuple[Lost, ...]
    pages: int
    cells: int
    frames: int
    strays: int

    @property
    def complete(self) -> bool:
        """True when nothing can have been lost."""
        return not (self.lost or self.doubtful or self.pages or self.cells or self.frames)


def rescue(file: Path, target: Path, inferred: Mapping[str, str] | None = None) -> Rescued:
    """Write all rows of the database `file` that can be read, derived ones apart, into the new database `target`.

    `inferred` has statements by table, whose rows are inserted where rows refer to them and they are lost. The file stays
    as it is. Raises OSError.
    """
    image = Image.open(file)
    version = image.header.version if 0 < image.header.version <= VERSION else VERSION
    tables, indexes = shapes_of(version)
    survey = Survey(image, tables, indexes)
    db = made(target, version)
    try:
        db.execute("BEGIN IMMEDIATE")
        counts: dict[str, int] = {}
        lost: list[Lost] = []
        doubtful: list[Lost] = []
        strays = 0
        for name, shape in tables.items():
            if name not in DERIVED | {_SEQUENCES}:
                strays += _copy(db, survey, shape, lost, doubtful)
        _copy_sequences(db, survey)
        db.execute(DROP_MALFORMED)
        for name, statement in (inferred or {}).items():
            if name in tables:
                doubtful += _inferred(db, tables[name], statement)
        lost += _without_parents(db, tables)
        lost = [row for row in lost if row.table not in MADE_AGAIN]
        doubtful = [row for row in doubtful if row.table not in MADE_AGAIN]
        lost += _named_by_chunks(db, survey, {row.rowid for row in lost if row.table == "record"})
        for name in tables:
            if name not in DERIVED | {_SEQUENCES}:
                counts[name] = db.execute(f"SELECT count(*) FROM {name}").get
        db.execute("COMMIT")
    finally:
        db.close()
    return Rescued(
        counts,
        tuple(lost),
        tuple(doubtful),
        len(survey.unreadable),
        survey.cells,
        image.broken_frames,
        strays,
    )


def _copy(db: apsw.Connection, survey: Survey, shape: Shape, lost: list[Lost], doubtful: list[Lost]) -> int:
    """Insert the rows of a table; returns the number of those that had lost their tree."""
    names = [column.name for column in shape.columns]
    implicit = shape.rowid and shape.alias < 0
    columns = ", ".join(f'"{name}"' for name in (["rowid"] if implicit else []) + names)
    marks = ", ".join("?" * (len(names) + implicit))
    statement = f"INSERT OR IGNORE INTO {shape.name} ({columns}) VALUES ({marks})"
    keys = survey.keys(shape.name)
    copied: set[int] = set()
    strays = 0
    for cell, stray in survey.rows(shape.name):
        row = shape.row(cell)
        why = _fault(shape, row)
        if not why:
            db.execute(statement, (cell.rowid, *row) if implicit else row)
            why = "" if db.changes() else "another row has its key"
        if not why:
            copied.add(cell.rowid)
            strays += stray
            doubtful += _other_keys(survey, shape, cell, keys.get(cell.rowid, {}))
        elif not (stray and cell.rowid in copied):  # an older version of a row that is there
            lost.append(Lost(shape.name, cell.rowid, why, _first(keys.get(cell.rowid, {})), row))
    reported = {loss.rowid for loss in lost if loss.table == shape.name}
    for rowid in sorted(keys.keys() - copied - reported):
        known = _from_keys(survey, shape, rowid, keys[rowid])
        if known:
            db.execute(statement, known)
        if not known or not db.changes():
            lost.append(Lost(shape.name, rowid, "its page cannot be read", _first(keys[rowid])))
    return strays


def _from_keys(
    survey: Survey, shape: Shape, rowid: int, keys: Mapping[str, tuple[Value, ...]]
) -> tuple[Value, ...]:
    """A lost row, when its id and the keys of its indexes are all of its columns; else nothing."""
    known: dict[str, Value] = {shape.columns[shape.alias].name: rowid} if shape.alias >= 0 else {}
    for index, key in keys.items():
        known |= zip((column.name for column in survey.indexes[index].columns[:-1]), key, strict=True)
    names = [column.name for column in shape.columns]
    return tuple(known[name] for name in names) if known.keys() == {*names} else ()


def _first(keys: Mapping[str, tuple[Value, ...]]) -> tuple[Value, ...]:
    return next(iter(keys.values()), ())


def _fault(shape: Shape, row: tuple[Value, ...]) -> str:
    """The reason why a record or a document cannot be kept, "" when it can."""
    named: dict[str, Any] = {column.name: value for column, value in zip(shape.columns, row, strict=True)}
    try:
        if shape.name == "record":
            if text_hash(named["text"]) != named["hash"]:
                return "its text differs from its hash"
            RecordKind(named["kind"]), Trust(named["trust"])
            if not isinstance(json.loads(named["tags"]), list) or not isinstance(
                json.loads(named["metadata"]), dict
            ):
                return "its tags or metadata are not what they were"
        elif shape.name == "document":
            if text_digest(named["body"]) != named["hash"]:
                return "its body differs from its hash"
        elif shape.name == "memory_version":
            Trust(named["trust"])
            if not all(isinstance(json.loads(named[column]), list) for column in ("tags", "links")):
                return "its tags or links are not what they were"
    except ValueError:
        return "a value is not one of its column"
    return ""


def _other_keys(
    survey: Survey, shape: Shape, cell: Cell, keys: Mapping[str, tuple[Value, ...]]
) -> Iterator[Lost]:
    """The row, when a unique index has another key for it."""
    row = dict(zip((column.name for column in shape.columns), shape.row(cell), strict=True))
    for name, key in keys.items():
        if tuple(row[column.name] for column in survey.indexes[name].columns[:-1]) != key:
            yield Lost(shape.name, cell.rowid, "an index has another key for it", key, shape.row(cell))


def _copy_sequences(db: apsw.Connection, survey: Survey) -> None:
    """Ids that were used are not used again."""
    for cell, _ in survey.rows(_SEQUENCES):
        match cell.values:
            case (str(table), int(highest)):
                db.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (highest, table))
                if not db.changes():
                    db.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, highest))


def _inferred(db: apsw.Connection, shape: Shape, statement: str) -> Iterator[Lost]:
    """Insert the rows of a table that a statement infers; yields those that the table had not."""
    marks = ", ".join("?" * len(shape.columns))
    for row in list(db.execute(statement)):
        db.execute(f"INSERT OR IGNORE INTO {shape.name} VALUES ({marks})", row)
        if db.changes():
            yield Lost(shape.name, row[shape.alias], "inferred from the rows that refer to it", (), row)


def _without_parents(db: apsw.Connection, tables: Mapping[str, Shape]) -> list[Lost]:
    """Remove rows whose parent is missing, until there is none."""
    orphans: list[Lost] = []
    while dangling := list(
        db.execute("SELECT DISTINCT [table], rowid, parent FROM pragma_foreign_key_check")
    ):
        for table, rowid, parent in dangling:
            if rowid is None:  # a table without ids: all its rows that lack this parent
                orphans += _orphans_by_key(db, table, parent)
                continue
            row = db.execute(f"SELECT * FROM {table} WHERE rowid = ?", (rowid,)).fetchone()
            if row is not None:
                db.execute(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))
                orphans.append(Lost(table, rowid, f"its row in {parent} is lost", (), row))
    assert {orphan.table for orphan in orphans} <= tables.keys()
    return orphans


def _orphans_by_key(db: apsw.Connection, table: str, parent: str) -> list[Lost]:
    statement = (
        f"SELECT [from], coalesce([to], 'id') FROM pragma_foreign_key_list('{table}') WHERE [table] = ?"
    )
    lost: list[Lost] = []
    for column, other in list(db.execute(statement, (parent,))):
        where = f"{column} IS NOT NULL AND {column} NOT IN (SELECT {other} FROM {parent})"
        rows = list(db.execute(f"SELECT * FROM {table} WHERE {where}"))
        db.execute(f"DELETE FROM {table} WHERE {where}")
        lost += [Lost(table, 0, f"its row in {parent} is lost", (), row) for row in rows]
    return lost


def _named_by_chunks(db: apsw.Connection, survey: Survey, reported: set[int]) -> list[Lost]:
    """Records that nothing names but the chunks that were cut from them."""
    known = {cell.values[1] for cell, stray in survey.rows("chunk") if not stray}
    stored = {row[0] for row in db.execute("SELECT id FROM record")}
    missing = sorted(record_id for record_id in known - stored - reported if isinstance(record_id, int))
    return [Lost("record", record_id, "its page cannot be read") for record_id in missing]


def _plain(value: Value) -> Any:
    return value.hex() if isinstance(value, bytes) else value
