"""The opening of a store, in a folder or on a server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daypack.errors import MissingExtra
from daypack.index.store import Store
from daypack.ports import Clock
from daypack.settings.installation import adding
from daypack.types.servers import ServerAddress


def open_store(place: Path | ServerAddress, *, create: bool = True, clock: Clock = time.time) -> Store:
    """Open or create the store in a folder or on a server. `clock` dates the backup before a migration. Raises a
    StoreError that says what to do, and MissingExtra without a driver for the server.
    """
    if isinstance(place, ServerAddress):
        with driver_needed():
            from daypack.index.postgres.store import ServerStore

        return ServerStore.open(place, create=create)
    return Store.open(place, create=create, clock=clock)


@contextmanager
def driver_needed() -> Iterator[None]:
    """Import modules that load the driver of PostgreSQL, which a file does not need. Raises MissingExtra."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra("postgres", "the PostgreSQL driver psycopg", adding("postgres")) from error
