"""Places: the location of a store, and the root folder of a project."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from daypack.errors import InputError
from daypack.settings import STORE_FOLDER
from daypack.system import path_named
from daypack.text.checks import check_text
from daypack.types.servers import ServerAddress, is_server

_MARKERS = """.git .hg .svn .jj pyproject.toml setup.py setup.cfg requirements.txt Pipfile
package.json deno.json tsconfig.json Cargo.toml go.mod go.work pom.xml build.gradle build.gradle.kts
settings.gradle build.sbt Gemfile composer.json mix.exs pubspec.yaml Package.swift rebar.config dune-project
stack.yaml cabal.project flake.nix build.zig Project.toml DESCRIPTION CMakeLists.txt meson.build configure.ac
WORKSPACE MODULE.bazel Makefile GNUmakefile justfile Justfile Taskfile.yml mkdocs.yml .projectile
.editorconfig AGENTS.md CLAUDE.md"""
PROJECT_MARKERS = (*_MARKERS.split(), STORE_FOLDER)

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


def find_place(start: Path, *, store: str | None, shared: str | None = None) -> StorePlace:
    """The place of the given `store`, else of the one in `shared`, else of the nearest `.daypack` at or above `start`, else of
    a new one in the project's root. A store on a server counts as an existing one.
    """
    start = start.resolve()
    if store is not None and is_server(store):
        root = find_place(start, store=None).root
        return StorePlace(ServerAddress(store, root / STORE_FOLDER), root, True)
    if store is None and shared:
        root = (start / path_named(shared)).resolve()
        folder = root / STORE_FOLDER
        return StorePlace(folder, root, (folder / "daypack.db").exists(), str(project_root(start)))
    if store is not None:
        check_named(store)
        named = path_named(store)
        folder = named if named.is_absolute() else (start / named).resolve()
        root = folder.parent if folder.name == STORE_FOLDER else kept_root(folder) or start
        return StorePlace(folder, root, (folder / "daypack.db").exists())
    main: Path | None = None
    for folder in (start, *start.parents):
        if main is not None and folder.is_relative_to(main):
            continue  # its store leaves out the work tree around `start`
        if (folder / STORE_FOLDER / "daypack.db").exists():
            return StorePlace(folder / STORE_FOLDER, folder, True)
        main = main or _main_tree(folder)
    root = project_root(start)
    return StorePlace(root / STORE_FOLDER, root, False)


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


def _main_tree(folder: Path) -> Path | None:
    """The main work tree around a further work tree of the same repository (`git worktree`); None for other folders."""
    try:
        first = (folder / ".git").read_text(encoding="utf-8", errors="surrogateescape").partition("\n")[0]
    except OSError:  # a folder, or none
        return None
    inside = re.fullmatch(r"gitdir:\s*(.+)/\.git/worktrees/[^/]+/?\s*", first)
    main = (folder / inside[1]).resolve() if inside else folder
    return main if main in folder.parents else None


def project_root(start: Path) -> Path:
    """The nearest folder at or above `start` with a repository, else with a project marker, else `start`."""
    folders = (start, *start.parents)
    for folder in folders:
        if (folder / ".git").exists():
            return folder
    return next((folder for folder in folders if project_marker(folder)), start)


def project_marker(folder: Path | str) -> str | None:
    """The name of the entry that makes `folder` a project, or None; that of a store where it has no other."""
    try:
        with os.scandir(folder) as entries:
            names = {entry.name for entry in entries}
    except OSError:
        return None
    return next((marker for marker in PROJECT_MARKERS if marker in names), None)


def why_around_projects(folder: Path | str, home: Path | str) -> str | None:
    """The reason why `folder` has your projects inside and is none itself; None for other folders."""
    real, real_home = Path(os.path.realpath(folder)), Path(os.path.realpath(home))
    if real == Path(real.anchor):
        return "it is the root of the disk"
    if real == real_home:
        return "it is your home folder"
    if real_home.is_relative_to(real):
        return "your home folder is inside it"
    return None


def project_of(folder: str) -> str:
    """The root of the project around a folder; "" for a missing folder."""
    return (
        str(project_root(Path(os.path.realpath(folder))))
        if os.path.isabs(folder) and os.path.isdir(folder)  # noqa: PTH112, PTH117
        else ""
    )
