"""The second wall of a team on a server: each project's schema belongs to a role of its own, and only that role opens it."""

from __future__ import annotations

import logging
import secrets
import threading
from dataclasses import replace
from pathlib import Path

from daypack.index.stores import driver_needed
from daypack.types.servers import ServerAddress

SECRET_BYTES = 32


class Walls:
    """The addresses of a team's projects, each by the role that owns its schema. Threads may share it."""

    def __init__(self, team: ServerAddress) -> None:
        """Raises NoWall where the user of the URL may not make roles, StoreError, and MissingExtra."""
        with driver_needed():
            from daypack.index.postgres.walls import check_may_build

        check_may_build(team)
        # From here on messages go to members of the team.
        self._team, self._lock = replace(team, called="team"), threading.Lock()
        self._behind: dict[Path, ServerAddress] = {}

    def place_of(self, folder: Path) -> ServerAddress:
        """The address of the project whose files are in a folder; of the team itself in that of its own. Raises StoreError."""
        from daypack.index.postgres.walls import NoWall, walled

        if folder == self._team.folder:
            return self._team
        with self._lock:
            if folder not in self._behind:
                fresh = secrets.token_bytes(SECRET_BYTES)
                try:
                    behind = walled(self._team, self._team.beside(folder), fresh)
                except NoWall as error:
                    logging.getLogger(__name__).error("%s", error)
                    step = "an administrator finds the reason in the server's log"
                    raise NoWall(self._team.name, f"that of {folder.name} cannot be made", step) from None
                self._behind[folder] = replace(behind, called=folder.name)
            return self._behind[folder]
