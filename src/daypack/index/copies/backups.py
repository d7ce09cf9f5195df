"""A folder of backups of one store, each a manifest over blocks that all of them share.

    lock                one process at a time takes or removes backups
    blocks/3f/3f0a…     see `blocks`
    backups/TIME.json   the manifest: when, of what, and the hashes of each file's blocks

A backup exists once its manifest does. It is written last, after everything that it names is on the disk, and removed
first: a process that dies leaves at worst blocks without a manifest, which the next one sweeps away.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from daypack.errors import BackupDamaged, DiskFull, NotABackup
from daypack.index.copies.blocks import HASH, BlockFile, BlockFolder
from daypack.system import lock, replacing, sync_path
from daypack.text.storable import is_storable, storable

FORMAT = "daypack backup 1"
IMAGE = "daypack.db"
# of the folder of a store; a server's token is a secret, which a restored backup must not bring back
LEFT_OUT = ("backup", "aside", "placing", "placing.lock", "creating", "folded", ".gitignore", "token")
README = """\
Backups of a Daypack store, made by `daypack backup`. `daypack restore FOLDER` brings one back.

By hand: a file in backups/ is one backup. It lists files, and for each the SHA-256 hashes of its blocks in order.
The block with the hash 3f0a... is the file blocks/3f/3f0a... as it was. Put one behind the other, blocks are the file:

    jq -r '.files[] | select(.path == "daypack.db") | .blocks[]' backups/TIME.json |
        while read b; do cat "blocks/$(echo $b | cut -c1-2)/$b"; done > daypack.db
    sha256sum daypack.db        # is the "sha256" of the file

