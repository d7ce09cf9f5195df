"""A finished store moves into the place of another one, which is kept.

`workplace` is a folder `placing` inside the store's: what is made there is on the same file system, private, and
removed by the next call when a process died.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from daypack.errors import NotAStore, StoreBusy, StoreDamaged, StoreEmpty, StoreNotFound, StoreVersionMismatch
from daypack.index.database import ASIDE, Database
from daypack.index.embedded.opening import FILE_NAME, MARKER, make_folder
from daypack.system import lock, sync_path

WORKPLACE = "placing"


class Kept(NamedTuple):
    """The way in which the former store was kept: `backup` names its backup in the store's folder, `aside` the folder
    of an original that could not be read. Both are "" when there was none.
    """

    backup: str = ""
    aside: str = ""


@contextlib.contextmanager
def workplace(folder: Path) -> Iterator[Path]:
    """An empty private folder for a new store of `folder`, which is made when missing. Raises StoreBusy while another
    process has it.
    """
    made = not folder.exists()
    if not (folder / FILE_NAME).exists():
        make_folder(folder)
    work = folder / WORKPLACE
    descriptor = os.open(folder / f"{WORKPLACE}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if not lock(descriptor, wait=False):
            raise StoreBusy(str(folder))
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
        os.close(descriptor)
        if not (folder / FILE_NAME).exists():
            (folder / MARKER).unlink(missing_ok=True)
            if made:
                shutil.rmtree(folder, ignore_errors=True)


def place(fresh: Path, folder: Path, *, now: float) -> Kept:
    """Make the closed store in the folder `fresh` the store of `folder`, with its other files where those are missing.

    A sound store there gets a backup first and takes the content over in one transaction, also while others use it.
    A damaged one, or one of a newer version, is set aside. Raises StoreError, and then nothing has changed.
    """
    try:
        with Database.open(folder, create=False, clock=lambda: now) as former:
            name = former.snapshot(now).backup.name
            former.take_over(fresh / FILE_NAME)
        kept = Kept(backup=name)
    except StoreNotFound:
        kept = Kept()
        (fresh / FILE_NAME).replace(folder / FILE_NAME)
    except (StoreDamaged, StoreEmpty, NotAStore, StoreVersionMismatch):
        if not (folder / FILE_NAME).is_file():
            raise
        kept = Kept(aside=set_aside(folder, now=now))
        (fresh / FILE_NAME).replace(folder / FILE_NAME)
    sync_path(folder)
    (folder / MARKER).unlink(missing_ok=True)
    for path in sorted(fresh.rglob("*")):
        target = folder / path.relative_to(fresh)
        if path.is_dir():
            target.mkdir(mode=0o700, exist_ok=True)
        elif not target.exists() and not path.name.startswith(FILE_NAME):
            path.replace(target)
    return kept


def aside_name(now: float) -> str:
    """The folder for a store that is set aside at this moment, by its path in the store's."""
    return f"{ASIDE}/{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H-%M-%S.%fZ}"


def make_aside(folder: Path, name: str) -> Path:
    for path in (folder / ASIDE, folder / name):
        path.mkdir(mode=0o700, exist_ok=True)
    return folder / name


def set_aside(folder: Path, *, now: float) -> str:
    """Keep the unreadable database of a store in a folder of its own, and return the folder's path in the store's. The
    database itself stays in its place until another one takes it; its write-ahead log goes.
    """
    name = aside_name(now)
    target = make_aside(folder, name)
    for suffix in ("", "-wal", "-shm"):
        source = folder / f"{FILE_NAME}{suffix}"
        if source.exists():
            try:
                (target / source.name).hardlink_to(source)
            except OSError:  # a file system without links
                shutil.copy2(source, target / source.name)
                sync_path(target / source.name)
    for path in (target, target.parent, folder):
        sync_path(path)
    # A log beside a new database would be read into it.
    for suffix in ("-wal", "-shm"):
        (folder / f"{FILE_NAME}{suffix}").unlink(missing_ok=True)
    return name
