"""The port `daypack.ports.Connection` over psycopg: the statements of SQLite in, rows out.

Each statement of a read waits for the server, and nothing else does: BEGIN travels with the first statement, and the next use
of the session takes the answer to COMMIT.
"""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import psycopg
from psycopg import generators
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper
from psycopg.types.string import TextBinaryLoader, TextLoader

from daypack.index.postgres import calls
from daypack.index.postgres.dialect import ESCAPE, Translated, translated
from daypack.index.postgres.parameters import bound, unescaped
from daypack.index.postgres.tables import tables
from daypack.ports import Part

COPIED = 16  # rows from which on a copy is cheaper than statements
TOGETHER = 10_000  # rows that are sent in one go
_READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_TEXTS = (25, 1043, 19, 114)  # text, varchar, name, json


class _Text(TextLoader):
    def load(self, data: Any) -> str:
        text = str(super().load(data))
        return unescaped(text) if ESCAPE in text else text


class _BinaryText(_Text):
    format = TextBinaryLoader.format


class Rows:
    """The rows of a statement, each handed out once."""

    def __init__(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self._rows = iter(rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._rows

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return [*self._rows]

    @property
    def get(self) -> Any:
        """None without a row, the value or the tuple of a single row, else a list of such."""
        values = [row[0] if len(row) == 1 else row for row in self._rows]
        return None if not values else values[0] if len(values) == 1 else values


def _close(raw: psycopg.Connection[Any], pid: int) -> None:
    if pid == os.getpid():
        raw.close()


def _in_pipeline(session: psycopg.Connection[Any], say: Callable[[], object]) -> None:
    """Say statements in one go. Their first error is raised alone: psycopg would log a second one, from the end of the pipeline,
    where the first was raised in it.
    """
    failed: psycopg.Error | None = None
    try:
        with session.pipeline():
            try:
                say()
            except psycopg.Error as error:
                failed = error
    except psycopg.Error as error:
        failed = failed or error
    if failed is not None:
        raise failed


class ServerConnection:
    """One session on a server, whose tables are found by its search path. `name` and `mend` are those of the store in messages."""

    def __init__(self, raw: psycopg.Connection[Any], name: str, mend: str) -> None:
        self.store_name, self.mend = name, mend
        self._changes = self._number = 0
        self._functions: dict[str, Callable[..., Any]] = {}
        self._closing: weakref.finalize[..., ServerConnection] | None = None
        self.take(raw)

    def take(self, raw: psycopg.Connection[Any]) -> None:
        """Use another session from now on."""
        if self._closing is not None:
            self._closing.detach()
        self.held = raw
        # A store that its user did not close closes by itself, as a file does; in a child of fork the session is the parent's.
        self._closing = weakref.finalize(self, _close, raw, os.getpid())
        self._again: Callable[[], None] | None = None  # set while a BEGIN waits for the first statement
        self._ended = False  # while the answer to a COMMIT has not been taken
        raw.adapters.register_dumper(int, Int8Dumper)
        raw.adapters.register_dumper(int, Int8BinaryDumper)
        for oid in _TEXTS:
            raw.adapters.register_loader(oid, _Text)
            raw.adapters.register_loader(oid, _BinaryText)

    # ------------------------------------------------------------ reads

    def begin_reading(self, again: Callable[[], None]) -> None:
        """Begin a read with its first statement; `again` opens a session in the place of one that turns out to be lost then."""
        self._again = again

    def end_reading(self) -> None:
        if self._again is not None:  # nothing was asked
            self._again = None
        elif not self.held.closed:
            self._take_answer()
            self._ended = True  # first: an interrupt may come between any two lines
            self.held.pgconn.send_query(b"COMMIT")
            self.held.pgconn.flush()

    @property
    def is_lost(self) -> bool:
        self._take_answer()
        return bool(self.held.closed)

    @property
    def raw(self) -> psycopg.Connection[Any]:
        """The session, inside the read that has begun."""
        self._take_answer()
        if self._again is not None:
            self._first(lambda: self.held.execute(_READ, prepare=False))
        return self.held

    def _take_answer(self) -> None:
        if self._ended:
            self._ended = False
            with contextlib.suppress(psycopg.OperationalError):  # lost: `is_lost` says so from now on
                self.held.wait(generators.fetch_many(self.held.pgconn))

    def _first(self, say: Callable[[], object]) -> None:
        """Say what begins a read; once more where the session turns out to be lost, for nothing is done yet."""
        again, self._again = self._again, None
        assert again is not None
        try:
            say()
        except psycopg.OperationalError:
            if not self.held.closed:
                raise
            again()
            say()

    # ------------------------------------------------------------ statements

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Rows:
        if self._functions:
            statement, parameters = calls.answered(statement, parameters, self._functions, self._rows)
        rows = self._rows(statement, parameters)
        return Rows(rows)

    def _rows(self, statement: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        said = translated(statement)
        text = f"{said.text} RETURNING {said.number}" if said.number else said.text
        if self._again is not None:
            return self._first_rows(text, bound(said, parameters))
        with psycopg.RawCursor(self.raw) as cursor:
            cursor.execute(text.encode(), bound(said, parameters), binary=True)
            self._changes = max(cursor.rowcount, 0)
            rows = cursor.fetchall() if cursor.description is not None else []
        if said.number:
            if rows:
                self._number = rows[-1][0]
            return []
        return rows

    def _first_rows(self, text: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of the statement that begins a read."""
        self._take_answer()
        rows: list[tuple[Any, ...]] = []

        def say() -> None:
            with psycopg.RawCursor(self.held) as cursor:

                def begin() -> None:
                    self.held.execute(_READ, prepare=False)
                    cursor.execute(text.encode(), values, binary=True)

                _in_pipeline(self.held, begin)
                rows[:] = cursor.fetchall()

        self._first(say)
        return rows

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        said, given = translated(statement), iter(rows)
        while batch := [*islice(given, TOGETHER)]:
            values = [bound(said, row) for row in batch]
            if said.copied is not None and len(values) >= COPIED:
                self._copy(said, values)
            else:
                with psycopg.RawCursor(self.raw) as cursor:
                    _in_pipeline(self.held, partial(cursor.executemany, said.text.encode(), values))
                    self._changes = max(cursor.rowcount, 0)

    def _copy(self, said: Translated, values: Sequence[Sequence[Any]]) -> None:
        assert said.copied is not None
        table, columns = said.copied
        listed = ", ".join(f'"{column}"' for column in columns)
        with self.raw.cursor() as cursor, cursor.copy(f"COPY {table} ({listed}) FROM STDIN".encode()) as copy:
            for row in values:
                copy.write_row(row)
        self._changes = len(values)

    def changes(self) -> int:
        return self._changes

    def last_insert_rowid(self) -> int:
        return self._number

    def new_ids(self, table: str, count: int) -> range:
        number = tables()[table].number
        statement = "SELECT nextval(pg_get_serial_sequence($1, $2))"
        with psycopg.RawCursor(self.raw) as cursor:
            if not count:
                return range(0)
            first: int = cursor.execute(statement.encode(), [table, number]).fetchone()[0]  # type: ignore[index]
            last = first + count - 1
            cursor.execute(b"SELECT setval(pg_get_serial_sequence($1, $2), $3)", [table, number, last])
        return range(first, last + 1)

    def problems(self, most: int) -> list[str]:
        """None: a server compares the checksum of each page that it reads, and refuses a page that differs."""
        del most
        return []

    def dangling_rows(self) -> int:
        """None: a server holds every reference."""
        return 0

    # ------------------------------------------------------------ parts of bytes

    def read_parts(self, table: str, column: str, row: int, parts: Sequence[Part]) -> list[bytes]:
        key = tables()[table].key[0]
        statement = (
            f'SELECT substr("{column}", CAST(p.start AS integer) + 1, CAST(p.size AS integer)) FROM {table},'
            f" ROWS FROM (unnest($1::bigint[]), unnest($2::bigint[])) WITH ORDINALITY AS p(start, size, place)"
            f' WHERE "{key}" = $3 ORDER BY p.place'
        )
        starts, sizes = [start for start, _ in parts], [size for _, size in parts]
        with psycopg.RawCursor(self.raw) as cursor:
            cursor.execute(statement.encode(), [starts, sizes, row], binary=True)
            return [found[0] for found in cursor.fetchall()]

    def clear_parts(self, table: str, column: str, row: int, parts: Sequence[Part]) -> None:
        key = tables()[table].key[0]
        with psycopg.RawCursor(self.raw) as cursor:
            cursor.execute(f'SELECT "{column}" FROM {table} WHERE "{key}" = $1'.encode(), [row], binary=True)
            found = bytearray(cursor.fetchone()[0])  # type: ignore[index]
            for start, size in parts:
                found[start : start + size] = bytes(size)
            cursor.execute(
                f'UPDATE {table} SET "{column}" = $1 WHERE "{key}" = $2'.encode(), [bytes(found), row]
            )

    def read_into(self, table: str, column: str, row: int, target: memoryview) -> None:
        key = tables()[table].key[0]
        with psycopg.RawCursor(self.raw) as cursor:
            cursor.execute(f'SELECT "{column}" FROM {table} WHERE "{key}" = $1'.encode(), [row], binary=True)
            target[:] = cursor.fetchone()[0]  # type: ignore[index]

    def create_scalar_function(self, name: str, function: Callable[..., Any], **_: Any) -> None:
        self._functions[name] = function
