"""Reads memories by key, tag and time, and notes each reading."""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from daypack.doors.memories import rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.types import Gone, Memory, MemoryHistory, MemoryPage, MemoryVersion
from daypack.doors.memories.writing.indexing import as_memory
from daypack.engine.filter_arguments import read_moment
from daypack.errors import CannotWrite, InputError, NotFound
from daypack.ports import Connection
from daypack.shapes.wording import utc_minute
from daypack.text.checks import check_text
from daypack.types import SHARED

MOST_LISTED = 500
_ANY_SPACE = 9  # above the number of any space, so that the first page begins with the first key
_TOUCH_SECONDS = 0.2  # to wait for the store when only the use of a memory is to be noted


def recall(
    context: MemoryContext,
    key: str,
    *,
    as_of: float | str | date | None,
    known_at: float | str | date | None,
    touch: bool,
) -> Memory | Gone:
    """The value of a key at a moment, as `MemoriesDoor.recall` says."""
    key, here = rules.check_key(key), context.engine.now()
    valid, known = read_moment("as_of", as_of, here), read_moment("known_at", known_at, here)
    now = context.engine.clock()
    at_moment, ended = (valid, known) != (None, None), list[MemoryVersion]()
    with context.store.reading() as db:
        for space in context.spaces(db):
            row = table.find(db, space, key)
            if row is None:
                continue
            moment = now if at_moment else rules.moment_of(row.versions, now)
            valid_at = valid if valid is not None else known if known is not None else moment
            known_until = math.inf if known is None else known
            holds = rules.holding(row.versions, valid_at=valid_at, known_at=known_until)
            if holds is not None:
                memory = as_memory(row, holds)
                break
            ended += row.versions
        else:
            if not ended and (gone := _find_gone(context, db, key)) is not None:
                return gone
            if ended:
                problem = f"no value of {key!r} holds at that time" if at_moment else _over(key, ended, now)
                raise NotFound(problem, f"{rules.history_of(key)} lists its versions")
            raise NotFound(f"no memory named {key!r}", key_meant(context, db, key))
    if touch and not at_moment:
        memory = note_use(context, [(row.id, memory)], now, recalled=True)[0]
    return context.shown(memory, [memory.version])


def holds(context: MemoryContext, key: object) -> bool:
    """True when a key holds a value now. Raises InputError."""
    check_text("the key", key)
    name, now = rules.check_key(str(key)), context.engine.clock()
    with context.store.reading() as db:
        rows = [row for space in context.spaces(db) if (row := table.find(db, space, name)) is not None]
    return any(
        rules.holding(row.versions, valid_at=rules.moment_of(row.versions, now), known_at=math.inf)
        is not None
        for row in rows
    )


def history(context: MemoryContext, key: str, *, shared: bool | None) -> tuple[MemoryHistory, ...] | Gone:
    """Every version of a key, newest first; `shared` chooses one of the two spaces."""
    key, now = rules.check_key(key), context.engine.clock()
    with context.store.reading() as db:
        for space in context.spaces(db):
            if shared is not None and shared != (space.owner == SHARED):
                continue
            row = table.find(db, space, key)
            if row is not None:
                return context.shown(tuple(rules.histories(row.versions, now)), row.versions)
        gone = _find_gone(context, db, key)
        if gone is not None:
            return gone
        raise NotFound(f"no memory named {key!r}", key_meant(context, db, key, shared=shared))


def page(context: MemoryContext, *, tags: Sequence[str], limit: int, cursor: str) -> MemoryPage:
    """The memories behind `cursor`, in the order of the keys."""
    after, space_number = _decoded(cursor)
    with context.store.reading() as db:
        numbered: list[tuple[str, int, Memory]] = []
        for number, space in enumerate(context.spaces(db)):
            # A key may be one's own and shared at once: own first, and a page may end between the two.
            rows = table.page(
                db, space, after=after, tags=tags, limit=limit + 1, inclusive=number > space_number
            )
            numbered.extend((memory.key, number, memory) for memory in rows)
    numbered.sort(key=lambda item: item[:2])
    more = len(numbered) > limit
    numbered = numbered[:limit]
    memories = tuple(memory for _, _, memory in numbered)
    answer = MemoryPage(memories, _encoded(*numbered[-1][:2]) if more else "")
    return context.shown(answer, [memory.version for memory in memories])


def check_limit(limit: int) -> None:
    """Check the limit of a list. Raises InputError."""
    if not 1 <= limit <= MOST_LISTED:
        raise InputError(f"ask for 1 to {MOST_LISTED} memories, not {limit}")


def note_use(
    context: MemoryContext, identified: Sequence[tuple[int, Memory]], now: float, *, recalled: bool
) -> list[Memory]:
    """Note the use of memories by id, where that is possible; returns the memories with the new counts."""
    memories = [memory for _, memory in identified]
    if context.store.read_only or not context.notes_use or not identified:
        return memories
    try:
        with context.store.writing("touched", busy_seconds=_TOUCH_SECONDS) as db:
            table.touch(db, [memory_id for memory_id, _ in identified], now=now, recalled=recalled)
    except CannotWrite:  # an answer matters more than the note of it
        return memories
    return [
        replace(
            memory, accessed_at=max(now, memory.accessed_at or 0.0), recalls=memory.recalls + int(recalled)
        )
        for memory in memories
    ]


def _find_gone(context: MemoryContext, db: Connection, key: str) -> Gone | None:
    marks = (spaces.mark_of(owner, context.project, key) for owner in (context.owner, SHARED))
    return next((gone for mark in marks if (gone := table.find_gone(db, mark, key)) is not None), None)


def _over(key: str, versions: Sequence[MemoryVersion], now: float) -> str:
    """The reason why a key has no value now, from its last version."""
    last = max(reversed(versions), key=lambda version: version.recorded_at)
    for at, ending in ((last.expires_at, "expired on"), (last.valid_to, "held until")):
        if at is not None and at <= now:
            return f"{key!r} {ending} {utc_minute(at)}"
    return f"{key!r} " + (
        f"holds from {utc_minute(last.valid_from)} on" if last.valid_from > now else "is empty"
    )


def key_meant(context: MemoryContext, db: Connection, key: str, *, shared: bool | None = None) -> str:
    """The next step after a key that is unknown, or unknown among those that are `shared` or not: the other one of this
    name, the likely one, or the command that finds it.
    """
    from rapidfuzz import fuzz, process

    other = context.find_space(db, shared=not shared) if shared is not None else None
    if other is not None and table.find(db, other, key) is not None:
        return (
            "the one of that name is your own: leave --shared out"
            if shared
            else "the one of that name is shared by the project: say so with --shared"
        )
    known = [name for space in context.spaces(db) for name in table.keys(db, space)]
    near = process.extractOne(key, known, scorer=fuzz.ratio, score_cutoff=60)
    name = (
        near[0] if near else next((other for other in known if key.lower() in other.lower().split("/")), "")
    )
    if name:
        return f"did you mean {name}?"
    # A key seldom has a blank: it reads like a question.
    return f"`daypack memory {'search` finds by words and meaning' if ' ' in key else 'list` lists the keys'}"


def _encoded(key: str, space_number: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([key, space_number]).encode()).decode().rstrip("=")


def _decoded(cursor: str) -> tuple[str, int]:
    if not cursor:
        return "", _ANY_SPACE
    try:
        key, space_number = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if isinstance(key, str) and isinstance(space_number, int):
            return key, space_number
    except (ValueError, TypeError, binascii.Error, RecursionError):
        pass
    raise InputError("that is not a cursor of `list`; begin without one")
