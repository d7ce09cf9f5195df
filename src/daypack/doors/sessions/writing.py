"""Writes steps of sessions as events in their table, and as records of the common index.

A step is redacted, and then becomes events (`daypack.doors.sessions.meaning.events`). A `SessionBatch` finds the new and
changed events, and one transaction writes them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from daypack.doors.sessions import table
from daypack.doors.sessions.batch import EventDraft, SessionBatch
from daypack.doors.sessions.current import DOOR
from daypack.doors.sessions.meaning.events import events_of, reads_outside
from daypack.doors.sessions.meaning.tasks import whole_list
from daypack.doors.sessions.rules import ASKED_AS, FIRST, WRITTEN_AS
from daypack.doors.sessions.table import EventRow, SessionRow
from daypack.doors.sessions.types import Category, Did, Event, Noted, Said, Session, SessionReport, Step
from daypack.engine.engine import Engine
from daypack.guard.secrets import redact, redact_json
from daypack.ports import Connection
from daypack.text.storable import storable
from daypack.text.terminal_text import without_escapes
from daypack.types import Record, RecordKind

_LONGEST_NAME = 200
MISREAD = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""Errors that a step of an unknown form causes; those of the store and of the system are others."""


class Misread(NamedTuple):
    """A step that cannot be understood, and the error that says why."""

    step: Step
    reason: str


class _Place(NamedTuple):
    """The session that steps are written to, and the number of events that it keeps at most."""

    engine: Engine
    scope: str
    name: str
    most_events: int


def write_steps(
    engine: Engine, scope: str, name: str, steps: Sequence[Step], most_events: int
) -> tuple[SessionReport, list[Misread]]:
    """Store steps of one session; one that cannot be understood leaves a note in their place. The session keeps at most
    `most_events` events.
    """
    read_at = min((step.time for step in steps if reads_outside(step.what)), default=None)
    return _written(_Place(engine, scope, name, most_events), steps, read_at)


def _written(
    place: _Place, steps: Sequence[Step], read_at: float | None
) -> tuple[SessionReport, list[Misread]]:
    """The steps in one transaction or, with a step that cannot be understood among them, in several smaller ones."""
    try:
        return _write(place, steps, read_at), []
    except MISREAD as error:
        if len(steps) == 1:
            misread = Misread(steps[0], f"{type(error).__name__}: {error}")
            return _note(place, steps[0], read_at), [misread]
    middle = len(steps) // 2
    first, misread_first = _written(place, steps[:middle], read_at)
    then, misread_then = _written(place, steps[middle:], read_at)
    return first + then, misread_first + misread_then


def _note(place: _Place, step: Step, read_at: float | None) -> SessionReport:
    """Write a note in the place of a step that cannot be understood."""
    what = f"a call of {step.what.tool}" if isinstance(step.what, Did) else "a text"
    with suppress(*MISREAD):  # the fault may be in the step's time
        return _write(place, [replace(step, what=Noted(f"{what} that could not be understood"))], read_at)
    return SessionReport()


def _write(place: _Place, steps: Sequence[Step], read_at: float | None) -> SessionReport:
    engine, scope, name, most_events = place
    redactions = 0
    kept_steps: list[tuple[Step, list[Event]]] = []
    for step in steps:
        clean, count = _without_secrets(step)
        redactions += count
        events = events_of(clean.what)
        if events or whole_list(clean.what):
            kept_steps.append((clean, events))
    if not kept_steps:
        return SessionReport()
    with engine.translating_damage(), engine.store.writing() as db:
        stored = table.find(db, scope, name)
        if stored is None and not any(events for _, events in kept_steps):
            return SessionReport()
        row = stored or _make_session(db, scope, name, kept_steps)
        since = table.note_outside(db, row, read_at)
        batch = SessionBatch(row, table.known(db, row), table.seen(db, row), since)
        for step, events in kept_steps:
            batch.add_step(step, events)
        carried: list[tuple[int, EventDraft]] = []
        if any(draft.known.category is Category.TASK for draft in batch.drafts.values()):
            carried = batch.settle_elsewhere(table.tasks_elsewhere(db, scope, row))
        evicted = batch.evict(most_events)
        _write_carried(engine, db, scope, carried)
        _write_batch(engine, db, scope, batch, evicted)
        times = [step.time for step, _ in kept_steps]
        table.note(db, row, started_at=min(times), last_at=max(times), evicted=len(evicted))
    return SessionReport(
        sessions=1,
        added=batch.added,
        repeated=batch.repeated,
        known=batch.already,
        evicted=len(evicted),
        redactions=redactions,
    )


