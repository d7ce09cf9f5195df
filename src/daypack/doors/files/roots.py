"""Roots: the added folders and files, and the folder `base` to which those below it are relative."""

from __future__ import annotations

import os
from pathlib import Path

from daypack.doors.files import table
from daypack.doors.reading.walk import Walk, WalkRules, walk
from daypack.engine.engine import Engine
from daypack.errors import NotFound
from daypack.guard.paths import uid_of
from daypack.index.sql import LAST_TEXT
from daypack.ports import FILES
from daypack.types import SkipReason


def belongs(uid: str, root: str) -> bool:
    """True for a file of a root."""
    if root == ".":
        return not uid.startswith("/")
    return uid == root or uid.startswith(root.rstrip("/") + "/")


def bounds_of(root: str) -> tuple[str, str]:
    """(the first uid that a file of a root may have, one behind all of them); files of other roots lie between them too."""
    return ("", LAST_TEXT) if root == "." else (root, f"{root.rstrip('/')}0")  # 0 comes after /


def root_name(target: Path, base: Path) -> str:
    """The name of a path as a root: relative to `base` when it is below that folder. A link from elsewhere to a folder is
    named like that folder, as the files in it are.
    """
    place = Path(os.path.realpath(target.parent)) / target.name if target != base else base
    if not place.is_relative_to(base) and place.is_dir():
        place = Path(os.path.realpath(place))
    return uid_of(place.relative_to(base).as_posix() if place.is_relative_to(base) else place.as_posix())


def is_moved(base: Path, inside: Path | None) -> bool:
    """True when `base` was moved or deleted after it was opened, also where another folder took its place: the store
    `inside` it is gone from there.
    """
    return not base.is_dir() or (inside is not None and not inside.exists())


def walk_of(target: Path, base: Path, rules: WalkRules) -> Walk:
    """A walk of the root at `target`; an empty one where nothing is there."""
    if not os.path.lexists(target):
        return Walk(base)
    if Path(os.path.realpath(target.parent)).is_relative_to(base) or target == base:
        return walk(base, start=None if target == base else target, rules=rules, named=True)
    if target.is_dir():
        return walk(target, rules=rules)
    return walk(target.parent, start=target, rules=rules, named=True)


def is_refused(seen: Walk) -> bool:
    """True when a walk read nothing of its root, for its name, its kind or an ignore file."""
    lasting = all(issue.reason not in (SkipReason.TOO_LARGE, SkipReason.UNREADABLE) for issue in seen.issues)
    return bool(seen.issues) and not seen.files and not seen.folders and lasting


def forget(engine: Engine, root: str) -> int:
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
