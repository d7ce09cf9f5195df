"""Pruning: records leave the sources door for its capacity, for their age or by a deletion, and the file is
rewritten after them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from daypack.doors.sources import table
from daypack.doors.sources.retrieval.visibility import DOOR
from daypack.doors.sources.rules import check_days
from daypack.doors.sources.types import Source, SourceReceipt, SourceStatus
from daypack.engine.engine import Engine
from daypack.errors import InputError
from daypack.index import vectors as vector_index
from daypack.index.postings import lexical as lexical_index
from daypack.ports import Connection, Viewer

PURGED_TOGETHER = 64  # records that writes prune before the file is rewritten for them


class Pruning:
    """Buries records in the transactions of its door, and rewrites the file when that is due."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._store = engine.store
        self._waiting = 0  # records that writes have pruned since the file was rewritten

    def close(self) -> None:
        """Rewrite the file where pruned records wait for it."""
        if self._waiting:
            self._waiting = PURGED_TOGETHER
            self.purge()

    def purge(self, pruned: int = 0) -> bool:
        """Rewrite the file if that is due; True when it no longer is.

        Records that this door's own writes prune are due together.
        """
        self._waiting += pruned
        if self._store.owes_purge() and (
            0 < self._waiting < PURGED_TOGETHER or not self._store.purge(busy_seconds=0)
        ):
            return False
        self._waiting = 0
        return True

    def made_room(self, db: Connection, space: str, item: Source, most: int | None) -> SourceReceipt | None:
        """Bury the records that a new one displaces, where there is a bound."""
        crowded = table.crowded(db, space, item.kind, most, but=item.id) if most is not None else []
        return (
            self.buried(db, Viewer(item.user_id, item.session_id), histories(db, crowded), "capacity")
            if crowded
            else None
        )

    def prune(
        self, viewer: Viewer, max_records: int | None, retention_days: float | None, *, dry_run: bool
    ) -> tuple[SourceReceipt, ...]:
        """Bury the viewer's own records that are too old, then those that are too many; returns a receipt for
        each reason.

        Raises InputError.
        """
        if max_records is not None and max_records < 1:
            raise InputError(f"max_records {max_records} keeps nothing; give 1 or more")
        check_days("retention_days", retention_days)
        now, receipts = self._engine.clock(), []
        with self._engine.translating_damage():
            with self._store.reading() if dry_run else self._store.writing() as db:
                active = table.own_active(db, viewer)
                old = [item for item in active if kept_too_long(item, now, retention_days)]
                gone = {item.id for item in old}
                rest = [item for item in active if item.id not in gone]
                crowded = beyond(rest, max_records) if max_records is not None else []
                for reason, items in (("retention", old), ("capacity", crowded)):
                    if items and dry_run:
                        receipts.append(SourceReceipt(tuple(item.id for item in items), reason, dry_run=True))
                    elif items:
                        receipts.append(self.buried(db, viewer, histories(db, items), reason))
            purged = bool(receipts) and not dry_run and self._store.purge()
        return tuple(replace(receipt, purged=purged) for receipt in receipts)

    def unindex(self, db: Connection, items: Sequence[Source]) -> None:
        """Remove records from the common index, with the vectors that lost their last text."""
        for item in items:
            vector_index.remove_records(self._store, db, DOOR, item.space, [item.id])

    def buried(self, db: Connection, viewer: Viewer, items: Sequence[Source], reason: str) -> SourceReceipt:
        """Make tombstones of records, and owe the rewriting of the file."""
        now = self._engine.clock()
        ids = tuple(item.id for item in items)
        self.unindex(db, items)
        table.bury(db, ids, now=now)
        lexical_index.scrub(db)
        self._store.owe_purge(db)
        groups = Counter(f"{item.scope.value}/{item.kind.value}" for item in items)
        audit_id = table.audit(
            db, reason, viewer.user_id, {"record_ids": [*ids], "groups": dict(sorted(groups.items()))}, at=now
        )
        return SourceReceipt(ids, reason, audit_id=audit_id)


def histories(db: Connection, items: Sequence[Source]) -> list[Source]:
    """The records with their older versions."""
    found: list[Source] = []
    for item in items:
        found += table.under_key(db, item.space, item.source_key) if item.source_key else [item]
    return [version for version in found if version.source_status is not SourceStatus.DELETED]


def kept_too_long(item: Source, now: float, retention_days: float | None) -> bool:
    days = item.policy.retention_days if item.policy.retention_days is not None else retention_days
    return days is not None and now - item.created_at > days * table.DAY


def beyond(active: Sequence[Source], most: int) -> list[Source]:
    """The records of each owner, scope and kind that were used longest ago, beyond the `most` that stay."""
    groups: dict[tuple[str, str], list[Source]] = {}
    for item in active:
        groups.setdefault((item.space, item.kind.value), []).append(item)
    found = []
    for group in groups.values():
        found += sorted(
            group, key=lambda item: (max(item.used_at or 0.0, item.created_at), item.id), reverse=True
        )[most:]
    return found
