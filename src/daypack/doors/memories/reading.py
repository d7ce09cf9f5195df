"""Reading memories by key, tag and time; and that they were read."""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from daypack.doors.memories import rules, table
from daypack.doors.memories.space import Memories, MemorySpace, as_memory
from daypack.doors.memories.types import Gone, Memory, MemoryHistory, MemoryPage, MemoryVersion
from daypack.errors import InputError, NotFound, StoreBusy, StoreReadOnly
from daypack.types import SHARED

if TYPE_CHECKING:
    import apsw

MOST_LISTED = 500
_TOUCH_SECONDS = 0.2  # to wait for the store when all there is to write is that something was read
_Recorded: TypeAlias = "list[tuple[str, MemoryVersion]]"
_Found: TypeAlias = "list[tuple[str, int, Memory]]"


class MemoryReading(MemorySpace):
    """Verbs that say what holds and what held."""

    def recall(
        self, key: str, *, as_of: float | None = None, known_at: float | None = None, touch: bool = True
    ) -> Memory | Gone:
        """What holds under a key; `Gone` where it was forgotten or redacted. Raises NotFound.

        `as_of` asks for another moment than now, as we know it today, and `known_at` for what was known then.
        """
        key, now = rules.check_key(key), self._engine.clock()
        as_of, known_at = rules.check_moment("as_of", as_of), rules.check_moment("known_at", known_at)
        ended = False
        self.files.catch_up_quietly()
        with self._engine.careful(), self.store.reading() as db:
            for space in self._spaces(db):
                row = table.find(db, space, key)
                if row is None:
                    continue
                moment = rules.moment_of(row.versions, now) if as_of is None and known_at is None else now
                valid_at = as_of if as_of is not None else known_at if known_at is not None else moment
                holds = rules.holding(
                    row.versions, valid_at=valid_at, known_at=math.inf if known_at is None else known_at
                )
                if holds is not None:
                    found = as_memory(row, holds)
                    break
                ended = True
            else:
                gone = None if ended else self._gone(db, key)
                if gone is not None:
                    return gone
                raise NotFound(f"the memory {key}", self._hint(db, key, ended=ended))
        if touch and as_of is None and known_at is None:
            return self._touched([(row.id, found)], now, recalled=True)[0]
        return found

    def _gone(self, db: apsw.Connection, key: str) -> Gone | None:
        marks = (rules.mark_of(owner, self.project, key) for owner in (self.owner, SHARED))
        return next((gone for mark in marks if (gone := table.find_gone(db, mark, key)) is not None), None)

    def _hint(self, db: apsw.Connection, key: str, *, ended: bool) -> str:
        if ended:
            return "nothing holds there at that time; `daypack memory history KEY` shows what did"
        from rapidfuzz import fuzz, process

        known = [name for space in self._spaces(db) for name in table.keys(db, space)]
        near = process.extractOne(key, known, scorer=fuzz.ratio, score_cutoff=60)
        return f"did you mean {near[0]}?" if near else "`daypack memory list` shows the keys there are"

    def _touched(self, found: Sequence[tuple[int, Memory]], now: float, *, recalled: bool) -> Memories:
        """Note the use of memories, where that can be noted; the memories as they are then."""
        if self.store.read_only or not self._notes_use or not found:
            return [memory for _, memory in found]
        try:
            with self.store.writing("touched", busy_seconds=_TOUCH_SECONDS) as db:
                table.touch(db, [memory_id for memory_id, _ in found], now=now, recalled=recalled)
        except (StoreBusy, StoreReadOnly):  # an answer is worth more than its being noted
            return [memory for _, memory in found]
        return [
            replace(
                memory,
                accessed_at=max(now, memory.accessed_at or 0.0),
                recalls=memory.recalls + int(recalled),
            )
            for _, memory in found
        ]

    def list(self, *, tags: Sequence[str] = (), limit: int = 100, cursor: str = "") -> MemoryPage:
        """What holds, in the order of the keys, with all of `tags`; at most `limit` (1 to 500) a page."""
        if not 1 <= limit <= MOST_LISTED:
            raise InputError(f"limit {limit} is not from 1 to {MOST_LISTED}")
        wanted = rules.check_tags(tags)
        after, part = _decoded(cursor)
        self.settle_quietly()
        with self._engine.careful(), self.store.reading() as db:
            found: _Found = []
            for number, space in enumerate(self._spaces(db)):
                # A key may be one's own and shared at once: own first, and a page may end between the two.
                rows = table.page(
                    db, space, after=after, tags=wanted, limit=limit + 1, inclusive=number > part
                )
                found.extend((memory.key, number, memory) for memory in rows)
        found.sort(key=lambda item: item[:2])
        more = len(found) > limit
        found = found[:limit]
        return MemoryPage(tuple(memory for _, _, memory in found), _encoded(*found[-1][:2]) if more else "")

    def tags(self) -> dict[str, int]:
        """Tag → how many memories carry it."""
        self.settle_quietly()
        counts: dict[str, int] = {}
        with self._engine.careful(), self.store.reading() as db:
            for space in self._spaces(db):
                for tag, count in table.count_tags(db, space).items():
                    counts[tag] = counts.get(tag, 0) + count
        return dict(sorted(counts.items()))

    def count(self) -> int:
        """How many memories hold now."""
        self.settle_quietly()
        with self.store.reading() as db:
            return sum(table.count_held(db, space) for space in self._spaces(db))

    def history(self, key: str, *, shared: bool | None = None) -> tuple[MemoryHistory, ...] | Gone:
        """Every version of a key, newest first; `Gone` where it was forgotten or redacted.

        Raises NotFound.
        """
        key, now = rules.check_key(key), self._engine.clock()
        self.files.catch_up_quietly()
        with self._engine.careful(), self.store.reading() as db:
            for space in self._spaces(db):
                if shared is not None and shared != (space.owner == SHARED):
                    continue
                row = table.find(db, space, key)
                if row is not None:
                    return tuple(rules.histories(row.versions, now))
            gone = self._gone(db, key)
            if gone is not None:
                return gone
            raise NotFound(f"the memory {key}", self._hint(db, key, ended=False))

    def recorded(self, *, limit: int = 100) -> _Recorded:
        """(key, version), whatever holds now, the last recorded first."""
        with self._engine.careful(), self.store.reading() as db:
            found = [item for space in self._spaces(db) for item in table.latest(db, space, limit)]
        return sorted(found, key=lambda item: -item[1].recorded_at)[:limit]


def _encoded(key: str, part: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([key, part]).encode()).decode().rstrip("=")


def _decoded(cursor: str) -> tuple[str, int]:
    if not cursor:
        return "", 9
    try:
        key, part = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if isinstance(key, str) and isinstance(part, int):
            return key, part
    except (ValueError, TypeError, binascii.Error, RecursionError):
        pass
    raise InputError("that is no cursor of `list`; begin without one")
