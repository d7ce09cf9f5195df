"""The database of a store on PostgreSQL: sessions, transactions, the lock of writers, and errors.

a read     REPEATABLE READ, READ ONLY: one state for its length; a lost connection is opened again first
a write    READ COMMITTED under one advisory lock a store, so that it sees every write before it and no other
               client writes meanwhile; a wait longer than that for a file raises StoreBusy
open       migrations run in one transaction under the same lock
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

import psycopg
from psycopg import errors as codes

from daypack.errors import (
    DiskFull,
    NotAStore,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreNotFound,
    StoreReadOnly,
    StoreVersionMismatch,
)
from daypack.index import meta
from daypack.index.database import Database
from daypack.index.embedded.opening import BUSY_SECONDS, FILE_NAME
from daypack.index.postgres import replicas, rights, sessions
from daypack.index.postgres.connection import ServerConnection
from daypack.index.postgres.dialect import translated
from daypack.index.postgres.purging import Rewriting
from daypack.index.postgres.sessions import Kept
from daypack.index.postgres.tables import PRELUDE, TEXTS, definition, statements, storage
from daypack.index.schema import MIGRATIONS, PACKED, VERSION
from daypack.ports import Connection
from daypack.types import servers

if TYPE_CHECKING:
    from daypack.index.copies.backups import Taken

_KEPT = Kept()
_ABANDONED: list[
    psycopg.Connection[Any]
] = []  # of parents that forked: closing one would end the parent's session


class ServerDatabase(Database):
    """The tables of a store in one schema of a PostgreSQL server."""

    address: servers.ServerAddress

    @classmethod
    def open(  # type: ignore[override]  # a server in place of a folder
        cls, place: servers.ServerAddress, *, create: bool = True
    ) -> Self:
        """Open or create the store. Raises a StoreError that says what to do."""
        store = cls.__new__(cls)
        store.address, store.folder, store.file = place, place.folder, place.folder / FILE_NAME
        store._pid, store._lock, store._depth = os.getpid(), threading.RLock(), 0
        store._functions, store._durable, store._closed, store._made = {}, True, False, False
        store._schema = place.schema
        digest = blake2b(store._schema.encode(), digest_size=8).digest()
        store._key = int.from_bytes(digest, "big", signed=True)
        with store._translated():
            store._connect()
            try:
                store._migrate_server(create)
            except BaseException:
                store.close()
                raise
        return store

    _may_not_rewrite = False
    _session: ServerConnection
    _schema: str
    _key: int

    @property
    def place(self) -> servers.ServerAddress:
        return self.address

    @property
    def name(self) -> str:
        return self.address.name

    @property
    def mend(self) -> str:
        return self.address.mend

    # ------------------------------------------------------------ sessions

    def _connect(self) -> None:
        """Open a session, the first one or one in the place of one that is gone."""
        raw = sessions.opened(self.address, self._schema)
        if hasattr(self, "_session"):
            self._session.take(raw)
        else:
            self._session = ServerConnection(raw, self.address.name, self.mend)
        self._look()

    def _look(self) -> None:
        """Ask whether the server is a replica, and whether it takes writes, of this user as well."""
        statement = f"""SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on',
                        {rights.MAY_NOT_WRITE}"""
        found = self._session.raw.execute(statement.encode()).fetchone()
        assert found is not None
        self._is_replica, self.read_only = found[0], any(found)

    def _check_writable(self) -> None:
        if self.read_only and not self._depth:  # it may have become the primary, or rights were granted
            with self._lock, self._translated():
                self._alive()
                self._look()
        if self.read_only:
            raise self._refusal()

    def _refusal(self) -> StoreReadOnly:
        if self._is_replica:
            return servers.OnlyAReplica(self.address.name)
        return StoreReadOnly(self.address.name, "ask its owner for the rights to write")

    def rest(self) -> bool:
        """Close the session where no call is under way; the next one opens another."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._depth:
                return False
            self._session.held.close()
            return True
        finally:
            self._lock.release()

    @property
    def _db(self) -> Any:  # type: ignore[override]  # a session in place of a connection
        if self._closed:
            raise StoreClosed(self.address.name)
        return self._session

    def _reopen_in_child(self) -> None:
        _ABANDONED.append(self._session.held)
        self._lock, self._depth, self._pid = threading.RLock(), 0, os.getpid()
        with self._translated():
            self._connect()

    def close(self) -> None:
        self._closed = True
        if self._pid == os.getpid():
            _KEPT.forget(self)
            self._session.held.close()

    @property
    def is_closed(self) -> bool:
        return self._closed

    def add_function(self, name: str, function: Callable[..., Any]) -> None:
        self._functions[name] = function
        self._db.create_scalar_function(name, function)

    def _said(self, statement: str) -> None:
        self._db.raw.execute(statement.encode(), prepare=False)  # some hold several statements

    def _first(self, statement: str) -> None:
        """The first statement of a transaction; once more where the connection turns out to be lost, for nothing is done yet."""
        self._alive()
        try:
            self._said(statement)
        except psycopg.OperationalError:
            if not self._db.is_lost:
                raise
            self._connect()
            self._said(statement)

    def _alive(self) -> None:
        """Open a session that was lost or rests, before anything is asked over it."""
        _KEPT.use(self)
        if self._db.is_lost:
            self._connect()

    @property
    def db(self) -> Connection:
        found = super().db
        if self._depth:
            return found
        with self._lock, self._translated():
            self._alive()
            return self._session

    # ------------------------------------------------------------ migrations

    def _migrate_server(self, create: bool) -> None:
        self._check_usable()
        version = self._version()
        if version > VERSION:
            raise StoreVersionMismatch(self.address.name, version, VERSION)
        if version == VERSION:
            self._made = True
            return
        if not version and not create:
            raise StoreNotFound(self.address.name)
        if self.read_only:
            raise self._refusal()
        self._begin(BUSY_SECONDS)
        try:
            self._said("SET LOCAL statement_timeout = 0")
            if not self._has_schema():  # the owner of one need not be allowed to make one
                self._said(f'CREATE SCHEMA "{self._schema}"')
            version = self._version()  # another process may have been faster
            if not version and self.held_by(self._schema):
                raise NotAStore(
                    self.address.name, f"the schema {self._schema} holds tables of another program"
                )
            if version < VERSION:
                with rights.keep_grants(self._session.raw):
                    for statement in _steps(version):
                        self._said(statement)
                if 0 < version < PACKED:
                    from daypack.index.postings.packed import pack_former

                    pack_former(self._session)
                meta.count_one(self._session, "seq")  # as the migration of a file does
            self._commit()
        except BaseException:
            self._roll_back()
            raise
        self._made = True

    def _version(self) -> int:
        """The version of the tables, 0 without tables of Daypack."""
        raw = self._session.raw
        if raw.execute("SELECT to_regclass('daypack_schema')").fetchone() == (None,):
            return 0
        found = raw.execute("SELECT version FROM daypack_schema").fetchone()
        return int(found[0]) if found else 0

    def _check_usable(self) -> None:
        """Raise StoreError where the user may not look into the schema, which would seem to hold no store then."""
        statement = "SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = %s"
        if self._session.raw.execute(statement, [self._schema]).fetchone() == (False,):
            raise StoreError(
                f"the user of the store {self.address.name} may not use the schema {self._schema}; ask its owner"
            )

    def _has_schema(self) -> bool:
        statement = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
        return self._session.raw.execute(statement, [self._schema]).fetchone() is not None

    def held_by(self, schema: str) -> int:
        """The number of tables, indexes and the like in a schema."""
        statement = "SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = %s"
        found = self._session.raw.execute(statement, [schema]).fetchone()
        return int(found[0]) if found else 0

    # ------------------------------------------------------------ transactions

    def _begin_reading(self) -> None:
        self._alive()
        self._session.begin_reading(self._connect)

    def _end_reading(self) -> None:
        self._session.end_reading()

    @contextlib.contextmanager
    def _syncing(self, durable: bool) -> Iterator[None]:
        self._durable = durable
        try:
            yield
        finally:
            self._durable = True

    def _begin(self, seconds: float) -> None:
        waits = int(seconds * 1000)
        quick = "" if self._durable else "SET LOCAL synchronous_commit = off; "
        try:
            self._first(
                f"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = {max(waits, 1)};"
                f" {quick}SELECT pg_advisory_xact_lock({self._key})"
            )
        except BaseException:
            self._roll_back()
            raise

    def _is_made(self) -> bool:
        return self._made

    def _commit(self) -> None:
        self._said("COMMIT")

    def _roll_back(self) -> None:
        with contextlib.suppress(psycopg.Error):  # the connection may be gone, and the transaction with it
            self._said("ROLLBACK")

    def _settle(self) -> None:
        """Nothing: the log of a server is not ours to empty."""

    # ------------------------------------------------------------ the whole

    def purge(self, *, busy_seconds: float = 2.0) -> bool:
        """Rewrite the tables that held erased texts; False, and still due, where others read them or an older state meanwhile, or
        where this user may not rewrite them all, which is asked once: reads try a purge that is due.

        The server's log, its backups and its replicas keep the old pages for as long as its settings say.
        """
        if self._may_not_rewrite or self.read_only:
            return False
        with self._lock, self._translated():
            self._alive()
            if not rights.may_rewrite(self._session.raw):
                self._may_not_rewrite = True
                return False
            due = meta.value_of(self._session, "purge")
            rewriting = Rewriting(self._session.raw, self._said, busy_seconds)
            self._said(f"SET lock_timeout = {max(int(busy_seconds * 1000), 1)}")
            try:
                self._said("SET statement_timeout = 0")  # a large table takes its time
                if not all(map(rewriting.rewrite, TEXTS)):
                    self._may_not_rewrite = rewriting.passed_over
                    return False
                meta.drop_as_read(self._session, "purge", due)
            except (codes.LockNotAvailable, codes.DeadlockDetected):
                return False
            finally:
                self._session.held.close()  # with the limits that it had
        return True

    def size(self) -> int:
        """Bytes of the tables and indexes on the server."""
        with self.reading() as db:
            statement = """SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class AS c
                      JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'"""
            return int(db.execute(statement, (self._schema,)).get)

    def snapshot(self, now: float) -> Taken:
        del now
        self.check_is_file("snapshot of a file")

    def copy_to(self, target: Path) -> int:
        del target
        self.check_is_file("file to copy")

    def take_over(self, file: Path) -> None:
        del file
        self.check_is_file("file to replace")

    def backups(self) -> list[str]:
        return []

    def check_is_file(self, what: str) -> NoReturn:
        raise servers.OnlyForFiles(self.address.name, what, self._schema)

    def server(self) -> tuple[str, ...]:
        with self._lock, self._translated():
            self._alive()
            version = (
                self._db.raw.execute("SELECT current_setting('server_version')").fetchone()[0].split()[0]
            )
        found, lag = f"PostgreSQL {version}", self.lag()
        return (found,) if lag is None else (found, f"a replica, {servers.behind(lag) or 'up to date'}")

    def lag(self) -> float | None:
        if not self._is_replica:
            return None
        with self._lock, self._translated():
            self._alive()
            return replicas.lag(self._session.raw)

    # ------------------------------------------------------------ errors

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        name = self.address.name
        try:
            yield
        except codes.LockNotAvailable as error:
            raise StoreBusy(name) from error
        except (codes.SerializationFailure, codes.DeadlockDetected) as error:
            raise servers.StoreConflict(name) from error
        except codes.QueryCanceled as error:
            raise servers.StoreSlow(name) from error
        except codes.DiskFull as error:
            raise DiskFull(name, " on its server") from error
        except codes.ReadOnlySqlTransaction as error:
            raise self._refusal() from error
        except (codes.DataCorrupted, codes.IndexCorrupted) as error:
            raise StoreDamaged(name, self._reason(error) or "its server reports damage", self.mend) from error
        except (codes.InsufficientPrivilege, codes.InvalidSchemaName) as error:
            raise StoreError(
                f"the user of the store {name} may not do this{self._in_brackets(error)}; ask its owner"
            ) from error
        except psycopg.OperationalError as error:
            if error.sqlstate is None or error.sqlstate[:2] in ("08", "57", "28", "3D"):
                raise servers.StoreUnreachable(name, self._reason(error)) from None
            raise StoreError(f"the store {name} could not be used{self._in_brackets(error)}") from error
        except psycopg.Error as error:
            raise StoreError(f"the store {name} could not be used{self._in_brackets(error)}") from error

    def _in_brackets(self, error: Exception) -> str:
        reason = self._reason(error)
        return f" ({reason})" if reason else ""

    def _reason(self, error: Exception) -> str:
        """The server's words, which name hosts and users; "" for a store that is called otherwise, and a line of the log."""
        said = self._without_secrets(_line(error))
        if not self.address.called:
            return said
        logging.getLogger(__name__).error("the store %s: %s", servers.shown(self.address.url), said)
        return ""

    def _without_secrets(self, said: str) -> str:
        """A message of libpq, without the URL's password should it ever stand there."""
        user = self.address.conninfo.partition("://")[2].partition("/")[0].rpartition("@")[0]
        secret = user.partition(":")[2]
        return said.replace(secret, "***") if secret else said


def _steps(version: int) -> Iterator[str]:
    """The statements that bring tables of a version to the newest."""
    yield from PRELUDE
    for step in MIGRATIONS[version:]:
        for statement in statements(step):
            made = statement.startswith(("CREATE", "ALTER"))
            yield definition(statement) if made else translated(statement).text
    yield from storage()
    if version:
        yield f"UPDATE daypack_schema SET version = {VERSION}"
    else:
        yield "CREATE TABLE daypack_schema (version bigint NOT NULL)"
        yield f"INSERT INTO daypack_schema VALUES ({VERSION})"


def _line(error: Exception) -> str:
    return " ".join(str(error).split("\n")[0].split())
