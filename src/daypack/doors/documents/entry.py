"""The entry of the documents door."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from daypack.engine.doors import Door
from daypack.ports import Connection, Handling

if TYPE_CHECKING:
    from daypack.doors.documents.door import DocumentsDoor
    from daypack.engine.checks import Check
    from daypack.engine.open_store import OpenStore
    from daypack.types import SearchStats


def _open(opened: OpenStore) -> DocumentsDoor:
    from daypack.doors.documents.door import DocumentsDoor

    return DocumentsDoor(opened.engine)


def _refresh(opened: OpenStore, again: bool, stats: SearchStats) -> SearchStats:  # noqa: ARG001
    """Bring the texts of written documents into the index."""
    if not opened.engine.store.awaits_text() or not (lacking := opened.door("docs").follow()):
        return stats
    note = f"{lacking:,} documents are not in the index yet; run `daypack docs sync`"
    return stats._replace(degraded=(*stats.degraded, note))


def _rebuild(db: Connection) -> None:
    from daypack.doors.documents.indexing import await_changed_text

    await_changed_text(db)


def _mend(opened: OpenStore) -> Iterator[str]:
    from daypack.doors.documents.indexing import mend

    return mend(opened.engine)


def _deep_checks(db: Connection) -> Iterator[Check]:
    from daypack.doors.documents.table import broken_documents, count_lost_entries
    from daypack.engine.checks import Check, CheckVerdict

    bad, lost = broken_documents(db), count_lost_entries(db)
    yield Check(
        "documents",
        CheckVerdict.DAMAGE if bad or lost else CheckVerdict.OK,
        f"{bad} documents have changed since they were stored, {lost} index entries have no document: {db.mend}"
        if bad or lost
        else "every document matches its hash",
    )


DOOR = Door(
    "docs",
    _open,
    content="JSON documents",
    holds={"docs": Handling(by_hand=True)},
    beside=True,
    toolset="docs",
    verbs="daypack.doors.documents.verbs",
    refresh=_refresh,
    rebuild=_rebuild,
    mend=_mend,
    deep_checks=_deep_checks,
)
