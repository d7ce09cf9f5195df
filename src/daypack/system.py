"""Everything that differs between operating systems: flags of open files, locks, owners, process groups, limits.

Hooks import this, so it costs them `os`, `sys` and the module of locks, and nothing else. The package `filelock`
would take a hook's whole time to import, locks a file beside the one that is written, and polls where `flock` waits.

The tests run the POSIX branches. The Windows branches are type-checked (`mypy --platform win32`) and have not run.
"""

from __future__ import annotations

import os
import stat
import sys
from _thread import get_ident
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

WINDOWS = sys.platform == "win32"

# Windows has neither links to refuse nor FIFOs to wait for; there the C library would translate line ends, and
# every child process would inherit the descriptor.
AS_IS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)

MOVES_OPEN_FILES = not WINDOWS
"""True when an open file can be renamed and removed."""

# ---------------------------------------------------------------- locks

if sys.platform == "win32":
    import msvcrt

    _LOCKED_AT = 0x7FFF_0000  # beyond every spool: a locked byte can be neither read nor written

    def lock(descriptor: int, *, wait: bool = True, shared: bool = False) -> bool:
        """Lock an open file for this descriptor alone; False when another holds it and `wait` is off.

        The system ends the lock when the descriptor is closed or its process dies.
        """
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _LOCKED_AT, os.SEEK_SET)
        try:
            while True:
                try:
                    msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                    return True
                except OSError:  # LK_LOCK gives up after ten seconds
                    if not wait:
                        return False
        finally:
            os.lseek(descriptor, at, os.SEEK_SET)

else:
    import fcntl

    def lock(descriptor: int, *, wait: bool = True, shared: bool = False) -> bool:
        """Lock an open file for this descriptor alone, or beside others that share it; False when another holds it and
        `wait` is off.

        The system ends the lock when the descriptor is closed or its process dies.
        """
        try:
            how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
            fcntl.flock(descriptor, how | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True


# ---------------------------------------------------------------- names


def path_named(name: str | os.PathLike[str]) -> Path:
    """The path that a person wrote: `~` and `~user` at its begin are a home folder, and a plain name where no user has that
    home. `Path.expanduser` raises RuntimeError there, and takes the `~` of `./~` for a home as well.
    """
    from pathlib import Path  # late, for hooks

    path = os.path.expanduser(name)
    return Path(next((one for one in unicode_forms(path) if os.path.lexists(one)), path))


def unicode_forms(name: str) -> tuple[str, ...]:
    """A name as it is written, composed and decomposed: macOS may take the letters of a file's name apart, keyboards do not."""
    if name.isascii():
        return (name,)
    from unicodedata import normalize  # late, for hooks

    return tuple(dict.fromkeys((name, normalize("NFC", name), normalize("NFD", name))))


# ---------------------------------------------------------------- syncing

if sys.platform == "win32":

    def sync_path(path: str | os.PathLike[str]) -> None:
        """Return once a file is on the disk; the names in a folder are left to the system."""
        if not os.path.isdir(path):
            descriptor = os.open(path, os.O_RDWR | AS_IS)  # a descriptor that cannot write cannot be synced
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

else:

    def sync_path(path: str | os.PathLike[str]) -> None:
        """Return once a file, or the names in a folder, are on the disk."""
        descriptor = os.open(path, os.O_RDONLY | AS_IS)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def replacing(path: str | os.PathLike[str], *, mode: int = 0o600, synced: bool = True) -> Iterator[BinaryIO]:
    """A new file beside `path` that takes its place when the block ends: `path` is there completely or as it was.

    With `synced` it survives the machine too, and without only the process.
    """
    folder, name = os.path.split(os.fspath(path))
    beside = os.path.join(folder, f".{name}.{os.getpid():x}-{get_ident():x}")
    with suppress(FileNotFoundError):  # of a process that was killed, and had the same number
        os.unlink(beside)
    try:
        with open(
            beside, "wb", opener=lambda file, flags: os.open(file, flags | os.O_EXCL | AS_IS, mode)
        ) as stream:
            yield stream
            if synced:
                stream.flush()
                os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    if synced:
        sync_path(folder or os.curdir)


# ---------------------------------------------------------------- standard streams


def open_streams() -> None:
    """Open the standard streams that the caller closed, so that no other file takes their numbers.

    Input is empty and errors go nowhere. Output can only be read, so that a lost answer is an error.
    """
    for name, flags in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8", closefd=False))


# ---------------------------------------------------------------- owners
#
# Windows keeps access lists instead of modes. A folder below the user's own inherits theirs, so nothing is asked.

if sys.platform == "win32":

    def is_own(status: os.stat_result) -> bool:
        """True when a file belongs to this user."""
        return True

    def belongs_to_another(status: os.stat_result) -> bool:
        """True when a file belongs to a user whom this one need not trust: neither themselves nor the superuser."""
        return False

    def others_may(status: os.stat_result, bits: int) -> bool:
        """True when the mode gives any of `bits` away."""
        return False

else:

    def is_own(status: os.stat_result) -> bool:
        """True when a file belongs to this user."""
        return status.st_uid == os.getuid()

    def belongs_to_another(status: os.stat_result) -> bool:
        """True when a file belongs to a user whom this one need not trust. The superuser reads everything anyway."""
        return os.getuid() != 0 and status.st_uid not in (os.getuid(), 0)

    def others_may(status: os.stat_result, bits: int) -> bool:
        """True when the mode gives any of `bits` away."""
        return bool(stat.S_IMODE(status.st_mode) & bits)


# ---------------------------------------------------------------- files without links on the way

if sys.platform == "win32":

    def open_below(root: str | os.PathLike[str], parts: Sequence[str]) -> int:
        """A read-only descriptor of the file `parts` below `root`. Raises OSError for a link on the way.

        Each component is looked at before the file is opened: a link that is swapped in between is followed.
        """
        path = os.fspath(root)
        for part in parts:
            path = os.path.join(path, part)
            if os.path.islink(path) or os.path.isjunction(path):  # type: ignore[attr-defined,unused-ignore]
                raise NotADirectoryError(path)
        return os.open(path, os.O_RDONLY | AS_IS)

else:

    def open_below(root: str | os.PathLike[str], parts: Sequence[str]) -> int:
        """A read-only descriptor of the file `parts` below `root`. Raises OSError; ELOOP or ENOTDIR when a
        component is a link.

        O_NONBLOCK keeps a FIFO that took the file's place from blocking us; the caller checks with fstat what
        it got.
        """
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | AS_IS)
        try:
            for part in parts[:-1]:
                deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | NO_LINK | AS_IS, dir_fd=folder)
                os.close(folder)
                folder = deeper
            return os.open(parts[-1], os.O_RDONLY | NO_LINK | NO_WAIT | AS_IS, dir_fd=folder)
        finally:
            os.close(folder)


