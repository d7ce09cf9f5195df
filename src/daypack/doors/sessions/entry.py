"""The entry of the sessions door."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from daypack.engine.doors import Door, Happened
from daypack.ports import Connection, Handling

if TYPE_CHECKING:
    from pathlib import Path

    from daypack.doors.sessions.door import SessionsDoor
    from daypack.engine.checks import Check
    from daypack.engine.doors import Asked
    from daypack.engine.open_store import OpenStore
    from daypack.types import SearchStats


def _open(opened: OpenStore) -> SessionsDoor:
    from daypack.doors.sessions.door import SessionsDoor

    return SessionsDoor(opened.engine, scope=opened.shared)


def _refresh(opened: OpenStore, again: bool, stats: SearchStats) -> SearchStats:  # noqa: ARG001
    """Import the spool of the hooks."""
    from daypack.doors.sessions.hooks.spool import waiting

    if waiting(str(opened.engine.store.folder)):
        opened.door("sessions").try_import_spool()
    return stats


def _folder_checks(folder: Path) -> Iterator[Check]:
    """The check of the lines that were set aside, for a store with any."""
    from daypack.doors.sessions.hooks.spool import SET_ASIDE, SPOOL, count_set_aside
    from daypack.engine.checks import Check, CheckVerdict
    from daypack.shapes.wording import counted

    if lines := count_set_aside(str(folder)):
        problem = f"{counted(lines, 'captured event')} could not be understood: report the text of {folder / SPOOL / SET_ASIDE}, then delete it"
        yield Check("hooks", CheckVerdict.WARNING, problem)


def _happened(db: Connection, record_ids: Sequence[int]) -> Mapping[int, Happened]:
    from daypack.doors.sessions.table import happened

    return {record_id: Happened(*facts) for record_id, facts in happened(db, record_ids).items()}


def _left_off(db: Connection, scope: str, session: str) -> Sequence[int]:
    from daypack.doors.sessions.sections import left_off
    from daypack.doors.sessions.table import EventFilter, events

    return left_off(events(db, EventFilter(scope, [session])))


def _asides(db: Connection, asked: Asked) -> Sequence[int]:
    from daypack.doors.sessions.current import any_event

    if not any_event(db):
        return ()
    from daypack.doors.sessions.asides import asides

    return asides(db, asked)


def _open_work(db: Connection) -> Sequence[int]:
    from daypack.doors.sessions.table import open_tasks

    return open_tasks(db)


def _sessions_that_ask(db: Connection, now: float) -> Sequence[tuple[str, str]]:
    from daypack.doors.sessions.current import sessions_that_ask

    return sessions_that_ask(db, now)


DOOR = Door(
    "sessions",
    _open,
    content="events of agents' sessions",
    happened=_happened,
    left_off=_left_off,
    open_work=_open_work,
    asides=_asides,
    sessions_that_ask=_sessions_that_ask,
    holds={"sessions": Handling(scoped=True)},
    beside=True,
    toolset="knowledge",
    verbs="daypack.doors.sessions.verbs",
    refresh=_refresh,
    folder_checks=_folder_checks,
)
