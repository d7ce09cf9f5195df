"""A store that several projects share: whose each record is, and what a question is asked of.

Sources under labels and sessions carry the folder of their project as their scope, files lie below it, and
memories are those that one has in the project that is asked: which exist is the engine's sight, not a filter.
What has no project (records, documents, texts of standard input, sources) is seen from all.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from daypack.doors import KNOWLEDGE, SESSIONS
from daypack.doors.reading.walk import uid_of
from daypack.errors import InputError
from daypack.filters import All, Filter, Where
from daypack.settings.places import project_root

GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class Sharing:
    """This project in a shared store. `root` is the folder that uids of files are relative to."""

    root: Path
    project: str

    def scope_of(self, asked: str | None) -> str:
        """The project that a question is asked of: this one without a name, "" for all. Raises InputError."""
        if asked is None:
            return self.project
        if asked == GLOBAL:
            return ""
        if not os.path.isabs(asked) or "\0" in asked:  # noqa: PTH117
            raise InputError(
                f"the project must be {GLOBAL!r} or an absolute path of a folder; leave it out for {self.project}"
            )
        return os.path.realpath(asked)

    def narrowed(self, base: Filter | None, scope: str) -> Filter | None:
        """A filter that keeps to what belongs to the project of this scope; "" is all of them."""
        if not scope:
            return base
        own = self._own(scope)
        return own if base is None else All((base, own))

    def _own(self, scope: str) -> Filter:
        folder, root = Path(scope), Path(os.path.realpath(self.root))
        below = folder.relative_to(root) if folder.is_relative_to(root) else folder
        inside, prefix = "0", f"{uid_of(below.as_posix()).rstrip('/')}/"
        if root.is_relative_to(folder):
            inside, prefix = "substr(uri, 1, 1) != '/'", f"{uid_of(folder.as_posix()).rstrip('/')}/"
        return Where(
            "(door NOT IN ('files', ?, ?) OR (door IN (?, ?) AND scope = ?) OR (door = 'files' AND (substr(uri, 1, length(?)) = ? OR "
            f"{inside})))",
            (KNOWLEDGE, SESSIONS, KNOWLEDGE, SESSIONS, scope, prefix, prefix),
        )


def project_of(folder: str) -> str:
    """The project that somebody who works in a folder works on; "" for what is no folder."""
    return (
        str(project_root(Path(os.path.realpath(folder))))
        if os.path.isabs(folder) and os.path.isdir(folder)  # noqa: PTH112, PTH117
        else ""
    )
