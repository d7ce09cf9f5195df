"""Completeness: the places in which every chunk has a vector of a model, and whose vectors count.

A place is a door and a scope. Completeness counts from a commit that a user made: that of the command that embeds, or
of the next text; in the scope of one user, of the next text there. A place filled by queries or a background embedder is
complete earlier, and counts from the next such commit on: between two writes, equal questions have equal answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from daypack.index import sql
from daypack.index.vectors import NO_VECTOR, find_model, models

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from daypack.ports import Connection
    from daypack.rank.views import LexicalView

_CHUNKS = "SELECT 1 FROM record AS r JOIN chunk AS c ON c.record_id = r.id WHERE r.door = ? AND r.scope = ?"


def places(db: Connection) -> list[tuple[str, str]]:
    """(door, scope) of everything that is stored, by one look into an index each."""
    return sql.pairs(db, "door", "scope")


def complete_places(db: Connection, model: str, *, counting: bool) -> set[tuple[str, str]]:
    """(door, scope) of places that are marked as complete; those that count, or all."""
    found = db.execute("SELECT door, scope FROM complete WHERE model = ? AND counts >= ?", (model, counting))
    return {(door, scope) for door, scope in found}


def newly_complete(db: Connection, model: str) -> list[tuple[str, str]]:
    """(door, scope) of places that are complete by now and not marked yet."""
    model_id = find_model(db, model)
    if model_id is None:
        return []
    return [
        (door, scope)
        for door, scope in sorted({*places(db)} - complete_places(db, model, counting=False))
        if not sql.exists(db, f"{_CHUNKS} AND {NO_VECTOR} LIMIT 1", (door, scope, model_id))
    ]


def mark_complete(db: Connection, model: str) -> None:
    """Mark the places that became complete. The caller holds the write transaction."""
    rows = ((model, door, scope) for door, scope in newly_complete(db, model))
    db.executemany("INSERT INTO complete VALUES (?, ?, ?, 0)", rows)


def count_complete(db: Connection) -> None:
    """Let the vectors of all marked places count from here on. The caller holds the write transaction."""
    db.execute("UPDATE complete SET counts = 1 WHERE counts = 0")


def _is_new(db: Connection, place: tuple[str, str], first: int) -> bool:
    """True when a place has no chunk with an id below `first`."""
    return not sql.exists(db, f"{_CHUNKS} AND c.id < ? LIMIT 1", (*place, first))


def settle(db: Connection, chunk_ids: range, places: Sequence[tuple[str, str]], model: str) -> None:
    """Record what is complete after new chunks were written to places. The caller holds the write transaction."""
    # The new chunks first: a place may hold 100,000 records.
    lacking = f"""SELECT 1 FROM chunk AS c CROSS JOIN record AS r ON r.id = c.record_id
        WHERE c.id BETWEEN ? AND ? AND r.door = ? AND r.scope = ? AND {NO_VECTOR} LIMIT 1"""
    for model_id, name, _ in models(db):
        for door, scope in places:
            if sql.exists(db, lacking, (chunk_ids.start, chunk_ids.stop - 1, door, scope, model_id)):
                db.execute(
                    "DELETE FROM complete WHERE model = ? AND door = ? AND scope = ?", (name, door, scope)
                )
            elif name == model and _is_new(db, (door, scope), chunk_ids.start):
                db.execute("INSERT OR IGNORE INTO complete VALUES (?, ?, ?, 1)", (name, door, scope))
    scopes = sorted({"", *(scope for _, scope in places)})  # "" is shared by all users
    db.executemany(
        "UPDATE complete SET counts = 1 WHERE counts = 0 AND scope = ?", [(scope,) for scope in scopes]
    )


def counted(db: Connection, view: LexicalView, model: str) -> NDArray[np.bool_]:
    """bool (positions,): chunks whose vectors count for every question."""
    import numpy as np

    from daypack.rank.membership import is_in

    complete = complete_places(db, model, counting=True)
    if not complete:
        return np.zeros(len(view), dtype=bool)
    if not {*places(db)} - complete:
        return np.ones(len(view), dtype=bool)
    of_place = "SELECT id FROM record WHERE door = ? AND scope = ?"
    ids = [record_id for place in sorted(complete) for record_id in sql.column(db, of_place, place)]
    return is_in(view.record_ids, ids)
