"""The entry of the files door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.engine.doors import Door
from daypack.errors import CannotWrite, StoreBusy
from daypack.ports import Handling
from daypack.settings.configuration import Setting

if TYPE_CHECKING:
    from pathlib import Path

    from daypack.doors.files.door import FilesDoor
    from daypack.engine.open_store import OpenStore
    from daypack.types import IngestIssue, SearchStats

SMALL_CHANGE = 500  # changed files that a query re-reads by itself; more are reported as stale
FIRST_FILES = 10.0  # seconds that a question waits for the first files of another process
ADDING = "files are being added, and this answer knows those that are stored so far"


def _open(opened: OpenStore) -> FilesDoor:
    from daypack.doors.files.door import FilesDoor

    size = dict(opened.engine.settings.of_doors).get(LARGEST_FILE.name)
    rules = opened.rules.with_largest(_read_size(size) << 20) if size else opened.rules
    return FilesDoor(opened.engine, opened.root, rules=rules)


def _read_size(text: str) -> int:
    """The value of `largest_file_mib`. Raises ValueError with the valid values."""
    from daypack.doors.reading.walk import LARGEST_MIB

    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= LARGEST_MIB):
        raise ValueError(f"a whole number from 1 to {LARGEST_MIB}")
    return int(text)


LARGEST_FILE = Setting(
    "largest_file_mib",
    "1",
    "largest file that is read, in MiB, 64 at most; lines of text, logs and mail are read up to 10 in any case, documents up to 50",
    waits=False,
    read=_read_size,
)


def _refresh(opened: OpenStore, again: bool, stats: SearchStats) -> SearchStats:
    """Re-read changed files when they are few; the others are reported as stale."""
    if skipped := _skipped(opened):
        stats = stats._replace(skipped=skipped)
    if not again:
        return stats
    from daypack.doors.files import claims
    from daypack.types import SkipReason

    files: FilesDoor = opened.door("files")
    found = files.check()
    if any(state.adding for state in found.values()) and not _has_files(opened):
        claims.wait_while_adding(opened.engine.store.place, FIRST_FILES)  # else the answer would be nothing
        found = files.check()
    if unchecked := sum(state.unchecked for state in found.values()):
        stats = stats._replace(degraded=(*stats.degraded, _unchecked(unchecked, files.root)))
    if any(state.adding for state in found.values()):
        stats = stats._replace(degraded=(*stats.degraded, ADDING))
    stale = sum(max(len(state.changed), int(state.folders)) for state in found.values() if not state.adding)
    if not stale:
        return stats
    if stale > SMALL_CHANGE:
        return stats._replace(stale=stale)
    try:
        report = files.refresh(found)
    except CannotWrite as error:  # an answer from older text, reported as such, is better than none
        return stats._replace(stale=stale, busy=isinstance(error, StoreBusy))
    if report.removed and (unread := [one for one in report.issues if one.reason is SkipReason.UNREADABLE]):
        stats = stats._replace(degraded=(*stats.degraded, *map(_left_out, unread)))
    return stats._replace(refreshed=report.added + report.updated + report.removed)


def _has_files(opened: OpenStore) -> bool:
    from daypack.doors.files import table

    engine = opened.engine
    with engine.store.reading() as db:
        return table.has_files(db, engine.visibility.visible(db))


def _skipped(opened: OpenStore) -> int:
    """The number of files that the last walks passed over; 0 where a file is in the store."""
    from daypack.doors.files import table

    if _has_files(opened):
        return 0
    return sum(not issue.uri.endswith("/") for issue in table.skipped(opened.engine.store))


def _unchecked(files: int, root: Path) -> str:
    from daypack.shapes.wording import counted

    return (
        f"{counted(files, 'file')} answered from the store alone, which has not read them in {root}: "
        "run `daypack add .` in their folder to have them checked again"
    )


def _left_out(issue: IngestIssue) -> str:
    return f"{issue.uri} cannot be read ({issue.detail}), so the answer leaves it out"


def _state_of(opened: OpenStore, uri: str, record_hash: str) -> str:
    """Says whether the file behind a record is as it was read."""
    from daypack.doors.files.freshness import state_of

    stored = opened.engine.store.stored_record("files", "", uri)
    if stored is None or stored.hash != record_hash:
        return "current"
    files: FilesDoor = opened.door("files")
    return state_of(files.root, uri, stored, files.rules)


DOOR = Door(
    "files",
    _open,
    content="code and pages of the project",
    holds={"files": Handling(path=True, read_time=True), "text": Handling(read_time=True)},
    refresh=_refresh,
    state_of=_state_of,
    settings=lambda: (LARGEST_FILE,),
)
