"""Repair of a damaged store: rows come from its pages, everything derived is made again, and a report lists losses.

The new store is made beside the old one and takes its place when it is finished; the report is written before that. The
old one is kept, as a backup where SQLite can still copy it, else as it is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from daypack.doors.registry import doors
from daypack.errors import (
    NotAStore,
    StoreDamaged,
    StoreEmpty,
    StoreError,
    StoreNotFound,
    StoreUnsafe,
    StoreVersionMismatch,
)
from daypack.index.copies.placing import Kept, aside_name, make_aside, place, workplace
from daypack.index.embedded.opening import FILE_NAME
from daypack.index.salvage.image import Image
from daypack.index.salvage.rescue import Rescued, rescue
from daypack.system import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from daypack.engine.checks import Check
    from daypack.engine.engine import Engine
    from daypack.engine.open_store import OpenStore

    class Opened(Protocol):
        """An opened store."""

        engine: Engine
        _opened: OpenStore

        def check(self, *, deep: bool = False) -> list[Check]: ...

    Opening = Callable[[Path], AbstractContextManager[Opened]]

_NOT_MENDED = (StoreNotFound, StoreEmpty, StoreUnsafe, StoreVersionMismatch)


class Repaired(NamedTuple):
    """A store that was repaired, or that had no damage: then `found` is empty and nothing else was done.

    `found` are the damages before, `remaining` those that a repair cannot mend. `removed` names records that had to go
    because another part is lost. `report` is the file that lists everything, by its path in the store's folder.
    """

    found: tuple[str, ...]
    rescued: Rescued | None = None
    removed: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    kept: Kept = Kept()
    report: str = ""

    @property
    def complete(self) -> bool:
        """True when nothing can have been lost."""
        return self.rescued is None or (self.rescued.complete and not self.removed and not self.remaining)


def repair(folder: Path, open_store: Opening, *, now: float) -> Repaired:
    """Repair the store in `folder`; `open_store` opens one. Raises StoreError, and then nothing has changed."""
    faults = _damage(folder, open_store)
    if not faults:
        return Repaired(())
    with workplace(folder) as work:
        inferred = {table: sql for door in doors() for table, sql in door.inferred.items()}
        rescued = rescue(folder / FILE_NAME, work / FILE_NAME, inferred)
        if not sum(rescued.kept.values()):
            raise StoreError(
                f"no row could be read from the store {folder}; run `daypack restore` with a backup, or move the "
                f"folder away and add the files again"
            )
        with open_store(work) as fresh:
            removed = tuple(_mended(fresh))
            fresh.engine.reindex()
            remaining = _ills(fresh)
        report = f"{aside_name(now)}/report.json"
        repaired = Repaired(faults, rescued, removed, remaining, Kept(), report)
        make_aside(folder, aside_name(now))
        with replacing(folder / report) as stream:
            stream.write(json.dumps(report_of(repaired), indent=1).encode() + b"\n")
        return repaired._replace(kept=place(work, folder, now=now))


def report_of(repaired: Repaired) -> dict[str, Any]:
    """Everything about a repair, as data."""
    rescued = repaired.rescued
    facts: dict[str, Any] = {"complete": repaired.complete, "damage": [*repaired.found]}
    if rescued is not None:
        facts |= {
            "kept_rows": dict(rescued.kept),
            "rows_from_pages_without_a_table": rescued.strays,
            "unreadable_pages": rescued.pages,
            "unreadable_rows": rescued.cells,
            "unreadable_log_frames": rescued.frames,
            "lost": [item.to_dict() for item in rescued.lost],
            "doubtful": [item.to_dict() for item in rescued.doubtful],
            "removed": [*repaired.removed],
            "remaining_damage": [*repaired.remaining],
        }
    return facts


def _damage(folder: Path, open_store: Opening) -> tuple[str, ...]:
    """The damages of a store. Raises StoreError for those that a repair cannot mend."""
    if not (folder / FILE_NAME).is_file():
        raise StoreNotFound(str(folder))
    # Before SQLite opens the store, which would drop these frames without a word.
    if cut_off := Image.open(folder / FILE_NAME).broken_frames:
        return (f"log: {cut_off} frames stand behind a damaged one",)
    try:
        with open_store(folder) as opened:
            return _ills(opened)
    except _NOT_MENDED:
        raise
    except (StoreDamaged, NotAStore, StoreError) as error:
        return (str(error),)


def _mended(fresh: Opened) -> Iterator[str]:
    """Bring the tables of every door and their records in step; yields what had to be removed."""
    for door in fresh.engine.doors:
        if door.mend is not None:
            yield from door.mend(fresh._opened)


def _ills(opened: Opened) -> tuple[str, ...]:
    checks = opened.check(deep=True)
    return tuple(f"{check.name}: {check.detail}" for check in checks if check.verdict.value == "damage")
