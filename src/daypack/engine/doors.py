"""The record of a door: everything that the core and the surfaces know about one kind of content.

A door is a folder of `daypack.doors` with an `entry` module that holds `DOOR = Door(...)`, and one line in
`daypack.doors.registry`. `register` there adds one at run time. The hooks import what they need when they are
called, because every command reads the records of all doors. A hook whose first parameter is `Any` takes an
`OpenStore` (`daypack.engine.open_store`); to name that type here would make a circle of imports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from daypack.ports import Condition, Connection, Handling, Viewer

if TYPE_CHECKING:
    from pathlib import Path

    from daypack.engine.checks import Check
    from daypack.index.store import Store
    from daypack.settings.configuration import Setting
    from daypack.types import Pack, Query, SearchStats


class Happened(NamedTuple):
    """An event: its importance among those of a time, 1 most, 5 least, and the time of its last occurrence."""

    importance: int
    last_at: float


class Asked(NamedTuple):
    """A query at a time in Unix seconds. `alike` are records of events that hold nearly all its words; `among_events`
    says that nothing but events may answer it.
    """

    query: Query
    now: float
    alike: tuple[int, ...] = ()
    among_events: bool = False


Checks: TypeAlias = "Callable[[Connection], Iterator[Check]]"
NOTHING_SPECIAL = Handling()


class Door(NamedTuple):
    """A kind of content. A field without a value costs nothing and does nothing."""

    name: str
    """The name that `--in` and `Daypack.door` take."""
    open: Callable[[Any], Any]
    """Makes the door's class for an opened store."""
    close: Callable[[Any], None] | None = None
    """Called with the opened door before the store is closed."""

    # ---- its records
    content: str = ""
    """The kind of content, as in "JSON documents"."""
    holds: Mapping[str, Handling] = {}
    """Values of `record.door` that belong to this door; only its name by default."""
    kinds: tuple[str, ...] = ()
    """The kinds of record that a query in this door searches; () for all that it holds."""
    beside: bool = False
    """True when its records do not come from the project's files: a store with no others still needs a first indexing."""
    hides: Callable[[Connection, Viewer], Condition | None] | None = None
    """The condition for its records that a viewer may not see; None when the viewer may see all."""
    happened: Callable[[Connection, Sequence[int]], Mapping[int, Happened]] | None = None
    """Record id → facts of those of its records that are events."""
    left_off: Callable[[Connection, str, str], Sequence[int]] | None = None
    """Ids of its records with the last words and the open work of the session (scope, name), the most telling first."""
    open_work: Callable[[Connection], Sequence[int]] | None = None
    """Ids of its records that say what is still to be done."""
    asides: Callable[[Connection, Asked], Sequence[int]] | None = None
    """Ids of its records that do not answer a query, as the prompt that the query repeats."""
    sessions_that_ask: Callable[[Connection, float], Sequence[tuple[str, str]]] | None = None
    """(scope, name) of the session of each project that waits for an answer at a time in Unix seconds."""
    state_of: Callable[[Any, str, str], str] | None = None
    """The `state` of the original behind a record's uri and hash, as `Found` names it: "current", "changed" or "gone";
    "current" for a text of another door, which may have the same uri.
    """

    settings: Callable[[], Sequence[Setting]] | None = None
    """Its settings, which the configuration reads from files and variables; `Settings.of_doors` has their values."""
    toolset: str = ""
    """The toolset of its verbs."""
    verbs: str = ""
    """The module that has its verbs as VERBS."""

    # ---- what it does when
    refresh: Callable[[Any, bool, SearchStats], SearchStats] | None = None
    """Called before every query; it adds its result to the statistics. The flag allows it to read originals (files, pages)
    again; changes that depend on time alone are made without it.
    """
    after_pack: Callable[[Any, Pack], None] | None = None
    """Called with every pack that shows one of its records."""
    after_add: Callable[[Store], None] | None = None
    """Called when files brought new or changed texts into records that it holds."""
    rebuild: Callable[[Connection], None] | None = None
    """Called in the transaction that cuts and indexes every record again."""
    inferred: Mapping[str, str] = {}
    """Table → a statement of SQLite that infers lost rows, all columns of each, from the rows that refer to them. A rescue of a
    damaged store runs it, and reports these rows as doubtful.
    """
    mend: Callable[[Any], Iterator[str]] | None = None
    """Called on a store that was rescued from a damaged one, before every record is cut and indexed again. It makes the
    door's tables and records consistent, and yields a line for everything that it removed.
    """
    checks: Checks | None = None
    """Checks of its data that every check of a store runs."""
    folder_checks: Callable[[Path], Iterator[Check]] | None = None
    """Checks of its files in the folder of the store, which the doctor runs."""
    deep_checks: Checks | None = None
    """Checks that read the whole store."""

    @property
    def handlings(self) -> Mapping[str, Handling]:
        return self.holds or {self.name: NOTHING_SPECIAL}


def handling_of(doors: Sequence[Door], door: str) -> Handling:
    """Rules by which the core treats records with this `record.door`, from the first door that holds them."""
    return next((holder.handlings[door] for holder in doors if door in holder.handlings), NOTHING_SPECIAL)
