"""The state of a folder that an answer used: its commit, whether it has uncommitted changes, and its stored files."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from daypack.doors.code import table
from daypack.doors.code.types import ProjectState, Seen
from daypack.doors.reading import gitdirs
from daypack.index.store import Store
from daypack.ports import FILES
from daypack.text.storable import storable
from daypack.types import SearchStats

GIT_SECONDS = 2.0
_HEAD = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Worktree:
    """The git state of a folder. git runs again only after its own files or those of the store have changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: tuple[int, int, int, int] | None = None
        self._known: tuple[tuple[object, ...], bool | None] | None = None

    def state(self, store: Store, stale: int) -> ProjectState:
        """The present state; `stale` is the number of files that have changed since they were read."""
        sequence = store.sequences()[0]
        if self._files is None or self._files[0] != sequence:  # counting reads the rows of all files
            with store.reading() as db:
                self._files = (sequence, *table.state_of_files(db))
        _, files, newest, size = self._files
        git = git_folder(self._root)
        head, branch = read_head(git) if git is not None else ("", "")
        dirty = (
            self._dirty(git, (head, branch, files, newest, size, stale)) if git is not None and head else None
        )
        reasons = ("filesystem_changed",) if stale else ()
        return ProjectState(head, branch, dirty, files, newest, size, stale, reasons)

    def seen(self, store: Store, stats: SearchStats) -> Seen:
        """The hints on an answer after its look at the disk, and the state of files that were not read again."""
        if not (stats.stale or stats.degraded):
            return Seen()
        from daypack.doors.code.packs.packing import hints_on_search

        return Seen(
            tuple(hints_on_search(stats, ())), self.state(store, stats.stale) if stats.stale else None
        )

    def changed(self, store: Store, uris: Iterable[str]) -> set[str]:
        """Those of the files that were changed or deleted since they were read."""
        from daypack.guard.paths import path_of

        found = set()
        for uri in uris:
            stored = store.stored_record(FILES, "", uri)
            try:
                status = os.stat(path_of(self._root, uri))
            except OSError:
                found.add(uri)
                continue
            if stored is None or (status.st_mtime_ns, status.st_size) != (stored.mtime_ns, stored.size):
                found.add(uri)
        return found

    def _dirty(self, git: Path, key: tuple[object, ...]) -> bool | None:
        try:
            index = os.stat(git / "index").st_mtime_ns
        except OSError:
            index = 0
        if self._known is None or self._known[0] != (*key, index):
            self._known = ((*key, index), is_dirty(self._root))
        return self._known[1]


def git_folder(root: Path) -> Path | None:
    """The git directory of the work tree around a folder, or None."""
    top = _top(root)
    git = gitdirs.git_folder(str(top)) if top is not None else ""
    return Path(git) if git else None


def _top(root: Path) -> Path | None:
    """The work tree around a folder, or None."""
    return next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)


def work_trees(root: Path) -> list[Path]:
    """The same folder in the other work trees of its repository. A folder that does not name this repository is left out."""
    top, git = _top(root), git_folder(root)
    if top is None or git is None:
        return []
    shared = Path(os.path.realpath(gitdirs.shared_folder(str(git))))
    found = [shared.parent] if shared.name == ".git" else []
    for entry in sorted(shared.glob("worktrees/*")):
        place = entry / gitdirs.first_line(f"{entry}/gitdir")
        named = git_folder(place.parent) if place.name == ".git" else None
        if named is not None and os.path.realpath(named) == str(entry):
            found.append(Path(os.path.realpath(place.parent)))
    return [other / root.relative_to(top) for other in found if other != Path(os.path.realpath(top))]


def read_head(git: Path) -> tuple[str, str]:
    """(commit, branch) of a git directory; "" for an unknown one."""
    head = gitdirs.first_line(f"{git}/HEAD")
    if not head.startswith("ref:"):
        return (head if _HEAD.fullmatch(head) else ""), ""
    name = head[4:].strip()
    branch = storable(name.removeprefix("refs/heads/"))
    folders = dict.fromkeys((git, Path(gitdirs.shared_folder(str(git)))))
    for folder in folders:
        if ".." not in name and _HEAD.fullmatch(commit := gitdirs.first_line(f"{folder}/{name}")):
            return commit, branch
    for folder in folders:
        try:
            packed = (folder / "packed-refs").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            continue
        for line in packed.split("\n"):
            commit, _, found = line.partition(" ")
            if found == name and _HEAD.fullmatch(commit):
                return commit, branch
    return "", branch


def is_dirty(root: Path) -> bool | None:
    """True when git reports changes, None without git. git runs no hook and takes no lock of the repository."""
    command = [
        "git",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "status",
        "--porcelain",
        "-z",
        "--untracked-files=normal",
    ]
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": "/nonexistent",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            command,
            cwd=root,
            capture_output=True,
            timeout=GIT_SECONDS,
            env=environment,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return bool(done.stdout) if done.returncode == 0 else None
