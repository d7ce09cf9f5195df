"""The entry of the sources door."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from daypack.doors.sources.retrieval.visibility import hides
from daypack.engine.doors import Door
from daypack.ports import Connection, Handling

if TYPE_CHECKING:
    from daypack.doors.sources.door import SourcesDoor
    from daypack.engine.checks import Check
    from daypack.engine.open_store import OpenStore
    from daypack.settings.configuration import Setting


def _open(opened: OpenStore) -> SourcesDoor:
    from daypack.doors.sources.door import SourcesDoor

    return SourcesDoor(opened.engine, owner=opened.owner)


def _close(door: SourcesDoor) -> None:
    door.close()


def _settings() -> Sequence[Setting]:
    from daypack.doors.sources.settings import SETTINGS

    return SETTINGS


def _mend(opened: OpenStore) -> Iterator[str]:
    from daypack.doors.sources.writing.mending import mend

    return mend(opened.engine)


def _checks(db: Connection) -> Iterator[Check]:
    from daypack.doors.sources.table import AUDIT, count_astray
    from daypack.engine.checks import audited

    yield audited("sources", AUDIT.broken_lines(db), count_astray(db), "record", db.mend)


DOOR = Door(
    "sources",
    _open,
    _close,
    content="records of users and sessions",
    holds={"sources": Handling(private=True, by_hand=True)},
    beside=True,
    hides=hides,
    settings=_settings,
    toolset="sources",
    verbs="daypack.doors.sources.verbs",
    mend=_mend,
    checks=_checks,
)
