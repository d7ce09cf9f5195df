"""The session that a query means. Separate from the door, because most queries do not need to load the door."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from daypack.index import sql
from daypack.text.storable import storable

if TYPE_CHECKING:
    from daypack.filters import Filter
    from daypack.ports import Connection

DOOR = "sessions"
ALL, CURRENT = "all", "current"
LIVE_SECONDS = 3_600.0  # since the last event of a session that goes on; guess
_ASKED_AT = """coalesce((SELECT max(last_at) FROM session_event WHERE session_id = s.id AND category = 'prompt'), s.last_at)"""


def current_session(db: Connection, scope: str, now: float) -> str | None:
    """The name of the session with the latest event, or None. Sessions that only began or ended come after all others, and
    before these one that has asked its first question in the last hour, and those that hold nothing but one prompt of that hour: a
    user who starts an agent and asks about the state of the work means the work, not the new session.
    """
    statement = """SELECT name FROM session AS s WHERE scope = ? ORDER BY
              EXISTS (SELECT 1 FROM session_event WHERE session_id = s.id AND category <> 'session') DESC,
              s.id = ? OR (last_at >= ? AND EXISTS (SELECT 1 FROM session_event WHERE session_id = s.id AND category = 'prompt')
              AND 1 = (SELECT count(*) FROM session_event WHERE session_id = s.id AND category <> 'session')
              AND NOT EXISTS (SELECT 1 FROM session_event AS e JOIN record AS r ON r.id = e.record_id
              WHERE e.session_id = s.id AND substr(r.text, 1, 9) = 'compacted')), last_at DESC, id DESC LIMIT 1"""
    known = (scope, _of_first_question(db, scope, now), now - LIVE_SECONDS)
    return next(iter(sql.column(db, statement, known)), None)


def _of_first_question(db: Connection, scope: str, now: float) -> int:
    """The id of the session with the newest prompt, if that is its only one, has no answer, and is in its context; else 0.
    A session that began later, and has no prompt yet, is the one that asks.
    """
    statement = f"""SELECT s.id FROM session AS s WHERE s.scope = ? AND s.last_at >= ?
              ORDER BY {_ASKED_AT} DESC, s.id DESC LIMIT 1"""
    newest = next(iter(sql.column(db, statement, (scope, now - LIVE_SECONDS))), 0)
    # A session that was compacted is asked for by itself: it has lost its work.
    later = """SELECT count(*) FROM session_event AS e JOIN record AS r ON r.id = e.record_id WHERE e.session_id = ?
              AND (e.category IN ('prompt', 'answer') OR e.category = 'session' AND substr(r.text, 1, 9) = 'compacted')"""
    return newest if newest and sql.column(db, later, (newest,)) == [1] else 0


class Live(NamedTuple):
    """A session that may still go on. With `asks`, its last prompt, of `asked_at`, has no answer yet."""

    id: int
    scope: str
    name: str
    asked_at: float
    asks: bool


def live_sessions(db: Connection, now: float) -> list[Live]:
    """The sessions of all projects with an event of the last hour that did not end."""
    # A clock that is behind the events' makes none older.
    statement = f"""SELECT s.id, s.scope, s.name, {_ASKED_AT},
              coalesce((SELECT category FROM session_event WHERE session_id = s.id
              AND category IN ('prompt', 'answer') ORDER BY last_at DESC, number DESC LIMIT 1), 'prompt') = 'prompt'
              FROM session AS s WHERE s.last_at >= ? AND coalesce((SELECT substr(r.text, 1, 13) <> 'session ended'
              FROM session_event AS e JOIN record AS r ON r.id = e.record_id WHERE e.session_id = s.id
              ORDER BY e.last_at DESC, e.number DESC LIMIT 1), TRUE) ORDER BY s.id"""
    return sql.rows(
        db, lambda row: Live(row[0], row[1], row[2], row[3], bool(row[4])), statement, (now - LIVE_SECONDS,)
    )


def sessions_that_ask(db: Connection, now: float) -> list[tuple[str, str]]:
    """(scope, name) of the session of each project that waits for an answer: that with the newest prompt, because one with an
    earlier prompt may have been interrupted.
    """
    asking = sorted(
        (session for session in live_sessions(db, now) if session.asks), key=lambda one: one.asked_at
    )
    return [*{session.scope: session.name for session in asking}.items()]


def other_sessions(db: Connection, scope: str, now: float) -> Filter | None:
    """The filter that excludes the events of all sessions but the project's current one; None without sessions."""
    current = current_session(db, scope, now)
    if current is None:
        return None
    from daypack.filters import All, Not, OneOf

    return Not(All((OneOf("door", (DOOR,)), Not(OneOf("session", (current,))))))


def other_events(db: Connection, scope: str, now: float) -> bool:
    """True when a session of the project has events and is not the current one."""
    statement = """SELECT 1 FROM session AS s WHERE scope = ? AND name <> ? AND EXISTS
              (SELECT 1 FROM session_event WHERE session_id = s.id AND category <> 'session') LIMIT 1"""
    current = current_session(db, scope, now)
    return current is not None and sql.exists(db, statement, (scope, current))


def in_session(db: Connection, resolve: Callable[[str], str | None], session: str) -> Filter:
    """The filter for the records of a session, of all doors.

    `resolve` maps "current", and names that no record has, to the name of a session. Raises NotFound.
    """
    from daypack.filters import OneOf

    name = storable(session)
    names: tuple[str, ...] = (session,)
    if session == CURRENT or not _is_known(db, name):
        found = resolve(name)
        names = () if found is None else (found,)
    return OneOf("session", tuple(map(storable, names)))


def _is_known(db: Connection, name: str) -> bool:
    """True when a record belongs to a session of this name, or the store has no sessions."""
    exact = sql.exists(db, "SELECT 1 FROM record WHERE session = ? LIMIT 1", (name,))
    return exact or not sql.exists(db, "SELECT 1 FROM session LIMIT 1")


def any_event(db: Connection) -> bool:
    return sql.exists(db, "SELECT 1 FROM session_event LIMIT 1")
