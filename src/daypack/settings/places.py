"""Places: the location of a store, and the root folder of a project."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from daypack.errors import InputError
from daypack.projects import STORE_FOLDER, home_folder, is_around, project_root, store_root
from daypack.system import path_named
from daypack.text.checks import check_text
from daypack.types.servers import ServerAddress, is_server

ROOT_FILE = "root"  # a file in a store that is outside of its project


class StorePlace(NamedTuple):
    """A store, in a folder or on a server, and the folder to which its paths are relative; `project` in a shared store."""

    store: Path | ServerAddress
    root: Path
    exists: bool
    project: str = ""

    @property
    def folder(self) -> Path:
        """The folder of the store on this machine; for a server, that of its local files."""
        return self.store.folder if isinstance(self.store, ServerAddress) else self.store


def find_place(
    start: Path, *, store: str | None, shared: str | None = None, home: Path | None = None
) -> StorePlace:
    """The place of the given `store`, else of the one in `shared`, else of the nearest `.daypack` that serves `start`, else of
    a new one in the project's root (`projects.store_root`). A store on a server counts as an existing one.
    """
    start = start.resolve()
    real_home = home_folder() if home is None else os.path.realpath(home)
    if store is not None and is_server(store):
        root = Path(store_root(str(start), real_home)[0])
        return StorePlace(ServerAddress(store, root / STORE_FOLDER), root, True)
    if store is None and shared:
        root = (start / path_named(shared)).resolve()
        folder = root / STORE_FOLDER
        return StorePlace(folder, root, (folder / "daypack.db").exists(), project_root(str(start), real_home))
    if store is not None:
        check_named(store)
        named = path_named(store)
        folder = named if named.is_absolute() else (start / named).resolve()
        root = folder.parent if folder.name == STORE_FOLDER else kept_root(folder) or start
        return StorePlace(folder, root, (folder / "daypack.db").exists())
    found, exists = store_root(str(start), real_home)
    return StorePlace(Path(found, STORE_FOLDER), Path(found), exists)


def located(store: Path | str | ServerAddress, root: Path | str | None) -> tuple[Path | ServerAddress, Path]:
    """(the named store, the folder to which its file paths are relative). The folder is `root`, else that with `.daypack`,
    else the recorded one, else the working folder. Raises InputError for a name that is not a text.
    """
    if isinstance(store, str) and is_server(store):
        base = Path.cwd() if root is None else Path(root)
        return ServerAddress(store, Path(os.path.abspath(base)) / STORE_FOLDER), base
    if isinstance(store, ServerAddress):
        return store, store.folder.parent if root is None else Path(root)
    if not isinstance(store, os.PathLike):
        check_text("the store", store, "the path of its folder")
        check_named(store)
    folder = Path(os.path.abspath(path_named(store)))
    own = folder.parent if folder.name == STORE_FOLDER else kept_root(folder) or Path.cwd()
    return folder, own if root is None else Path(root)


def check_named(store: str) -> None:
    """Raise InputError for an empty name, which would be the working folder."""
    if not store:
        raise InputError(
            f"the store has an empty name; name its folder, or leave it out for the {STORE_FOLDER} of the project"
        )
    if "\0" in store:
        raise InputError(f"the store {store!r:.80} holds a NUL byte; no folder can have this name")


def keep_root(folder: Path, root: Path) -> None:
    """Record the folder to which the paths in a store outside of its project are relative. Without the record, a question from
    another working folder would take that folder for the project.
    """
    if folder.name == STORE_FOLDER or kept_root(folder) == root:
        return
    with suppress(OSError):  # later writes report a store that cannot be written
        file = folder / ROOT_FILE
        file.touch(mode=0o600)
        file.write_bytes(os.fsencode(root))


def make_store_folder(folder: Path) -> None:
    """Make the folder of a store, or of the files beside a store on a server: only its user may read it, and git passes over
    it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.touch(mode=0o600)
        ignore.write_text("*\n", encoding="utf-8")


def is_root_of(folder: Path, root: Path) -> bool:
    """True when the files of the store in `folder` are known to stand in `root`, which may be only the working folder."""
    own = folder.parent if folder.name == STORE_FOLDER else kept_root(folder)
    return own is not None and os.path.realpath(own) == os.path.realpath(root)


def kept_root(folder: Path) -> Path | None:
    """The recorded folder; None without a record, and for a folder that is gone."""
    try:
        root = Path(os.fsdecode((folder / ROOT_FILE).read_bytes()))
        return root if root.is_absolute() and root.is_dir() else None
    except (OSError, ValueError):
        return None


def why_around_projects(folder: Path | str, home: Path | str) -> str | None:
    """The reason why `folder` has your projects inside and is none itself; None for other folders."""
    real, real_home = os.path.realpath(folder), os.path.realpath(home)
    if real == Path(real).anchor:
        return "it is the root of the disk"
    if not is_around(real, real_home):
        return None
    return "your home folder is inside it" if real != real_home else "it is your home folder"


def project_of(folder: str) -> str:
    """The root of the project around a folder; "" for a missing folder."""
    return (
        project_root(os.path.realpath(folder), home_folder())
        if os.path.isabs(folder) and os.path.isdir(folder)  # noqa: PTH112, PTH117
        else ""
    )
