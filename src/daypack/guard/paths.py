"""Containment: a path is inside a root by its components after resolving, never by its spelling.

`contained` checks a name from outside. `open_inside` opens a file to be read: it opens folder by folder and
follows no link on the way, so that swapping a file between check and open cannot lead outside.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from pathlib import Path

from daypack.errors import InputError
from daypack.system import open_below

DENIED = os.strerror(errno.EACCES).lower()  # in the issue of an entry that this process may not read
LONGEST_SHOWN = 120  # characters of a path in a message


class OutsideRoot(InputError, code="outside_root"):
    def __init__(self, path: str, root: str) -> None:
        self.path, self.root = path, root
        super().__init__(f"{path!r} is outside of {root}; name a path below it, a server reaches no other")


class PathNotFound(InputError, code="path_not_found"):
    def __init__(self, path: str, step: str = "check the path, or pipe text in with `daypack add -`") -> None:
        self.path = path
        super().__init__(f"{path} does not exist; {step}")


class PathUnreadable(InputError, code="path_unreadable"):
    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"path {path} cannot be resolved (Permission denied); check the permissions of its folders"
        )


def check_present(path: Path | str, spelled: Path | str) -> None:
    """Raise PathNotFound for a path without a file or folder, PathUnreadable below a folder without permission; messages name
    it as the user `spelled` it.
    """
    try:
        os.lstat(path)
    except PermissionError as error:
        raise PathUnreadable(_short(os.fspath(spelled))) from error
    except (OSError, ValueError) as error:
        raise PathNotFound(os.fspath(spelled)) from error


def contained(root: Path | str, path: Path | str) -> Path:
    """The real path of `path` (taken relative to `root`), which is `root` or below it. It need not exist.

    Raises OutsideRoot when it is elsewhere, PathUnreadable below a folder without permission, InputError when it cannot be a
    path at all.
    """
    spelled = os.fspath(path)
    if "\0" in spelled:
        raise InputError(f"path {spelled!r} holds a NUL byte; no file can have this name")
    try:
        real_root = Path(os.path.realpath(root))
        real = Path(os.path.realpath(real_root / spelled))
        real.lstat()
    except FileNotFoundError:
        pass
    except PermissionError as error:
        raise PathUnreadable(_short(spelled)) from error
    except (OSError, ValueError, RuntimeError) as error:
        # Too long, a loop of links, a component that is a file.
        raise InputError(
            f"path {_short(spelled)} cannot be resolved ({_reason(error)}); check the name"
        ) from error
    if not real.is_relative_to(real_root):
        raise OutsideRoot(_short(spelled), str(real_root))
    return real


def is_contained(root: Path | str, path: Path | str) -> bool:
    """True when `contained` would accept the path."""
    try:
        contained(root, path)
    except InputError:
        return False
    return True


def open_inside(root: Path | str, parts: Sequence[str]) -> int:
    """A read-only descriptor for the file `parts` below `root`. Raises OSError; ELOOP or ENOTDIR when a
    component is a link.

    The caller checks the type of the file with fstat.
    """
    if not parts or any(part in ("", ".", "..") or "/" in part or "\0" in part for part in parts):
        raise ValueError(f"not a path below a root: {parts!r}")
    return open_below(root, parts)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}… ({len(text):,} characters)"


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


# ---------------------------------------------------------------- names


_ODD = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|\\(?=x)"
_ESCAPE = r"\\x([0-9a-f]{2})"


def uid_of(relative: str) -> str:
    """The uid of a posix path below a root, as the file system spells it."""
    if relative.isprintable() and "\\" not in relative:
        return relative
    return re.sub(_ODD, _escape, relative)


def folder_below(root: Path, folder: Path) -> str:
    """The uid of a folder below a root; "" for the root itself and for one elsewhere."""
    base, real = Path(os.path.realpath(root)), Path(os.path.realpath(folder))
    return uid_of(real.relative_to(base).as_posix()) if base in real.parents else ""


def path_of(root: Path, uid: str) -> Path:
    """The path of a uid; the inverse of `uid_of`."""
    if "\\x" not in uid:
        return root / uid
    raw = b"".join(
        bytes([int(part, 16)]) if index % 2 else part.encode("utf-8", "surrogateescape")
        for index, part in enumerate(re.split(_ESCAPE, uid))
    )
    return root / os.fsdecode(raw)


def _escape(match: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in match.group().encode("utf-8", "surrogateescape"))
