"""The entry of the knowledge door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.engine.doors import Door
from daypack.ports import Handling

if TYPE_CHECKING:
    from daypack.doors.knowledge.door import KnowledgeDoor
    from daypack.engine.open_store import OpenStore
    from daypack.types import SearchStats


def _open(opened: OpenStore) -> KnowledgeDoor:
    from daypack.doors.knowledge.door import KnowledgeDoor

    return KnowledgeDoor(opened.engine, opened.home, rules=opened.rules, scope=opened.shared)


def _refresh(opened: OpenStore, again: bool, stats: SearchStats) -> SearchStats:
    """Read the changed files and folders of labels again."""
    if again:
        from daypack.doors.knowledge.table import any_backed

        with opened.engine.store.reading() as db:
            backed = any_backed(db)
        if backed:
            problems = opened.door("knowledge").try_refresh()
            return stats._replace(degraded=(*stats.degraded, *problems))
    return stats


DOOR = Door(
    "knowledge",
    _open,
    content="labelled texts, web pages, output of commands",
    holds={"knowledge": Handling(read_time=True, scoped=True, by_hand=True)},
    toolset="knowledge",
    verbs="daypack.doors.knowledge.verbs",
    refresh=_refresh,
)
