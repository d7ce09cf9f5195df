"""Completeness: the places in which all chunks have a vector of a model, and the places whose vectors count in ranking.

A place is a door and a scope. A complete place counts from a user's next commit on: that of a command that embeds, or that
of the next text (for a user's own scope, the next text in the scope). Queries and background embedders may complete a place
earlier, but do not let it count. So equal questions have equal answers between two writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from daypack.index import sql
from daypack.index.vectors import NO_VECTOR, find_model, models
from daypack.types.arrays import Bools

if TYPE_CHECKING:
    from daypack.ports import Connection
    from daypack.rank.views import LexicalView

_CHUNKS = "SELECT 1 FROM record AS r JOIN chunk AS c ON c.record_id = r.id WHERE r.door = ? AND r.scope = ?"


def places(db: Connection) -> list[tuple[str, str]]:
    """(door, scope) of all places with records, each found by one step in an index."""
    return sql.pairs(db, "door", "scope")


def complete_places(db: Connection, model: str, *, counting: bool) -> set[tuple[str, str]]:
    """(door, scope) of the places that are marked as complete; with `counting` only those that count."""
    found = db.execute("SELECT door, scope FROM complete WHERE model = ? AND counts >= ?", (model, counting))
    return {(door, scope) for door, scope in found}


def newly_complete(db: Connection, model: str) -> list[tuple[str, str]]:
    """(door, scope) of the places that are complete, but not marked yet."""
    model_id = find_model(db, model)
    if model_id is None:
        return []
    return [
        (door, scope)
        for door, scope in sorted({*places(db)} - complete_places(db, model, counting=False))
        if not sql.exists(db, f"{_CHUNKS} AND {NO_VECTOR} LIMIT 1", (door, scope, model_id))
    ]


def is_complete(db: Connection, model: str) -> bool:
    """True when all places are marked as complete."""
    return not {*places(db)} - complete_places(db, model, counting=False)


def mark_complete(db: Connection, model: str) -> None:
    """Mark the places that have become complete. The caller holds the write transaction."""
    rows = ((model, door, scope) for door, scope in newly_complete(db, model))
    db.executemany("INSERT INTO complete VALUES (?, ?, ?, 0)", rows)


def count_complete(db: Connection) -> None:
    """Let the vectors of all marked places count from now on. The caller holds the write transaction."""
    db.execute("UPDATE complete SET counts = 1 WHERE counts = 0")


def _is_new(db: Connection, place: tuple[str, str], first: int) -> bool:
    """True when a place has no chunk with an id below `first`."""
    return not sql.exists(db, f"{_CHUNKS} AND c.id < ? LIMIT 1", (*place, first))


def settle(db: Connection, chunk_ids: range, places: Sequence[tuple[str, str]], model: str) -> None:
    """Update the marks after new chunks were written to places. The caller holds the write transaction."""
    # The query begins with the new chunks, because a place may have 100,000 records.
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


def counted(db: Connection, view: LexicalView, model: str) -> Bools:
    """bool (positions,): True for chunks in places that count."""
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
