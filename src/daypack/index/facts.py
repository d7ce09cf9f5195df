"""Facts about chunks and records that ranking reads by id or by name, without their texts.

Every function runs inside the read transaction of its caller.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.index import sql
from daypack.index.rows import PLACES, TRAIL_SEPARATOR, pages_from
from daypack.system import unicode_forms
from daypack.types import Pages, PieceKind, cited_lines
from daypack.types.arrays import Ints

if TYPE_CHECKING:
    from daypack.ports import Condition, Connection
    from daypack.rank.signals import RecordFacts


MOST_NAMED = 2_000  # records or chunks that names may lead to
MOST_ALIKE = 200  # records that a misspelt name may mean
LONGEST_BEGINNING = 60  # characters of such a name that are compared one by one
_NAME = "substr(r.title, 1, instr(r.title || ' (', ' (') - 1)"  # as the index `record_name` has it
_BASE = "substr(uri, length(rtrim(uri, replace(uri, '/', ''))) + 1)"  # as the index `record_base` has it


class Document(NamedTuple):
    """A record with pages, slides, sheets, chapters or paragraphs."""

    uri: str
    title: str
    pages: Pages


class SymbolLines(NamedTuple):
    """The lines of a chunk, and the name of its symbol or heading."""

    chunk_id: int
    name: str
    start_line: int
    end_line: int


def alerts_of_logs(db: Connection, record_ids: Sequence[int]) -> list[int]:
    """Ids of the remarkable chunks of logs, log by log; none where a record is not a log."""
    ids = sql.ids(record_ids)
    if sql.exists(db, f"SELECT 1 FROM record WHERE id {sql.AMONG} AND language != 'log' LIMIT 1", (ids,)):
        return []
    alerts = (
        f"SELECT id FROM chunk WHERE record_id {sql.AMONG} AND kind = 'alert' ORDER BY record_id, ordinal"
    )
    return sql.column(db, alerts, (ids,))


def record_ids_where(db: Connection, condition: str, parameters: Sequence[Any]) -> Ints:
    """Ids of the records that meet a condition of SQL, in no order."""
    import numpy as np

    # As one string: a row of SQL for each of 100,000 records takes three times as long.
    found = db.execute(f"SELECT group_concat(id) FROM record WHERE {condition}", parameters).get
    return np.fromstring(found or "", dtype=np.int64, sep=",")


def any_record(db: Connection, condition: str, parameters: Sequence[Any]) -> bool:
    """True when a record passes an SQL condition."""
    return sql.exists(db, f"SELECT 1 FROM record WHERE {condition} LIMIT 1", parameters)


def record_facts(db: Connection, record_ids: Sequence[int]) -> dict[int, RecordFacts]:
    from daypack.rank.signals import RecordFacts

    statement = f"SELECT r.id, r.uri, r.kind, r.author, r.time, r.title FROM {sql.RECORDS}"
    return {row[0]: RecordFacts._make(row[1:]) for row in db.execute(statement, (sql.ids(record_ids),))}


def sessions_of(db: Connection, record_ids: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Record id → (scope, name) of its session, of the events among some records."""
    statement = f"SELECT id, scope, session FROM record WHERE id {sql.AMONG} AND kind = 'event'"
    rows = db.execute(statement, (sql.ids(sorted({*record_ids})),))
    return {record_id: (scope, session) for record_id, scope, session in rows if session}


def records_at(db: Connection, path: str) -> dict[int, float]:
    """Record id → 1 for records that a path names (`names_path`), in any spelling of its letters, a half for those of a folder that it
    names, and for others with the end of a path that is whole.
    """
    found: dict[int, float] = {}
    for spelling in unicode_forms(path):
        for record_id, share in _records_at(db, spelling).items():
            found[record_id] = max(share, found.get(record_id, 0.0))
    return found