def _make_session(
    db: Connection, scope: str, name: str, steps: Sequence[tuple[Step, Sequence[Event]]]
) -> SessionRow:
    bare = re.sub(r"[^A-Za-z0-9_-]", "", name)
    digest = hashlib.blake2b(f"{scope}\0{name}".encode("utf-8", "replace"), digest_size=16).hexdigest()
    names = (
        *(bare[:length] for length in (8, 12, 20) if len(bare) >= length),
        *(digest[:length] for length in (8, 12, 32)),
    )
    short = next(candidate for candidate in names if not table.is_short_taken(db, candidate))
    first = steps[0][0]
    folder = next((step.folder for step, _ in steps if step.folder), "")
    session = Session(name, short, storable(first.client), storable(folder), first.time, first.time, 0)
    return table.make(db, scope, session)


def _write_batch(
    engine: Engine, db: Connection, scope: str, batch: SessionBatch, evicted: Sequence[EventRow]
) -> None:
    row = batch.row
    gone = {known.uid for known in evicted}
    drafts = [draft for uid, draft in batch.drafts.items() if uid not in gone]
    prompts = (known for known in batch.known.values() if known.category is Category.PROMPT)
    first_prompt = min(prompts, key=lambda known: known.number, default=None)
    records = [_record(scope, row, draft, first=draft.known is first_prompt) for draft in drafts]
    stored = [known for known in evicted if known.record_id]
    table.drop_events(db, (known.record_id for known in stored))
    engine.store.remove_records(db, DOOR, scope, [known.uid for known in stored])
    engine.ingestion.put(db, [engine.ingestion.prepared(record) for record in records])
    _put_events(engine, db, scope, row, drafts)
    for uid in batch.touched - batch.drafts.keys() - gone:
        table.count_again(db, batch.known[uid])
    table.note_seen(db, row, batch.new_marks)


def _write_carried(
    engine: Engine, db: Connection, scope: str, carried: Sequence[tuple[int, EventDraft]]
) -> None:
    """Write the new states of tasks in other sessions."""
    rows = {row.id: row for row in table.sessions(db, scope)} if carried else {}
    records = [_record(scope, rows[session], draft, first=False) for session, draft in carried]
    engine.ingestion.put(db, [engine.ingestion.prepared(record) for record in records])
    for session, draft in carried:
        _put_events(engine, db, scope, rows[session], [draft])


def _put_events(
    engine: Engine, db: Connection, scope: str, row: SessionRow, drafts: Sequence[EventDraft]
) -> None:
    for draft in drafts:
        stored = engine.store.stored_record(DOOR, scope, draft.known.uid)
        assert stored is not None
        draft.known.record_id = stored.id
        table.put_event(db, row, draft.known, draft.event.marks)


def _record(scope: str, row: SessionRow, draft: EventDraft, *, first: bool) -> Record:
    """The record of an event. The first prompt of a session has a title and the name of the client, by which users ask for a
    session; a task has a title with its state.
    """
    event, known = draft.event, draft.known
    task = f"{event.state.value} task" if event.category is Category.TASK else ""
    written = WRITTEN_AS.get(event.text.partition(" ")[0]) if event.category is Category.FILE else None
    named = dict.fromkeys((event.category, *(mark.category for mark in event.marks)))
    return Record(
        uid=known.uid,
        text=event.text,
        kind=RecordKind.EVENT,
        door=DOOR,
        uri=f"session:{row.session.short}/{known.number}",
        author=event.author,
        session=row.session.id,
        scope=scope,
        time=known.last_at,
        trust=event.trust,
        title=FIRST if first else task,
        tags=(
            *((row.session.client,) if first and row.session.client else ()),
            *(category.value for category in named),
            *(word for category in named for word in ASKED_AS.get(category, ())),
            *((written,) if written else ()),
        ),
    )


def _without_secrets(step: Step) -> tuple[Step, int]:
    """(the step as plain text without secrets, the number of secrets). They are removed before texts are cut, which could hide
    them.
    """
    match step.what:
        case Said(who, text):
            clean = redact(_plain(text))
            return replace(step, what=Said(who, clean.text)), clean.count
        case Did(tool, given, output, failed):
            given, count = redact_json(_plain(dict(given)))
            printed = redact(_plain(output)) if output is not None else None
            count += printed.count if printed is not None else 0
            return replace(
                step, what=Did(storable(tool), given, printed.text if printed is not None else None, failed)
            ), count
        case what:
            return replace(step, what=replace(what, text=redact(_plain(what.text)).text)), 0


def _plain(value: Any) -> Any:
    """A JSON value with texts that a store can hold, without control sequences of a terminal."""
    match value:
        case str():
            return without_escapes(storable(value))
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case _:
            return value


def printable_name(session: str) -> str:
    """The name of a session as it is stored: one printable line."""
    clean = " ".join(storable(session).split())[:_LONGEST_NAME]
    return clean if clean.isprintable() and clean else "unknown"
