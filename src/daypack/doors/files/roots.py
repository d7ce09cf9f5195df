"""Roots: the added folders and files, and the folder `base` to which those below it are relative."""

from __future__ import annotations

import os
from pathlib import Path

from daypack.doors.reading.walk import Walk, WalkRules, walk


def belongs(uid: str, root: str) -> bool:
    """True for a file of a root."""
    if root == ".":
        return not uid.startswith("/")
    return uid == root or uid.startswith(root.rstrip("/") + "/")


def is_moved(base: Path, store: object) -> bool:
    """True when `base` was moved or deleted after it was opened, also where another folder took its place: a store inside
    it is gone from there.
    """
    if not base.is_dir():
        return True
    return isinstance(store, Path) and store.parent == base and not store.exists()


def walk_of(target: Path, base: Path, rules: WalkRules) -> Walk:
    """A walk of the root at `target`; an empty one where nothing is there."""
    if not os.path.lexists(target):
        return Walk(base)
    if Path(os.path.realpath(target.parent)).is_relative_to(base) or target == base:
        return walk(base, start=None if target == base else target, rules=rules)
    if target.is_dir():
        return walk(target, rules=rules)
    return walk(target.parent, start=target, rules=rules)
