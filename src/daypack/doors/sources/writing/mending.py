"""Brings records and their searched copies in step again, after a damaged store was rescued."""

from __future__ import annotations

from collections.abc import Iterator

from daypack.doors.sources import rules, table
from daypack.engine.engine import Engine


def mend(engine: Engine) -> Iterator[str]:
    """Index every active record; yields the ids of records whose policy is lost."""
    with engine.store.writing() as db:
        for scope, uid in table.unknown_records(db):
            engine.store.remove_records(db, "sources", scope, [uid])
            yield f"source {uid}: only its searched text was left, which does not say who may read it"
        records = [rules.searched_record(item, space) for space, item in table.unsearched(db)]
        engine.ingestion.put(db, [engine.ingestion.prepared(record) for record in records])
