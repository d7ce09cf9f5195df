"""The session that a query means. Separate from the door, because most queries do not need to load the door."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from daypack.index import sql
from daypack.text.storable import storable

if TYPE_CHECKING:
    from daypack.filters import Filter
    from daypack.ports import Connection

DOOR = "sessions"
ALL, CURRENT = "all", "current"


def current_session(db: Connection, scope: str) -> str | None:
    """The name of the session with the latest event, or None. Sessions that only began or ended come after all others: a
    user who starts an agent and asks about the state of the work means the work, not the new session.
    """
    statement = """SELECT name FROM session AS s WHERE scope = ? ORDER BY
              EXISTS (SELECT 1 FROM session_event WHERE session_id = s.id AND category <> 'session') DESC,
              last_at DESC, id DESC LIMIT 1"""
    return next(iter(sql.column(db, statement, (scope,))), None)


def other_sessions(db: Connection, scope: str) -> Filter | None:
    """The filter that excludes the events of all sessions but the project's current one; None without sessions."""
    current = current_session(db, scope)
    if current is None:
        return None
    from daypack.filters import All, Not, OneOf

    return Not(All((OneOf("door", (DOOR,)), Not(OneOf("session", (current,))))))


def other_events(db: Connection, scope: str) -> bool:
    """True when a session of the project has events and is not the current one."""
    statement = """SELECT 1 FROM session AS s WHERE scope = ? AND name <> ? AND EXISTS
              (SELECT 1 FROM session_event WHERE session_id = s.id AND category <> 'session') LIMIT 1"""
    current = current_session(db, scope)
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
