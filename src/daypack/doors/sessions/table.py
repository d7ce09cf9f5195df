"""Sessions on disk: sessions, facts of their events, and marks of the occurrences seen.

Rows in, nouns out; each function works inside the transaction of its caller. The text of an event is a record of the common
index; `daypack.doors.sessions.meaning.events` makes events from steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from daypack.doors.sessions.types import Category, Mark, Session, SessionEvent, State
from daypack.index import sql
from daypack.ports import Connection
from daypack.shapes.plain import pick
from daypack.text.storable import text_hash
from daypack.types import Trust

_SESSION = """s.id, s.following, s.name, s.short, s.client, s.folder, s.started_at, s.last_at,
              (SELECT count(*) FROM session_event AS e WHERE e.session_id = s.id), s.evicted"""
_REQUEST = """coalesce((SELECT substr(r.text, 1, 400) FROM session_event AS e JOIN record AS r ON r.id = e.record_id
              WHERE e.session_id = s.id AND e.category = 'prompt' ORDER BY e.number LIMIT 1), '')"""
_EVENT = """e.number, r.uri, r.session, e.category, r.text, r.author, e.first_at, e.last_at, e.count, e.subject, e.state, e.marks, e.record_id, r.trust, r.hash"""
_EVENTS = (
    "FROM session_event AS e JOIN record AS r ON r.id = e.record_id JOIN session AS s ON s.id = e.session_id"
)


@dataclass(slots=True)
class SessionRow:
    """A stored session; `following` is the number of its next event."""

    id: int
    session: Session
    following: int


@dataclass(slots=True)
class EventRow:
    """A stored event; only an event of a task has its text."""

    record_id: int
    uid: str
    number: int
    category: Category
    importance: int
    subject: str
    state: State
    first_at: float
    last_at: float
    count: int
    author: str
    text: str = ""


# columns of an EventRow, without its text
_ROW = "e.record_id, r.uid, e.number, e.category, e.importance, e.subject, e.state, e.first_at, e.last_at, e.count, r.author"


def _event_row(row: Sequence[Any]) -> EventRow:
    record_id, uid, number, category, importance, subject, state, *times_and_text = row
    return EventRow(
        record_id, uid, number, Category(category), importance, subject, State(state), *times_and_text
    )


def _session(row: Sequence[Any]) -> SessionRow:
    return SessionRow(row[0], Session(*row[2:]), row[1])


def find(db: Connection, scope: str, name: str) -> SessionRow | None:
    statement = f"SELECT {_SESSION} FROM session AS s WHERE s.scope = ? AND s.name = ?"
    return sql.row(db, _session, statement, (scope, name))


_LATEST_FIRST = "FROM session AS s WHERE s.scope = ? ORDER BY s.last_at DESC, s.id DESC"


def sessions(db: Connection, scope: str) -> list[SessionRow]:
    """The sessions of a scope without their requests, that with the latest event first."""
    return sql.rows(db, _session, f"SELECT {_SESSION} {_LATEST_FIRST}", (scope,))


def sessions_with_requests(db: Connection, scope: str) -> list[SessionRow]:
    """`sessions` with their first requests, for which all events are read."""
    return sql.rows(db, _session, f"SELECT {_SESSION}, {_REQUEST} {_LATEST_FIRST}", (scope,))


def names(db: Connection, scope: str) -> list[str]:
    """The names of the sessions of a scope, that with the latest event first."""
    return sql.column(db, f"SELECT s.name {_LATEST_FIRST}", (scope,))


def starting_with(db: Connection, scope: str, begin: str) -> list[str]:
    """The names of the sessions whose name or short name begins with `begin`."""
    begins = "substr(name, 1, length(?2)) = ?2 OR short = ?2"
    statement = f"SELECT name FROM session WHERE scope = ?1 AND ({begins}) ORDER BY last_at DESC"
    return sql.column(db, statement, (scope, begin))


def make(db: Connection, scope: str, session: Session) -> SessionRow:
    told = pick(session, "name=id short client folder started_at last_at")
    number = sql.insert(db, "session", {"scope": scope, **told, "evicted": 0, "following": 1})
    return SessionRow(number, session, 1)


def is_short_taken(db: Connection, short: str) -> bool:
    return sql.exists(db, "SELECT 1 FROM session WHERE short = ?", (short,))


def note(db: Connection, row: SessionRow, *, started_at: float, last_at: float, evicted: int) -> None:
    db.execute(
        "UPDATE session SET started_at = min(started_at, ?), last_at = max(last_at, ?), evicted = evicted + ?, following = ? WHERE id = ?",
        (started_at, last_at, evicted, row.following, row.id),
    )


def note_outside(db: Connection, row: SessionRow, read_at: float | None) -> float | None:
    """Record that a session read a text from outside at `read_at`; returns the time of the first such reading, or None. The
    events of agents that are later than that, and stored already, become untrusted.
    """
    before = db.execute("SELECT outside_at FROM session WHERE id = ?", (row.id,)).get
    if read_at is None or (before is not None and before <= read_at):
        return before  # type: ignore[no-any-return]
    db.execute("UPDATE session SET outside_at = ? WHERE id = ?", (read_at, row.id))
    db.execute(
        "UPDATE record SET trust = 'untrusted' WHERE trust = 'agent' AND id IN"
        " (SELECT record_id FROM session_event WHERE session_id = ? AND last_at >= ?)",
        (row.id, read_at),
    )
    return read_at


def any_read_outside(db: Connection, scope: str, since: float) -> bool:
    """True when the current session of a scope, or one with an event since `since`, has read a text from outside."""
    live = "last_at >= ?2 OR id = (SELECT id FROM session WHERE scope = ?1 ORDER BY last_at DESC, id DESC LIMIT 1)"
    statement = f"SELECT 1 FROM session WHERE scope = ?1 AND outside_at IS NOT NULL AND ({live}) LIMIT 1"
    return sql.exists(db, statement, (scope, since))


def known(db: Connection, row: SessionRow) -> list[EventRow]:
    statement = f"""SELECT {_ROW}, CASE WHEN e.category = 'task' THEN r.text ELSE '' END
           FROM session_event AS e JOIN record AS r ON r.id = e.record_id WHERE e.session_id = ?"""
    return sql.rows(db, _event_row, statement, (row.id,))


LATEST = 50  # other sessions whose tasks get a new state; guess


def tasks_elsewhere(db: Connection, scope: str, row: SessionRow) -> list[tuple[int, EventRow, Trust]]:
    """(row id of the session, task, trust of the task) for the tasks of the LATEST other sessions of a scope."""
    rows = db.execute(
        f"""SELECT e.session_id, r.trust, {_ROW}, r.text
           FROM session_event AS e JOIN record AS r ON r.id = e.record_id
           WHERE e.category = 'task' AND e.session_id IN
                 (SELECT id FROM session WHERE scope = ? AND id <> ? ORDER BY last_at DESC, id DESC LIMIT ?)""",
        (scope, row.id, LATEST),
    )
    return [(session, _event_row(told), Trust(trust)) for session, trust, *told in rows]


def put_event(db: Connection, row: SessionRow, known: EventRow, marks: Sequence[Mark]) -> None:
    told = pick(known, "record_id number category importance subject state first_at last_at count")
    spans = [[mark.category.value, mark.start, mark.end] for mark in marks]
    sql.insert(db, "session_event", {**told, "session_id": row.id, "marks": spans}, instead="OR REPLACE")


def count_again(db: Connection, known: EventRow) -> None:
    db.execute(
        "UPDATE session_event SET first_at = ?, last_at = ?, count = ? WHERE record_id = ?",
        (known.first_at, known.last_at, known.count, known.record_id),
    )


def drop_events(db: Connection, record_ids: Iterable[int]) -> None:
    db.executemany("DELETE FROM session_event WHERE record_id = ?", ((i,) for i in record_ids))


def drop(db: Connection, row: SessionRow) -> None:
    """Remove a session that has no events, and its marks of seen occurrences."""
    db.execute("DELETE FROM session_seen WHERE session_id = ?", (row.id,))
    db.execute("DELETE FROM session WHERE id = ?", (row.id,))


def seen(db: Connection, row: SessionRow) -> set[bytes]:
    return set(sql.column(db, "SELECT mark FROM session_seen WHERE session_id = ?", (row.id,)))


def note_seen(db: Connection, row: SessionRow, marks: Iterable[bytes]) -> None:
    db.executemany("INSERT OR IGNORE INTO session_seen VALUES (?, ?)", ((row.id, mark) for mark in marks))


class EventFilter(NamedTuple):
    """A filter for the events of a scope; events must fulfil all its other parts."""

    scope: str
    names: Sequence[str] | None = None  # of sessions; None for all sessions
    categories: Sequence[Category] = ()
    since: float | None = None
    before: float | None = None

    def condition(self) -> tuple[str, list[Any]]:
        parts, parameters = ["s.scope = ?"], [self.scope]
        if self.names is not None:
            parts.append("s.name IN (SELECT value FROM json_each(?))")
            parameters.append(json.dumps(list(self.names)))
        if self.categories:
            wanted = json.dumps([category.value for category in self.categories])
            parts.append(
                "(e.category IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM json_each(e.marks) AS m"
                " WHERE json_extract(m.value, '$[0]') IN (SELECT value FROM json_each(?))))"
            )
            parameters += [wanted, wanted]
        for moment, comparison in ((self.since, ">="), (self.before, "<")):
            if moment is not None:
                parts.append(f"e.last_at {comparison} ?")
                parameters.append(moment)  # type: ignore[arg-type]
        return " AND ".join(parts), parameters


def events(db: Connection, wanted: EventFilter, *, last: int = -1) -> list[SessionEvent]:
    """The matching events in the order of time; only the `last` ones unless it is -1."""
    where, parameters = wanted.condition()
    statement = f"SELECT {_EVENT} {_EVENTS} WHERE {where} ORDER BY e.last_at DESC, e.number DESC, e.record_id DESC LIMIT {last}"
    return sql.rows(db, partial(_event, db), statement, parameters)[::-1]


def count_events(db: Connection, wanted: EventFilter) -> tuple[int, float | None]:
    """(number of matching events, time of the oldest in Unix seconds, or None)."""
    where, parameters = wanted.condition()
    ((total, oldest),) = db.execute(f"SELECT count(*), min(e.last_at) {_EVENTS} WHERE {where}", parameters)
    return total, oldest


def _event(db: Connection, row: Sequence[Any]) -> SessionEvent:
    *facts, hash_ = row
    told = dict(enumerate(facts))
    sql.check_unchanged(db, f"the text of {told[1]}", unchanged=text_hash(told[4]) == hash_)
    told[3], told[10] = Category(told[3]), State(told[10])
    told[11] = tuple(Mark(Category(name), start, end) for name, start, end in json.loads(told[11]))
    told[13] = Trust(told[13])
    return SessionEvent(*told.values())


def uids_of(db: Connection, row: SessionRow) -> list[tuple[int, str]]:
    """(record id, uid) for the events of a session."""
    return list(db.execute(f"SELECT r.id, r.uid {_EVENTS} WHERE e.session_id = ?", (row.id,)))


def happened(db: Connection, record_ids: Sequence[int]) -> dict[int, tuple[int, float]]:
    """Record id → (importance, time of the last occurrence), for the records that are events."""
    said = """SELECT e.record_id, e.importance, e.last_at FROM json_each(?) AS w
              JOIN session_event AS e ON e.record_id = CAST(w.value AS INTEGER)"""
    return {row[0]: row[1:] for row in db.execute(said, (json.dumps([*record_ids]),))}


def open_tasks(db: Connection) -> list[int]:
    """Record ids of the tasks of all sessions that are neither done nor dropped."""
    said = "SELECT record_id FROM session_event WHERE category = 'task' AND state NOT IN ('done', 'dropped')"
    return sql.column(db, said)
