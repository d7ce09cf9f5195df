"""Whose memories there are, one space an owner and project, and who may see which source.

Apart from the memories and the sources, for every query asks what it may not see.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.types import SHARED

if TYPE_CHECKING:
    import apsw


DOOR = "memories"  # whose records not everybody sees
SOURCES = "sources"  # nor of this


class Space(NamedTuple):
    """One owner's memories in one project."""

    id: int
    owner: str
    project: str


def scope_of(owner: str, project: str) -> str:
    """The engine's scope of an owner's memories in a project. Neither can hold the separator."""
    return f"{owner}\x1f{project}"


def visible_scopes(owner: str, project: str) -> tuple[str, str]:
    """What an owner sees in a project: their own memories and the shared ones."""
    return scope_of(owner, project), scope_of(SHARED, project)


def find_space(db: apsw.Connection, owner: str, project: str) -> Space | None:
    row = db.execute(
        "SELECT id FROM memory_space WHERE owner = ? AND project = ?", (owner, project)
    ).fetchone()
    return Space(row[0], owner, project) if row else None


def make_space(db: apsw.Connection, owner: str, project: str) -> Space:
    db.execute("INSERT OR IGNORE INTO memory_space (owner, project) VALUES (?, ?)", (owner, project))
    found = find_space(db, owner, project)
    assert found is not None
    return found


def spaces(db: apsw.Connection) -> list[Space]:
    return [Space(*row) for row in db.execute("SELECT id, owner, project FROM memory_space ORDER BY id")]


def drop_space(db: apsw.Connection, space: Space) -> None:
    """Forget the names of an owner and a project that have no memory left."""
    db.execute("DELETE FROM memory_source WHERE space_id = ?", (space.id,))
    db.execute(
        "DELETE FROM memory_space WHERE id = ? AND NOT EXISTS (SELECT 1 FROM memory WHERE space_id = ?)",
        (space.id, space.id),
    )


# ---------------------------------------------------------------- sources


class Viewer(NamedTuple):
    """Who asks for sources. "" is nobody in particular, and no session."""

    user_id: str = ""
    session_id: str = ""


def visible(viewer: Viewer) -> tuple[str, list[Any]]:
    """(condition, parameters) over `source_item`: what somebody may know of.

    A record of a session is seen in that session, by its user where it names one; a user's by that user; a
    global one by everybody when it is shareable, else by who wrote it and whom its lists name. A list of
    users or sessions, where there is one, holds for every scope.
    """
    user, session = viewer.user_id, viewer.session_id
    listed = "EXISTS (SELECT 1 FROM json_each({0}) WHERE value = ? AND value != '')"
    users, sessions = listed.format("allowed_users"), listed.format("allowed_sessions")
    return (
        "((scope = 'session' AND session_id = ? AND (user_id = '' OR user_id = ?)) OR (scope = 'user' AND user_id = ?)"
        f" OR (scope = 'global' AND (confidentiality = 'shareable' OR user_id = ? OR {users} OR {sessions})))"
        f" AND (allowed_users = '[]' OR user_id = ? OR {users}) AND (allowed_sessions = '[]' OR {sessions})",
        [session, user, user, user, user, session, user, user, session],
    )


def any_there(db: apsw.Connection) -> bool:
    return db.execute("SELECT 1 FROM source_item LIMIT 1").fetchone() is not None


class Sight(NamedTuple):
    """What whoever asks may see: the memories of these scopes, the sources for this viewer, and what
    everybody sees. The rest does not exist for them.
    """

    scopes: tuple[str, ...] = ()
    viewer: Viewer = Viewer()

    def hidden(self, db: apsw.Connection) -> list[int]:
        """Ids of the records of the common index that may not be seen."""
        found: list[int] = []
        if others := self._others(db):
            listed = json.dumps(others)
            found += [
                row[0]
                for row in db.execute(
                    "SELECT id FROM record WHERE door = ? AND scope IN (SELECT value FROM json_each(?))",
                    (DOOR, listed),
                )
            ]
        if any_there(db):
            where, parameters = self._sources()
            found += [row[0] for row in db.execute(f"SELECT id FROM record WHERE NOT ({where})", parameters)]
        return found

    def seen(self, db: apsw.Connection) -> tuple[str, list[Any]]:
        """(condition, parameters) over the table `record`: what may be seen."""
        sources, parameters = self._sources()
        memories = "NOT (door = ? AND scope IN (SELECT value FROM json_each(?)))"
        return f"{memories} AND {sources}", [DOOR, json.dumps(self._others(db)), *parameters]

    def _others(self, db: apsw.Connection) -> list[str]:
        return [
            scope
            for space in spaces(db)
            if (scope := scope_of(space.owner, space.project)) not in self.scopes
        ]

    def _sources(self) -> tuple[str, list[Any]]:
        where, parameters = visible(self.viewer)
        return f"(door != ? OR uid IN (SELECT record_id FROM source_item WHERE {where}))", [
            SOURCES,
            *parameters,
        ]
