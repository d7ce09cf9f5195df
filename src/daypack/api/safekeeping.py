"""Safekeeping of a store: its base class brings backups, and the ways back."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from daypack.errors import InputError
from daypack.guard.arguments import checked
from daypack.ports import Clock
from daypack.projects import STORE_FOLDER
from daypack.settings import Settings
from daypack.settings.places import check_named, located
from daypack.system import path_named, replacing
from daypack.types.servers import ServerAddress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from daypack.api.repairing import Opened, Opening, Repaired
    from daypack.engine.checks import Check
    from daypack.engine.engine import Engine
    from daypack.index.copies.backups import Backup, Taken
    from daypack.index.copies.exchange import Imported
    from daypack.index.copies.migrating import Difference, Migrated
    from daypack.index.copies.restoring import Restored


@checked
class Safekeeping:
    """The verbs that copy a whole store and bring copies back."""

    engine: Engine

    # ------------------------------------------------------------ damage

    def check(self, *, deep: bool = False, sample: float = 0.0) -> list[Check]:
        """Checks of pages, references, the lexical index, vectors, and the chains of the audits.

        `deep` also compares every text with its hash and adds up every posting; `sample` compares a random share of the
        texts, above 0 and at most 1.
        """
        from daypack.engine import health

        if not 0 <= sample <= 1:
            raise InputError(
                f"a sample of {sample:g} is not a share; ask for 0.05 to compare every 20th text"
            )
        engine = self.engine
        return health.check(engine.store, engine.doors, share=1.0 if deep else sample, seed=engine.clock())

    @classmethod
    def repair(
        cls, store: Path | str = STORE_FOLDER, *, settings: Settings | None = None, clock: Clock = time.time
    ) -> Repaired:
        """Rescue the readable rows of the damaged store in the folder `store`, and make everything derived again.

        The damaged store is kept, and a report beside it lists losses. Processes that have it open should end first.
        Raises StoreError, and then nothing has changed.
        """
        from daypack.api.repairing import repair

        return repair(_store_folder(store), cls._opener(store, settings, clock), now=clock())

    # ------------------------------------------------------------ backups

    def backup(self, folder: Path | str, *, keep: int | None = None) -> Taken:
        """Back up the whole store into `folder`, which belongs to this store alone, while others use it.

        Only blocks of 64 KiB that no earlier backup there has are written, and every block of the backup is read
        back. With `keep` only the newest `keep` backups stay. Raises NotABackup, DiskFull and StoreDamaged.
        """
        from daypack.index.copies.backups import Backups

        if keep is not None and keep < 1:
            raise InputError(f"keep {keep} leaves no backup; ask for 1 or more")
        store = self.engine.store
        store.check_is_file("file to back up")
        return Backups(_absolute(folder)).take(
            store.folder, store.copy_to, now=self.engine.clock(), origin=str(store.folder), keep=keep
        )

    @staticmethod
    def backups(folder: Path | str) -> list[Backup]:
        """The backups in `folder` that can be read, oldest first. Raises NotABackup."""
        from daypack.index.copies.backups import Backups

        return Backups(_absolute(folder)).all()

    @staticmethod
    def verify_backup(folder: Path | str, *, at: float | None = None) -> Backup:
        """The newest backup in `folder`, or the newest made at or before `at` (Unix seconds), after a comparison of
        every block with its hash. Raises NotABackup and BackupDamaged.
        """
        from daypack.index.copies.backups import Backups

        backups = Backups(_absolute(folder))
        chosen = backups.choose(at)
        backups.verify(chosen)
        return chosen

    @staticmethod
    def restore(
        folder: Path | str,
        store: Path | str = STORE_FOLDER,
        *,
        at: float | None = None,
        clock: Clock = time.time,
    ) -> Restored:
        """Replace the store in the folder `store` with the newest backup in `folder`, or the newest made at or before
        `at` (Unix seconds). Others may use the store meanwhile.

        The replaced store is kept as a backup in a folder of its own; one that is damaged, or of a newer version, is set
        aside unchanged, in `aside`.
        Raises NotABackup, BackupDamaged and StoreError; the store is then unchanged.
        """
        from daypack.index.copies.restoring import restore

        return restore(_absolute(folder), _store_folder(store), now=clock(), at=at)

    # ------------------------------------------------------------ JSON lines

    def export(self, write: Callable[[str], object]) -> int:
        """Hand every row of the store that is not derived to `write`, as lines of JSON, sorted; returns the number of
        rows. The lines show one state of the store, however long it takes.
        """
        from daypack.index.copies.exchange import export_lines

        self.engine.store.check_is_file("export yet")
        lines = -2  # the first and the last are not rows
        with self.engine.store.reading() as db:
            for line in export_lines(db):
                write(line)
                lines += 1
        return lines

    def export_file(self, path: Path | str) -> int:
        """`export` into a file, which only its owner may read, and which is there completely or not at all; returns the
        number of rows. Raises InputError.
        """
        target = _absolute(path)
        if target.exists() and not target.is_file():  # a rename would put a file in the place of a device
            raise InputError(f"{target} is not a file; name a file to write")
        try:
            with replacing(target) as stream:
                rows = self.export(lambda line: stream.write(line.encode()))
        except OSError as error:
            raise InputError(f"{target} cannot be written ({error.strerror}); check the path") from error
        return rows

    @classmethod
    def import_lines(
        cls,
        lines: Iterable[str],
        store: Path | str = STORE_FOLDER,
        *,
        settings: Settings | None = None,
        clock: Clock = time.time,
    ) -> Imported:
        """Make the store in the folder `store` from the lines of an export; it must be new or empty.

        Raises BadExport, StoreNotEmpty and StoreError, and then nothing has changed.
        """
        from daypack.api.importing import import_store

        return import_store(lines, _store_folder(store), cls._opener(store, settings, clock), now=clock())

    # ------------------------------------------------------------ another place

    @staticmethod
    def migrate(
        source: Path | str | ServerAddress,
        target: Path | str | ServerAddress,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Migrated:
        """Make a copy of the store `source` the store `target`; each is a folder, or a URL postgresql://… of a server.

        Every row is compared after it was written. After an error or a kill the same call goes on where it stopped.
        Raises CopyRefused where `target` is a store already, CopyDiffers and StoreError; the source is never changed.
        """
        from daypack.index.copies.migrating import migrate

        return migrate(located(source, None)[0], located(target, None)[0], progress)

    @staticmethod
    def differences(
        first: Path | str | ServerAddress, second: Path | str | ServerAddress
    ) -> list[Difference]:
        """The rows that two stores do not hold alike, at most 20 of each table. Raises StoreError."""
        from daypack.index.copies.migrating import differences

        return differences(located(first, None)[0], located(second, None)[0])

    @classmethod
    def _opener(cls, store: Path | str, settings: Settings | None, clock: Clock) -> Opening:
        """A function that opens a store in another folder as that in the folder `store`."""

        def opened(folder: Path) -> AbstractContextManager[Opened]:
            root = _absolute(store).parent
            found: AbstractContextManager[Opened] = cls.open(  # type: ignore[attr-defined]
                folder, root=root, create=False, settings=settings, clock=clock
            )
            return found

        return opened


def _store_folder(store: Path | str) -> Path:
    if isinstance(store, str):
        check_named(store)
    return _absolute(store)


def _absolute(folder: Path | str) -> Path:
    return Path(os.path.abspath(path_named(folder)))
