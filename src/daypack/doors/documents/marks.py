"""Marks of documents that no person vouches for: one row a document, inside the transaction that the caller holds.

A document is as trusted as the least trusted text that was ever written into it; a document that is replaced as a
whole is as trusted as the new one.
"""

from __future__ import annotations

from collections.abc import Iterable

from daypack.index import sql
from daypack.ports import Connection
from daypack.types import Trust

MARKED = "d.id IN (SELECT document_id FROM document_untrusted)"
"""The condition on `document AS d` of the marked documents."""


def mark(db: Connection, ids: Iterable[int], trust: Trust) -> None:
    """Mark documents that were changed by a writer of this trust."""
    if trust is Trust.UNTRUSTED:
        db.executemany("INSERT OR IGNORE INTO document_untrusted VALUES (?)", ((number,) for number in ids))


def mark_anew(db: Connection, ids: Iterable[int], trust: Trust) -> None:
    """Mark documents that were written as a whole, by the trust of their writer alone."""
    numbers = [*ids]
    drop(db, numbers)
    mark(db, numbers, trust)


def drop(db: Connection, ids: Iterable[int]) -> None:
    db.executemany("DELETE FROM document_untrusted WHERE document_id = ?", ((number,) for number in ids))


def marked(db: Connection, ids: Iterable[int]) -> set[int]:
    """Those of the documents that are marked."""
    statement = f"SELECT document_id FROM document_untrusted WHERE document_id {sql.AMONG}"
    return set(sql.column(db, statement, (sql.ids(ids),)))


def any_marked(db: Connection) -> bool:
    return sql.exists(db, "SELECT 1 FROM document_untrusted LIMIT 1")