# ---------------------------------------------------------------- processes

if sys.platform == "win32":
    import _winapi
    import time

    _NEW_GROUP = 0x200  # subprocess.CREATE_NEW_PROCESS_GROUP, without importing subprocess

    def group_flags() -> int:
        """`creationflags` of a process that begins a group."""
        return _NEW_GROUP

    def end_group(process: subprocess.Popen[bytes], *, kill: bool) -> bool:
        """Ask a process and its children to end, or kill them; False when none is left."""
        import subprocess

        force = ["/F"] if kill else []
        done = subprocess.run(
            ["taskkill", "/T", *force, "/PID", str(process.pid)], capture_output=True, check=False
        )
        return done.returncode != 128  # "not found"

    def wait_readable(descriptor: int, seconds: float) -> bool:
        """True when a pipe has something to read, or has ended, within `seconds`."""
        deadline = time.monotonic() + seconds
        handle = msvcrt.get_osfhandle(descriptor)
        while True:
            try:
                if _winapi.PeekNamedPipe(handle, 0)[0]:
                    return True
            except BrokenPipeError:
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)

    def shell_line(command: Sequence[str]) -> str:
        """The command as the user's shell reads it."""
        import subprocess

        return subprocess.list2cmdline(command)

    def limit_process(*, seconds: int, megabytes: int) -> None:
        """Limit this process to the CPU seconds and memory given: Windows does not, the caller keeps the time."""

else:

    def group_flags() -> int:
        """`creationflags` of a process that begins a group: none, `start_new_session` does it."""
        return 0

    def end_group(process: subprocess.Popen[bytes], *, kill: bool) -> bool:
        """Ask a process and its children to end, or kill them; False when none is left."""
        import signal

        try:
            os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGTERM)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def wait_readable(descriptor: int, seconds: float) -> bool:
        """True when a pipe has something to read, or has ended, within `seconds`."""
        import select

        poll = select.poll()  # select() itself takes no descriptor above 1,023
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(max(0, int(seconds * 1000))))

    def shell_line(command: Sequence[str]) -> str:
        """The command as the user's shell reads it."""
        import shlex

        return shlex.join(command)

    def limit_process(*, seconds: int, megabytes: int) -> None:
        """Limit this process to the CPU seconds and memory given, without files and core dumps."""
        import resource

        for what, most in (
            (resource.RLIMIT_AS, megabytes << 20),
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            soft, hard = resource.getrlimit(what)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            try:
                resource.setrlimit(what, (most, hard if what == resource.RLIMIT_CPU else most))
            except (
                ValueError,
                OSError,
            ):  # a system that does not keep this one; the caller still keeps the time
                resource.setrlimit(what, (soft, hard))


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def bare_environment(variables: os._Environ[str]) -> dict[str, str]:
    """The least environment that a Python needs to start: nothing, and its system folder on Windows."""
    return {name: variables[name] for name in ("SYSTEMROOT",) if WINDOWS and name in variables}


def has_room() -> bool:
    """True if 64 MiB of memory can be had. Without room an interpreter may raise SystemError for MemoryError, whose
    object it cannot make.
    """
    try:
        bytearray(64 << 20)
    except MemoryError:
        return False
    return True
