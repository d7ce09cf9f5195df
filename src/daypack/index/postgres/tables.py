"""The tables of a store in PostgreSQL: read out of the migrations of `index.schema`, which are written for SQLite.

Text is compared by code points (COLLATE "C"), as SQLite compares it, so every order is the same in both.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from daypack.index.schema import MIGRATIONS

VALUES = {("meta", "value"): "text", ("document_entry", "value"): "bytea"}
"""The columns without a type in SQLite, with PostgreSQL's: numbers of `meta` are cast where they are read; entries of field
indexes are bytes that compare as their values do (`parameters.comparable`)."""
_TYPES = {"INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea", "TEXT": 'text COLLATE "C"'}
_SLICED = {"segment": ("columns",), "instant": ("scales", "codes"), "vec": ("codes",), "posting": ("data",)}

TEXTS = (
    "meta",
    "record",
    "chunk",
    "vec",
    "segment",
    "posting",
    "instant",
    "memory",
    "memory_version",
    "memory_tag",
    "session_event",
    "label",
    "code_facts",
    "code_name",
    "document",
    "document_entry",
    "document_vector",
    "document_plan",
    "document_change",
    "source_item",
    "sent_item",
)
"""Tables whose rows hold or tell of texts, which are rewritten after an erasure."""

PRELUDE = (
    # Functions of SQLite that have no twin of the same name. `instr` stands in an index, so it must not change.
    "CREATE OR REPLACE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE"
    " RETURN strpos($1, $2)",
    "CREATE OR REPLACE FUNCTION ascii_lower(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE"
    ' RETURN lower($1 COLLATE "C")',
    "CREATE OR REPLACE FUNCTION typeof(anyelement) RETURNS text LANGUAGE sql STABLE AS 'SELECT pg_typeof($1)::text'",
    # A path is $.name or $[number]; a text comes without its quotes, as from SQLite.
    "CREATE OR REPLACE FUNCTION json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN"
    " CASE WHEN $2 LIKE '$[%' THEN $1::json ->> CAST(substr($2, 3, length($2) - 3) AS integer)"
    " ELSE $1::json ->> substr($2, 3) END",
)


class Table(NamedTuple):
    """The columns of a table in their order, those of its key, and the column that numbers new rows, "" for none."""

    columns: tuple[str, ...]
    key: tuple[str, ...]
    number: str


@cache
def tables() -> dict[str, Table]:
    """Every table of the newest schema, by name."""
    found: dict[str, Table] = {}
    for step in MIGRATIONS:
        for statement in statements(step):
            if made := re.match(r"CREATE TABLE (\w+) \((.*)\)", statement, re.DOTALL):
                found[made[1]] = _table(_parts(made[2]))
            elif grown := re.match(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", statement):
                before = found[grown[1]]
                found[grown[1]] = before._replace(columns=(*before.columns, grown[2]))
    return found


def statements(step: str) -> list[str]:
    """The statements of a migration."""
    return [" ".join(part.split()) for part in step.split(";") if part.strip()]


def _parts(body: str) -> list[str]:
    """The definitions between the commas of a table's outer parentheses."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(body):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            found.append(body[start:at].strip())
            start = at + 1
    return [*found, body[start:].strip()]


def _is_constraint(part: str) -> bool:
    return part.startswith(("UNIQUE", "PRIMARY KEY"))


def _table(parts: list[str]) -> Table:
    columns = tuple(part.split()[0] for part in parts if not _is_constraint(part))
    number = next((part.split()[0] for part in parts if "INTEGER PRIMARY KEY" in part), "")
    key = next((part.split()[0] for part in parts if "PRIMARY KEY" in part and not _is_constraint(part)), "")
    named = next((part for part in parts if part.startswith("PRIMARY KEY")), "")
    keys = (key,) if key else tuple(re.findall(r"\w+", named.removeprefix("PRIMARY KEY")))
    return Table(columns, keys, number)


def definition(statement: str) -> str:
    """A statement that makes or changes a table, in PostgreSQL's words."""
    made = re.match(r"CREATE TABLE (\w+) \((.*)\)(?: WITHOUT ROWID)?$", statement, re.DOTALL)
    if made is None:
        return _typed(statement)
    name = made[1]
    columns = ", ".join(part if _is_constraint(part) else _column(name, part) for part in _parts(made[2]))
    return f"CREATE TABLE {name} ({columns})"


def storage() -> list[str]:
    """Statements that keep bytes as they are, which are read in parts and do not shrink."""
    return [
        f"ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE EXTERNAL"
        for table, columns in _SLICED.items()
        for column in columns
    ]


def _column(table: str, part: str) -> str:
    name, _, rest = part.partition(" ")
    if not rest:
        rest = VALUES[table, name]
    rest = re.sub(
        r"INTEGER PRIMARY KEY( AUTOINCREMENT)?", "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", rest
    )
    return _typed(f'"{name}" {rest}')


def _typed(text: str) -> str:
    return re.sub(r"\b(INTEGER|REAL|BLOB|TEXT)\b", lambda found: _TYPES[found[1]], text)
