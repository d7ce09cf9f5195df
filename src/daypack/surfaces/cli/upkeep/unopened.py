"""A store that a command opens later, or never."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from daypack.surfaces.cli.context import CliContext, opened
from daypack.types.servers import ServerAddress

if TYPE_CHECKING:
    from daypack.api import Daypack


class UnopenedStore:
    """The store that a command means, for a command that opens it only when necessary."""

    def __init__(self, given: CliContext, store: str | None) -> None:
        self._given, self._store = given, store

    @property
    def folder(self) -> Path:
        """The folder of the store. Raises OnlyForFiles for a store on a server."""
        place = self._given.place(self._store)
        if isinstance(place.store, ServerAddress):
            from daypack.types.servers import OnlyForFiles

            raise OnlyForFiles(place.store.name, "file to replace", place.store.schema)
        return place.store

    def open(self) -> AbstractContextManager[Daypack]:
        return opened(self._given, self._store)
