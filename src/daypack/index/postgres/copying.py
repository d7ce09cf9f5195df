"""A store on a server as the target or the source of a copy: its rows, and the schema in which a copy grows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from daypack.errors import CopyRefused, StoreBusy
from daypack.index.copies.tables import Row, Tables
from daypack.index.postgres.parameters import original
from daypack.index.postgres.store import ServerStore
from daypack.index.postgres.tables import tables
from daypack.index.store import Store
from daypack.types.servers import ServerAddress

SUFFIX = "copying"
_LOCK = 0x4441_5943  # of the copies into one schema, beside the schema's own


class ServerTables(Tables):
    """The tables of a store on a server, with values as a file holds them."""

    def last_number(self, name: str) -> int:
        statement = "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass))"
        return self._db.execute(statement, (name, tables()[name].number)).get or 0

    def set_last_number(self, name: str, number: int) -> None:
        if number:
            statement = "SELECT setval(pg_get_serial_sequence(?, ?), ?)"
            self._db.execute(statement, (name, tables()[name].number, number))

    def _read(self, name: str, row: Row) -> Row:
        if name == "document_entry":
            index, rank, value, document = row
            return index, rank, original(value), document
        return super()._read(name, row)

    def _written(self, name: str, row: Row) -> Row:
        return (row[0], str(row[1])) if name == "meta" else row


class ServerTarget:
    """The place of a copy on a server: a schema NAME.copying, which becomes NAME when it is complete."""

    def __init__(self, address: ServerAddress) -> None:
        self._address = address

    @contextmanager
    def opened(self) -> Iterator[ServerStore]:
        """The store that grows there. Raises CopyRefused where the schema holds anything, and StoreBusy while another process
        copies.
        """
        schema = self._address.schema
        with ServerStore.open(self._address.named(f"{schema}.{SUFFIX}")) as store:
            with store.reading() as db:
                if not db.execute(f"SELECT pg_try_advisory_lock({_LOCK}, hashtext(?))", (schema,)).get:
                    raise StoreBusy(self._address.name)
                if store.held_by(schema):
                    raise CopyRefused(self._address.name, "it holds tables already")
            yield store

    def finish(self, store: Store) -> None:
        """Give the complete copy its name, in one transaction, and close it."""
        schema = self._address.schema
        with store.writing() as db:
            raw = db.raw  # type: ignore[attr-defined]
            for statement in (
                f'DROP SCHEMA IF EXISTS "{schema}" RESTRICT',  # an empty one
                f'ALTER SCHEMA "{schema}.{SUFFIX}" RENAME TO "{schema}"',
                f'SET LOCAL search_path = "{schema}"',  # for what ends every transaction
            ):
                raw.execute(statement.encode())
        store.close()
