"""Vectors of a field of documents: the embedded text of each document, and the matrix that a query scans.

A vector is a row of `vec`, as a chunk's: keyed by model and hash of the text. This table keeps the hash of
each document's text. An empty hash marks a document without text in the field, `CHANGED` a document written
since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from daypack.doors.documents.table import CollectionRow
from daypack.index import sql
from daypack.index.vectors import find_model
from daypack.ports import Connection
from daypack.rank.views import products
from daypack.types.arrays import Floats, Int8s, Ints

NO_TEXT = b""
CHANGED = b"\0"


class VectorField(NamedTuple):
    """A path whose texts are embedded, with its embedder (`daypack.embed`'s name) and model."""

    id: int
    path: str
    embedder: str
    model: str


def fields(db: Connection, collection: CollectionRow) -> list[VectorField]:
    statement = "SELECT id, path, embedder, model FROM document_field WHERE collection_id = ? ORDER BY path"
    return sql.rows(db, VectorField._make, statement, (collection.id,))


def find_field(db: Connection, collection: CollectionRow, path: str) -> VectorField | None:
    return next((field for field in fields(db, collection) if field.path == path), None)


def note_field(
    db: Connection, collection: CollectionRow, path: str, embedder: str, model: str
) -> VectorField:
    db.execute(
        "INSERT INTO document_field (collection_id, path, embedder, model) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (collection_id, path) DO UPDATE SET embedder = excluded.embedder, model = excluded.model",
        (collection.id, path, embedder, model),
    )
    field = find_field(db, collection, path)
    assert field is not None
    return field


def count_embedded(db: Connection, field: VectorField) -> int:
    statement = "SELECT count(*) FROM document_vector WHERE field_id = ? AND length(hash) > 1"
    return sql.count(db, statement, (field.id,))


def hashes(db: Connection, field: VectorField, document_ids: Sequence[int]) -> dict[int, bytes]:
    """Document → the hash that is noted for it."""
    statement = "SELECT v.document_id, v.hash FROM json_each(?) AS w CROSS JOIN document_vector AS v ON v.field_id = ? AND v.document_id = CAST(w.value AS INTEGER)"
    return dict(db.execute(statement, (sql.ids(document_ids), field.id)))


def note_hashes(db: Connection, field: VectorField, rows: Iterable[tuple[int, bytes]]) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO document_vector (field_id, document_id, hash) VALUES (?, ?, ?)",
        ((field.id, number, hash_) for number, hash_ in rows),
    )


def hashes_of(db: Connection, document_ids: Sequence[int]) -> set[bytes]:
    """The hashes of all fields of documents that have a vector."""
    statement = "FROM json_each(?) AS w CROSS JOIN document_vector AS v ON v.document_id = CAST(w.value AS INTEGER) WHERE length(v.hash) > 1"
    return set(sql.column(db, f"SELECT v.hash {statement}", (sql.ids(document_ids),)))


def without_vector(db: Connection, model: str, wanted: Sequence[bytes]) -> set[bytes]:
    """The hashes without a vector of a model."""
    model_id = find_model(db, model)
    if model_id is None:
        return set(wanted)
    known = "SELECT 1 FROM vec WHERE model_id = ? AND hash = ?"
    return {hash_ for hash_ in wanted if not sql.exists(db, known, (model_id, hash_))}


def not_current(db: Connection, collection: CollectionRow, field: VectorField) -> list[int]:
    """Documents that were written since the field was synced: new ones, and those whose text changed."""
    return sql.column(
        db,
        "SELECT d.id FROM document AS d LEFT JOIN document_vector AS v ON v.field_id = ? AND v.document_id = d.id"
        " WHERE d.collection_id = ? AND (v.hash IS NULL OR v.hash = ?)",
        (field.id, collection.id, CHANGED),
    )


class FieldView:
    """The vectors of a field as of one state of the store. `ids` rise; row i, `scales[i]` · `codes[i]`, is
    that of document ids[i].

    A component is off by half of its row's scale at most.
    """

    def __init__(self, ids: Ints, scales: Floats, codes: Int8s) -> None:
        self.ids = ids
        self.scales = scales
        self.codes = codes

    @classmethod
    def load(cls, db: Connection, field: VectorField, dim: int) -> FieldView:
        ids, scales, codes = [], [], []
        rows = db.execute(
            "SELECT v.document_id, e.scale, e.codes FROM document_vector AS v CROSS JOIN vec AS e ON e.model_id = ? AND e.hash = v.hash"
            " WHERE v.field_id = ? ORDER BY v.document_id",
            (find_model(db, field.model), field.id),
        )
        for document_id, scale, row in rows:
            ids.append(document_id)
            scales.append(scale)
            codes.append(row)
        matrix = np.frombuffer(b"".join(codes), dtype=np.int8).reshape(-1, dim)
        return cls(np.asarray(ids, dtype=np.int64), np.asarray(scales, dtype=np.float32), matrix)

    def similarities(self, vector: Floats, allowed: Ints | None) -> tuple[Ints, Floats]:
        """(rows, cosines) of all documents, or of the allowed ones, whose ids rise."""
        if allowed is None:
            return np.arange(len(self.ids)), products(self.codes, self.scales, vector)
        rows = np.searchsorted(self.ids, allowed)
        rows, allowed = rows[rows < len(self.ids)], allowed[rows < len(self.ids)]
        rows = rows[self.ids[rows] == allowed]
        return rows, products(self.codes, self.scales, vector, rows)
