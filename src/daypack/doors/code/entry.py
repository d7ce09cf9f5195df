"""The entry of the code door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.engine.doors import NOTHING_SPECIAL, Door

if TYPE_CHECKING:
    from daypack.doors.code.door import CodeDoor
    from daypack.engine.open_store import OpenStore
    from daypack.index.store import Store
    from daypack.ports import Connection


def _open(opened: OpenStore) -> CodeDoor:
    from daypack.doors.code.door import CodeDoor

    return CodeDoor(opened.engine, opened.door("files").root, opened.refresh_if_stale)


def _rebuild(db: Connection) -> None:
    from daypack.doors.code.table import clear

    clear(db)


def _after_add(store: Store) -> None:
    """Copy the vectors of these texts from the stores of the repository's other work trees."""
    from daypack.doors.code.siblings import take_vectors

    take_vectors(store)


DOOR = Door(
    "code",
    _open,
    content="code of the project",
    holds={"files": NOTHING_SPECIAL, "text": NOTHING_SPECIAL},  # the files door, before this, says more
    kinds=("code",),
    toolset="code",
    verbs="daypack.doors.code.verbs",
    after_add=_after_add,
    rebuild=_rebuild,
)
