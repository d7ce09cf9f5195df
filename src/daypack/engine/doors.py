"""The record of a door: all that the core and the surfaces know of a way in.

A door is a folder of `daypack.doors` with an `entry` module that holds `DOOR = Door(...)`, and one line in
`daypack.doors.registry`. `register` there adds one at run time. The hooks import what they need when they are
called: the records of all doors are read by every command. Those that are given `Any` first take an `OpenStore`
(`daypack.engine.open_store`), which knows the engine, which knows this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from daypack.ports import Condition, Handling, Viewer

if TYPE_CHECKING:
    import apsw

    from daypack.engine.checks import Check
    from daypack.index.store import Store
    from daypack.settings.configuration import Setting
    from daypack.types import Pack, SearchStats

Checks: TypeAlias = "Callable[[apsw.Connection], Iterator[Check]]"
NOTHING_SPECIAL = Handling()


class Door(NamedTuple):
    """A way in. Fields without a value cost nothing and do nothing."""

    name: str
    """The name that `--in` and `Daypack.door` take."""
    open: Callable[[Any], Any]
    close: Callable[[Any], None] | None = None
    """Called with the opened door before the store is closed."""

    # ---- its records
    holds: Mapping[str, Handling] = {}
    """Values of `record.door` that are its own; its name alone where nothing is given."""
    kinds: tuple[str, ...] = ()
    """The kinds of record that it means, of those that it holds; () for all."""
    beside: bool = False
    """Its records stand beside the project: a store that has no others was not indexed yet."""
    hides: Callable[[apsw.Connection, Viewer], Condition | None] | None = None
    """The condition for its records that a viewer may not see; None when the viewer may see all."""
    is_current: Callable[[Any, str], bool] | None = None
    """Whether the original behind the uri of a record is as it was read; True for a uri of another door."""

    settings: Callable[[], Sequence[Setting]] | None = None
    """Its settings, which configuration takes from files and variables: `Settings.of_doors` has their texts."""
    toolset: str = ""
    """The toolset of its verbs, and the module that has them as VERBS."""
    verbs: str = ""

    # ---- what it does when
    refresh: Callable[[Any, bool, SearchStats], SearchStats] | None = None
    """Called before every query, and says in the statistics what came of it. The flag tells whether originals
    (files, pages) may be read again; what time alone changes, changes without it."""
    after_pack: Callable[[Any, Pack], None] | None = None
    """Called with every pack that shows one of its records."""
    after_add: Callable[[Store], None] | None = None
    """Called when files brought new or changed texts into records that it holds."""
    rebuild: Callable[[apsw.Connection], None] | None = None
    """Called in the transaction that cuts and indexes every record anew."""
    checks: Checks | None = None
    """Checks of the doctor that every diagnosis makes."""
    deep_checks: Checks | None = None
    """Checks of the doctor that read everything."""

    @property
    def handlings(self) -> Mapping[str, Handling]:
        return self.holds or {self.name: NOTHING_SPECIAL}


def handling_of(doors: Sequence[Door], door: str) -> Handling:
    """How records with this `record.door` are treated, by the first door that holds them."""
    return next((one.handlings[door] for one in doors if door in one.handlings), NOTHING_SPECIAL)
