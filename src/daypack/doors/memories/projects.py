"""Memories of other projects, in a store that several share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.doors.memories.spaces import spaces, visible_scopes

if TYPE_CHECKING:
    from daypack.engine.engine import Engine


def scopes_in(engine: Engine, project: str, *, owner: str, own: str) -> tuple[str, ...]:
    """The scopes of memories that `owner` sees in `project`, "" for all projects.

    Changes by time are applied there first; the door of the project `own` does that itself.
    """
    with engine.store.reading() as db:
        stored_projects = {space.project for space in spaces(db)}
    projects = [project] if project else sorted(stored_projects | {own})
    for project_name in stored_projects.intersection(projects) - {own}:
        from daypack.doors.memories.door import MemoriesDoor

        MemoriesDoor(engine, owner=owner, project=project_name, notes_use=False).refresh()
    return tuple(scope for project_name in projects for scope in visible_scopes(owner, project_name))
