"""Vectors on disk: int8 rows with the key (model, hash of the embedded text), and the functions that load them for a query.

A vector belongs to a text, not to a chunk: chunks with equal texts share a vector, in all files. instant.py stores the
vectors of the static table with the chunks; complete.py records the places in which all chunks have a vector.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from daypack.errors import BadVector
from daypack.index import sql
from daypack.index.erasing import USED, drop_orphans
from daypack.ports import FILES

if TYPE_CHECKING:
    from daypack.index.store import Store
    from daypack.ports import Connection
    from daypack.rank.views import LexicalView, VectorView


NO_VECTOR = "NOT EXISTS (SELECT 1 FROM vec WHERE vec.model_id = ? AND vec.hash = c.embed_hash)"


def models(db: Connection) -> list[tuple[int, str, int]]:
    """(id, name, dimension) of the models that have made vectors for this store, by id."""
    return list(db.execute("SELECT id, name, dim FROM model ORDER BY id"))


def find_vectors(
    db: Connection, model_id: int, dim: int, hashes: Iterable[bytes]
) -> list[tuple[bytes, float, bytes]]:
    """(hash, scale, codes) for the texts, by hash, that have an undamaged vector of the model."""
    found = (
        db.execute(
            "SELECT hash, scale, codes FROM vec WHERE model_id = ? AND hash = ?", (model_id, hash_)
        ).fetchone()
        for hash_ in hashes
    )
    return [(row[0], row[1], row[2]) for row in found if row is not None and len(row[2]) == dim]


def find_model(db: Connection, name: str) -> int | None:
    return next(iter(sql.column(db, "SELECT id FROM model WHERE name = ?", (name,))), None)


def drop_models(db: Connection, names: Sequence[str]) -> None:
    """Delete models with all their vectors. The caller holds the write transaction."""
    for name in names:
        db.execute("DELETE FROM vec WHERE model_id = (SELECT id FROM model WHERE name = ?)", (name,))
        db.execute("DELETE FROM complete WHERE model = ?", (name,))
        db.execute("DELETE FROM model WHERE name = ?", (name,))


def put_vectors(db: Connection, model: str, dim: int, rows: Iterable[tuple[bytes, float, bytes]]) -> None:
    """Store rows (hash, scale, int8 codes) of a model. The caller holds the write transaction.

    Rows of texts that were deleted in the meantime are left out, because a deleted text must not leave a vector.
    """
    db.execute("INSERT OR IGNORE INTO model (name, dim) VALUES (?, ?)", (model, dim))
    model_id = find_model(db, model)
    db.executemany(
        f"INSERT OR IGNORE INTO vec SELECT ?1, ?2, ?3, ?4 WHERE {USED}",
        ((hash_, model_id, scale, codes) for hash_, scale, codes in rows),
    )


def remove_records(
    store: Store, db: Connection, door: str, scope: str, uids: Sequence[str]
) -> tuple[int, int]:
    """Delete records, and vectors that no text uses any more; returns the numbers of (chunks, vectors) that were deleted."""
    hashes = [hash_ for uid in uids for hash_ in store.embed_hashes_of(db, door, scope, uid)]
    store.remove_records(db, door, scope, uids)
    return len(hashes), drop_orphans(db, set(hashes))


def pending_chunks(store: Store, model: str, *, after: int, limit: int) -> list[tuple[int, bytes]]:
    """(chunk id, embed hash) for chunks without a vector of this model whose ids are above `after`, by id."""
    with store.reading() as db:
        return list(
            db.execute(
                """SELECT c.id, c.embed_hash FROM chunk AS c WHERE c.id > ? AND NOT EXISTS
                   (SELECT 1 FROM vec WHERE vec.model_id = (SELECT id FROM model WHERE name = ?) AND vec.hash = c.embed_hash)
                   ORDER BY c.id LIMIT ?""",
                (after, model, limit),
            )
        )


def lacking(db: Connection, door: str, model: str, dim: int) -> list[bytes]:
    """The embed hashes of a door's texts that have no vector of this model; none when the store knows the model with another
    `dim`.
    """
    row = db.execute("SELECT id, dim FROM model WHERE name = ?", (model,)).fetchone() or (-1, dim)
    if row[1] != dim:
        return []
    return sql.column(
        db,
        """SELECT DISTINCT c.embed_hash FROM chunk AS c JOIN record AS r ON r.id = c.record_id
           WHERE r.door = ? AND NOT EXISTS (SELECT 1 FROM vec WHERE vec.model_id = ? AND vec.hash = c.embed_hash)""",
        (door, row[0]),
    )


def count_pending(store: Store, model: str) -> int:
    """The number of chunks without a vector of this model."""
    with store.reading() as db:
        total = sql.count(db, "SELECT count(*) FROM chunk")
        model_id = find_model(db, model)
        if model_id is None:
            return total
        made = "SELECT count(*) FROM chunk AS c JOIN vec ON vec.model_id = ? AND vec.hash = c.embed_hash"
        return total - sql.count(db, made, (model_id,))


def unknown(db: Connection, model: str, chunk_ids: Sequence[int]) -> list[int]:
    """The chunks whose text has no vector of this model; of chunks with equal texts only the one with the smallest id."""
    rows = db.execute(
        f"""SELECT min(c.id) FROM json_each(?2) AS w JOIN chunk AS c ON c.id = CAST(w.value AS INTEGER)
            WHERE {NO_VECTOR.replace("?", "(SELECT id FROM model WHERE name = ?1)")} GROUP BY c.embed_hash ORDER BY 1""",
        (model, json.dumps([*chunk_ids])),
    )
    return [row[0] for row in rows]


def embed_hashes(db: Connection, chunk_ids: Sequence[int]) -> dict[int, bytes]:
    return dict(db.execute(f"SELECT c.id, c.embed_hash FROM {sql.CHUNKS}", (sql.ids(chunk_ids),)))


def duplicates_of(db: Connection, chunk_ids: Sequence[int]) -> dict[int, int]:
    """Chunk id → the one of `chunk_ids` with an equal embedded text, for all such chunks, those of `chunk_ids` included."""
    statement = f"SELECT t.id, min(c.id) FROM {sql.CHUNKS} JOIN chunk AS t ON t.embed_hash = c.embed_hash GROUP BY t.id ORDER BY t.id"
    return dict(db.execute(statement, (sql.ids(chunk_ids),)))


def load_vectors(db: Connection, view: LexicalView, model: str, dim: int) -> VectorView:
    """The vectors of a snapshot. Raises BadVector when the store knows the model with another `dim`."""
    from daypack.rank.views import VectorView

    vectors = VectorView(view, dim, model)
    _read(db, vectors, view, "vec AS v CROSS JOIN chunk AS c ON c.embed_hash = v.hash", after=0)
    return vectors


def follow_vectors(db: Connection, vectors: VectorView, before: LexicalView, view: LexicalView) -> VectorView:
    """The vectors of the later snapshot `view`, if no vectors were written since: those of the old chunks that it still has,
    and those of new chunks.
    """
    found = vectors.followed(before, view)
    newest = int(before.chunk_ids.max(initial=0))
    _read(db, found, view, "chunk AS c CROSS JOIN vec AS v ON v.hash = c.embed_hash", after=newest)
    return found


def _read(db: Connection, vectors: VectorView, view: LexicalView, tables: str, *, after: int) -> None:
    """Add the stored vectors of chunks with ids above `after`; `tables` is the SQL join, which decides the table to scan."""
    import numpy as np

    row = db.execute("SELECT id, dim FROM model WHERE name = ?", (vectors.model,)).fetchone()
    if row is None:
        return
    model_id, dim = row
    if dim != vectors.dim:
        raise BadVector(
            vectors.model,
            f"{vectors.dim} dimensions, and {dim} in the store: it changed without changing its name",
        )
    rows = db.execute(
        f"SELECT c.id, v.scale, v.codes FROM {tables} WHERE v.model_id = ? AND c.id > ?", (model_id, after)
    )
    ids, scales, codes = [], [], []
    for chunk_id, scale, code in rows:
        ids.append(chunk_id)
        scales.append(scale)
        codes.append(code)
    vectors.add(
        view,
        np.asarray(ids, dtype=np.int64),
        np.asarray(scales, dtype=np.float32),
        np.frombuffer(b"".join(codes), dtype=np.int8).reshape(-1, dim),
    )


def lacking_files(db: Connection, model: str, *, after: int, limit: int) -> list[tuple[int, bytes]]:
    """(chunk id, embed hash) for chunks of files without a vector of this model whose ids are above `after`, by id."""
    statement = f"""SELECT c.id, c.embed_hash FROM chunk AS c JOIN record AS r ON r.id = c.record_id
               WHERE r.door = ?1 AND c.id > ?3 AND {NO_VECTOR.replace("?", "(SELECT id FROM model WHERE name = ?2)")} ORDER BY c.id LIMIT ?4"""
    return list(db.execute(statement, (FILES, model, after, limit)))
