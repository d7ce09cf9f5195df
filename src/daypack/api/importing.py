"""A store is made from the lines of an export: rows first, then everything derived."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from daypack.errors import BadExport, StoreDamaged, StoreNotEmpty, StoreNotFound
from daypack.guard.fences import one_line
from daypack.index import census
from daypack.index.copies.exchange import Imported, import_lines
from daypack.index.copies.placing import place, workplace
from daypack.index.embedded.opening import FILE_NAME
from daypack.index.store import Store

if TYPE_CHECKING:
    from daypack.api.repairing import Opening


def import_store(lines: Iterable[str], folder: Path, open_store: Opening, *, now: float) -> Imported:
    """Make the store in `folder`, which must be new or empty. Raises BadExport, StoreNotEmpty and StoreError."""
    try:
        with Store.open(folder, create=False, clock=lambda: now) as present, present.reading() as db:
            if not census.is_empty(db):
                raise StoreNotEmpty(str(folder))
    except StoreNotFound:
        pass
    with workplace(folder) as work:
        imported = import_lines(lines, work / FILE_NAME)
        with open_store(work) as fresh:
            store = fresh.engine.store
            with store.reading() as db:
                times = census.indexing_times(db)
            try:
                fresh.engine.reindex()
            except (
                StoreDamaged,
                ValueError,
            ) as error:  # rows that fit their tables, and not each other or our words
                why = error.detail if isinstance(error, StoreDamaged) else str(error)
                raise BadExport(0, f"it was changed after it was written ({one_line(why, 200)})") from error
            with store.writing() as db:
                census.set_indexing_times(db, times)
        place(work, folder, now=now)
    return imported
