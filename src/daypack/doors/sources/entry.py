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


def _settings() -> Sequence[Setting]:
    from daypack.doors.sources.settings import SETTINGS

    return SETTINGS


def _mend(opened: OpenStore) -> Iterator[str]:
    """Index every active record; yields the ids of records whose policy is lost."""
    from daypack.doors.sources import rules, table

    engine = opened.engine
    with engine.store.writing() as db:
        for scope, uid in table.unknown_records(db):
            engine.store.remove_records(db, DOOR.name, scope, [uid])
            yield f"source {uid}: only its searched text was left, which does not say who may read it"
        records = [rules.searched_record(item, space) for space, item in table.unsearched(db)]
        engine.ingestion.put(db, [engine.ingestion.prepared(record) for record in records])


def _checks(db: Connection) -> Iterator[Check]:
    from daypack.doors.sources.table import AUDIT, count_astray
    from daypack.engine.checks import audited

    yield audited("sources", AUDIT.broken_lines(db), count_astray(db), "record", db.mend)


DOOR = Door(
    "sources",
    _open,
    lambda door: door.close(),
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
