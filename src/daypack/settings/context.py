"""The context of a command or a server: a folder in a project and an environment, which decide the store and
the configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from daypack.settings.configuration import SETTINGS, Configuration, Setting, load_configuration
from daypack.settings.places import StorePlace, find_place
from daypack.types.servers import is_server

STORE = "DAYPACK_STORE"
SHARED_STORE = "DAYPACK_PROJECT_DIR"


@dataclass(frozen=True)
class ProjectContext:
    """A folder in a project, and the environment.

    Files that set something are read once, when they are first asked for.
    """

    start: Path
    variables: Mapping[str, str]
    home: Path
    settings: tuple[Setting, ...] = SETTINGS  # the existing ones

    def place(self, store: str | None = None) -> StorePlace:
        """The place of the store: the one named, else the shared one, else that of the settings or of the project."""
        shared = self.variables.get(SHARED_STORE)
        if store is None and not shared and is_server(configured := self.configuration["store"]):
            store = configured
        return find_place(self.start, store=store, shared=shared)

    @cached_property
    def folder(self) -> Path:
        """The project around the working folder, whatever store is used."""
        place = find_place(self.start, store=None, shared=self.variables.get(SHARED_STORE))
        return Path(place.project or place.root)

    @cached_property
    def configuration(self) -> Configuration:
        """Settings of the project, of the user, and of variables. Raises BadConfiguration."""
        return load_configuration(self.folder, self.variables, self.home, self.settings)
