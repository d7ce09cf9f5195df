"""The file that a store has open, told from another one at its path."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class FileIdentity(NamedTuple):
    """A file of this machine, by whatever path."""

    device: int
    number: int


def identity_of(file: Path) -> FileIdentity | None:
    """The file at a path; None where nothing can be seen."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return FileIdentity(status.st_dev, status.st_ino)


def is_gone(file: Path, opened: FileIdentity) -> bool:
    """True when another file is at the path of one that was `opened`, or none since it was deleted; a file that was moved is not
    gone.
    """
    found = identity_of(file)
    return _is_deleted(opened) if found is None else found != opened


def _is_deleted(opened: FileIdentity) -> bool:
    """True for a file without a name. SQLite has it open, and shows its descriptor to no caller."""
    try:
        descriptors = os.listdir("/dev/fd")  # noqa: PTH208 - names of descriptors, of no paths
    except OSError:  # Windows deletes no open file
        return False
    for descriptor in descriptors:
        try:
            status = os.fstat(int(descriptor))
        except OSError:  # the one of the listing itself
            continue
        if (status.st_dev, status.st_ino) == opened:
            return status.st_nlink == 0
    return False
