"""A backup becomes a store again."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from daypack.index.copies.backups import Backup, Backups
from daypack.index.copies.placing import Kept, place, workplace
from daypack.index.database import Database


class Restored(NamedTuple):
    """A backup that was restored, and the way in which the store before it was kept."""

    backup: Backup
    kept: Kept


def restore(source: Path, folder: Path, *, now: float, at: float | None = None) -> Restored:
    """Make the newest backup in `source`, or the newest made at or before `at`, the store in `folder`.

    Raises StoreError; the store in `folder` is then as it was.
    """
    backups = Backups(source)
    backup = backups.choose(at)
    with workplace(folder) as work:
        backups.extract(backup, work)
        # checks that it is a store, and migrates it
        Database.open(work, create=False, clock=lambda: now).close()
        return Restored(backup, place(work, folder, now=now))
