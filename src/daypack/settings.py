"""Settings and places: frozen, found once at the edge, passed in. Nothing inside reads the environment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from daypack.doors.walk import project_marker
from daypack.frozen import dataclass

if TYPE_CHECKING:
    from daypack.source_types import SourceSettings

STORE_FOLDER = ".daypack"
LARGEST_BUDGET = 10_000_000
LONGEST_QUERY_BYTES = 8 << 10


@dataclass(frozen=True, slots=True)
class Settings:
    """What the engine is opened with."""

    embedder: str = "minilm"
    embedder_model: str = ""  # for an endpoint
    embedder_key: str = ""
    threads: int = 2
    lazy_candidates: int = 32  # beyond it nothing is gained (docs/decisions/002-lazy-embedding.md)
    lazy_seconds: float | None = 1.0  # None: no deadline, for answers that must not depend on the machine's speed
    refresh: bool = True
    web: bool = False  # whether pages may be fetched; nothing else here uses the network
    without: tuple[str, ...] = ()  # signals that ranking leaves out, by the names that --explain shows: to see what each is worth
    sources: SourceSettings | None = None  # None: their defaults, which only who uses that door need make


class Place(NamedTuple):
    """Where a store is and which folder its paths are relative to; `project` is the folder of this project in a store that several share."""

    store: Path
    root: Path
    exists: bool
    project: str = ""


def find_place(start: Path, *, store: str | None, shared: str | None = None) -> Place:
    """The store to use from `start`: the one given, else the one in the folder `shared`, else the nearest `.daypack` upwards, else a new one
    at the project's root."""
    start = start.resolve()
    if store is None and shared:
        root = (start / Path(shared).expanduser()).resolve()
        folder = root / STORE_FOLDER
        return Place(folder, root, (folder / "daypack.db").exists(), str(project_root(start)))
    if store is not None:
        folder = (start / Path(store).expanduser()).resolve() if not Path(store).expanduser().is_absolute() else Path(store).expanduser()
        root = folder.parent if folder.name == STORE_FOLDER else start
        return Place(folder, root, (folder / "daypack.db").exists())
    for folder in (start, *start.parents):
        if (folder / STORE_FOLDER / "daypack.db").exists():
            return Place(folder / STORE_FOLDER, folder, True)
    root = project_root(start)
    return Place(root / STORE_FOLDER, root, False)


def project_root(start: Path) -> Path:
    """The nearest folder upwards that holds a repository, else the nearest with any project marker, else `start`."""
    folders = (start, *start.parents)
    for folder in folders:
        if (folder / ".git").exists():
            return folder
    return next((folder for folder in folders if project_marker(folder)), start)
