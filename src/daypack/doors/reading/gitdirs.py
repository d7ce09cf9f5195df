"""Git folders, as far as a walk asks: the one that belongs to a folder, and those of its other work trees."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from daypack.system import AS_IS, NO_WAIT

OTHER_TREE = "another work tree of this repository (git worktree); run `daypack` inside it"


def git_folder(tree: str) -> str:
    """The git folder of a work tree, "" without one; `.git` is a file in submodules and in further work trees."""
    git = f"{tree}/.git"
    if os.path.isdir(git):  # noqa: PTH112
        return git
    pointer = first_line(git)
    if not pointer.startswith("gitdir:"):
        return ""
    return os.path.join(tree, pointer.removeprefix("gitdir:").strip())  # noqa: PTH118


def shared_folder(git: str) -> str:
    """The git folder that all work trees of a repository share."""
    return os.path.join(git, first_line(f"{git}/commondir"))  # noqa: PTH118


def repository_around(folder: str) -> str:
    """The real path of the shared git folder of the work tree around a folder; "" outside of work trees, and where the
    repository lies beside its work trees: these are then all that a walk finds.
    """
    for tree in (folder, *map(str, Path(folder).parents)):
        if os.path.lexists(f"{tree}/.git"):
            git = git_folder(tree)
            is_checked_out = bool(git) and os.path.lexists(f"{git}/index")
            return os.path.realpath(shared_folder(git)) if is_checked_out else ""
    return ""


def is_other_tree(tree: str, repository: str) -> bool:
    """True for a folder whose `.git` is a file that leads to the `worktrees` of this repository."""
    if not repository or not os.path.isfile(f"{tree}/.git"):  # noqa: PTH113
        return False
    return os.path.dirname(os.path.realpath(git_folder(tree))) == f"{repository}/worktrees"  # noqa: PTH120


def exclude_file(tree: str) -> str | None:
    """`info/exclude` of a repository, which its work trees share."""
    git = git_folder(tree)
    return f"{shared_folder(git)}/info/exclude" if git else None


def first_line(path: str) -> str:
    """The first line of a plain file without blanks around it; "" of anything else."""
    return os.fsdecode(begin_of(path, 8192).partition(b"\n")[0]).strip()


def begin_of(path: str, most: int, *, flags: int = 0) -> bytes:
    """The first bytes of a plain file, at most `most`; none of anything else. `flags` are more ones for `os.open`."""
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_WAIT | AS_IS | flags)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
