"""Where somebody stands: the store that is used from there, and what files and variables set. The one way
from a folder and an environment to an opened store; what knows its store and its settings calls
`Daypack.open`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from daypack.settings.configuration import Configuration, read_configuration
from daypack.settings.places import Place, find_place

if TYPE_CHECKING:
    from daypack.api import Daypack

STORE = "DAYPACK_STORE"
SHARED_STORE = "DAYPACK_PROJECT_DIR"


@dataclass(frozen=True)
class Standing:
    """A folder in a project, and the environment.

    Files that set something are read once, when they are first asked for.
    """

    start: Path
    variables: Mapping[str, str]
    home: Path

    def place(self, store: str | None = None) -> Place:
        """Where the store is: the one named, else the one that projects share, else that of the project."""
        return find_place(self.start, store=store, shared=self.variables.get(SHARED_STORE))

    @cached_property
    def folder(self) -> Path:
        """The project that one stands in, whatever store is asked."""
        place = self.place()
        return Path(place.project or place.root)

    @cached_property
    def configuration(self) -> Configuration:
        """What files of the project and of the user, and variables, set. Raises BadConfiguration."""
        return read_configuration(self.folder, self.variables, self.home)

    def open(
        self,
        place: Place,
        *,
        embedder: str | None = None,
        owner: str | None = None,
        project: str | None = None,
        notes_use: bool = True,
    ) -> Daypack:
        """The store at a place, with what is set here. Raises BadConfiguration and StoreError."""
        from daypack.api import Daypack

        found = self.configuration
        return Daypack.open(
            place.store,
            root=place.root,
            settings=found.settings(embedder=embedder),
            owner=owner or found["owner"],
            project=project or found["project"],
            notes_use=notes_use,
            shared=place.project,
        )
