"""A whole store as JSON lines: every row that is not derived, sorted, and back.

The first line names the format and the schema, the last one the number of rows:

    {"format": "daypack export 1", "schema": 12}
    {"table": "memory", "row": {"id": 1, "space_id": 1, "key": "release/cadence", …}}
    {"rows": 812}

Bytes are {"$hex": "…"}, a number that JSON lacks is {"$real": "inf"}.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from daypack.errors import BadExport, StoreError, StoreVersionMismatch
from daypack.index.folded.marks import KEYS as FOLD_KEYS
from daypack.index.meta import PLACES
from daypack.index.salvage.cells import Cell, Value
from daypack.index.salvage.shapes import Shape, made, shapes_of
from daypack.index.schema import VERSION
from daypack.ports import Connection

FORMAT = "daypack export 1"
LEFT_OUT = frozenset(("chunk", "segment", "posting", "tomb", "instant", "code_facts", "code_name"))
"""Tables that `daypack reindex` and questions make again from the others."""
# of `meta`: they count writes to one file, or belong to a file beside it or to this disk
COUNTERS = ("seq", "vec_seq", "code_seq", "touched", "purge", "folds", PLACES, *FOLD_KEYS)


class Imported(NamedTuple):
    """The number of rows that were imported, by table."""

    rows: dict[str, int]


def export_lines(db: Connection) -> Iterator[str]:
    """The lines of a store, inside the read transaction of the caller."""
    schema = VERSION
    yield _line({"format": FORMAT, "schema": schema})
    count = 0
    for name, shape in sorted(shapes_of(schema)[0].items()):
        if name in LEFT_OUT:
            continue
        names = [column.name for column in shape.columns]
        order = (
            "rowid"
            if shape.rowid and not name.startswith("sqlite_")
            else ", ".join(f'"{one}"' for one in names)
        )
        columns = ", ".join(f'"{one}"' for one in names)
        for row in db.execute(f"SELECT {columns} FROM {name} ORDER BY {order}"):
            facts = {column: _plain(value) for column, value in zip(names, row, strict=True)}
            if (name == "meta" and facts["key"] in COUNTERS) or facts.get("name") in LEFT_OUT:
                continue
            count += 1
            yield _line({"table": name, "row": facts})
    yield _line({"rows": count})


class ExportTooNew(StoreVersionMismatch, code="export_too_new"):
    """A newer program wrote the export."""

    def __init__(self, found: int) -> None:
        self.path, self.found, self.supported = "", found, VERSION
        StoreError.__init__(
            self,
            f"the export is of a newer Daypack (its tables are version {found}, this program knows {VERSION}); nothing was "
            "imported, upgrade daypack and import it again",
        )


def import_lines(lines: Iterable[str], target: Path) -> Imported:
    """Make the database `target` from the lines of an export, without what is derived. Raises BadExport with the number
    of the line, and ExportTooNew.
    """
    numbered = enumerate(lines, 1)
    head = _parsed(*next(numbered, (1, "")))
    if head.get("format") != FORMAT or not isinstance(head.get("schema"), int) or head["schema"] < 1:
        raise BadExport(1, "it does not begin an export of Daypack")
    if head["schema"] > VERSION:
        raise ExportTooNew(head["schema"])
    tables, _ = shapes_of(head["schema"])
    db = made(target, head["schema"])
    counts: dict[str, int] = {}
    try:
        db.execute("BEGIN IMMEDIATE")
        ended = -1
        for number, line in numbered:
            if ended >= 0:
                raise BadExport(number, "it is behind the last line of an export")
            facts = _parsed(number, line)
            if "rows" in facts:
                ended = facts["rows"]
                continue
            shape = tables.get(facts.get("table", ""))
            if shape is None or shape.name in LEFT_OUT or not isinstance(facts.get("row"), dict):
                raise BadExport(number, "it is not a row of a table")
            _insert(db, shape, facts["row"], number)
            counts[shape.name] = counts.get(shape.name, 0) + 1
        if ended != sum(counts.values()):
            raise BadExport(sum(counts.values()) + 2, "the export ends before its last line")
        for table, rowid, parent in db.execute(
            "SELECT [table], rowid, parent FROM pragma_foreign_key_check LIMIT 1"
        ):
            raise BadExport(0, f"row {rowid} of {table} refers to a row that {parent} lacks")
        db.execute("COMMIT")
    finally:
        db.close()
    return Imported(counts)


def _insert(db: apsw.Connection, shape: Shape, row: dict[str, Any], number: int) -> None:
    names = [column.name for column in shape.columns]
    if row.keys() != {*names}:
        raise BadExport(number, f"its columns are not those of {shape.name}")
    values = tuple(_value(row[name], number) for name in names)
    if not shape.fits(Cell(0, values, ())):
        raise BadExport(number, f"a value is not one of its column in {shape.name}")
    marks = ", ".join("?" * len(names))
    if shape.name == "sqlite_sequence":
        db.execute("DELETE FROM sqlite_sequence WHERE name = ?", values[:1])
    columns = ", ".join(f'"{name}"' for name in names)
    try:
        db.execute(f"INSERT INTO {shape.name} ({columns}) VALUES ({marks})", values)
    except apsw.ConstraintError as error:
        raise BadExport(number, f"another row of {shape.name} has its key") from error


def _line(facts: dict[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":")) + "\n"


def _parsed(number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadExport(number, "it is not JSON") from error
    if not isinstance(found, dict):
        raise BadExport(number, "it is not an object")
    return found


def _plain(value: Value) -> Any:
    if isinstance(value, bytes):
        return {"$hex": value.hex()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$real": str(value)}
    return value


def _value(value: Any, number: int) -> Value:
    try:
        match value:
            case {"$hex": str(digits)}:
                return bytes.fromhex(digits)
            case {"$real": str(word)}:
                return float(word)
            case None | int() | float() | str() if not isinstance(value, bool):
                return value
    except ValueError:
        pass
    raise BadExport(number, "a value is not one that a table holds")
