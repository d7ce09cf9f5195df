"""The session that a query means. Separate from the door, which most queries need not load."""

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
    """The session of a project with the latest event. One that only began or ended comes after all others: a user who
    opens an agent and asks where the work stands means the work, not the session that has just begun.
    """
    statement = """SELECT name FROM session AS s WHERE scope = ? ORDER BY
              EXISTS (SELECT 1 FROM session_event WHERE session_id = s.id AND category <> 'session') DESC,
              last_at DESC, id DESC LIMIT 1"""
    return next(iter(sql.column(db, statement, (scope,))), None)


def other_sessions(db: Connection, scope: str) -> Filter | None:
    """The filter that leaves out every session of a project but the current one; None without sessions."""
    current = current_session(db, scope)
    if current is None:
        return None
    from daypack.filters import All, Not, OneOf

    return Not(All((OneOf("door", (DOOR,)), Not(OneOf("session", (current,))))))


def other_events(db: Connection, scope: str) -> bool:
    """True when another session of a project than the current one has events."""
    statement = """SELECT 1 FROM session AS s WHERE scope = ? AND name <> ? AND EXISTS
              (SELECT 1 FROM session_event WHERE session_id = s.id AND category <> 'session') LIMIT 1"""
    current = current_session(db, scope)
    return current is not None and sql.exists(db, statement, (scope, current))


def in_session(db: Connection, resolve: Callable[[str], str | None], session: str) -> Filter:
    """The filter for records of a session, whatever door they came in by.

    A name that no record has is resolved as the sessions door does, by its beginning or as "current". Raises
    NotFound.
    """
    from daypack.filters import OneOf

    name = storable(session)
    names: tuple[str, ...] = (session,)
    if session == CURRENT or not _is_known(db, name):
        found = resolve(name)
        names = () if found is None else (found,)
    return OneOf("session", tuple(map(storable, names)))


def _is_known(db: Connection, name: str) -> bool:
    """True when a record belongs to the session of this name, or no session is kept that it could mean."""
    exact = sql.exists(db, "SELECT 1 FROM record WHERE session = ? LIMIT 1", (name,))
    return exact or not sql.exists(db, "SELECT 1 FROM session LIMIT 1")


def any_event(db: Connection) -> bool:
    return sql.exists(db, "SELECT 1 FROM session_event LIMIT 1")
