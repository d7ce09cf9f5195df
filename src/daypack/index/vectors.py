"""Vectors on disk: int8 rows keyed by (model, hash of the embedded text), and the same rows in memory, which
a query scans.

A vector belongs to a text, not to a chunk: equal text is embedded once, whatever it is called and wherever it
moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.errors import BadVector

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from daypack.index.lexical import LexicalView
    from daypack.index.store import Store


_BLOCK = 1 << 19  # components that are widened at once

# By a chunk, or by a field of a document.
_USED = "EXISTS (SELECT 1 FROM chunk WHERE embed_hash = ?1) OR EXISTS (SELECT 1 FROM document_vector WHERE hash = ?1)"


def find_model(db: apsw.Connection, name: str) -> int | None:
    row = db.execute("SELECT id FROM model WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def put_vectors(
    db: apsw.Connection, model: str, dim: int, rows: Iterable[tuple[bytes, float, bytes]]
) -> None:
    """Keep (hash, scale, int8 codes) rows of one model. The caller holds the write transaction.

    A text that was deleted while it was embedded gets none: what was forgotten stays so.
    """
    db.execute("INSERT OR IGNORE INTO model (name, dim) VALUES (?, ?)", (model, dim))
    model_id = find_model(db, model)
    db.executemany(
        f"INSERT OR IGNORE INTO vec SELECT ?1, ?2, ?3, ?4 WHERE {_USED}",
        ((hash_, model_id, scale, codes) for hash_, scale, codes in rows),
    )


def drop_orphans(db: apsw.Connection, hashes: Iterable[bytes]) -> int:
    """Remove the vectors of these hashes whose text is there no more; how many there were."""
    dropped = 0
    for hash_ in hashes:
        db.execute(f"DELETE FROM vec WHERE hash = ?1 AND NOT ({_USED})", (hash_,))
        dropped += db.changes()
    return dropped


def pending_chunks(store: Store, model: str, *, after: int = 0, limit: int = 1000) -> list[tuple[int, bytes]]:
    """(chunk id, embed hash) of chunks without a vector of this model, by id, from the one after `after`."""
    with store.reading() as db:
        return list(
            db.execute(
                """SELECT c.id, c.embed_hash FROM chunk AS c WHERE c.id > ? AND NOT EXISTS
                   (SELECT 1 FROM vec WHERE vec.model_id = (SELECT id FROM model WHERE name = ?) AND vec.hash = c.embed_hash)
                   ORDER BY c.id LIMIT ?""",
                (after, model, limit),
            )
        )


def lacking(db: apsw.Connection, door: str, model: str, dim: int) -> list[bytes]:
    """Hashes of what would be embedded of a door's records and has no vector of this model; none where the
    model is known with another `dim`.
    """
    row = db.execute("SELECT id, dim FROM model WHERE name = ?", (model,)).fetchone() or (-1, dim)
    if row[1] != dim:
        return []
    rows = db.execute(
        """SELECT DISTINCT c.embed_hash FROM chunk AS c JOIN record AS r ON r.id = c.record_id
           WHERE r.door = ? AND NOT EXISTS (SELECT 1 FROM vec WHERE vec.model_id = ? AND vec.hash = c.embed_hash)""",
        (door, row[0]),
    )
    return [row[0] for row in rows]


def count_pending(store: Store, model: str, hidden: Sequence[int] = ()) -> int:
    """How many chunks, but for those of the records `hidden`, have no vector of this model."""
    # Without the condition where it takes nothing away: with it, SQLite reads the rows of 100,000 chunks
    # instead of their index.
    inside, parameters = (
        ("WHERE c.record_id NOT IN (SELECT value FROM json_each(?))", (json.dumps(list(hidden)),))
        if hidden
        else ("", ())
    )
    with store.reading() as db:
        total: int = db.execute(f"SELECT count(*) FROM chunk AS c {inside}", parameters).get
        model_id = find_model(db, model)
        if model_id is None:
            return total
        have: int = db.execute(
            f"SELECT count(*) FROM chunk AS c JOIN vec ON vec.model_id = ? AND vec.hash = c.embed_hash {inside}",
            (model_id, *parameters),
        ).get
    return total - have


def embed_hashes(db: apsw.Connection, chunk_ids: Sequence[int]) -> dict[int, bytes]:
    rows = db.execute(
        "SELECT c.id, c.embed_hash FROM json_each(?) AS w JOIN chunk AS c ON c.id = w.value",
        (json.dumps([int(i) for i in chunk_ids]),),
    )
    return dict(rows)


def twins(db: apsw.Connection, chunk_ids: Sequence[int]) -> dict[int, int]:
    """Chunk that is embedded as one of `chunk_ids` is → that one; each of them is among its own twins."""
    rows = db.execute(
        """SELECT t.id, min(c.id) FROM json_each(?) AS w JOIN chunk AS c ON c.id = w.value JOIN chunk AS t ON t.embed_hash = c.embed_hash
           GROUP BY t.id ORDER BY t.id""",
        (json.dumps([int(i) for i in chunk_ids]),),
    )
    return dict(rows)


class VectorView:
    """The vectors of one model over one lexical snapshot, as they are stored.

    `codes` is int8 (n_vectors, dim) and `scales` float32 (n_vectors,): a row is scale · code. `row_of` maps a
    position of the lexical view to its row, -1 where none is.
    """

    def __init__(self, view: LexicalView, dim: int, model: str = "") -> None:
        self.dim = dim
        self.model = model
        self.codes: NDArray[np.int8] = np.empty((0, dim), dtype=np.int8)
        self.scales: NDArray[np.float32] = np.empty(0, dtype=np.float32)
        self.row_of: NDArray[np.int64] = np.full(len(view), -1, dtype=np.int64)
        self._positions: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._room = self.codes  # what `codes` is the used part of

    @classmethod
    def load(cls, db: apsw.Connection, view: LexicalView, model: str, dim: int) -> VectorView:
        self = cls(view, dim, model)
        self._read(db, view, "vec AS v CROSS JOIN chunk AS c ON c.embed_hash = v.hash", after=0)
        return self

    def follow(self, db: apsw.Connection, before: LexicalView, view: LexicalView) -> VectorView:
        """The vectors of a later snapshot, when text alone was written since: of chunks that are still there,
        and of those that came.

        They take over what this view holds, which is of no use then.
        """
        found = VectorView(view, self.dim, self.model)
        chunk_ids = before.chunk_ids[self._positions]
        positions = view.positions_of(chunk_ids)
        # deleted ones stay under a tomb for a while: mostly, the rows are handed over as they are
        if (positions >= 0).all():
            found.codes, found.scales, found._positions, found._room = (
                self.codes,
                self.scales,
                positions,
                self._room,
            )
            found.row_of[positions] = np.arange(len(positions))
        else:
            found.add(view, chunk_ids, self.scales, self.codes)
        found._read(
            db,
            view,
            "chunk AS c CROSS JOIN vec AS v ON v.hash = c.embed_hash",
            after=int(before.chunk_ids.max(initial=0)),
        )
        return found

    def _read(self, db: apsw.Connection, view: LexicalView, tables: str, *, after: int) -> None:
        """Bring in what the store has of chunks with ids above `after`; `tables` says which side is looked
        through.
        """
        model_id = find_model(db, self.model)
        if model_id is None:
            return
        stored = db.execute("SELECT dim FROM model WHERE id = ?", (model_id,)).fetchone()
        if stored is not None and stored[0] != self.dim:
            raise BadVector(
                self.model,
                f"{self.dim} dimensions, and {stored[0]} in the store: it changed without changing its name",
            )
        ids, scales, codes = [], [], []
        rows = db.execute(
            f"SELECT c.id, v.scale, v.codes FROM {tables} WHERE v.model_id = ? AND c.id > ?",
            (model_id, after),
        )
        for chunk_id, scale, row in rows:
            ids.append(chunk_id)
            scales.append(scale)
            codes.append(row)
        self.add(
            view,
            np.asarray(ids, dtype=np.int64),
            np.asarray(scales, dtype=np.float32),
            np.frombuffer(b"".join(codes), dtype=np.int8).reshape(-1, self.dim),
        )

    def add(
        self,
        view: LexicalView,
        chunk_ids: NDArray[np.int64],
        scales: NDArray[np.float32],
        codes: NDArray[np.int8],
    ) -> None:
        """Bring in vectors of chunks; ids that the snapshot does not have are passed over."""
        positions = view.positions_of(chunk_ids)
        known = positions >= 0
        if not known.any():
            return
        if not known.all():
            positions, scales, codes = positions[known], scales[known], codes[known]
        used, wanted = len(self.codes), len(self.codes) + len(positions)
        self.row_of[positions] = np.arange(used, wanted)
        if not used:
            self._room = codes  # as they came: a second copy would be as long as the store is large
        else:
            if wanted > len(self._room):  # with some room more: queries add a few rows at a time
                self._room = np.empty((wanted + wanted // 16 + 256, self.dim), dtype=np.int8)
                self._room[:used] = self.codes
            self._room[used:wanted] = codes
        self.codes = self._room[:wanted]
        self.scales = np.concatenate([self.scales, scales])
        self._positions = np.concatenate([self._positions, positions])

    def similarities(
        self, vector: NDArray[np.float32], mask: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """(positions, cosines) of every chunk inside the mask that has a vector."""
        rows = np.flatnonzero(mask[self._positions])
        if 4 * len(rows) < 3 * len(self.codes):
            return self._positions[rows], products(self.codes, self.scales, vector, rows)
        found = products(self.codes, self.scales, vector)  # picking rows takes longer than a few too many
        return (self._positions, found) if len(rows) == len(found) else (self._positions[rows], found[rows])

    def at(self, positions: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of each position; NaN where there is no vector."""
        rows = self.row_of[positions]
        cosines = np.full(len(positions), np.nan, dtype=np.float32)
        have = rows >= 0
        rows = rows[have]
        # In double, so that the last bit does not depend on where in the matrix a row stands: a process that
        # embedded lazily and one that loaded the same vectors give the same bytes.
        wide = self.codes[rows].astype(np.float32) * self.scales[rows][:, None]
        cosines[have] = wide.astype(np.float64) @ vector.astype(np.float64)
        return cosines


def products(
    codes: NDArray[np.int8],
    scales: NDArray[np.float32],
    vector: NDArray[np.float32],
    rows: NDArray[np.int64] | None = None,
) -> NDArray[np.float32]:
    """Inner products of a vector with each row scale · code, or with those that `rows` numbers.

    Bytes are widened a block at a time, which stays in the cache of a core: as fast as a scan of floats, in a
    quarter of the memory. Not by BLAS: its threads wait for each other beside a model's.
    """
    count = len(codes) if rows is None else len(rows)
    step = max(1, _BLOCK // max(1, codes.shape[1]))
    wide = np.empty((min(step, count), codes.shape[1]), dtype=np.float32)
    found = np.empty(count, dtype=np.float32)
    for first in range(0, count, step):
        part = codes[first : first + step] if rows is None else codes.take(rows[first : first + step], axis=0)
        block = wide[: len(part)]
        block[...] = part
        np.vecdot(block, vector, out=found[first : first + step])
    found *= scales if rows is None else scales[rows]
    return found
