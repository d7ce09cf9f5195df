"""Keeps the common index in step: the current value of a key is a record there, and each value that held once is one in
a scope beside it, as is each that is to come or has a known end; questions about another time see that scope.

They change by a write, and by time alone: starts, ends and expiries that have passed are applied before the
next answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.rules import Held
from daypack.doors.memories.spaces import DOOR, Space
from daypack.doors.memories.table import MemoryRow
from daypack.doors.memories.types import Memory, MemoryVersion
from daypack.engine.engine import Engine
from daypack.index import erasing
from daypack.index.rows import Prepared
from daypack.ports import Connection
from daypack.shapes.memory_block import URI, then_uri
from daypack.shapes.wording import months_in_words
from daypack.types import DATES, OWNER, Record, RecordKind, Trust

# values of a key that held once and are searched, the newest, and those to come, the next; all stay in its history. guess
MOST_PAST = MOST_AHEAD = 50
_YEAR = 365 * 86400.0  # seconds, of a value without an end, whose months are searched


@dataclass(slots=True)
class PendingIndex:
    """Records that the writes of one transaction hand to the index together, and vectors that may have lost their last text."""

    puts: dict[tuple[str, str], Prepared] = field(default_factory=dict)
    hashes: set[bytes] = field(default_factory=set)
    then: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # uids in `puts`, by scope and key


def update_index(
    context: MemoryContext, db: Connection, row: MemoryRow, now: float, pending: PendingIndex | None = None
) -> MemoryRow:
    """Bring index and tags of a key in step with its current value; with `pending`, collect there the work of `write_pending`."""
    row = table.find_by_id(db, row.space, row.id)
    moment = rules.moment_of(row.versions, now)
    holds = rules.holding(row.versions, valid_at=moment)
    version_id = row.version_ids[row.versions.index(holds)] if holds is not None else None
    work = pending if pending is not None else PendingIndex()
    if version_id != row.current:
        scope = row.space.scope
        work.hashes.update(context.store.embed_hashes_of(db, DOOR, scope, row.key))
        if holds is not None:
            work.puts[scope, row.key] = context.engine.ingestion.prepared(_record(row, holds))
        else:
            work.puts.pop((scope, row.key), None)
            context.store.remove_records(db, DOOR, scope, [row.key])
    _update_then(context, db, row, moment, work)
    if pending is None:
        write_pending(context, db, work)
    tags = holds.tags if holds is not None else ()
    table.note_current(db, row, version_id, tags, rules.next_change(row.versions, moment))
    return replace(row, current=version_id)


def _update_then(
    context: MemoryContext, db: Connection, row: MemoryRow, moment: float, work: PendingIndex
) -> None:
    """Bring the records of the values of other times in step with the versions of a key."""
    scope = spaces.then_scope(row.space.scope)
    times = rules.held_times(row.versions)
    ended = [held for held in times if held.end <= moment][-MOST_PAST:]
    lasting = [held for held in times if held.end > moment and (held.start > moment or held.end < math.inf)]
    of_then = [*ended, *lasting[:MOST_AHEAD]]
    wanted = {
        spaces.then_uid(row.key, held.start): _record_then(row, scope, held, moment) for held in of_then
    }
    there = table.then_of(db, scope, row.key)
    put = work.then.setdefault((scope, row.key), set())
    for uid in (there.keys() | put) - wanted.keys():
        work.puts.pop((scope, uid), None)
        work.hashes.update(context.store.embed_hashes_of(db, DOOR, scope, uid))
        context.store.remove_records(db, DOOR, scope, [uid])
    for uid, record in wanted.items():
        if there.get(uid) != record.metadata:
            work.hashes.update(context.store.embed_hashes_of(db, DOOR, scope, uid))
            work.puts[scope, uid] = context.engine.ingestion.prepared(record)
            put.add(uid)


def write_pending(context: MemoryContext, db: Connection, pending: PendingIndex) -> None:
    if pending.puts:
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
        work = PendingIndex()
        for space, memory_id in due:
            update_index(context, db, table.find_by_id(db, space, memory_id), now, work)
        write_pending(context, db, work)


def append_audit(db: Connection, action: str, space: Space, key: str, trust: Trust, now: float) -> None:
    where, mark = space.mark(), space.mark(key)
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
        scope=row.space.scope,
        time=version.valid_from,
        trust=version.trust,
        tags=version.tags,
    )


def _record_then(row: MemoryRow, scope: str, held: Held, now: float) -> Record:
    """The searched form of a value of another time. One that is over has no time of its own: a question shows those of its time
    alone. One that begins later is also found among what happens then.
    """
    record = _record(row, held.version)
    is_over = held.end <= now
    return replace(
        record,
        uid=spaces.then_uid(row.key, held.start),
        uri=then_uri(row.key, held.start, held.end),
        scope=scope,
        time=None if is_over else held.start,
        metadata={
            "start": held.start,
            "end": None if held.end == math.inf else held.end,
            "is_over": is_over,
            "version": held.version.token,
            DATES: months_in_words(held.start, held.start + _YEAR if held.end == math.inf else held.end),
        },
    )


def as_memory(row: MemoryRow, version: MemoryVersion, held: tuple[float, float] | None = None) -> Memory:
    space, used = row.space, (row.created_at, row.accessed_at, row.recalls)
    return Memory(row.key, version, space.owner, space.project, *used, held=held)


def mend(engine: Engine) -> Iterator[str]:
    """After a damaged store was rescued, index every memory by its versions; yields the keys that had to go."""
    context, now = MemoryContext(engine, OWNER, ""), engine.clock()
    with engine.store.writing() as db:
        for scope, uids in table.records_then(db).items():  # made again from the versions
            engine.store.remove_records(db, DOOR, scope, uids)
        for key in table.remove_empty(db):
            yield f"memory {key}: all of its versions are lost"
        for scope, key in table.unknown_records(db):
            engine.store.remove_records(db, DOOR, scope, [key])
            yield f"memory {key}: only its searched value was left, which does not say when it holds"
        spaces_by_id = {space.id: space for space in spaces.spaces(db)}
        for memory_id, space_id in table.unindex_all(db):
            update_index(context, db, table.find_by_id(db, spaces_by_id[space_id], memory_id), now)
