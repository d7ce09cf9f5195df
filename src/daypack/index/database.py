"""The store's file: one SQLite database in WAL mode, read by snapshots and written by short immediate transactions."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import apsw

from daypack.errors import NotAStore, StoreDamaged, StoreNotFound, StoreReplaced, StoreVersionMismatch
from daypack.index import meta
from daypack.index.embedded import opening
from daypack.index.embedded.connection import FileConnection, connect, lacks_space, patiently
from daypack.index.embedded.identity import FileIdentity, identity_of, is_gone
from daypack.index.folded import marks
from daypack.index.schema import APPLICATION_ID, MIGRATIONS, PACKED, VERSION
from daypack.index.transactions import Transactions
from daypack.ports import Clock, Connection
from daypack.types.servers import ServerAddress

if TYPE_CHECKING:
    from daypack.index.copies.backups import Taken

# of parents that forked inside a transaction: kept, so that nothing closes them
_ABANDONED: list[apsw.Connection] = []
_PURGED_IN_MEMORY = 256 << 20  # bytes of a store
_LEAP = 1 << 20  # commits of others while a store is taken over, at most
SNAPSHOTS, ASIDE = "backup", "aside"  # folders of automatic backups, and of damaged originals
KEPT_SNAPSHOTS = 3


class Database(Transactions):
    """One file and its connection. Open with `open`; close it, or use it as a context manager."""

    _identity: FileIdentity | None = None

    def __init__(self, folder: Path, connection: FileConnection, *, read_only: bool) -> None:
        self.folder = folder
        self.file = folder / opening.FILE_NAME
        self.read_only = read_only
        self._db, self._identity = connection, identity_of(self.file)
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._depth = 0
        self._functions: dict[str, Callable[..., Any]] = {}

    # ------------------------------------------------------------ opening

    @classmethod
    def open(cls, folder: Path, *, create: bool = True, clock: Clock = time.time) -> Self:
        """Open or create the store in `folder`. Raises StoreError. `clock` dates the backup that precedes a migration."""
        file = folder / opening.FILE_NAME
        opening.check_path(folder, file)
        if not file.exists() and not file.is_symlink():
            if not create:
                raise StoreNotFound(str(folder))
            opening.make_folder(folder)
        opening.check_safety(folder, file)
        opening.check_header(folder, file, newest=VERSION)
        read_only = file.exists() and not (os.access(file, os.W_OK) and os.access(folder, os.W_OK))
        with opening.translated(file):
            try:
                store = cls._connected(folder, clock, read_only=read_only)
            except apsw.Error as error:
                # A reader makes a file of its own (-shm), for which a full disk has no room.
                if not lacks_space(error) or not file.stat().st_size:
                    raise
                store = cls._connected(folder, clock, read_only=True, disk_full=True)
        if not store.read_only:
            (folder / opening.MARKER).unlink(missing_ok=True)
        return store

    @classmethod
    def _connected(cls, folder: Path, clock: Clock, *, read_only: bool, disk_full: bool = False) -> Self:
        connection = connect(folder / opening.FILE_NAME, opening.BUSY_SECONDS, read_only=read_only)
        store = cls(folder, connection, read_only=read_only)
        store.disk_full = disk_full
        try:
            store._check_identity()
            store._migrate(clock)
        except BaseException:
            connection.close()
            raise
        return store

    def _check_identity(self) -> None:
        # In this order: another process may be making the tables, and a reader of them then sees whose they are.
        tables = self._db.execute("SELECT count(*) FROM sqlite_schema").get
        application_id = self._db.pragma("application_id")
        if application_id != APPLICATION_ID and (application_id or tables):
            raise NotAStore(str(self.file), "it is a database of another program")
        version = self._db.pragma("user_version")
        if version > VERSION:
            raise StoreVersionMismatch(str(self.folder), version, VERSION)

    def _migrate(self, clock: Clock) -> None:
        version = self._db.pragma("user_version")
        if version == VERSION:
            return
        self._check_writable()
        if version:
            self.snapshot(clock())
        with self.writing():
            version = self._db.pragma("user_version")  # another process may have been faster
            for step in MIGRATIONS[version:]:
                for statement in step.split(";"):
                    if statement.strip():
                        self._db.execute(statement)
            if 0 < version < PACKED:
                from daypack.index.postings.packed import pack_former

                pack_former(self._db)
            self._db.pragma("application_id", APPLICATION_ID)
            self._db.pragma("user_version", VERSION)

    def snapshot(self, now: float) -> Taken:
        """Back up the store into its own folder; of such backups the newest KEPT_SNAPSHOTS stay. Raises StoreError."""
        from daypack.index.copies.backups import Backups

        return Backups(self.folder / SNAPSHOTS).take(self.folder, self.copy_to, now=now, keep=KEPT_SNAPSHOTS)

    def copy_to(self, target: Path) -> int:
        """Copy one state of the database to `target` while others use it, check the copy, return its schema. Raises StoreError."""
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # before it has any content
        with opening.translated(target):
            copy = apsw.Connection(str(target))
            try:
                with self.reading():
                    # The first read fixes the state: without it the copy would start again after each write of another process.
                    schema = int(self._db.pragma("user_version"))
                    with copy.backup("main", self._db, "main") as progress:
                        while not progress.done:
                            progress.step(1000)
                if schema == VERSION:
                    marks.forget(copy)
                verdict = copy.execute("PRAGMA integrity_check(1)").get
            finally:
                copy.close()
        if verdict != "ok":
            raise StoreDamaged(str(self.file), verdict)
        return schema

    def take_over(self, file: Path) -> None:
        """Replace the content by that of another store's file, in one transaction; its sequences rise above ours, so that no
        process takes an earlier state in memory for this one. Raises StoreError.
        """
        with self._lock, opening.translated(self.file):
            source = apsw.Connection(str(file))
            try:
                for counter, value in zip(("seq", "vec_seq"), self.sequences(), strict=True):
                    source.execute(
                        "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = max(value, ?2)",
                        (counter, value + _LEAP),
                    )
                marks.forget(source)
                with self._db.backup("main", source, "main") as progress:
                    # a backup knows no busy handler for its target
                    patiently(lambda: progress.step(-1), opening.BUSY_SECONDS)
            finally:
                source.close()

    def backups(self) -> list[str]:
        """Copies of the whole store in its folder, by their paths there."""
        manifests, aside = f"{SNAPSHOTS}/backups/*.json", f"{ASIDE}/*"
        found = [
            path for pattern in (f"{SNAPSHOTS}/*.db", manifests, aside) for path in self.folder.glob(pattern)
        ]
        return sorted(path.relative_to(self.folder).as_posix() for path in found)

    @property
    def place(self) -> Path | ServerAddress:
        """The folder or server that opens the store once more."""
        return self.folder

    @property
    def name(self) -> str:
        return str(self.folder)

    @property
    def mend(self) -> str:
        """The step that mends damaged rows, at the end of a message."""
        return self._db.mend

    def check_is_file(self, what: str) -> None:
        """Raise OnlyForFiles for a store on a server, which has no `what`."""

    def server(self) -> tuple[str, ...]:
        """Facts about the server: its version, and the delay of a replica; empty for a file."""
        return ()

    def lag(self) -> float | None:
        """Seconds by which answers may be older than the store that is written, None for the store itself."""
        return None

    def close(self) -> None:
        self._db.close()

    @property
    def is_closed(self) -> bool:
        """True after `close`; every use then raises StoreClosed."""
        try:
            self._db.in_transaction  # noqa: B018
        except apsw.ConnectionClosedError:
            return True
        return False

    @property
    def is_gone(self) -> bool:
        """True when the file was deleted, or another took its place, after it was opened: writes would be lost."""
        return self._identity is not None and is_gone(self.file, self._identity)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def db(self) -> Connection:
        if self._pid != os.getpid():
            self._reopen_in_child()
        return self._db

    def _reopen_in_child(self) -> None:
        # Closed before another is opened: SQLite keeps one table of locks a process, and with the inherited connection in it the
        # child would take the parent's locks for its own. Once the parent had gone, others would delete the child's WAL.
        if self._depth:
            # closing would roll the parent's transaction back, in memory that both share
            _ABANDONED.append(self._db)
        else:
            with contextlib.suppress(apsw.Error):
                self._db.close()
        self._lock = threading.RLock()
        self._depth = 0
        self._pid = os.getpid()
        with opening.translated(self.file):
            self._take(connect(self.file, opening.BUSY_SECONDS, read_only=self.read_only))

    def _take(self, connection: FileConnection) -> None:
        self._db, self._identity = connection, identity_of(self.file)
        for name, function in self._functions.items():
            connection.create_scalar_function(name, function, deterministic=True)

    def add_function(self, name: str, function: Callable[..., Any]) -> None:
        """Register a function of our own with SQL; its result must depend on its arguments alone."""
        self._functions[name] = function
        self._db.create_scalar_function(name, function, deterministic=True)

    # ------------------------------------------------------------ transactions

    def _prepare(self) -> None:
        if self._pid != os.getpid():
            self._reopen_in_child()
        if self.disk_full and not self._depth:
            with self._lock, contextlib.suppress(apsw.Error):  # the disk is still full
                connection = connect(self.file, opening.BUSY_SECONDS, read_only=False)
                self._db.close()
                self._take(connection)
                self.read_only = self.disk_full = False
        if not self._depth and self.is_gone:
            raise StoreReplaced(self.name)

    def _begin_reading(self) -> None:
        self._db.execute("BEGIN")

    def _end_reading(self) -> None:
        self._db.execute("COMMIT")

    def _translated(self) -> contextlib.AbstractContextManager[None]:
        return opening.translated(self.file)

    def _is_made(self) -> bool:
        return bool(self._db.pragma("application_id") == APPLICATION_ID)

    def _commit(self) -> None:
        self._db.execute("COMMIT")

    def _roll_back(self) -> None:
        with contextlib.suppress(apsw.Error):  # SQLite may have rolled back by itself
            self._db.execute("ROLLBACK")

    def _settle(self) -> None:
        """Move the write-ahead log, whose older pages hold erased text, into the file and empty it. Where others read the log,
        the next transaction that erases does this, or the last process that closes the store.
        """
        with self._waiting(0), contextlib.suppress(apsw.BusyError, apsw.LockedError):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextlib.contextmanager
    def _syncing(self, durable: bool) -> Iterator[None]:
        if not durable:
            self._db.pragma("synchronous", "NORMAL")
        try:
            yield
        finally:
            if not durable:
                self._db.pragma("synchronous", "FULL")

    def _begin(self, seconds: float) -> None:
        with self._waiting(seconds):
            self._db.execute("BEGIN IMMEDIATE")

    @contextlib.contextmanager
    def _waiting(self, seconds: float) -> Iterator[None]:
        """Wait so long for other processes."""
        self._db.set_busy_timeout(int(seconds * 1000))
        try:
            yield
        finally:
            self._db.set_busy_timeout(int(opening.BUSY_SECONDS * 1000))

    def purge(self, *, busy_seconds: float = 2.0) -> bool:
        """Rewrite the file, move the write-ahead log into it and truncate the log; False, and still due, when others hold the
        store open.

        The file is rewritten because overwriting deleted rows (`secure_delete`) is not enough: when SQLite moves rows between
        pages it leaves the old bytes in the unused middle of a page. Takes about a second for each 100 MB of the store.
        """
        with self._lock, opening.translated(self.file), self._waiting(busy_seconds):
            # Made in memory where it is small enough: faster, and no part reaches the system's temporary folder.
            self._db.pragma("temp_store", 2 if self.size() <= _PURGED_IN_MEMORY else 0)
            try:
                due = meta.value_of(self._db, "purge")
                self._db.execute("VACUUM")
                found = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if found is None or found[0]:
                    return False
                meta.drop_as_read(self._db, "purge", due)
            except apsw.BusyError:
                return False
            finally:
                self._db.pragma("temp_store", 0)
        return True

    def size(self) -> int:
        """Bytes on disk; files that others remove meanwhile count as 0."""
        total = 0
        for path in self.folder.glob(f"{opening.FILE_NAME}*"):
            with contextlib.suppress(FileNotFoundError):
                total += path.stat().st_size
        return total + marks.bytes_on_disk(self.folder)
