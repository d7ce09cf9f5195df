"""Keeps the common index in step: the current value of a key is a record there.

It changes by a write, and by time alone: starts, ends and expiries that have passed are applied before the
next answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.spaces import DOOR
from daypack.doors.memories.types import Memory, MemoryVersion
from daypack.index import erasing
from daypack.shapes.memory_block import URI
from daypack.types import OWNER, Record, RecordKind, Trust

if TYPE_CHECKING:
    from daypack.doors.memories.spaces import Space
    from daypack.doors.memories.table import MemoryRow
    from daypack.engine.engine import Engine
    from daypack.index.rows import Prepared
    from daypack.ports import Connection


@dataclass(slots=True)
class PendingIndex:
    """Records that the writes of one transaction hand to the index together, and vectors that may have lost their last text."""

    puts: dict[tuple[str, str], Prepared] = field(default_factory=dict)
    hashes: set[bytes] = field(default_factory=set)


def update_index(
    context: MemoryContext, db: Connection, row: MemoryRow, now: float, pending: PendingIndex | None = None
) -> MemoryRow:
    """Bring index and tags of a key in step with its current value; with `pending`, collect there the work of `write_pending`."""
    row = table.find_by_id(db, row.space, row.id)
    moment = rules.moment_of(row.versions, now)
    holds = rules.holding(row.versions, valid_at=moment)
    version_id = row.version_ids[row.versions.index(holds)] if holds is not None else None
    if version_id != row.current:
        scope = spaces.scope_of(row.space.owner, row.space.project)
        work = pending if pending is not None else PendingIndex()
        work.hashes.update(context.store.embed_hashes_of(db, DOOR, scope, row.key))
        if holds is not None:
            work.puts[scope, row.key] = context.engine.ingestion.prepared(_record(row, holds))
        else:
            work.puts.pop((scope, row.key), None)
            context.store.remove_records(db, DOOR, scope, [row.key])
        if pending is None:
            write_pending(context, db, work)
    tags = holds.tags if holds is not None else ()
    table.note_current(db, row, version_id, tags, rules.next_change(row.versions, moment))
    return replace(row, current=version_id)


def write_pending(context: MemoryContext, db: Connection, pending: PendingIndex) -> None:
    context.engine.ingestion.put(db, [*pending.puts.values()])
    erasing.drop_orphans(db, pending.hashes)


def carry_out_due(context: MemoryContext) -> None:
    """Apply the changes of time: starts, ends and expiries that have passed."""
    now = context.engine.clock()
    with context.store.reading() as db:
        due = [(space, memory_id) for space in context.spaces(db) for memory_id in table.due(db, space, now)]
    if not due:
        return
    with context.store.writing() as db:
        for space, memory_id in due:
            update_index(context, db, table.find_by_id(db, space, memory_id), now)


def append_audit(db: Connection, action: str, space: Space, key: str, trust: Trust, now: float) -> None:
    where, mark = rules.mark_of(space.owner, space.project), rules.mark_of(space.owner, space.project, key)
    table.AUDIT.append(db, now, action, where, mark, trust.value)


def _record(row: MemoryRow, version: MemoryVersion) -> Record:
    """The searched form of a memory: its value under its key."""
    return Record(
        uid=row.key,
        text=version.value or "",
        kind=RecordKind.MEMORY,
        door=DOOR,
        uri=f"{URI}{row.key}",
        title=row.key,
        author=version.author,
        session=version.session,
        scope=spaces.scope_of(row.space.owner, row.space.project),
        time=version.valid_from,
        trust=version.trust,
        tags=version.tags,
    )


def as_memory(row: MemoryRow, version: MemoryVersion) -> Memory:
    space, used = row.space, (row.created_at, row.accessed_at, row.recalls)
    return Memory(row.key, version, space.owner, space.project, *used)


def mend(engine: Engine) -> Iterator[str]:
    """After a damaged store was rescued, index every memory by its versions; yields the keys that had to go."""
    context, now = MemoryContext(engine, OWNER, ""), engine.clock()
    with engine.store.writing() as db:
        for key in table.remove_empty(db):
            yield f"memory {key}: all of its versions are lost"
        for scope, key in table.unknown_records(db, DOOR):
            engine.store.remove_records(db, DOOR, scope, [key])
            yield f"memory {key}: only its searched value was left, which does not say when it holds"
        known = {one.id: one for one in spaces.spaces(db)}
        for memory_id, space_id in table.unindex_all(db):
            update_index(context, db, table.find_by_id(db, known[space_id], memory_id), now)
