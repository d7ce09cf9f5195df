"""The queue of documents whose text is to be indexed: a write adds them, the next question or `docs sync` takes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from daypack.doors.documents.table import DOOR, ROW, DocumentRow, row_of
from daypack.index import sql
from daypack.ports import Connection


def searched(db: Connection) -> Iterator[tuple[str, DocumentRow, str, tuple[str, ...]]]:
    """(collection, document, its text in the common index, the tags there) of every document that has such a text."""
    for row in db.execute(
        f"SELECT c.name, r.text, r.tags, {ROW} FROM document AS d JOIN collection AS c ON c.id = d.collection_id"
        " JOIN record AS r ON r.door = ? AND r.scope = c.name AND r.uid = d.key",
        (DOOR,),
    ):
        yield row[0], row_of(db, row[3:]), row[1], tuple(json.loads(row[2]))


def first(db: Connection, limit: int) -> list[tuple[str, DocumentRow]]:
    """(collection, document) of the newest documents whose text is to be indexed, in the order of insertion: those that
    were just written are asked for first.
    """
    rows = db.execute(
        f"SELECT c.name, {ROW} FROM (SELECT document_id FROM document_pending ORDER BY document_id DESC LIMIT ?) AS p"
        " CROSS JOIN document AS d ON d.id = p.document_id JOIN collection AS c ON c.id = d.collection_id ORDER BY d.id",
        (limit,),
    )
    return [(row[0], row_of(db, row[1:])) for row in rows]


def length(db: Connection) -> int:
    """The number of documents that wait."""
    return sql.count(db, "SELECT count(*) FROM document_pending")


def holds_any(db: Connection) -> bool:
    """Tell whether a document waits, at the cost of one row."""
    return sql.exists(db, "SELECT 1 FROM document_pending LIMIT 1")


def remove(db: Connection, ids: Iterable[int]) -> None:
    """Remove documents whose text is indexed."""
    db.executemany("DELETE FROM document_pending WHERE document_id = ?", ((number,) for number in ids))
