"""Reads the new and changed files of a walk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from daypack.doors.files.table import Unfit
from daypack.doors.reading.attributes import Attributes
from daypack.doors.reading.walk import FoundFile, WalkRules
from daypack.index.rows import Stored
from daypack.ports import Progress
from daypack.types import IngestIssue, Record, SkipReason

# A file that changed while it was read, could not be opened, or lacks an extra is tried again at the next look.
TRIED_AGAIN = (SkipReason.CHANGED_WHILE_READING, SkipReason.UNREADABLE, SkipReason.NEEDS_EXTRA)


class FileReader:
    """Reads those of `files` (by uid) that differ from the `stored` ones in time, size or declared `purposes`.

    A file of `unfit` is not opened before it changes. When `records` has ended, `issues` has
    an issue for each file without a record, `times` the (mtime_ns, size) of those that need not be tried again, and
    `unchanged` is the number of files that did not differ.
    """

    def __init__(
        self,
        files: Mapping[str, FoundFile],
        declared: Attributes,
        rules: WalkRules,
        *,
        stored: Mapping[str, Stored],
        purposes: Mapping[str, Mapping[str, bool]],
        unfit: Mapping[str, Unfit],
    ) -> None:
        self.files = files
        self.issues: list[IngestIssue] = []
        self.times: dict[str, tuple[int, int]] = {}
        self.unchanged = 0
        self._declared, self._rules = declared, rules
        self._stored, self._purposes, self._unfit = stored, purposes, unfit

    def records(self, progress: Progress | None) -> Iterator[Record]:
        """The records of new and changed files."""
        for number, (uid, found) in enumerate(self.files.items(), 1):
            if progress is not None:
                progress(number, len(self.files))
            purposes = self._declared.purposes(found.place)
            if self._is_as_stored(uid, found, purposes):
                self.unchanged += 1
            elif (record := self._read(uid, found)) is not None:
                metadata = {**record.metadata, "linguist": purposes} if purposes else record.metadata
                yield replace(record, uid=uid, uri=uid, metadata=metadata)

    def _is_as_stored(self, uid: str, found: FoundFile, purposes: Mapping[str, bool]) -> bool:
        known = self._stored.get(uid)
        return (
            known is not None
            and (known.mtime_ns, known.size) == (found.mtime_ns, found.size)
            and self._purposes.get(uid, {}) == purposes
        )

    def _read(self, uid: str, found: FoundFile) -> Record | None:
        """The record of a file; None for an unfit one, whose issue is kept."""
        known = self._unfit.get(uid)
        stamp = found.mtime_ns, found.size
        if known is not None and known.stamp == stamp:
            self.issues.append(known.issue)
            self.times[uid] = stamp
            return None
        from daypack.doors.reading.formats import read_file  # late: a check of the disk reads no file

        record = read_file(found, self._rules)
        if isinstance(record, Record):
            return record
        self.issues.append(record._replace(uri=uid))
        if record.reason not in TRIED_AGAIN:
            self.times[uid] = stamp
        return None
