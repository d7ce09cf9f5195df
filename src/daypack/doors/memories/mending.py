"""Brings memories and their searched values in step again, after a damaged store was rescued."""

from __future__ import annotations

from collections.abc import Iterator

from daypack.doors.memories import table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.indexing import update_index
from daypack.doors.memories.spaces import DOOR, spaces
from daypack.engine.engine import Engine
from daypack.types import OWNER


def mend(engine: Engine) -> Iterator[str]:
    """Index every memory by its versions; yields the keys that had to go."""
    context, now = MemoryContext(engine, OWNER, ""), engine.clock()
    with engine.store.writing() as db:
        for key in table.remove_empty(db):
            yield f"memory {key}: all of its versions are lost"
        for scope, key in table.unknown_records(db, DOOR):
            engine.store.remove_records(db, DOOR, scope, [key])
            yield f"memory {key}: only its searched value was left, which does not say when it holds"
        known = {one.id: one for one in spaces(db)}
        for memory_id, space_id in table.unindex_all(db):
            update_index(context, db, table.find_by_id(db, known[space_id], memory_id), now)
