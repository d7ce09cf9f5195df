"""Changes on disk: known files and folders are compared with their times."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from daypack.doors.reading.walk import ABSENT, FoundFile, WalkRules
from daypack.guard.paths import path_of
from daypack.index.rows import Stored
from daypack.ports import Handling
from daypack.types import IngestIssue, Record, SkipReason


class Freshness(NamedTuple):
    """The changes of a root since its last walk."""

    changed: tuple[str, ...] = ()  # uids of changed or vanished files
    folders: bool = False  # a folder or an ignore file changed, or the last walk was in another place
    unchecked: int = 0  # files whose texts stay, because the root is `elsewhere`
    elsewhere: bool = False  # the store did not read the root in this place
    missing: bool = False  # nothing is at the path of the root
    adding: bool = False  # a process that adds files reads the root for the first time

    @property
    def fresh(self) -> bool:
        return not self.changed and not self.folders


def changes(base: str, known: Sequence[tuple[str, int, int]]) -> tuple[int, list[str]]:
    """(number of vanished files, uids of changed and vanished ones), of (uid, modification time in ns, size in bytes)."""
    gone, changed = 0, []
    for uid, mtime_ns, size in known:
        status = status_of(base, uid)
        if status is None:
            gone += 1
        if status is None or status.st_mtime_ns != mtime_ns or status.st_size != size:
            changed.append(uid)
    return gone, changed


def status_of(base: str, uid: str) -> os.stat_result | None:
    try:
        return os.stat(_place(base, uid), follow_symlinks=False)
    except OSError:
        return None


def state_of(root: Path, uid: str, stored: Stored, rules: WalkRules) -> str:
    """ "current", "changed" or "gone": a file behind its stored record. One with another time alone, as after a checkout of git,
    is read again.
    """
    path = path_of(root, uid)
    try:
        status = os.stat(path)
    except OSError:
        return "gone" if is_gone(path) else "changed"
    if status.st_size != stored.size:
        return "changed"
    if status.st_mtime_ns == stored.mtime_ns:
        return "current"
    from daypack.doors.reading.formats import read_file  # few files are read for their state
    from daypack.engine.ingest import prepare

    top = root if path.is_relative_to(root) else path.parent
    record = read_file(FoundFile(str(path), uid, status.st_size, status.st_mtime_ns, top), rules)
    same = isinstance(record, Record) and prepare(record, Handling())[0].hash == stored.hash
    return "current" if same else "changed"


def is_gone(path: Path) -> bool:
    """True when a walk would not meet this path: nothing is there, or a folder above it became a file or a link. False where
    the permissions of a folder hide that.
    """
    folder = os.path.dirname(path)  # noqa: PTH120
    if os.path.realpath(folder) != folder:
        return True
    try:
        path.lstat()
    except PermissionError:
        return False
    except OSError:
        return True
    return False


def may_be_read(base: str, skipped: IngestIssue, limit: Callable[[str], int]) -> bool:
    """True for a file that was skipped for its size and is within the `limit` of its name by now, or gone, and for a file or
    folder that was skipped for its permissions, when this process has them.
    """
    name = skipped.uri.rstrip("/")
    if skipped.reason is SkipReason.TOO_LARGE:
        status = status_of(base, name)
        return status is None or status.st_size <= limit(name.rpartition("/")[2])
    return os.access(_place(base, name), os.R_OK if name == skipped.uri else os.R_OK | os.X_OK)


def mtime_of(folder: str) -> int:
    """The time of a folder or an ignore file; links are not followed, as in a walk."""
    try:
        return os.stat(_place("/", folder), follow_symlinks=False).st_mtime_ns
    except OSError:
        return ABSENT


def _place(base: str, uid: str) -> str | Path:
    """The path of a uid: `path_of` in a tenth of its time, for the usual uid needs no decoding."""
    if "\\x" in uid:
        return path_of(Path(base), uid)
    return uid if uid.startswith("/") else f"{base}/{uid}"
