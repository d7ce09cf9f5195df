"""What all verbs of memories stand on: whose they are, where they are kept, and that what holds is what is
indexed.

The value that holds under a key is a record of the common index. It changes by a write, and by time alone: a
start, an end and an expiry that have passed are carried out before the next answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from daypack.doors.memories import rules, table
from daypack.doors.memories.block import URI
from daypack.doors.memories.types import Memory, MemoryVersion
from daypack.errors import InputError, StoreBusy, StoreReadOnly
from daypack.guard.secrets import redact
from daypack.index import spaces
from daypack.index import vectors as vector_index
from daypack.index.spaces import DOOR
from daypack.types import OWNER, SHARED, Record, RecordKind, Trust

if TYPE_CHECKING:
    import apsw

    from daypack.doors.memories.files import MemoryFiles
    from daypack.doors.memories.table import Row
    from daypack.engine.engine import Engine
    from daypack.index.spaces import Space
    from daypack.index.store import Prepared

# `list` is a verb of the door, so inside it lists have names.
Spaces: TypeAlias = "list[Space]"
Memories: TypeAlias = "list[Memory]"
Names: TypeAlias = "list[str]"


@dataclass(slots=True)
class Pending:
    """Records that many writes of one transaction give to the index together, and vectors that may have lost
    their last text.
    """

    puts: dict[tuple[str, str], Prepared] = field(default_factory=dict)
    hashes: set[bytes] = field(default_factory=set)


class MemorySpace:
    """One owner's memories in one project, and those that the project shares."""

    files: MemoryFiles

    def __init__(
        self, engine: Engine, *, owner: str = OWNER, project: str = "", notes_use: bool = True
    ) -> None:
        self._engine = engine
        self._notes_use = notes_use
        self.store = engine.store  # files of memories are read and written beside it
        self.owner = rules.check_owner(owner)
        self.project = rules.check_label("project", project)

    def clock(self) -> float:
        return self._engine.clock()

    def checked_key(self, key: str) -> str:
        key = rules.check_key(key)
        if redact(key).count:
            raise InputError("the key looks like a secret, and keys are shown; give the memory another name")
        return key

    def settled(self, db: apsw.Connection, row: Row, now: float, pending: Pending | None = None) -> Row:
        """Bring index and tags of a key in step with what holds now, or note in `pending` what the index is
        to be given.
        """
        row = table.find_by_id(db, row.space, row.id)
        moment = rules.moment_of(row.versions, now)
        holds = rules.holding(row.versions, valid_at=moment)
        version_id = row.version_ids[row.versions.index(holds)] if holds is not None else None
        if version_id != row.current:
            scope = spaces.scope_of(row.space.owner, row.space.project)
            work = pending if pending is not None else Pending()
            work.hashes.update(self.store.embed_hashes_of(db, DOOR, scope, row.key))
            if holds is not None:
                work.puts[scope, row.key] = self._engine.ingestion.prepared(_record(row, holds))
            else:
                work.puts.pop((scope, row.key), None)
                self.store.remove_records(db, DOOR, scope, [row.key])
            if pending is None:
                self.carry_out(db, work)
        table.note_current(
            db,
            row,
            version_id,
            holds.tags if holds is not None else (),
            rules.next_change(row.versions, moment),
        )
        return replace(row, current=version_id)

    def carry_out(self, db: apsw.Connection, work: Pending) -> None:
        self._engine.ingestion.put(db, [*work.puts.values()])
        vector_index.drop_orphans(db, work.hashes)

    def settle(self) -> None:
        """Carry out what time alone has changed: starts, ends and expiries that have passed.

        Does nothing when there are none.
        """
        now = self._engine.clock()
        with self.store.reading() as db:
            due = [
                (space, memory_id) for space in self._spaces(db) for memory_id in table.due(db, space, now)
            ]
        if not due:
            return
        with self.store.writing() as db:
            for space, memory_id in due:
                with_id = table.find_by_id(db, space, memory_id)
                self.settled(db, with_id, now)

    def settle_quietly(self) -> None:
        """`settle`, and what files say newly, where that can be written."""
        try:
            self.files.catch_up()
            self.settle()
            if self.store.owes_purge():  # others were in the way when something was forgotten
                self.store.purge(busy_seconds=0)
        except (StoreBusy, StoreReadOnly):  # what no longer holds is shown until somebody can write
            return

    def _spaces(self, db: apsw.Connection) -> Spaces:
        """One's own space and the shared one, as far as they exist."""
        return [
            space for shared in (False, True) if (space := self.find_space(db, shared=shared)) is not None
        ]

    def find_space(self, db: apsw.Connection, *, shared: bool) -> Space | None:
        return spaces.find_space(db, SHARED if shared else self.owner, self.project)

    def make_space(self, db: apsw.Connection, *, shared: bool) -> Space:
        return spaces.make_space(db, SHARED if shared else self.owner, self.project)

    def audit(
        self, db: apsw.Connection, action: str, space: Space, key: str, trust: Trust, now: float
    ) -> None:
        where, mark = (
            rules.mark_of(space.owner, space.project),
            rules.mark_of(space.owner, space.project, key),
        )
        table.AUDIT.append(db, now, action, where, mark, trust.value)


def _record(row: Row, version: MemoryVersion) -> Record:
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


def as_memory(row: Row, version: MemoryVersion) -> Memory:
    return Memory(
        key=row.key,
        version=version,
        owner=row.space.owner,
        project=row.space.project,
        created_at=row.created_at,
        accessed_at=row.accessed_at,
        recalls=row.recalls,
    )
