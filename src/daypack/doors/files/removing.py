"""Removes a root: its files leave the store, and stay on disk."""

from __future__ import annotations

from daypack.doors.files import table
from daypack.doors.files.roots import belongs
from daypack.engine.engine import Engine
from daypack.errors import NotFound
from daypack.ports import FILES


def remove_root(engine: Engine, root: str) -> int:
    """Forget a root and erase its files, but for those of another; returns their number.

    One transaction does both: a root that outlived its files would bring them back with the next question.
    """
    with engine.store.writing() as db:
        roots = [path for path, _ in table.roots(engine.store)]
        if root not in roots:
            raise NotFound(f"{root!r} was not added", f"these were: {', '.join(roots) or 'none'}")
        others = [other for other in roots if other != root]
        gone = [
            uid
            for uid in engine.store.stored(FILES)
            if belongs(uid, root) and not any(belongs(uid, other) for other in others)
        ]
        removed = engine.ingestion.erase_within(db, FILES, "", gone)
        table.drop_root(db, root)
    engine.store.purge()
    return removed
