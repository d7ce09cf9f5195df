"""A backup becomes a store again."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from daypack.index import meta
from daypack.index.copies.backups import Backup, Backups
from daypack.index.copies.placing import Kept, place, workplace
from daypack.index.database import Database
from daypack.settings.places import ROOT_FILE


class Restored(NamedTuple):
    """A backup that was restored, and the way in which the store before it was kept."""

    backup: Backup
    kept: Kept


def restore(source: Path, folder: Path, *, now: float, at: float | None = None) -> Restored:
    """Make the newest backup in `source`, or the newest made at or before `at`, the store in `folder`.

    Raises StoreError; the store in `folder` is then as it was.

    A restore is the moment when originals may be missing: the store forgets where it read files, and in another folder than
    its own also its project, so that no question takes a missing file for a deleted one.
    """
    backups = Backups(source)
    backup = backups.choose(at)
    with workplace(folder) as work:
        backups.extract(backup, work)
        # checks that it is a store, and migrates it
        with Database.open(work, create=False, clock=lambda: now) as fresh:
            meta.drop(fresh.db, meta.PLACES)
        if str(folder) != backup.origin:
            (work / ROOT_FILE).unlink(missing_ok=True)
        return Restored(backup, place(work, folder, now=now))
