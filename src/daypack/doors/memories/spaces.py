"""The spaces of memories, one for each owner and project, and those that a viewer may not see.

It is separate from the other tables of memories because every query needs the condition.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from daypack.index import sql
from daypack.ports import Condition, Connection, Viewer
from daypack.text.storable import text_digest
from daypack.types import SHARED

DOOR = "memories"

# The lost spaces of memories whose searched values all stand in one scope.
INFERRED = f"""
    SELECT id, substr(scope, 1, instr(scope, char(31)) - 1), substr(scope, instr(scope, char(31)) + 1) FROM (
        SELECT m.space_id AS id, min(r.scope) AS scope FROM memory AS m
        JOIN memory_version AS v ON v.id = m.current
        JOIN record AS r ON r.door = '{DOOR}' AND r.uid = m.key AND r.text = v.value
        WHERE m.space_id NOT IN (SELECT id FROM memory_space)
        GROUP BY m.space_id HAVING count(DISTINCT r.scope) = 1
    )"""


class Space(NamedTuple):
    """One owner's memories in one project."""

    id: int
    owner: str
    project: str

    @property
    def scope(self) -> str:
        return scope_of(self.owner, self.project)

    def mark(self, key: str = "", token: str = "") -> bytes:
        """As `mark_of` says, of a key, of one of its versions, or of the space itself."""
        return mark_of(self.owner, self.project, key, token)


def scope_of(owner: str, project: str) -> str:
    """The engine's scope of an owner's memories in a project. Neither can hold the separator."""
    return f"{owner}\x1f{project}"


def mark_of(owner: str, project: str, key: str = "", token: str = "") -> bytes:
    """A hash that replaces a name where the name itself must not stay."""
    names = (owner, project, key, token) if token else (owner, project, key)
    return text_digest("\x1f".join(names))


def visible_scopes(owner: str, project: str) -> tuple[str, str]:
    """The scopes that an owner sees in a project: that of their own memories and that of the shared ones."""
    return scope_of(owner, project), scope_of(SHARED, project)


def then_scope(scope: str) -> str:
    """The scope beside `scope` with the values of other times: those that held once, those to come, and those with a known end.
    An owner's name does not begin with the separator.
    """
    return f"\x1f{scope}"


def seeing_then(viewer: Viewer) -> Viewer:
    """The viewer that also sees the values of other times in its scopes."""
    return viewer._replace(scopes=(*viewer.scopes, *map(then_scope, viewer.scopes)))


def then_uid(key: str, start: float) -> str:
    """The record of a value that `key` holds from `start` on."""
    return f"{key}\x1f{start!r}"


def key_of_then(uid: str) -> str:
    return uid.rpartition("\x1f")[0]


def has_then(db: Connection, scope: str) -> bool:
    """True when a value of another time is kept beside a scope."""
    statement = "SELECT 1 FROM record WHERE door = ? AND scope = ? LIMIT 1"
    return sql.exists(db, statement, (DOOR, then_scope(scope)))


def find_space(db: Connection, owner: str, project: str) -> Space | None:
    statement = "SELECT id, owner, project FROM memory_space WHERE owner = ? AND project = ?"
    return sql.row(db, Space._make, statement, (owner, project))


def make_space(db: Connection, owner: str, project: str) -> Space:
    db.execute("INSERT OR IGNORE INTO memory_space (owner, project) VALUES (?, ?)", (owner, project))
    space = find_space(db, owner, project)
    assert space is not None
    return space


def spaces(db: Connection) -> list[Space]:
    return sql.rows(db, Space._make, "SELECT id, owner, project FROM memory_space ORDER BY id")


def drop_space(db: Connection, space: Space) -> None:
    """Forget the names of an owner and a project without memories."""
    db.execute("DELETE FROM memory_source WHERE space_id = ?", (space.id,))
    db.execute(
        "DELETE FROM memory_space WHERE id = ? AND NOT EXISTS (SELECT 1 FROM memory WHERE space_id = ?)",
        (space.id, space.id),
    )


def hides(db: Connection, viewer: Viewer) -> Condition | None:
    """The condition over `record` of memories in other scopes than the viewer's; None when none exist.

    Values of other times have scopes of their own, which only the viewer of a question about another time has.
    """
    scopes = [space.scope for space in spaces(db)]
    others = [scope for scope in scopes if scope not in viewer.scopes]
    # Whether the others have such values need not be known: a scope without records hides nothing.
    others += [
        then
        for scope in scopes
        if (then := then_scope(scope)) not in viewer.scopes
        and (scope not in viewer.scopes or has_then(db, scope))
    ]
    if not others:
        return None
    return "door = ? AND scope IN (SELECT value FROM json_each(?))", (DOOR, json.dumps(others))
