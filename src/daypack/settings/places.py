"""Places: the location of a store, and the folder that a project begins at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from daypack.settings import STORE_FOLDER

_MARKERS = """.git .hg .svn .jj .daypack pyproject.toml setup.py setup.cfg requirements.txt Pipfile
package.json deno.json tsconfig.json Cargo.toml go.mod go.work pom.xml build.gradle build.gradle.kts
settings.gradle build.sbt Gemfile composer.json mix.exs pubspec.yaml Package.swift rebar.config dune-project
stack.yaml cabal.project flake.nix build.zig Project.toml DESCRIPTION CMakeLists.txt meson.build configure.ac
WORKSPACE MODULE.bazel Makefile GNUmakefile justfile Justfile Taskfile.yml mkdocs.yml .projectile
.editorconfig AGENTS.md CLAUDE.md"""
PROJECT_MARKERS = tuple(_MARKERS.split())


class StorePlace(NamedTuple):
    """A store's path and the folder that its paths are relative to; `project` in a shared store."""

    store: Path
    root: Path
    exists: bool
    project: str = ""


def find_place(start: Path, *, store: str | None, shared: str | None = None) -> StorePlace:
    """The store: the given, the one in `shared`, the nearest `.daypack` upwards, or the root's new one."""
    start = start.resolve()
    if store is None and shared:
        root = (start / Path(shared).expanduser()).resolve()
        folder = root / STORE_FOLDER
        return StorePlace(folder, root, (folder / "daypack.db").exists(), str(project_root(start)))
    if store is not None:
        folder = (
            (start / Path(store).expanduser()).resolve()
            if not Path(store).expanduser().is_absolute()
            else Path(store).expanduser()
        )
        root = folder.parent if folder.name == STORE_FOLDER else start
        return StorePlace(folder, root, (folder / "daypack.db").exists())
    for folder in (start, *start.parents):
        if (folder / STORE_FOLDER / "daypack.db").exists():
            return StorePlace(folder / STORE_FOLDER, folder, True)
    root = project_root(start)
    return StorePlace(root / STORE_FOLDER, root, False)


def project_root(start: Path) -> Path:
    """The nearest folder upwards with a repository, else with any project marker, else `start`."""
    folders = (start, *start.parents)
    for folder in folders:
        if (folder / ".git").exists():
            return folder
    return next((folder for folder in folders if project_marker(folder)), start)


def project_marker(folder: Path | str) -> str | None:
    """The name of the entry that makes `folder` a project, or None."""
    try:
        with os.scandir(folder) as entries:
            names = {entry.name for entry in entries}
    except OSError:
        return None
    return next((marker for marker in PROJECT_MARKERS if marker in names), None)


def project_of(folder: str) -> str:
    """The project that work in a folder belongs to; "" for a missing folder."""
    return (
        str(project_root(Path(os.path.realpath(folder))))
        if os.path.isabs(folder) and os.path.isdir(folder)  # noqa: PTH112, PTH117
        else ""
    )
