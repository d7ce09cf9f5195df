"""The life of sessions on disk: sessions, what their events are, and which occurrences were seen.

Rows in, nouns out; every function works inside the transaction that the caller holds. What an event means is
decided in `daypack.doors.sessions.events`; the text that is searched is a record of the common index.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from daypack.doors.sessions.types import Category, Mark, Session, SessionEvent, State

if TYPE_CHECKING:
    import apsw

_SESSION = """s.id, s.name, s.short, s.client, s.folder, s.started_at, s.last_at, s.evicted, s.following,
              (SELECT count(*) FROM session_event AS e WHERE e.session_id = s.id)"""
_EVENT = """e.number, r.uri, r.session, e.category, r.text, r.author, e.first_at, e.last_at, e.count, e.subject, e.state, e.marks, e.record_id"""


@dataclass(slots=True)
class SessionRow:
    """A session as it is stored; `following` is the number that its next event gets."""

    id: int
    session: Session
    following: int


@dataclass(slots=True)
class EventRow:
    """An event as it is stored, without its text."""

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


def _session(row: Sequence[Any]) -> SessionRow:
    (session_id, name, short, client, folder, started_at, last_at, evicted, following, events) = row
    return SessionRow(
        session_id, Session(name, short, client, folder, started_at, last_at, events, evicted), following
    )


def find(db: apsw.Connection, scope: str, name: str) -> SessionRow | None:
    row = db.execute(
        f"SELECT {_SESSION} FROM session AS s WHERE s.scope = ? AND s.name = ?", (scope, name)
    ).fetchone()
    return _session(row) if row else None


def sessions(db: apsw.Connection, scope: str) -> list[SessionRow]:
    """The sessions of a scope, the one with the latest event first."""
    rows = db.execute(
        f"SELECT {_SESSION} FROM session AS s WHERE s.scope = ? ORDER BY s.last_at DESC, s.id DESC", (scope,)
    )
    return [_session(row) for row in rows]


def starting_with(db: apsw.Connection, scope: str, begin: str) -> list[str]:
    """Names of the sessions whose name, or short name, begins so."""
    rows = db.execute(
        "SELECT name FROM session WHERE scope = ?1 AND (substr(name, 1, length(?2)) = ?2 OR short = ?2) ORDER BY last_at DESC",
        (scope, begin),
    )
    return [row[0] for row in rows]


def make(db: apsw.Connection, scope: str, session: Session) -> SessionRow:
    db.execute(
        "INSERT INTO session (scope, name, short, client, folder, started_at, last_at, evicted, following) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 1)",
        (
            scope,
            session.id,
            session.short,
            session.client,
            session.folder,
            session.started_at,
            session.last_at,
        ),
    )
    return SessionRow(db.last_insert_rowid(), session, 1)


def is_short_taken(db: apsw.Connection, short: str) -> bool:
    return db.execute("SELECT 1 FROM session WHERE short = ?", (short,)).fetchone() is not None


def note(db: apsw.Connection, row: SessionRow, *, started_at: float, last_at: float, evicted: int) -> None:
    db.execute(
        "UPDATE session SET started_at = min(started_at, ?), last_at = max(last_at, ?), evicted = evicted + ?, following = ? WHERE id = ?",
        (started_at, last_at, evicted, row.following, row.id),
    )


def known(db: apsw.Connection, row: SessionRow) -> list[EventRow]:
    rows = db.execute(
        """SELECT e.record_id, r.uid, e.number, e.category, e.importance, e.subject, e.state, e.first_at, e.last_at, e.count
           FROM session_event AS e JOIN record AS r ON r.id = e.record_id WHERE e.session_id = ?""",
        (row.id,),
    )
    return [
        EventRow(i, uid, n, Category(c), w, subject, State(state), a, b, k)
        for i, uid, n, c, w, subject, state, a, b, k in rows
    ]


def put_event(db: apsw.Connection, row: SessionRow, known: EventRow, marks: Sequence[Mark]) -> None:
    db.execute(
        "INSERT OR REPLACE INTO session_event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            known.record_id,
            row.id,
            known.number,
            known.category.value,
            known.importance,
            known.subject,
            known.state.value,
            json.dumps([[mark.category.value, mark.start, mark.end] for mark in marks]),
            known.first_at,
            known.last_at,
            known.count,
        ),
    )


def count_again(db: apsw.Connection, known: EventRow) -> None:
    db.execute(
        "UPDATE session_event SET first_at = ?, last_at = ?, count = ? WHERE record_id = ?",
        (known.first_at, known.last_at, known.count, known.record_id),
    )


def drop_events(db: apsw.Connection, record_ids: Iterable[int]) -> None:
    db.executemany("DELETE FROM session_event WHERE record_id = ?", ((i,) for i in record_ids))


def drop(db: apsw.Connection, row: SessionRow) -> None:
    """Remove a session whose events are gone, and its marks of seen occurrences."""
    db.execute("DELETE FROM session_seen WHERE session_id = ?", (row.id,))
    db.execute("DELETE FROM session WHERE id = ?", (row.id,))


def seen(db: apsw.Connection, row: SessionRow) -> set[bytes]:
    return {found[0] for found in db.execute("SELECT mark FROM session_seen WHERE session_id = ?", (row.id,))}


def note_seen(db: apsw.Connection, row: SessionRow, marks: Iterable[bytes]) -> None:
    db.executemany("INSERT OR IGNORE INTO session_seen VALUES (?, ?)", ((row.id, mark) for mark in marks))


def events(
    db: apsw.Connection,
    scope: str,
    *,
    names: Sequence[str] | None = None,
    categories: Sequence[Category] = (),
    since: float | None = None,
    before: float | None = None,
    last: int | None = None,
) -> list[SessionEvent]:
    """Events in the order in which they happened; of too many, the `last` ones."""
    where, parameters = _condition(scope, names, categories, since, before)
    limit = "" if last is None else f" LIMIT {int(last)}"
    rows = db.execute(
        f"SELECT {_EVENT} FROM session_event AS e JOIN record AS r ON r.id = e.record_id JOIN session AS s ON s.id = e.session_id WHERE {where}"
        f" ORDER BY e.last_at DESC, e.number DESC{limit}",
        parameters,
    )
    return [_event(row) for row in rows][::-1]


def count_events(
    db: apsw.Connection,
    scope: str,
    *,
    names: Sequence[str] | None,
    categories: Sequence[Category],
    since: float | None,
    before: float | None,
) -> tuple[int, float | None]:
    """(how many events pass, the time of the oldest)."""
    where, parameters = _condition(scope, names, categories, since, before)
    row = db.execute(
        "SELECT count(*), min(e.last_at) FROM session_event AS e JOIN record AS r ON r.id = e.record_id"
        f" JOIN session AS s ON s.id = e.session_id WHERE {where}",
        parameters,
    ).fetchone()
    return (row[0], row[1]) if row else (0, None)


def _condition(
    scope: str,
    names: Sequence[str] | None,
    categories: Sequence[Category],
    since: float | None,
    before: float | None,
) -> tuple[str, list[Any]]:
    parts, parameters = ["s.scope = ?"], [scope]
    if names is not None:
        parts.append("s.name IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps(list(names)))
    if categories:
        wanted = json.dumps([category.value for category in categories])
        parts.append(
            "(e.category IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM json_each(e.marks) AS m"
            " WHERE json_extract(m.value, '$[0]') IN (SELECT value FROM json_each(?))))"
        )
        parameters += [wanted, wanted]
    for moment, comparison in ((since, ">="), (before, "<")):
        if moment is not None:
            parts.append(f"e.last_at {comparison} ?")
            parameters.append(moment)  # type: ignore[arg-type]
    return " AND ".join(parts), parameters


def _event(row: Sequence[Any]) -> SessionEvent:
    (
        number,
        uri,
        session,
        category,
        text,
        author,
        first_at,
        last_at,
        count,
        subject,
        state,
        marks,
        record_id,
    ) = row
    found = tuple(Mark(Category(name), start, end) for name, start, end in json.loads(marks))
    return SessionEvent(
        number,
        uri,
        session,
        Category(category),
        text,
        author,
        first_at,
        last_at,
        count,
        subject,
        State(state),
        found,
        record_id,
    )


def uids_of(db: apsw.Connection, row: SessionRow) -> Iterator[tuple[int, str]]:
    """(record id, uid) of the events of a session."""
    yield from list(
        db.execute(
            "SELECT r.id, r.uid FROM session_event AS e JOIN record AS r ON r.id = e.record_id WHERE e.session_id = ?",
            (row.id,),
        )
    )
