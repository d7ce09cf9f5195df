"""A store that several projects share: the project of each record, and the project that a question is about.

Records of some doors carry the folder of their project as their scope (`Handling.scoped`), and files lie
below it. A question sees the memories of its project: visibility decides this, not a filter. Records without
a project (records, documents, texts of standard input, sources) are visible from all projects.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from daypack.engine.doors import Door, handling_of
from daypack.errors import InputError
from daypack.filters import All, Filter, Where
from daypack.guard.paths import uid_of

GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class Sharing:
    """This project in a shared store. `root` is the folder that uids of files are relative to."""

    root: Path
    project: str
    doors: tuple[Door, ...]

    def scope_of(self, name: str | None) -> str:
        """The project that a question is about: this one without a name, "" for all. Raises InputError."""
        if name is None:
            return self.project
        if name == GLOBAL:
            return ""
        if not os.path.isabs(name) or "\0" in name:  # noqa: PTH117
            raise InputError(
                f"the project must be {GLOBAL!r} or an absolute path of a folder; leave it out for {self.project}"
            )
        return os.path.realpath(name)

    def filter(self, base: Filter | None, scope: str) -> Filter | None:
        """A filter that keeps the records of this scope's project; "" is all projects."""
        if not scope:
            return base
        own = self._own(scope)
        return own if base is None else All((base, own))

    def _own(self, scope: str) -> Filter:
        folder, root = Path(scope), Path(os.path.realpath(self.root))
        below = folder.relative_to(root) if folder.is_relative_to(root) else folder
        inside, prefix = "FALSE", f"{uid_of(below.as_posix()).rstrip('/')}/"
        if root.is_relative_to(folder):
            inside, prefix = "substr(uri, 1, 1) != '/'", f"{uid_of(folder.as_posix()).rstrip('/')}/"
        names = {name: handling_of(self.doors, name) for door in self.doors for name in door.handlings}
        scoped = json.dumps([name for name, handling in names.items() if handling.scoped])
        paths = json.dumps([name for name, handling in names.items() if handling.path])
        return Where(
            "(CASE WHEN door IN (SELECT value FROM json_each(?)) THEN scope = ?"
            f" WHEN door IN (SELECT value FROM json_each(?)) THEN substr(uri, 1, length(?)) = ? OR {inside} ELSE TRUE END)",
            (scoped, scope, paths, prefix, prefix),
        )
