"""The spool: `spool/events.jsonl` in the store's folder has one event per line until a command imports it.

A line is written with a line end before and after it, in one write under a lock. So many hooks at once lose nothing, and a
crash in the middle of a line damages that line alone. A process that imports the spool renames the file under the same
lock; a writer that waited for the lock notices the rename, and opens the new file. Lines that cannot be understood are set
aside in a file of their own.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from daypack.system import AS_IS, MOVES_OPEN_FILES, NO_LINK, lock

SPOOL = "spool"
EVENTS = "events.jsonl"
SET_ASIDE = "set-aside"
_MOST_ASIDE = 1 << 20  # bytes; older lines go first


def append(folder: str, line: bytes) -> None:
    """Append one line to the spool of the store in `folder`; missing folders are created. Raises OSError."""
    spool = os.path.join(folder, SPOOL)
    if not os.path.isdir(spool):
        _make(folder, spool)
    path = os.path.join(spool, EVENTS)
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_LINK | AS_IS, 0o600)
        try:
            lock(descriptor)
            if not _is_still(path, descriptor):
                continue  # another process renamed it for import while this one waited
            rest = b"\n" + line + b"\n"
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            return
        finally:
            os.close(descriptor)


def _is_still(path: str, descriptor: int) -> bool:
    try:
        there, here = os.stat(path, follow_symlinks=False), os.fstat(descriptor)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _make(folder: str, spool: str) -> None:
    if not os.path.isdir(folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    ignore = os.path.join(folder, ".gitignore")
    if not os.path.lexists(ignore):
        with open(
            ignore, "w", encoding="utf-8", opener=lambda file, flags: os.open(file, flags, 0o600)
        ) as stream:
            stream.write("*\n")
    os.makedirs(spool, mode=0o700, exist_ok=True)


def take(folder: str) -> None:
    """Rename the spool, so that one process can import it; does nothing without a spool. Raises OSError."""
    path = os.path.join(folder, SPOOL, EVENTS)
    try:
        descriptor = os.open(path, os.O_WRONLY | NO_LINK | AS_IS)
    except FileNotFoundError:
        return
    name = os.path.join(folder, SPOOL, f"folding-{time.time_ns():x}-{os.getpid():x}.jsonl")
    try:
        lock(descriptor)
        filled = _is_still(path, descriptor) and os.fstat(descriptor).st_size
        if filled and MOVES_OPEN_FILES:
            os.rename(path, name)
    finally:
        os.close(descriptor)
    if filled and not MOVES_OPEN_FILES:
        try:
            os.rename(path, name)
        except (PermissionError, FileNotFoundError):
            return  # a writer has it open, which prevents the rename, or another process renamed it


def waiting(folder: str) -> list[str]:
    """The names of the non-empty files in the spool, the oldest first."""
    try:
        with os.scandir(os.path.join(folder, SPOOL)) as entries:
            return sorted(
                entry.name
                for entry in entries
                if entry.name.endswith(".jsonl") and entry.stat(follow_symlinks=False).st_size
            )
    except (FileNotFoundError, NotADirectoryError):
        return []


# ---------------------------------------------------------------- lines that cannot be understood


def set_aside(folder: str, lines: list[bytes]) -> None:
    """Keep lines for a report of the fault; of many the newest ones. Raises OSError."""
    path = os.path.join(folder, SPOOL, SET_ASIDE)
    with open(os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK | AS_IS, 0o600), "rb+") as stream:
        lock(stream.fileno())
        # after a crash the same lines may come again
        kept = [*dict.fromkeys((*stream.read().splitlines(), *(line.strip() for line in lines)))]
        size = sum(map(len, kept))
        while size > _MOST_ASIDE and len(kept) > 1:
            size -= len(kept.pop(0))
        stream.seek(0)
        stream.truncate()
        stream.write(b"".join(line + b"\n" for line in kept))


def count_set_aside(folder: str) -> int:
    """The number of lines that were set aside."""
    try:
        with open(os.path.join(folder, SPOOL, SET_ASIDE), "rb") as stream:
            return sum(1 for _ in stream)
    except (FileNotFoundError, NotADirectoryError):
        return 0


def drop_set_aside(folder: str) -> None:
    """Delete the lines that were set aside, if any."""
    with suppress(FileNotFoundError, NotADirectoryError):
        os.unlink(os.path.join(folder, SPOOL, SET_ASIDE))
