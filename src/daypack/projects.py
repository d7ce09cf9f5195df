"""Projects on a disk: the root of the project around a folder, and the folder whose store serves it.

    ~/.daypack/  ~/shop/.git  ~/shop/src/        src/ belongs to shop, and is not served by the store of the home folder

Hooks import this, so it costs them `os` and `re`, and nothing else. Folders are real paths, as texts.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

STORE_FOLDER = ".daypack"
STORE_FILE = os.path.join(STORE_FOLDER, "daypack.db")
_MARKERS = """.git .hg .svn .jj pyproject.toml setup.py setup.cfg requirements.txt Pipfile
package.json deno.json tsconfig.json Cargo.toml go.mod go.work pom.xml build.gradle build.gradle.kts
settings.gradle build.sbt Gemfile composer.json mix.exs pubspec.yaml Package.swift rebar.config dune-project
stack.yaml cabal.project flake.nix build.zig Project.toml DESCRIPTION CMakeLists.txt meson.build configure.ac
WORKSPACE MODULE.bazel Makefile GNUmakefile justfile Justfile Taskfile.yml mkdocs.yml .projectile
.editorconfig AGENTS.md CLAUDE.md"""
PROJECT_MARKERS = (*_MARKERS.split(), STORE_FOLDER)


def home_folder() -> str:
    """The real home folder of the user; "" for a user without one, as in some containers."""
    home = os.path.expanduser("~")
    return "" if home == "~" else os.path.realpath(home)


def store_root(start: str, home: str) -> tuple[str, bool]:
    """(the folder whose store serves `start`, True when it has one): the nearest at or above `start` with a store, else the root of
    the project. A store in the home folder, or above it, serves no project below, except parts of a repository there.
    """
    main = ""
    for folder in _upwards(start):
        if main and _is_within(folder, main):
            continue  # its store leaves out the work tree around `start`
        if os.path.exists(os.path.join(folder, STORE_FILE)):
            if folder != start and is_around(folder, home) and _is_apart(project_root(start, home), folder):
                break
            return folder, True
        main = main or _main_tree(folder)
    return project_root(start, home), False


def project_root(start: str, home: str) -> str:
    """The nearest folder at or above `start` with a repository, else with a project marker, else `start`. The home folder and
    those around it hold projects, so their markers count only for themselves.
    """
    folders = [folder for folder in _upwards(start) if folder == start or not is_around(folder, home)]
    for folder in folders:
        if _is_repository(folder):
            return folder
    return next((folder for folder in folders if project_marker(folder)), start)


def project_marker(folder: str | os.PathLike[str]) -> str | None:
    """The name of the entry that makes `folder` a project, or None; that of a store where it has no other."""
    try:
        with os.scandir(folder) as entries:
            names = {entry.name for entry in entries}
    except OSError:
        return None
    return next((marker for marker in PROJECT_MARKERS if marker in names), None)


def is_around(folder: str, home: str) -> bool:
    """True for the home folder, and for folders that hold it."""
    return _is_within(home, folder)


def _is_apart(root: str, outer: str) -> bool:
    """True for a project outside of the repository in `outer`, if any."""
    return project_marker(root) is not None and (_is_repository(root) or not _is_repository(outer))


def _is_repository(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, ".git"))


def _upwards(folder: str) -> Iterator[str]:
    """The folder and those that hold it, up to the root of the disk."""
    yield folder
    while (above := os.path.dirname(folder)) != folder:
        yield (folder := above)


def _is_within(inner: str, outer: str) -> bool:
    """True for a folder that is the other, or is inside it."""
    return f"{os.path.normcase(inner)}{os.sep}".startswith(
        f"{os.path.normcase(outer).rstrip(os.sep)}{os.sep}"
    )


def _main_tree(folder: str) -> str:
    """The main work tree around a further work tree of the same repository (`git worktree`); "" for other folders."""
    try:
        with open(os.path.join(folder, ".git"), encoding="utf-8", errors="surrogateescape") as file:
            first = file.readline()
    except OSError:  # a folder, or none
        return ""
    inside = re.fullmatch(r"gitdir:\s*(.+)/\.git/worktrees/[^/]+/?\s*", first)
    main = os.path.realpath(os.path.join(folder, inside[1])) if inside else folder
    return main if main != folder and _is_within(folder, main) else ""
