"""The transactions of a store, in a file or on a server: reads that share one state, and short writes that count themselves.

Every transaction that may write begins IMMEDIATE: a plain BEGIN that reads first and writes later fails at once under
contention, with any busy timeout. A write is acknowledged when its transaction has committed; nothing outside the database
takes part in it, so nothing can be half done.
"""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path

from daypack.errors import DiskFull, InputError, StoreBusy, StoreReadOnly
from daypack.index import meta
from daypack.index.embedded.opening import BUSY_SECONDS
from daypack.ports import Connection


class Transactions(ABC):
    """The transactions of one connection, which threads take in turn. A kind of database says how each step is done."""

    file: Path
    read_only: bool
    disk_full = False  # True for a store that is read only until the disk has room
    _lock: threading.RLock
    _depth: int  # of transactions that are open, one in the other
    patience: float = BUSY_SECONDS  # of a write that names no seconds
    _limited = False
    locked_out: Callable[[], contextlib.AbstractContextManager[None]] | None = None
    """The context in which a write waits for other processes; entered only where they hold the store."""

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A stable snapshot; nested calls share it. Keep it short: a long one blocks checkpoints."""
        self._prepare()
        with self._lock, self._translated():
            if self._depth:
                yield self.db
                return
            self._begin_reading()
            self._depth += 1
            try:
                yield self.db
            finally:
                self._depth -= 1
                self._end_reading()

    @property
    def is_reading(self) -> bool:
        """True inside a transaction, in which no other one can begin."""
        return self._depth > 0

    @contextlib.contextmanager
    def writing(
        self, counter: str = "seq", *, busy_seconds: float | None = None, durable: bool = True
    ) -> Iterator[Connection]:
        """An immediate transaction: committed when the block ends, undone when it raises. Raises InputError inside another.

        `counter` rises with the commit: "seq" for text, "vec_seq" for vectors, which change no answer's text.
        A transaction that is not `durable` waits for no disk; a loss of power may undo it, and leaves the store whole.
        """
        self._prepare()
        self._check_writable()
        with self._lock, self._translated(), self._syncing(durable):
            if self._depth:
                raise InputError(f"{self.name} is being read by this `Daypack`; end that read, then write")
            self._begin_patiently(self.patience if busy_seconds is None else busy_seconds)
            self._depth += 1
            self._begun()
            erased = False
            try:
                yield self.db
                erased = self._before_commit(self.db)
                if self._is_made():
                    meta.count_one(self.db, counter)
                self._commit()
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._depth -= 1
            if erased:
                self._settle()

    @contextlib.contextmanager
    def waiting_at_most(self, seconds: float) -> Iterator[None]:
        """Within the context, writes wait so long for other processes, and no longer once one of the writes gave up."""
        former = self.patience, self._limited
        self.patience, self._limited = min(seconds, self.patience), True
        try:
            yield
        finally:
            self.patience, self._limited = former

    def _begin_patiently(self, seconds: float) -> None:
        try:
            with self._translated():
                self._begin_within(seconds)
        except StoreBusy:
            if self._limited:
                self.patience = 0.0
            raise

    def _begin_within(self, seconds: float) -> None:
        if self.locked_out is None:
            self._begin(seconds)
            return
        try:
            with self._translated():
                self._begin(0)
        except StoreBusy:
            with self.locked_out():
                self._begin(seconds)

    def sequences(self) -> tuple[int, int]:
        """(text, vectors): each rises with every committed write of its sort by any process; equal values mean equal content."""
        with self.reading() as db:  # one statement: each question asks a server for them
            values: dict[str, int] = dict(
                db.execute("SELECT key, CAST(value AS INTEGER) FROM meta WHERE key IN ('seq', 'vec_seq')")
            )
        return values.get("seq", 0), values.get("vec_seq", 0)

    def owe_purge(self, db: Connection) -> None:
        """Note, in a transaction that deletes text, that `purge` is due: the next able process does it."""
        meta.put(db, "purge", meta.number_of(db, "seq"))  # unlike that of every other deletion

    def owes_purge(self) -> bool:
        with self.reading() as db:
            return meta.value_of(db, "purge") is not None

    def _check_writable(self) -> None:
        if self.disk_full:
            raise DiskFull(str(self.file))
        if self.read_only:
            raise StoreReadOnly(self.name)

    def _begun(self) -> None:  # noqa: B027
        """Work at the begin of every write transaction."""

    def _before_commit(self, db: Connection) -> bool:  # noqa: ARG002
        """Work at the end of every write transaction; True when it erased text."""
        return False

    # ------------------------------------------------------------ steps of a kind of database

    @property
    @abstractmethod
    def name(self) -> str:
        """The store in messages and answers."""

    @property
    @abstractmethod
    def db(self) -> Connection:
        """The connection of this process; a child of fork gets its own, for locks do not survive a fork."""

    @abstractmethod
    def _prepare(self) -> None:
        """Work before every transaction: a connection that can be used."""

    @abstractmethod
    def _translated(self) -> contextlib.AbstractContextManager[None]:
        """Turn errors of the database into Daypack's."""

    @abstractmethod
    def _begin_reading(self) -> None: ...

    @abstractmethod
    def _end_reading(self) -> None: ...

    @abstractmethod
    def _syncing(self, durable: bool) -> contextlib.AbstractContextManager[None]: ...

    @abstractmethod
    def _begin(self, seconds: float) -> None:
        """Begin to write, and wait so long for other processes."""

    @abstractmethod
    def _is_made(self) -> bool:
        """False while the tables are being made."""

    @abstractmethod
    def _commit(self) -> None: ...

    @abstractmethod
    def _roll_back(self) -> None: ...

    @abstractmethod
    def _settle(self) -> None:
        """Work after a transaction that erased text."""
