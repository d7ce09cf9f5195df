"""JSON documents on disk: collections, documents, field indexes, plans of changes.

Rows in, rows out, inside the transaction that the caller holds. `filters` decides the meaning of a filter, `model`
the effect of an update. A body is canonical JSON; its searched form is a record of the common index.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from daypack.doors.documents.filters.language import near
from daypack.doors.documents.model.entries import entries_of
from daypack.doors.documents.model.values import Value, at_path
from daypack.errors import NoCollection
from daypack.index import sql
from daypack.index.erasing import drop_orphans
from daypack.ports import Connection
from daypack.text.storable import text_digest
from daypack.types import Trust

DOOR = "docs"


class CollectionRow(NamedTuple):
    id: int
    name: str


class FieldIndex(NamedTuple):
    """`multi`: some document has had more than one entry, so that two conditions may hold of two values."""

    id: int
    path: str
    multi: bool = False

    @property
    def steps(self) -> list[str]:
        return self.path.split(".")


class DocumentRow(NamedTuple):
    """A document in its stored form. `key` is the stored form of its _id, unique in the collection."""

    id: int
    key: str
    body: str


class Plan(NamedTuple):
    token: str
    collection_id: int
    filter: str
    update: str
    made_at: float
    expires_at: float
    state: str  # planned, applied, rolled_back
    changed_at: float | None
    trust: str = Trust.USER.value  # of its writer


class Change(NamedTuple):
    """One document of a plan; its bodies before and after."""

    document_id: int
    key: str
    before: str
    after: str


def broken_documents(db: Connection) -> int:
    """Number of documents that changed since they were stored."""
    return sum(text_digest(body) != hash_ for body, hash_ in db.execute("SELECT body, hash FROM document"))


def count_lost_entries(db: Connection) -> int:
    """Number of index entries that belong to no document."""
    return sql.count(
        db, "SELECT count(*) FROM document_entry WHERE document_id NOT IN (SELECT id FROM document)"
    )


# ---------------------------------------------------------------- collections


def find_collection(db: Connection, name: str) -> CollectionRow | None:
    return sql.row(db, CollectionRow._make, "SELECT id, name FROM collection WHERE name = ?", (name,))


def collections(db: Connection) -> list[CollectionRow]:
    return sql.rows(db, CollectionRow._make, "SELECT id, name FROM collection ORDER BY name")


def existing_collection(db: Connection, name: str) -> CollectionRow:
    """The collection of a name. Raises NoCollection with the name that was perhaps meant."""
    existing = find_collection(db, name)
    if existing is None:
        names = [collection.name for collection in collections(db)]
        raise NoCollection(name, near(name, names), names)
    return existing


def collection_of(db: Connection, collection_id: int) -> CollectionRow:
    return CollectionRow(*db.execute("SELECT id, name FROM collection WHERE id = ?", (collection_id,)).get)


def make_collection(db: Connection, name: str, *, now: float) -> CollectionRow:
    db.execute("INSERT OR IGNORE INTO collection (name, created_at) VALUES (?, ?)", (name, now))
    collection = find_collection(db, name)
    assert collection is not None
    return collection


def count(db: Connection, collection: CollectionRow) -> int:
    return sql.count(db, "SELECT count(*) FROM document WHERE collection_id = ?", (collection.id,))


# ---------------------------------------------------------------- documents

ROW = "d.id, d.key, d.body, d.hash"


def row_of(db: Connection, row: Sequence[Any]) -> DocumentRow:
    document_id, key, body, hash_ = row
    sql.check_unchanged(db, f"document {key}", unchanged=text_digest(body) == hash_)
    return DocumentRow(document_id, key, body)


def find(db: Connection, collection: CollectionRow, key: str) -> DocumentRow | None:
    statement = f"SELECT {ROW} FROM document AS d WHERE d.collection_id = ? AND d.key = ?"
    return sql.row(db, partial(row_of, db), statement, (collection.id, key))


def select(
    db: Connection,
    collection: CollectionRow,
    where: str = "TRUE",
    parameters: Sequence[Any] = (),
    *,
    limit: int = -1,
    lead: tuple[int, int, Any] | None = None,
) -> Iterator[DocumentRow]:
    """Documents that match a condition on `document AS d`, in the order of insertion.

    `lead` is (index, rank, value) of an equality that all documents fulfil: its entries come in that order,
    so that the first few documents are found without the rest.
    """
    statement, values = _selection(ROW, collection, where, parameters, limit, 0, lead)
    return (row_of(db, row) for row in db.execute(statement, values))


def _selection(
    columns: str,
    collection: CollectionRow,
    where: str,
    parameters: Sequence[Any],
    limit: int,
    skip: int,
    lead: tuple[int, int, Any] | None,
) -> tuple[str, tuple[Any, ...]]:
    source, entry = "document AS d", ""
    if lead is not None:
        source = "document_entry AS e CROSS JOIN document AS d ON d.id = e.document_id"
        entry = "e.index_id = ? AND e.rank = ? AND e.value = ? AND "
    statement = (
        f"SELECT {columns} FROM {source} WHERE {entry}{_inside(where, led=lead is not None)}"
        f" ORDER BY {'e.document_id' if lead is not None else 'd.id'} LIMIT ? OFFSET ?"
    )
    return statement, (*(lead or ()), *parameters, collection.id, limit, skip)


def pages(db: Connection, collection: CollectionRow, size: int) -> Iterator[list[DocumentRow]]:
    """All documents in the order of their ids, `size` at a time."""
    after = 0
    while rows := page_after(db, collection, after, size):
        after = rows[-1].id
        yield rows


def page_after(db: Connection, collection: CollectionRow, after: int, size: int) -> list[DocumentRow]:
    """The next `size` documents behind an id."""
    return list(select(db, collection, "d.id > ?", (after,), limit=size))


def select_ids(
    db: Connection,
    collection: CollectionRow,
    where: str,
    parameters: Sequence[Any],
    *,
    limit: int = -1,
    skip: int = 0,
    lead: tuple[int, int, Any] | None = None,
) -> list[int]:
    """Ids of the matching documents, rising. `lead` is as for `select`."""
    statement, values = _selection("d.id", collection, where, parameters, limit, skip, lead)
    return sql.column(db, statement, values)


def of_ids(db: Connection, collection: CollectionRow, ids: Sequence[int]) -> list[DocumentRow]:
    """Those of the documents that the collection still has, by rising ids."""
    statement = f"SELECT {ROW} FROM json_each(?) AS w CROSS JOIN document AS d ON d.id = CAST(w.value AS INTEGER) AND d.collection_id = ? ORDER BY d.id"
    return sql.rows(db, partial(row_of, db), statement, (json.dumps([*ids]), collection.id))


def count_where(db: Connection, collection: CollectionRow, where: str, parameters: Sequence[Any]) -> int:
    statement = f"SELECT count(*) FROM document AS d WHERE {_inside(where)}"
    return sql.count(db, statement, (*parameters, collection.id))


def _inside(where: str, *, led: bool = False) -> str:
    # The sign keeps SQLite from a walk through the collection where entries of an index lead to a few documents.
    return f"({where}) AND {'+' if led or 'document_entry' in where else ''}d.collection_id = ?"


def by_ids(db: Connection, ids: Sequence[int]) -> dict[int, DocumentRow]:
    statement = f"SELECT {ROW} FROM json_each(?) AS w JOIN document AS d ON d.id = CAST(w.value AS INTEGER)"
    return {row.id: row for row in sql.rows(db, partial(row_of, db), statement, (sql.ids(ids),))}


def bodies_of_records(db: Connection, collection: CollectionRow, record_ids: Sequence[int]) -> dict[int, str]:
    """Record → the body of its document."""
    statement = (
        f"SELECT r.id, d.body FROM {sql.RECORDS} JOIN document AS d ON d.collection_id = ? AND d.key = r.uid"
    )
    return dict(db.execute(statement, (sql.ids(record_ids), collection.id)))


def taken(db: Connection, collection: CollectionRow, keys: Iterable[str]) -> list[str]:
    """Those of the keys that a document has already."""
    statement = "FROM json_each(?) AS w CROSS JOIN document AS d ON d.collection_id = ? AND d.key = w.value"
    return sql.column(db, f"SELECT d.key {statement}", (json.dumps([*keys]), collection.id))


def insert(
    db: Connection,
    collection: CollectionRow,
    indexes: Sequence[FieldIndex],
    batch: Sequence[tuple[str, str, Value]],
) -> range:
    """Write new documents (key, body, value), with their entries, and mark their text as to be indexed; their ids."""
    ids = db.new_ids("document", len(batch))
    db.executemany(
        "INSERT INTO document (id, collection_id, key, body, hash) VALUES (?, ?, ?, ?, ?)",
        (
            (number, collection.id, key, body, text_digest(body))
            for number, (key, body, _) in zip(ids, batch, strict=True)
        ),
    )
    await_text(db, ids)
    for index in indexes:
        _enter(db, index, zip(ids, (value for _, _, value in batch), strict=True))
    return ids


def await_text(db: Connection, ids: Iterable[int]) -> None:
    """Mark the text of documents as to be indexed."""
    db.executemany("INSERT OR IGNORE INTO document_pending VALUES (?)", ((number,) for number in ids))


def _enter(db: Connection, index: FieldIndex, documents: Iterable[tuple[int, Value]]) -> None:
    steps = index.steps
    entries: list[tuple[int, int, Any, int]] = []
    multi = False
    for number, document in documents:
        document_entries = entries_of(document, steps)
        multi = multi or len(document_entries) > 1
        entries += [(index.id, rank, value, number) for rank, value in document_entries]
    if multi and not index.multi:
        db.execute("UPDATE document_index SET multi = 1 WHERE id = ?", (index.id,))
    entries.sort()  # the order of the table, so that each page is visited once a batch
    db.executemany("INSERT OR IGNORE INTO document_entry VALUES (?, ?, ?, ?)", entries)


def replace(db: Connection, indexes: Sequence[FieldIndex], row: DocumentRow, body: str) -> None:
    """Give a document another body."""
    before, after = json.loads(row.body), json.loads(body)
    db.execute("UPDATE document SET body = ?, hash = ? WHERE id = ?", (body, text_digest(body), row.id))
    await_text(db, [row.id])
    fields: list[tuple[int, str, bytes]] = list(
        db.execute(
            "SELECT f.id, f.path, v.hash FROM document_vector AS v JOIN document_field AS f ON f.id = v.field_id WHERE v.document_id = ?",
            (row.id,),
        )
    )
    for field_id, path, hash_ in fields:
        if at_path(before, path.split(".")) != at_path(after, path.split(".")):
            db.execute(
                "UPDATE document_vector SET hash = x'00' WHERE field_id = ? AND document_id = ?",
                (field_id, row.id),
            )
            drop_orphans(db, [hash_])
    for index in indexes:
        old, new = entries_of(before, index.steps), entries_of(after, index.steps)
        if old != new:
            _leave(db, index, row.id, old)
            _enter(db, index, [(row.id, after)])


def _leave(db: Connection, index: FieldIndex, document_id: int, entries: Iterable[tuple[int, Any]]) -> None:
    db.executemany(
        "DELETE FROM document_entry WHERE index_id = ? AND rank = ? AND value = ? AND document_id = ?",
        ((index.id, rank, value, document_id) for rank, value in entries),
    )


def delete(db: Connection, indexes: Sequence[FieldIndex], rows: Sequence[DocumentRow], *, now: float) -> None:
    """Remove documents with their entries; the caller removes their records."""
    for row in rows:
        value = json.loads(row.body)
        for index in indexes:
            _leave(db, index, row.id, entries_of(value, index.steps))
    rest = ("document_pending", "document_untrusted", "document_vector")
    for table, column in (("document", "id"), *((name, "document_id") for name in rest)):
        db.executemany(f"DELETE FROM {table} WHERE {column} = ?", ((row.id,) for row in rows))
    _erase_from_plans(db, [row.id for row in rows], now)


ERASED = "{}"  # no plan is made with such an update


def _erase_from_plans(db: Connection, document_ids: Sequence[int], now: float) -> None:
    """Erase the bodies that plans hold of deleted documents, and the filters and updates of those plans, which may
    quote them. Such a plan expires if it was not applied; rolled back, it leaves these documents deleted.
    """
    ids, inside = sql.ids(document_ids), f"document_id {sql.AMONG}"
    tokens = sql.column(db, f"SELECT DISTINCT token FROM document_change WHERE {inside}", (ids,))
    db.execute(f"DELETE FROM document_change WHERE {inside}", (ids,))
    db.executemany(
        "UPDATE document_plan SET filter = ?, changes = ?, expires_at = min(expires_at, ?) WHERE token = ?",
        ((ERASED, ERASED, now, token) for token in tokens),
    )


# ---------------------------------------------------------------- field indexes


def indexes(db: Connection, collection: CollectionRow) -> list[FieldIndex]:
    statement = "SELECT id, path, multi FROM document_index WHERE collection_id = ? ORDER BY path"
    return sql.rows(db, FieldIndex._make, statement, (collection.id,))


def make_index(db: Connection, collection: CollectionRow, path: str) -> bool:
    """Index a path of every document of a collection; False when it is indexed already."""
    db.execute(
        "INSERT OR IGNORE INTO document_index (collection_id, path, multi) VALUES (?, ?, 0)",
        (collection.id, path),
    )
    if not db.changes():
        return False
    _fill(db, collection, FieldIndex(db.last_insert_rowid(), path))
    return True


def derive_again(db: Connection) -> None:
    """Make the entries of every index again, and mark every document's text as to be indexed."""
    db.execute("INSERT OR IGNORE INTO document_pending SELECT id FROM document")
    db.execute("DELETE FROM document_pending WHERE document_id NOT IN (SELECT id FROM document)")
    db.execute("DELETE FROM document_entry")
    for collection in collections(db):
        for index in indexes(db, collection):
            _fill(db, collection, index)


