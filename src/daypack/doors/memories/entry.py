"""The entry of the memories door."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from daypack.doors.memories.spaces import INFERRED, hides, spaces
from daypack.engine.doors import Door
from daypack.ports import Connection, Handling

if TYPE_CHECKING:
    from daypack.doors.memories.door import MemoriesDoor
    from daypack.engine.checks import Check
    from daypack.engine.open_store import OpenStore
    from daypack.types import SearchStats


def _open(opened: OpenStore) -> MemoriesDoor:
    from daypack.doors.memories.door import MemoriesDoor

    return MemoriesDoor(opened.engine, owner=opened.owner, project=opened.project, notes_use=opened.notes_use)


def _refresh(opened: OpenStore, again: bool, stats: SearchStats) -> SearchStats:  # noqa: ARG001

    with opened.engine.store.reading() as db:
        remembered = bool(spaces(db))  # without them nothing here changes by time alone
    if remembered:
        opened.door("memories").refresh()
    return stats


def _mend(opened: OpenStore) -> Iterator[str]:
    from daypack.doors.memories.writing.indexing import mend

    return mend(opened.engine)


def _checks(db: Connection) -> Iterator[Check]:
    from daypack.doors.memories.table import AUDIT, count_astray
    from daypack.engine.checks import audited

    yield audited("memories", AUDIT.broken_lines(db), count_astray(db), "value", db.mend)


DOOR = Door(
    "memories",
    _open,
    content="what was remembered",
    holds={"memories": Handling(private=True, by_hand=True, alias="a memory")},
    beside=True,
    hides=hides,
    toolset="memory",
    verbs="daypack.doors.memories.verbs",
    refresh=_refresh,
    after_pack=lambda opened, pack: opened.door("memories").note_packed(pack),
    inferred={"memory_space": INFERRED},
    mend=_mend,
    checks=_checks,
)
