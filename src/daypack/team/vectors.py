"""The vectors that people of a project gave to each other: rows of `vec` in a store of their own, under mark and key of a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from daypack.errors import BadVector
from daypack.index.store import Store
from daypack.ports import Connection
from daypack.team.proofs import proves


def keep(store: Store, model: str, dim: int, rows: Iterable[tuple[bytes, float, bytes]]) -> int:
    """Keep (mark and key, scale, codes) of texts that the store does not have; returns the number of new ones. Raises BadVector."""
    with store.writing("vec_seq") as db:
        db.execute("INSERT OR IGNORE INTO model (name, dim) VALUES (?, ?)", (model, dim))
        found = db.execute("SELECT id FROM model WHERE name = ? AND dim = ?", (model, dim)).fetchone()
        if found is None:
            raise BadVector(
                model, f"{dim} dimensions, and others in the store: it changed without changing its name"
            )
        new = 0
        for name, scale, codes in rows:
            db.execute("INSERT OR IGNORE INTO vec VALUES (?, ?, ?, ?)", (name, found[0], scale, codes))
            new += db.changes()
        return new


def proven(
    store: Store, model: str, dim: int, nonce: bytes, proofs: Mapping[bytes, bytes]
) -> dict[bytes, tuple[float, bytes]]:
    """Mark → (scale, codes), for the marks whose proof answers the nonce."""
    with store.reading() as db:
        return {
            mark: (scale, codes)
            for mark, proof in proofs.items()
            for key, scale, codes in _given(db, model, dim, mark)
            if proves(proof, key, nonce, mark)
        }


def _given(db: Connection, model: str, dim: int, mark: bytes) -> list[tuple[bytes, float, bytes]]:
    """(key, scale, codes) of the vectors under a mark: honest people give one key for it."""
    statement = """SELECT v.hash, v.scale, v.codes FROM vec AS v JOIN model AS m ON m.id = v.model_id
              WHERE m.name = ? AND m.dim = ? AND v.hash > ? AND v.hash < ?"""
    rows = db.execute(statement, (model, dim, mark, mark + b"\xff" * 64))
    return [(row[0][len(mark) :], row[1], row[2]) for row in rows]
