"""Work trees of one repository: a store copies facts and vectors from the stores of the others.

Facts of code and vectors depend on a text alone, so they are copied by the hash of the text. Nothing else is read from
another store, and nothing is written to it. An unreadable store is skipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from daypack.doors.code import table
from daypack.doors.code.worktree import work_trees
from daypack.errors import CannotWrite, StoreError
from daypack.index import vectors as vector_index
from daypack.index.embedded.connection import FileConnection, connect
from daypack.index.embedded.opening import FILE_NAME, check_header, check_safety, translated
from daypack.index.schema import VERSION
from daypack.index.store import Store
from daypack.ports import FILES
from daypack.projects import STORE_FOLDER


def take_vectors(store: Store) -> None:
    """Copy the missing vectors of files from the other stores, of all models and not only of the current one."""
    for other in _others(store):
        _take_vectors(store, other)


def _take_vectors(store: Store, other: FileConnection) -> None:
    for model_id, model, dim in vector_index.models(other):
        with store.reading() as db:
            wanted = vector_index.lacking(db, FILES, model, dim)
        found = vector_index.find_vectors(other, model_id, dim, wanted)
        if found:
            with (
                suppress(CannotWrite),  # then they are made here
                store.writing("vec_seq", busy_seconds=table.BUSY_SECONDS) as db,
            ):
                vector_index.put_vectors(db, model, dim, found)


def take_facts(store: Store, missing: Sequence[table.CodeText]) -> list[table.CodeText]:
    """Copy the facts of these texts from the other stores; returns the texts whose facts are still missing."""
    for other in _others(store) if missing else ():
        found = [(source, row) for source in missing if (row := table.find_facts(other, source)) is not None]
        if found:
            try:
                with store.writing(table.SEQUENCE, busy_seconds=table.BUSY_SECONDS) as db:
                    for source, (data, names) in found:
                        table.put_row(db, source, data, names)
            except CannotWrite:  # then they are made here
                continue
            there = {source for source, _ in found}
            missing = [source for source in missing if source not in there]
    return [*missing]


def _others(store: Store) -> Iterator[FileConnection]:
    """The stores of the repository's other work trees; each is open for reading until the next is asked for."""
    if store.folder.name != STORE_FOLDER:
        return
    for root in work_trees(Path(os.path.realpath(store.folder.parent))):
        folder = root / STORE_FOLDER
        if not (folder / FILE_NAME).is_file():
            continue
        try:
            with _opened(folder) as other:
                if other.pragma("user_version") == VERSION:
                    yield other
        except StoreError:
            continue


@contextmanager
def _opened(folder: Path) -> Iterator[FileConnection]:
    file = folder / FILE_NAME
    check_safety(folder, file)
    check_header(folder, file, newest=VERSION)
    with translated(file), closing(connect(file, table.BUSY_SECONDS, read_only=True)) as other:
        yield other
