"""Whose memories there are: one space an owner and project. Apart from the memories, for every query asks what it may not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from daypack.types import SHARED

if TYPE_CHECKING:
    import apsw


DOOR = "memories"  # whose records not everybody sees


@dataclass(frozen=True, slots=True)
class Space:
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
    row = db.execute("SELECT id FROM memory_space WHERE owner = ? AND project = ?", (owner, project)).fetchone()
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
    db.execute("DELETE FROM memory_space WHERE id = ? AND NOT EXISTS (SELECT 1 FROM memory WHERE space_id = ?)", (space.id, space.id))