def _records_at(db: Connection, path: str) -> dict[int, float]:
    plain = path.replace("\\", "/").removeprefix("./")
    parts = plain.split("/")
    shorter = ["/".join(parts[first:]) for first in range(len(parts))]
    listed, names = "uri IN (SELECT value FROM json_each(?))", json.dumps([path, *shorter])
    ends_so, end = f"{_BASE} = ? AND substr(uri, length(uri) - length(?) + 1) = ?", f"/{plain}"
    found = dict.fromkeys(_other_than_memories(db, listed, names), 1.0)
    found |= dict.fromkeys(_other_than_memories(db, ends_so, parts[-1], end, end), 1.0)
    if whole := {*_other_than_memories(db, "uri = ?", plain)}:
        found = {record_id: 1.0 if record_id in whole else 0.5 for record_id in found}
    # A memory's key looks like a path but is meant as a whole; other people's memories have the same keys.
    of_key = "uri = ? OR (uri > ? AND uri < ?)"  # and the values that it held once
    uri = f"memory:{path}"
    keys = db.execute(
        f"SELECT id FROM record WHERE door = 'memories' AND ({of_key})", (uri, f"{uri}@", f"{uri}A")
    )
    found.update((record_id, 1.0) for (record_id,) in keys)
    folder = path.strip("/")
    if "/" in folder:
        # By the bounds of its names: 0 comes after /, and LIKE would read every name of the store.
        children = "uri > ? AND uri < ? AND instr(substr(uri, length(?) + 1), '/') = 0"
        for record_id in _other_than_memories(db, children, f"{folder}/", f"{folder}0", f"{folder}/"):
            found.setdefault(record_id, 0.5)
    return found


def files_called(db: Connection, names: Iterable[str]) -> dict[int, str]:
    """Record id → path, of the first files with one of these base names, the highest first."""
    # A condition on the door or an order would lead past the index of base names, through all files.
    statement = f"SELECT uri, id, door FROM record WHERE {_BASE} IN (SELECT value FROM json_each(?))"
    found = db.execute(statement, (json.dumps(sorted(names)),))
    return _highest((record_id, uri) for uri, record_id, door in found if door == "files")