def _fill(db: Connection, collection: CollectionRow, index: FieldIndex) -> None:
    statement = "SELECT id, body FROM document WHERE collection_id = ? ORDER BY id"
    rows = iter(db.execute(statement, (collection.id,)))
    while batch := [(number, json.loads(body)) for number, body in islice(rows, 20_000)]:
        _enter(db, index, batch)


# ---------------------------------------------------------------- plans

_PLAN = "token, collection_id, filter, changes, made_at, expires_at, state, changed_at, trust"


def make_plan(db: Connection, plan: Plan, changes: Sequence[Change]) -> None:
    db.execute(f"INSERT INTO document_plan ({_PLAN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", plan)
    db.executemany(
        "INSERT INTO document_change VALUES (?, ?, ?, ?, ?)", ((plan.token, *change) for change in changes)
    )


def find_plan(db: Connection, token: str) -> Plan | None:
    return sql.row(db, Plan._make, f"SELECT {_PLAN} FROM document_plan WHERE token = ?", (token,))


def plans(db: Connection) -> list[tuple[Plan, int]]:
    """All plans with their numbers of changed documents, newest first."""
    columns = ", ".join(f"p.{name}" for name in _PLAN.split(", "))
    rows = db.execute(
        f"SELECT (SELECT count(*) FROM document_change AS c WHERE c.token = p.token), {columns} FROM document_plan AS p"
        " ORDER BY p.made_at DESC, p.token"
    )
    return [(Plan(*row[1:]), row[0]) for row in rows]


