"""The context of a command or a server: a folder in a project, and an environment. They decide the store and the
configuration.
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
    """A folder in a project, and the environment. Files of settings are read once, at their first use."""

    start: Path
    variables: Mapping[str, str]
    home: Path
    settings: tuple[Setting, ...] = SETTINGS  # all settings, those of doors included

    def place(self, store: str | None = None) -> StorePlace:
        """The place of the store: the named one, else the shared one, else that of the settings, else the project's."""
        shared = self.variables.get(SHARED_STORE)
        if store is None and not shared and is_server(configured := self.configuration["store"]):
            store = configured
        return find_place(self.start, store=store, shared=shared, home=self.home)

    @cached_property
    def folder(self) -> Path:
        """The folder of the project around the working folder, for any store."""
        place = find_place(self.start, store=None, shared=self.variables.get(SHARED_STORE), home=self.home)
        return Path(place.project or place.root)

    @cached_property
    def configuration(self) -> Configuration:
        """The settings from the project, the user, and variables. Raises BadConfiguration."""
        return load_configuration(self.folder, self.variables, self.home, self.settings)
