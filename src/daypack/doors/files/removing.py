"""Removes a root: its files leave the store, and stay on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from daypack.doors.files import table
from daypack.engine.engine import Engine
from daypack.errors import NotFound
from daypack.ports import FILES


def remove_root(engine: Engine, root: str, roots: Sequence[str], belongs: Callable[[str, str], bool]) -> int:
    """Erase the files of one of `roots`, but for those that `belongs` gives to another; returns their number."""
    if root not in roots:
        raise NotFound(f"{root!r} was not added", f"these were: {', '.join(roots) or 'none'}")
    others = [other for other in roots if other != root]
    gone = [
        uid
        for uid in engine.store.stored(FILES)
        if belongs(uid, root) and not any(belongs(uid, other) for other in others)
    ]
    removed = engine.ingestion.erase(FILES, "", gone)
    with engine.store.writing("noted") as db:
        table.drop_root(db, root)
    return removed