def changes_of(db: Connection, token: str) -> list[Change]:
    statement = (
        "SELECT document_id, key, before, after FROM document_change WHERE token = ? ORDER BY document_id"
    )
    return sql.rows(db, Change._make, statement, (token,))


def note_plan(db: Connection, token: str, state: str, *, now: float) -> None:
    db.execute("UPDATE document_plan SET state = ?, changed_at = ? WHERE token = ?", (state, now, token))


def drop_expired_plans(db: Connection, now: float) -> None:
    """Remove plans that were not applied in time."""
    condition = "state = 'planned' AND expires_at <= ?"
    db.execute(
        f"DELETE FROM document_change WHERE token IN (SELECT token FROM document_plan WHERE {condition})",
        (now,),
    )
    db.execute(f"DELETE FROM document_plan WHERE {condition}", (now,))


def unknown_records(db: Connection) -> list[tuple[str, str]]:
    """(scope, uid) of searched records that belong to no document."""
    known = "SELECT 1 FROM document AS d JOIN collection AS c ON c.id = d.collection_id WHERE c.name = r.scope AND d.key = r.uid"
    statement = f"SELECT scope, uid FROM record AS r WHERE door = ? AND NOT EXISTS ({known})"
    return list(db.execute(statement, (DOOR,)))
