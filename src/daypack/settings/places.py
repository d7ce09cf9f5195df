"""Places: where a store is, and which folder a project begins at."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from daypack.doors.reading.walk import project_marker
from daypack.settings import STORE_FOLDER


class Place(NamedTuple):
    """Where a store is and which folder its paths are relative to; `project` is the folder of this project in
    a store that several share.
    """

    store: Path
    root: Path
    exists: bool
    project: str = ""


def find_place(start: Path, *, store: str | None, shared: str | None = None) -> Place:
    """The store to use from `start`: the one given, else the one in the folder `shared`, else the nearest
    `.daypack` upwards, else a new one at the project's root.
    """
    start = start.resolve()
    if store is None and shared:
        root = (start / Path(shared).expanduser()).resolve()
        folder = root / STORE_FOLDER
        return Place(folder, root, (folder / "daypack.db").exists(), str(project_root(start)))
    if store is not None:
        folder = (
            (start / Path(store).expanduser()).resolve()
            if not Path(store).expanduser().is_absolute()
            else Path(store).expanduser()
        )
        root = folder.parent if folder.name == STORE_FOLDER else start
        return Place(folder, root, (folder / "daypack.db").exists())
    for folder in (start, *start.parents):
        if (folder / STORE_FOLDER / "daypack.db").exists():
            return Place(folder / STORE_FOLDER, folder, True)
    root = project_root(start)
    return Place(root / STORE_FOLDER, root, False)


def project_root(start: Path) -> Path:
    """The nearest folder upwards that holds a repository, else the nearest with any project marker, else
    `start`.
    """
    folders = (start, *start.parents)
    for folder in folders:
        if (folder / ".git").exists():
            return folder
    return next((folder for folder in folders if project_marker(folder)), start)