daypack.db is a SQLite database. Nothing here is encrypted.
"""


class Backup(NamedTuple):
    """One backup. `made_at` is in Unix seconds, `schema` the version of its tables, `origin` the folder of the store, ""
    for one beside its store.
    """

    name: str
    made_at: float
    origin: str
    schema: int
    files: tuple[BlockFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def time(self) -> str:
        """The moment, to the second, in UTC."""
        return f"{datetime.fromtimestamp(self.made_at, UTC):%Y-%m-%d %H:%M:%S} UTC"


class Taken(NamedTuple):
    """A backup that was taken: what it added, and the number of older ones that were removed for `keep`."""

    backup: Backup
    new_blocks: int
    new_bytes: int
    removed: int


class Backups:
    """The backups in `folder`, which need not exist before the first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._blocks = BlockFolder(folder / "blocks")
        self._manifests = folder / "backups"

    # ------------------------------------------------------------ reading

    def all(self) -> list[Backup]:
        """Every backup that can be read, oldest first. Raises NotABackup."""
        return self._readable()[0]

    def _readable(self) -> tuple[list[Backup], list[BackupDamaged]]:
        if not self._manifests.is_dir():
            raise NotABackup(
                str(self.folder), "is not a folder of backups", "name the folder that `daypack backup` wrote"
            )
        found: list[Backup] = []
        damaged: list[BackupDamaged] = []
        for path in sorted(self._manifests.glob("*.json")):
            try:
                found.append(_read(path))
            except BackupDamaged as error:
                damaged.append(error)
        return sorted(found, key=lambda backup: (backup.made_at, backup.name)), damaged

    def choose(self, at: float | None) -> Backup:
        """The newest backup, or the newest that was made at or before `at`. Raises NotABackup and BackupDamaged."""
        found, damaged = self._readable()
        fitting = [backup for backup in found if at is None or backup.made_at <= at]
        if fitting:
            return max(fitting, key=lambda backup: (backup.made_at, backup.name))
        if damaged:
            raise damaged[0]
        if not found:
            raise NotABackup(str(self.folder), "holds no backup", "run `daypack backup` first")
        first = min(found, key=lambda backup: backup.made_at)
        raise NotABackup(str(self.folder), "holds no backup of that time", f"its first is of {first.time}")

    def verify(self, backup: Backup) -> None:
        """Read every block of a backup and compare it with its hash. Raises BackupDamaged."""
        for file in backup.files:
            for _ in self._blocks.read_file(file):
                pass

    def extract(self, backup: Backup, into: Path) -> None:
        """Write the files of a backup into an empty folder, and sync them. Raises BackupDamaged and DiskFull."""
        with _full_disks(into):
            for file in backup.files:
                if file.path in LEFT_OUT:  # earlier versions kept the token
                    continue
                place = into.joinpath(*PurePosixPath(file.path).parts)
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with os.fdopen(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as stream:
                    for block in self._blocks.read_file(file):
                        stream.write(block)
                sync_path(place)
            sync_path(into)

    # ------------------------------------------------------------ writing

    def take(
        self,
        store: Path,
        image: Callable[[Path], int],
        *,
        now: float,
        origin: str = "",
        keep: int | None = None,
    ) -> Taken:
        """Back up the store in the folder `store`, and of all backups keep the newest `keep`.

        `image` writes a consistent copy of the database to a path, and returns its schema. Every block of the backup
        was read back when this returns. Raises NotABackup, DiskFull and what `image` raises.
        """
        with _full_disks(self.folder):
            self._prepare(store)
        with self._locked(), _full_disks(self.folder):
            self._check_origin(origin)
            partial = self.folder / "image.partial"
            self._remove_image(partial)  # of a process that was killed
            try:
                # In this order: an event that is folded into the database meanwhile is in both, and counts once.
                files = []
                for path, name in _beside(store):
                    with contextlib.suppress(FileNotFoundError):  # folded meanwhile
                        files.append(self._blocks.put_file(path, name))
                schema = image(partial)
                files.append(self._blocks.put_file(partial, IMAGE))
            finally:
                self._remove_image(partial)
            name = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%dT%H-%M-%S.%fZ}"
            while (self._manifests / f"{name}.json").exists():
                name += "+"
            backup = Backup(name, now, origin, schema, tuple(sorted(files)))
            self._blocks.sync()
            self.verify(backup)
            with replacing(self._manifests / f"{name}.json") as stream:
                stream.write(_written(backup))
            removed = self._prune(keep)
        return Taken(backup, len(self._blocks.new), self._blocks.new_bytes, removed)

    def _prepare(self, store: Path) -> None:
        if not is_storable(str(self.folder)):  # SQLite takes UTF-8, which a path of Linux need not be
            raise NotABackup(storable(str(self.folder)), "has a name that is not UTF-8", "name another one")
        if self.folder.is_symlink() or (self.folder.exists() and not self.folder.is_dir()):
            raise NotABackup(str(self.folder), "is not a folder", "name another one")
        if not self.folder.exists() and not self.folder.parent.is_dir():
            raise NotABackup(
                str(self.folder), "cannot be made: its parent does not exist", "make that folder first"
            )
        inside = Path(os.path.realpath(self.folder)).is_relative_to(os.path.realpath(store))
        if inside and self.folder != store / "backup":
            raise NotABackup(str(self.folder), "lies in the store", "keep backups outside of it")
        known = not self.folder.exists() or self._manifests.is_dir() or self.folder == store / "backup"
        if not known and any(self.folder.iterdir()):
            raise NotABackup(
                str(self.folder), "holds other files and no backups", "name a new or an empty folder"
            )
        for folder in (self.folder, self._manifests, self._blocks.folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        for name, text in (("README.txt", README), (".gitignore", "*\n")):
            if not (self.folder / name).exists():
                with replacing(self.folder / name) as stream:
                    stream.write(text.encode())

    def _remove_image(self, partial: Path) -> None:
        for path in self.folder.glob(f"{partial.name}*"):
            path.unlink()

    def _check_origin(self, origin: str) -> None:
        others = {backup.origin for backup in self.all()} - {origin}
        if others:
            raise NotABackup(
                str(self.folder),
                f"holds backups of {min(others)}",
                "name another folder: each store has one of its own",
            )

    def _prune(self, keep: int | None) -> int:
        found, damaged = self._readable()
        gone = found[: max(0, len(found) - keep)] if keep is not None else []
        for backup in gone:
            (self._manifests / f"{backup.name}.json").unlink()
        if gone:
            sync_path(self._manifests)
        if not damaged:  # which blocks a damaged manifest needs is unknown
            left = found[len(gone) :]
            self._blocks.sweep({block for backup in left for file in backup.files for block in file.blocks})
        return len(gone)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        descriptor = os.open(self.folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            lock(descriptor)
            yield
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _full_disks(folder: Path) -> Iterator[None]:
    """Turn the errors of a disk into Daypack's."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DiskFull(str(folder)) from error
        raise NotABackup(
            str(folder),
            f"cannot be used ({error.strerror or error})",
            "check its permissions, or name another",
        ) from error


def _beside(store: Path) -> Iterator[tuple[Path, str]]:
    """The files of a store but its database, and their names there: spooled events, profiles, saved runs."""
    for top in sorted(store.iterdir()):
        if top.name in LEFT_OUT or top.name.startswith(IMAGE):
            continue
        for path in [top, *sorted(top.rglob("*"))] if top.is_dir() and not top.is_symlink() else [top]:
            if path.is_file() and not path.is_symlink():
                yield path, path.relative_to(store).as_posix()


def _written(backup: Backup) -> bytes:
    facts = {
        "format": FORMAT,
        "made_at": backup.made_at,
        "time": backup.time,
        "origin": backup.origin,
        "schema": backup.schema,
        "files": [file._asdict() for file in backup.files],
    }
    return json.dumps(facts, indent=1).encode() + b"\n"


def _read(path: Path) -> Backup:
    """The backup of a manifest. Raises BackupDamaged."""
    try:
        facts: dict[str, Any] = json.loads(path.read_bytes())
        if facts["format"] != FORMAT:
            raise NotABackup(str(path), "was written by a newer version", "upgrade daypack")
        files = tuple(
            BlockFile(str(one["path"]), int(one["size"]), str(one["sha256"]), tuple(one["blocks"]))
            for one in facts["files"]
        )
        if not all(_is_sound(file) for file in files):
            raise ValueError("a path or a hash is malformed")
        return Backup(path.stem, float(facts["made_at"]), str(facts["origin"]), int(facts["schema"]), files)
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise BackupDamaged(str(path), "the manifest cannot be read") from error


def _is_sound(file: BlockFile) -> bool:
    """True when a manifest's file lies below its folder and its blocks have names of blocks."""
    parts = PurePosixPath(file.path).parts
    inside = bool(parts) and not file.path.startswith("/") and ".." not in parts
    return inside and all(isinstance(name, str) and HASH.fullmatch(name) for name in file.blocks)
