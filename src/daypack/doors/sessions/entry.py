"""The entry of the sessions door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.engine.doors import Door
from daypack.ports import Handling

if TYPE_CHECKING:
    from daypack.doors.sessions.door import SessionsDoor
    from daypack.engine.open_store import OpenStore
    from daypack.types import SearchStats


def _open(opened: OpenStore) -> SessionsDoor:
    from daypack.doors.sessions.door import SessionsDoor

    return SessionsDoor(opened.engine, scope=opened.shared)


def _refresh(opened: OpenStore, again: bool, stats: SearchStats) -> SearchStats:  # noqa: ARG001
    """Import the spool of the hooks."""
    from daypack.doors.sessions.hooks import waiting

    if waiting(str(opened.engine.store.folder)):
        opened.door("sessions").try_fold()
    return stats


DOOR = Door(
    "sessions",
    _open,
    holds={"sessions": Handling(scoped=True)},
    beside=True,
    toolset="knowledge",
    verbs="daypack.doors.sessions.verbs",
    refresh=_refresh,
)
