"""SQLite's connection with the few steps that statements cannot say alike for every database."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from daypack.errors import MENDING_A_FILE
from daypack.ports import Part

_NO_SPACE = (
    apsw.SQLITE_IOERR_WRITE,
    apsw.SQLITE_IOERR_FSYNC,
    apsw.SQLITE_IOERR_DIR_FSYNC,
    apsw.SQLITE_IOERR_TRUNCATE,
    apsw.SQLITE_IOERR_SHMSIZE,
    apsw.SQLITE_IOERR_SHMOPEN,
    apsw.SQLITE_IOERR_SHMMAP,
)


def lacks_space(error: apsw.Error) -> bool:
    """True for the errors of a full disk."""
    return isinstance(error, apsw.FullError) or getattr(error, "extendedresult", 0) in _NO_SPACE


class FileConnection(apsw.Connection):
    """The port `daypack.ports.Connection` over SQLite."""

    @property
    def store_name(self) -> str:
        return str(Path(self.filename).parent)

    @property
    def mend(self) -> str:
        return MENDING_A_FILE

    def new_ids(self, table: str, count: int) -> range:
        last = self.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).get or 0
        return range(last + 1, last + 1 + count)

    def problems(self, most: int) -> list[str]:
        found = [" ".join(row[0].split()) for row in self.execute(f"PRAGMA integrity_check({most})")]
        return [] if found == ["ok"] else found

    def dangling_rows(self) -> int:
        return sum(1 for _ in self.execute("PRAGMA foreign_key_check"))

    def read_parts(self, table: str, column: str, row: int, parts: Sequence[Part]) -> list[bytes]:
        # One handle for all: SQLite walks the pages of a long value once a handle.
        with self.blob_open("main", table, column, row, False) as blob:
            found = []
            for start, size in parts:
                blob.seek(start)
                found.append(blob.read(size))
        return found

    def clear_parts(self, table: str, column: str, row: int, parts: Sequence[Part]) -> None:
        with self.blob_open("main", table, column, row, True) as blob:
            for start, size in parts:
                blob.seek(start)
                blob.write(bytes(size))

    def read_into(self, table: str, column: str, row: int, target: memoryview) -> None:
        with self.blob_open("main", table, column, row, False) as blob:
            blob.read_into(target)


def connect(file: Path, busy_seconds: float, *, read_only: bool) -> FileConnection:
    if read_only:
        connection = _connect_reading(file)
    else:
        old = os.umask(0o077)  # the -wal and -shm files take the mode of the database
        try:
            connection = FileConnection(str(file), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        finally:
            os.umask(old)
    connection.set_busy_timeout(int(busy_seconds * 1000))
    # One pragma at a time: a statement that returns rows would stop the ones behind it.
    if not read_only:
        # SQLite does not use the busy handler for this lock: two first openings need a retry loop of their own.
        patiently(lambda: connection.pragma("journal_mode", "wal"), busy_seconds)
        connection.pragma("synchronous", "FULL")
        connection.pragma("journal_size_limit", 64 << 20)
        connection.pragma("secure_delete", True)  # deleted rows and freed pages are overwritten
    connection.pragma("foreign_keys", True)
    connection.pragma("trusted_schema", False)
    connection.pragma("cell_size_check", True)
    connection.pragma("cache_size", -64_000)  # KiB at most; what is touched by a query of 100,000 memories
    connection.create_scalar_function("regexp", _matches, 2, deterministic=True)  # type: ignore[arg-type]  # SQLite gives what the column holds: text or NULL
    return connection


def _connect_reading(file: Path) -> FileConnection:
    """A read-only connection to a file or folder."""
    connection = FileConnection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.pragma("user_version")
        return connection
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError) as error:
        # A reader of a WAL writes as well, into -shm. Where it cannot be made no process has the store open, and
        # without frames in the WAL the file alone is everything.
        connection.close()
        if isinstance(error, apsw.IOError) and not lacks_space(error):
            raise
        wal = Path(f"{file}-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        return FileConnection(
            f"{file.absolute().as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )


def patiently(step: Callable[[], object], seconds: float) -> None:
    """Call `step` until no other process writes."""
    import time

    deadline = time.monotonic() + seconds
    while True:
        try:
            step()
            return
        except (apsw.BusyError, apsw.LockedError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _matches(pattern: str, value: str | None) -> bool:
    """SQL's `value REGEXP pattern`; Daypack makes the patterns from globs, users never do."""
    return value is not None and re.search(pattern, value, re.DOTALL) is not None
