"""The store's file: its place, the test that it is a store, its opening, and SQLite's errors as Daypack's."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import apsw

from daypack.errors import (
    DiskFull,
    FolderOfOthers,
    NoFolderForStore,
    NotAStore,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreEmpty,
    StoreError,
    StoreReadOnly,
    StoreUnsafe,
    StoreVersionMismatch,
)
from daypack.index.embedded.connection import lacks_space
from daypack.index.schema import APPLICATION_ID
from daypack.projects import STORE_FOLDER
from daypack.settings.places import make_store_folder
from daypack.system import belongs_to_another, others_may
from daypack.text.name_sets import name_set

FILE_NAME = "daypack.db"
MARKER = "creating"  # written beside the file before SQLite makes it, empty, until the file is a store
BUSY_SECONDS = 20.0
# entries of the folder of a store whose database is not there yet, or not any more
_OURS = {MARKER} | name_set(
    ".gitignore aside backup config.toml copying copying.lock evals folded placing placing.lock profiles root spool token"
)
_MAGIC = b"SQLite format 3\0"


def make_folder(folder: Path) -> None:
    """Make the folder of a new store, and mark it as such: the marker exists before the file does. Raises FolderOfOthers for
    one that holds something else: git ignores everything beside a store.
    """
    if not folder.parent.is_dir() and not folder.parent.is_file():
        raise NoFolderForStore(str(folder), str(folder.parent))
    if folder.name != STORE_FOLDER and not _is_free(folder):
        raise FolderOfOthers(str(folder))
    try:
        make_store_folder(folder)
        with contextlib.suppress(FileExistsError):  # of another process, or of a killed one
            os.close(os.open(folder / MARKER, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except PermissionError as error:
        raise StoreReadOnly(str(folder)) from error
    except OSError as error:
        _refuse_folder(folder, error)


def _is_free(folder: Path) -> bool:
    """True for a folder that is missing, empty, or made by Daypack."""
    try:
        return all(entry.name in _OURS or entry.name.startswith(FILE_NAME) for entry in folder.iterdir())
    except OSError:  # making the folder names the fault
        return True


def check_path(folder: Path, file: Path) -> None:
    """True when SQLite accepts the path: it takes UTF-8, which a path of Linux need not be."""
    try:
        str(file).encode()
    except UnicodeEncodeError as error:
        raise StoreUnsafe(str(folder), "its path is not UTF-8", "choose another --store") from error


def _refuse_folder(folder: Path, error: OSError) -> NoReturn:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        raise DiskFull(str(folder)) from error
    if error.errno == errno.EROFS:
        raise StoreReadOnly(str(folder)) from error
    if isinstance(error, FileExistsError | NotADirectoryError):
        raise NotAStore(str(folder), "a file is in the place of the folder") from error
    raise StoreUnsafe(str(folder), error.strerror or str(error), "choose another --store") from error


def check_safety(folder: Path, file: Path) -> None:
    """Refuse what another user could have put there."""
    for path in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        if path.is_symlink():
            raise StoreUnsafe(str(folder), f"{path.name} is a link", "remove the link")
    if not folder.exists():
        return
    status = folder.stat()
    if belongs_to_another(status):
        raise StoreUnsafe(str(folder), "it belongs to another user", "choose another --store")
    if others_may(status, 0o002):
        raise StoreUnsafe(str(folder), "every user may write to it", f"run `chmod go-w {folder}`")
    if others_may(status, 0o001) and file.exists() and others_may(file.stat(), 0o002):
        raise StoreUnsafe(str(folder), f"every user may write to {file.name}", f"run `chmod 600 {file}`")


def check_header(folder: Path, file: Path, *, newest: int) -> None:
    """Refuse another program's file, or a version above `newest`, before SQLite writes to it."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise NotAStore(str(file), "it is not a regular file")
        with file.open("rb") as stream:
            head = stream.read(105)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreUnsafe(
            str(folder), f"{file.name} cannot be read ({error.strerror})", "check its permissions"
        ) from error
    if not head:
        # In this order: a maker writes the file, then takes the marker away.
        if not (folder / MARKER).exists() and not file.stat().st_size:
            raise StoreEmpty(str(file))
        return
    if not head.startswith(_MAGIC):
        raise NotAStore(str(file), "it is not a database")
    if len(head) < 105:
        raise StoreDamaged(str(folder), "the file ends within its header")
    version, application_id = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    # no table yet: the WAL may hold ours
    bare = not application_id and head[100] == 13 and head[103:105] == b"\0\0"
    if application_id != APPLICATION_ID and not bare:
        raise NotAStore(str(file), "it is a database of another program")
    if application_id == APPLICATION_ID and version > newest:
        raise StoreVersionMismatch(str(folder), version, newest)


LONGEST_PATH = 500  # bytes: SQLite keeps 512 for a path, and adds endings to it


@contextlib.contextmanager
def translated(file: Path) -> Iterator[None]:
    """Turn SQLite's errors into Daypack's."""
    try:
        yield
    except apsw.ConnectionClosedError as error:
        raise StoreClosed(str(file.parent)) from error
    except apsw.BusyError as error:
        raise StoreBusy(str(file.parent)) from error
    except apsw.FullError as error:
        raise DiskFull(str(file)) from error
    except apsw.ReadOnlyError as error:
        raise StoreReadOnly(str(file.parent)) from error
    except apsw.NotADBError as error:
        raise NotAStore(str(file), "it is not a database") from error
    except apsw.CorruptError as error:
        raise StoreDamaged(str(file.parent), _line(error)) from error
    except apsw.IOError as error:
        if lacks_space(error):
            raise DiskFull(str(file)) from error
        raise StoreDamaged(str(file.parent), _line(error)) from error
    except apsw.CantOpenError as error:
        if (length := len(os.fsencode(file))) > LONGEST_PATH:
            why = f"its path has {length:,} bytes, and SQLite takes at most {LONGEST_PATH}"
            raise StoreUnsafe(str(file.parent), why, "choose a shorter one with --store") from error
        raise StoreUnsafe(
            str(file.parent),
            "the database file cannot be opened",
            "check its permissions, and that more files may be open (ulimit -n)",
        ) from error
    except apsw.Error as error:
        raise StoreError(
            f"the store {file.parent} could not be used ({_line(error)}); run `daypack doctor`"
        ) from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split())  # SQLite quotes statements as they were written
