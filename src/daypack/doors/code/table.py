"""Facts of code on disk: a row for each text and language, and a row for each name that the text defines or mentions.

The key is the hash of the text, as for vectors: switching branches, copying and renaming files cost nothing. The first
question to the code door fills the table, and later questions update it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from daypack.doors.code.graph.facts import FACTS_VERSION, FileFacts
from daypack.index import sql
from daypack.ports import FILES, Connection
from daypack.text.paths import is_generated
from daypack.types import RecordKind

SEQUENCE = "code_seq"
"""The number in `meta` that a write of facts raises: facts change no answer of another door."""
BUSY_SECONDS = 2.0  # to wait for the store when only what can be made again is to be written


class CodeText(NamedTuple):
    """A text that needs facts; `record_id` is one of the records with this text."""

    record_id: int
    hash: str
    language: str
    uri: str


def lacking(db: Connection, languages: Iterable[str], manifests: Iterable[str]) -> list[CodeText]:
    """The texts of files that have no facts, each once: texts of these languages, and manifests by file name."""
    wanted, names = frozenset(languages), frozenset(manifests)
    rows = db.execute(
        """SELECT r.id, r.hash, r.language, r.uri FROM record AS r
           LEFT JOIN code_facts AS f ON f.hash = r.hash AND f.language = r.language AND f.version = ?
           WHERE r.door = ? AND f.id IS NULL ORDER BY r.id""",
        (FACTS_VERSION, FILES),
    )
    found: dict[tuple[str, str], CodeText] = {}
    for row in rows:
        source = CodeText(*row)
        if source.language in wanted or source.uri.rpartition("/")[2] in names:
            found.setdefault((source.hash, source.language), source)
    return list(found.values())


def file_uris(db: Connection) -> list[str]:
    """The paths of all files, sorted."""
    return sql.column(db, "SELECT uri FROM record WHERE door = ? ORDER BY uri", (FILES,))


def generated_files(db: Connection) -> frozenset[str]:
    """The paths of the files that a program wrote, by their own words or by `.gitattributes`."""
    rows = db.execute(
        "SELECT uri, metadata FROM record WHERE door = ? AND instr(metadata, 'generated') > 0", (FILES,)
    )
    return frozenset(uri for uri, metadata in rows if is_generated(json.loads(metadata)))


def file_texts(db: Connection) -> list[CodeText]:
    """The texts of all files."""
    statement = "SELECT id, hash, language, uri FROM record WHERE door = ?"
    return sql.rows(db, CodeText._make, statement, (FILES,))


def file_passes(db: Connection, uri: str, where: str, parameters: Sequence[object]) -> bool:
    """True when the record of a file fulfils the SQL condition `where` with its `parameters`."""
    statement = f"SELECT 1 FROM record WHERE door = ? AND uri = ? AND ({where})"
    return sql.exists(db, statement, (FILES, uri, *parameters))


def state_of_files(db: Connection) -> tuple[int, int, int]:
    """(number of files, newest mtime in nanoseconds, total bytes)."""
    found: tuple[int, int, int] = db.execute(
        "SELECT count(*), coalesce(max(mtime_ns), 0), coalesce(sum(size), 0) FROM record WHERE door = ?",
        (FILES,),
    ).get
    return found


def named_parts(db: Connection, languages: Iterable[str]) -> list[tuple[str, str, str, int, int, str]]:
    """(path, qualified name, kind, first line, last line, signature) of each part of a file of these languages that was cut as
    a definition, in order.
    """
    statement = """SELECT r.uri, c.name, c.symbol, c.start_line, c.end_line, c.signature FROM record AS r
        JOIN chunk AS c ON c.record_id = r.id WHERE r.kind = ? AND r.language = ? AND r.door = ? AND c.symbol IS NOT NULL
        ORDER BY r.uri, c.ordinal"""
    return _of_languages(db, languages, statement)


def files_in(db: Connection, languages: Iterable[str]) -> list[tuple[str, str]]:
    """(path, language) of the files of code in these languages."""
    statement = "SELECT uri, language FROM record WHERE kind = ? AND language = ? AND door = ?"
    return _of_languages(db, languages, statement)


def _of_languages(db: Connection, languages: Iterable[str], statement: str) -> list[Any]:
    """The rows of a statement for each language of files of code."""
    return [
        row for language in languages for row in db.execute(statement, (RecordKind.CODE, language, FILES))
    ]


def code_languages(db: Connection) -> list[str]:
    """The languages of the code in the store."""
    return [language for kind, language in sql.pairs(db, "kind", "language") if kind == RecordKind.CODE]


def put_facts(db: Connection, batch: Sequence[tuple[CodeText, FileFacts]]) -> None:
    """Write facts, and replace those of an older version. The caller holds the write transaction."""
    for source, facts in batch:
        defined = facts.defined()
        put_row(
            db,
            source,
            facts.dumps(),
            [(name, name in defined) for name in sorted(defined | facts.mentioned())],
        )


def put_row(db: Connection, source: CodeText, data: bytes, names: Iterable[tuple[str, bool]]) -> None:
    """Write the stored form of the facts of a text, and its names as (name, True for a definition)."""
    key = {"hash": source.hash, "language": source.language}
    old = "SELECT id FROM code_facts WHERE hash = ? AND language = ?"
    _drop(db, sql.column(db, old, (*key.values(),)))
    facts_id = sql.insert(db, "code_facts", {**key, "version": FACTS_VERSION, "data": data})
    db.executemany(
        "INSERT INTO code_name VALUES (?, ?, ?)", [(name, facts_id, defines) for name, defines in names]
    )


def find_facts(db: Connection, source: CodeText) -> tuple[bytes, list[tuple[str, bool]]] | None:
    """The (data, names) that `put_row` wrote for a text, or None."""
    row = db.execute(
        "SELECT id, data FROM code_facts WHERE hash = ? AND language = ? AND version = ?",
        (source.hash, source.language, FACTS_VERSION),
    ).fetchone()
    return (
        (row[1], list(db.execute("SELECT name, defines FROM code_name WHERE facts_id = ?", (row[0],))))
        if row is not None
        else None
    )


def drop_unused(db: Connection) -> None:
    """Drop the facts of texts that no record has, once they outnumber those in use: users switch back to a branch."""
    held = "SELECT 1 FROM record AS r WHERE r.hash = f.hash AND r.language = f.language"
    unused = sql.column(db, f"SELECT id FROM code_facts AS f WHERE NOT EXISTS ({held})")
    if 2 * len(unused) > sql.count(db, "SELECT count(*) FROM code_facts"):
        _drop(db, unused)


def _drop(db: Connection, ids: Sequence[int]) -> None:
    db.executemany("DELETE FROM code_name WHERE facts_id = ?", [(i,) for i in ids])
    db.executemany("DELETE FROM code_facts WHERE id = ?", [(i,) for i in ids])


def clear(db: Connection) -> None:
    """Drop all facts; the next question to the code door extracts them again."""
    db.execute("DELETE FROM code_name")
    db.execute("DELETE FROM code_facts")


def facts_of_files(db: Connection) -> dict[str, int]:
    """uri → id of its facts, for the files that have facts."""
    return dict(
        db.execute(
            "SELECT r.uri, f.id FROM record AS r JOIN code_facts AS f ON f.hash = r.hash AND f.language = r.language"
            " WHERE r.door = ? AND f.version = ? ORDER BY r.uri",
            (FILES, FACTS_VERSION),
        )
    )


def read_facts(db: Connection, ids: Sequence[int]) -> dict[int, FileFacts]:
    found = {}
    for facts_id in ids:
        row = db.execute("SELECT data FROM code_facts WHERE id = ?", (facts_id,)).fetchone()
        if row is not None:
            found[facts_id] = FileFacts.loads(row[0])
    return found


def files_with(db: Connection, name: str, *, defining: bool) -> list[int]:
    """The ids of the facts that define a name; with `defining` off, also of those that mention it."""
    where = " AND defines = 1" if defining else ""
    return sql.column(db, f"SELECT facts_id FROM code_name WHERE name = ?{where} ORDER BY facts_id", (name,))


def files_like(db: Connection, part: str) -> list[int]:
    """The ids of the facts that define a name that contains `part`; the case of ASCII letters is ignored."""
    statement = (
        "SELECT DISTINCT facts_id FROM code_name WHERE defines = 1 AND instr(lower(name), lower(?)) > 0"
    )
    return sql.column(db, statement, (part,))
