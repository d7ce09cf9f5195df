"""A store becomes one in another place, row by row: from a file to a server, back, or to another of its kind.

    source ──rows by key──▶ a place beside the target ──compared with the source──▶ the target

The copy grows where no command looks for a store: in the folder `copying` of the target's, or in a schema NAME.copying. Its rows
are the state of the work: a run that was killed goes on behind the last row of each table, and compares also the rows that the
run before wrote. Derived rows are copied as well, so the copy gives the same bytes without being indexed again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from daypack.errors import CopyDiffers, CopyRefused, StoreBusy
from daypack.index import meta
from daypack.index.copies.tables import COPIED_FROM, Row, Sum, Tables, digest
from daypack.index.embedded.opening import FILE_NAME, MARKER, make_folder
from daypack.index.postgres.tables import tables
from daypack.index.store import Store
from daypack.index.stores import driver_needed, open_store
from daypack.ports import Connection, Progress
from daypack.system import lock, sync_path
from daypack.types.servers import ServerAddress

WORK = "copying"
SHOWN = 20  # differences of a table


class Migrated(NamedTuple):
    """The rows of a complete copy, by table: all were compared. An earlier run had copied `found` rows."""

    source: str
    target: str
    rows: dict[str, int]
    found: int


class Difference(NamedTuple):
    """A row that two stores do not hold alike: it is missing in one of them, or "changed"."""

    table: str
    key: Row
    what: str


class _Target(Protocol):
    def opened(self) -> AbstractContextManager[Store]: ...

    def finish(self, store: Store) -> None: ...


class FileTarget:
    """The place of a copy in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._work = folder, folder / WORK

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """The store that grows there. Raises CopyRefused where the folder has one, and StoreBusy while another process
        copies.
        """
        if (self._folder / FILE_NAME).exists():
            raise CopyRefused(str(self._folder), "it is a store already")
        make_folder(self._folder)
        descriptor = os.open(self._folder / f"{WORK}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            if not lock(descriptor, wait=False):
                raise StoreBusy(str(self._folder))
            if (self._folder / FILE_NAME).exists():  # another process has just finished
                raise CopyRefused(str(self._folder), "it is a store already")
            with Store.open(self._work) as store:
                yield store
        finally:
            os.close(descriptor)
            if (self._folder / FILE_NAME).exists():  # a process that takes the lock now is refused
                with suppress(OSError):
                    (self._folder / f"{WORK}.lock").unlink(missing_ok=True)

    def finish(self, store: Store) -> None:
        """Close the complete copy, and move it into its place."""
        store.close()  # which empties its log into the file
        (self._work / FILE_NAME).replace(self._folder / FILE_NAME)
        sync_path(self._folder)
        (self._folder / MARKER).unlink(missing_ok=True)
        shutil.rmtree(self._work)


def migrate(
    place: Path | ServerAddress, target: Path | ServerAddress, progress: Progress | None = None
) -> Migrated:
    """Make a copy of the store at `place` the store at `target`, where none may be yet. Raises StoreError; the work can be
    taken up again then.
    """
    with closing(open_store(place, create=False)) as source, source.reading() as db:
        at, rows_of = _target(target), _tables(source, db)
        with at.opened() as copy:
            _check_source(copy, source.name)
            present, rows = _copied(rows_of, copy, progress)
            _finish_numbers(rows_of, copy)
            _carry_sequences(copy, source.sequences())
            at.finish(copy)
        return Migrated(source.name, str(target), rows, present)


def differences(place: Path | ServerAddress, other: Path | ServerAddress) -> list[Difference]:
    """The rows that two stores do not hold alike, at most SHOWN of each table; what counts the writes to one store is left
    out.
    """
    with (
        closing(open_store(place, create=False)) as first,
        closing(open_store(other, create=False)) as second,
        first.reading() as db,
        second.reading() as others,
    ):
        mine, theirs = _tables(first, db), _tables(second, others)
        differing: list[Difference] = []
        for name in tables():
            if _sum(mine, name) != _sum(theirs, name):
                differing += _differing(mine, theirs, name)[:SHOWN]
        return differing


def _target(place: Path | ServerAddress) -> _Target:
    if isinstance(place, ServerAddress):
        with driver_needed():
            from daypack.index.postgres.copying import ServerTarget

        return ServerTarget(place)
    return FileTarget(place)


def _tables(store: Store, db: Connection) -> Tables:
    if isinstance(store.place, ServerAddress):
        from daypack.index.postgres.copying import ServerTables

        return ServerTables(db)
    return Tables(db)


@contextmanager
def _writing(copy: Store) -> Iterator[Tables]:
    with copy.writing(durable=False) as db:
        yield _tables(copy, db)


@contextmanager
def _reading(copy: Store) -> Iterator[Tables]:
    with copy.reading() as db:
        yield _tables(copy, db)


# ---------------------------------------------------------------- copying


def _check_source(copy: Store, name: str) -> None:
    """Note whose copy this is. Raises CopyRefused for the half of another one."""
    with copy.reading() as db:
        known = meta.value_of(db, COPIED_FROM)
    if known not in (None, name):
        raise CopyRefused(
            copy.name, f"a copy of {known} was begun here", f"finish that one, or remove {copy.name}"
        )
    with copy.writing() as db:
        meta.put(db, COPIED_FROM, name)


def _copied(source: Tables, copy: Store, progress: Progress | None) -> tuple[int, dict[str, int]]:
    """(rows that were there, rows by table), after every table was copied and compared."""
    step = _Steps(progress, sum(source.count(name) for name in tables()))
    present, rows = 0, {}
    distrusted = False  # rows of a run before, once one of them differs: its source may have changed since
    for name in tables():
        with _reading(copy) as target:
            behind = None if distrusted else target.last_key(name)
            copied = target.count(name) if behind is not None else 0
        step.skip(copied)
        wanted = _copy(source, copy, name, behind, step)
        with _reading(copy) as target:
            made = _sum(target, name)
        if made != wanted and behind is not None:
            distrusted, copied = True, 0
            _clear_from(copy, name)
            wanted = _copy(source, copy, name, None, step)
            with _reading(copy) as target:
                made = _sum(target, name)
        if made != wanted:
            with _reading(copy) as target:
                raise CopyDiffers(copy.name, name, len(_differing(source, target, name)))
        present, rows[name] = present + copied, made.rows
    return present, rows


def _copy(source: Tables, copy: Store, name: str, behind: Row | None, step: _Steps) -> Sum:
    """Copy the rows of a table behind a key; the sum of all its rows in the source."""
    if behind is None:
        with _writing(copy) as target:
            target.clear(name)
    total = Sum()
    for batch in source.rows(name):
        total = total.plus(batch)
        keys = (source.key_of(name, row) for row in batch)
        new = batch if behind is None else [row for row, key in zip(batch, keys, strict=True) if key > behind]
        if new:
            with _writing(copy) as target:
                target.put(name, new)
            step.done(len(new))
    return total


def _clear_from(copy: Store, name: str) -> None:
    """Empty a table, and those behind it, whose rows may refer to its rows."""
    names = [*tables()]
    with _writing(copy) as target:
        for table in reversed(names[names.index(name) :]):
            target.clear(table)


def _finish_numbers(source: Tables, copy: Store) -> None:
    """Carry over the last number of each table: numbers of deleted rows are never used again."""
    with copy.writing() as db:
        target = _tables(copy, db)
        for name, table in tables().items():
            if table.number:
                highest = db.execute(f"SELECT coalesce(max({table.number}), 0) FROM {name}").get
                target.set_last_number(name, max(source.last_number(name), highest))


def _carry_sequences(copy: Store, sequences: tuple[int, int]) -> None:
    with copy.writing() as db:
        meta.drop(db, "seq", "vec_seq")
        _tables(copy, db).put("meta", [*zip(("seq", "vec_seq"), sequences, strict=True)])
        meta.drop(db, COPIED_FROM)


class _Steps:
    """The rows that are done, of all."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def skip(self, rows: int) -> None:
        self._done += rows

    def done(self, rows: int) -> None:
        self._done += rows
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total)


# ---------------------------------------------------------------- comparing


def _sum(side: Tables, name: str) -> Sum:
    total = Sum()
    for batch in side.rows(name):
        total = total.plus(batch)
    return total


def _differing(mine: Tables, theirs: Tables, name: str) -> list[Difference]:
    first, second = (
        {side.key_of(name, row): digest(row) for batch in side.rows(name) for row in batch}
        for side in (mine, theirs)
    )
    differing = []
    for key in {**first, **second}:
        if first.get(key) != second.get(key):
            kind = (
                "missing in the first"
                if key not in first
                else "missing in the second"
                if key not in second
                else "changed"
            )
            differing.append(Difference(name, key, kind))
    return differing