def _highest(files: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Record id → path, of the first of some files: those in the fewest folders, by path."""
    return dict(sorted(files, key=lambda file: (file[1].count("/"), file[1]))[:MOST_NAMED])


def records_below(db: Connection, folder: str) -> Ints:
    """Ids of the records in a folder and in the folders below it, in no order."""
    return record_ids_where(db, "uri > ? AND uri < ?", (f"{folder}/", f"{folder}0"))  # 0 comes after /


def _other_than_memories(db: Connection, condition: str, *parameters: object) -> list[int]:
    """Ids of up to 200 records other than memories that meet a condition, rising."""
    statement = f"SELECT id FROM record WHERE {condition} AND door != 'memories' ORDER BY id LIMIT 200"
    return sql.column(db, statement, parameters)


def records_named(db: Connection, names: Sequence[str]) -> list[int]:
    """Ids of the records other than code whose title, up to an aside in parentheses, is one of the names."""
    statement = f"SELECT r.id FROM json_each(?) AS w CROSS JOIN record AS r ON {_NAME} = w.value WHERE r.title != '' AND r.kind != 'code' LIMIT {MOST_NAMED}"
    return sql.column(db, statement, (json.dumps(names),))


def documents_with_pages(db: Connection, record_ids: Sequence[int]) -> dict[int, Document]:
    """Record id → its name and its pages, of the documents among some records."""
    statement = f"SELECT id, uri, title, json_extract(metadata, '$.pages') FROM record WHERE id {sql.AMONG} AND rendered != ''"
    return {
        id_: Document(uri, title, pages)
        for id_, uri, title, stored in db.execute(statement, (sql.ids(record_ids),))
        if isinstance(pages := pages_from(stored), Pages)
    }


def chunks_of_records(db: Connection, record_ids: Sequence[int]) -> list[int]:
    """Ids of the chunks of some records, up to MOST_NAMED."""
    statement = f"SELECT id FROM chunk WHERE record_id {sql.AMONG} ORDER BY id LIMIT {MOST_NAMED}"
    return sql.column(db, statement, (sql.ids(record_ids),))


def any_holds(db: Connection, record_ids: Sequence[int], text: str) -> bool:
    """True when one of the records holds a text as written, in itself or in its names, ignoring ASCII case; the ends of lines count
    as blanks.
    """
    pattern = f"%{_escaped(text)}%".replace("\n", " ")
    # the line end is an argument, because SQLite and PostgreSQL name it differently
    places = " OR ".join(f"replace({place}, ?, ' ') LIKE ? ESCAPE '\\'" for place in ("text", "title", "uri"))
    statement = f"SELECT 1 FROM record WHERE id {sql.AMONG} AND ({places}) LIMIT 1"
    return sql.exists(db, statement, (sql.ids(record_ids), *("\n", pattern) * 3))


def symbol_names(db: Connection, chunk_ids: Ints) -> dict[int, str]:
    """Chunk id → qualified name, for chunks that are symbols of code."""
    statement = f"SELECT c.id, c.name FROM {sql.CHUNKS} WHERE c.symbol IS NOT NULL"
    return dict(db.execute(statement, (sql.ids(chunk_ids.tolist()),)))


def places_of_symbol(
    db: Connection, name: str, path: str, hidden: Iterable[int], *, most: int
) -> list[tuple[str, int, int]]:
    """(uri, first line, last line) of the first symbols of code with this name, qualified or not, in files whose names end with
    `path`; none in hidden records.
    """
    named = "c.name = ?1 OR (length(c.name) > length(?1) AND substr(c.name, length(c.name) - length(?1)) = '.' || ?1)"
    below = "length(r.uri) >= length(?2) AND substr(r.uri, length(r.uri) - length(?2) + 1) = ?2"
    statement = f"SELECT r.id, r.uri, MIN(c.start_line), MAX(c.end_line) FROM chunk AS c JOIN record AS r ON r.id = c.record_id WHERE c.symbol IS NOT NULL AND ({named}) AND {below} GROUP BY r.id, r.uri, c.name ORDER BY MIN(c.id)"
    unseen = {*hidden}
    found = ((row[1], row[2], row[3]) for row in db.execute(statement, (name, path)) if row[0] not in unseen)
    return [*islice(found, most)]


def symbol_lines(db: Connection, chunk_ids: Iterable[int]) -> list[SymbolLines]:
    """As citations show them: of a page those of its file."""
    statement = f"SELECT c.id, c.name, c.start_line, c.end_line, {PLACES} FROM {sql.CHUNKS_IN_RECORDS}"
    return [
        SymbolLines(id_, name, *cited_lines(pages_from(stored), first, last))
        for id_, name, first, last, stored in db.execute(statement, (sql.ids(chunk_ids),))
    ]


def chunk_lengths(db: Connection, chunk_ids: Iterable[int]) -> dict[int, int]:
    """Chunk id → characters, for existing chunks."""
    return dict(db.execute(f"SELECT id, end - start FROM chunk WHERE id {sql.AMONG}", (sql.ids(chunk_ids),)))


def _escaped(text: str) -> str:
    """A text as a pattern of LIKE that matches only that text."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def uris_like(db: Connection, uri: str, hidden: Iterable[int] = ()) -> list[str]:
    """At most `MOST_ALIKE` names of records in the folder of `uri`, or behind its `memory:`, that begin like it in any case, or
    with a last part that does, those with the longest common beginning first; none of the hidden.
    """
    cut = 1 + max(uri.rfind("/"), uri.rfind(":"))
    folder, last = uri[:cut], uri[cut:]
    # A folder has far more names that begin with one letter than are compared.
    mark, lengths = folder[-1:] or "/", range(min(len(last), LONGEST_BEGINNING), 0, -1)
    nearest = " ".join(
        f"WHEN instr('/' || lower(uri), lower(?{at})) > 0 THEN {at}" for at, _ in enumerate(lengths, 4)
    )
    order = f"CASE {nearest} ELSE 999 END, id" if nearest else "id"
    statement = f"SELECT id, uri FROM record WHERE length(uri) < 300 AND (instr(lower(uri), lower(?1)) = 1 OR instr(lower(uri), lower(?2)) > 0) ORDER BY {order} LIMIT ?3"
    begin = f"{folder}{last[:1]}" if folder else last[:3]
    unseen = {*hidden}
    values = (begin, f"/{last[:4]}", MOST_ALIKE, *(mark + last[:length] for length in lengths))
    return [name for one, name in db.execute(statement, values) if one not in unseen]


def uris_in(db: Connection, folder: str, hidden: Iterable[int], *, most: int) -> list[str]:
    """The first names of records in a folder and below it; none of the hidden."""
    folder = folder.rstrip("/")
    statement = "SELECT id, uri FROM record WHERE uri > ? AND uri < ? ORDER BY uri"
    unseen = {*hidden}
    found = db.execute(statement, (f"{folder}/", f"{folder}0"))  # 0 comes after /
    names = (name for one, name in found if one not in unseen)
    return [*islice(names, most)]


def uris_with_hash(db: Connection, wanted: Callable[[str], bool]) -> list[tuple[int, str]]:
    """(id, uri) of the records whose hash is wanted."""
    hashes = [one for one in sql.column(db, "SELECT DISTINCT hash FROM record") if wanted(one)]
    statement = "SELECT id, uri FROM record WHERE hash IN (SELECT value FROM json_each(?))"
    return list(db.execute(statement, (json.dumps(hashes),)))


def uris_of_several(db: Connection, uris: Iterable[str], visible: Condition) -> set[str]:
    """Those of some uris that several different texts have, among the records that meet a condition."""
    where, parameters = visible
    statement = f"SELECT uri FROM record WHERE uri IN (SELECT value FROM json_each(?)) AND ({where}) GROUP BY uri HAVING COUNT(DISTINCT hash) > 1"
    return {*sql.column(db, statement, (json.dumps([*{*uris}]), *parameters))}


def uris_ending(db: Connection, end: str) -> list[tuple[int, str, str]]:
    """(id, uri, hash) of at most `MOST_ALIKE` records whose name is longer than `end` and ends with it, or with another spelling of
    its letters.
    """
    ends = "length(uri) > length(?1) AND substr(uri, length(uri) - length(?1) + 1) = ?1"
    if "/" in end:  # it has the whole last part of the name, which an index finds
        ends = f"{_BASE} = {_BASE.replace('uri', '?1')} AND {ends}"
    statement = f"SELECT id, uri, hash FROM record WHERE {ends} LIMIT ?2"
    return [
        (row[0], row[1], row[2])
        for spelling in unicode_forms(end)
        for row in db.execute(statement, (spelling, MOST_ALIKE))
    ]


def chunk_headings(db: Connection, chunk_ids: Sequence[int]) -> list[tuple[int, str, tuple[str, ...]]]:
    """(id, uri, headings from the outermost to its own) of chunks other than symbols of code."""
    statement = f"SELECT c.id, r.uri, c.trail, c.name FROM {sql.CHUNKS_IN_RECORDS} WHERE c.symbol IS NULL"
    rows = db.execute(statement, (sql.ids(chunk_ids),))
    return [(chunk_id, uri, _headings(trail, name)) for chunk_id, uri, trail, name in rows]


def _headings(trail: str, name: str) -> tuple[str, ...]:
    return tuple(filter(None, (*trail.split(TRAIL_SEPARATOR), name)))


class ChunkNames(NamedTuple):
    """The names that a chunk other than a symbol of code stands below."""

    chunk_id: int
    record_id: int
    uri: str
    title: str
    headings: tuple[str, ...]  # from the outermost to its own
    start: int  # of its text in that of the record
    kind: PieceKind


def chunk_names(db: Connection, chunk_ids: Sequence[int]) -> list[ChunkNames]:
    columns = "c.id, r.id, r.uri, r.title, c.trail, c.name, c.start, c.kind"
    statement = f"SELECT {columns} FROM {sql.CHUNKS_IN_RECORDS} WHERE c.symbol IS NULL ORDER BY c.id"
    return [
        ChunkNames(chunk_id, record_id, uri, title, _headings(trail, name), start, PieceKind(kind))
        for chunk_id, record_id, uri, title, trail, name, start, kind in db.execute(
            statement, (sql.ids(chunk_ids),)
        )
    ]


def beginnings(db: Connection, record_ids: Iterable[int], length: int) -> dict[int, str]:
    """Record id → the first characters of its text."""
    statement = f"SELECT id, substr(text, 1, ?) FROM record WHERE id {sql.AMONG}"
    return dict(db.execute(statement, (length, sql.ids(record_ids))))


def names_of(db: Connection, record_ids: Sequence[int]) -> dict[int, str]:
    """Record id → uri, of those records, but for memories."""
    statement = f"SELECT r.id, r.uri FROM {sql.RECORDS} WHERE r.kind != 'memory'"
    return dict(db.execute(statement, (sql.ids(record_ids),)))
