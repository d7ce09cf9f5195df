"""The commands for whole stores in two places: `daypack store migrate` and `compare`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any

from daypack.errors import StoreNotFound
from daypack.guard.fences import one_line
from daypack.verbs.command import Command, Screen, Terminal
from daypack.verbs.table import Positional

if TYPE_CHECKING:
    from pathlib import Path

    from daypack.index.copies.migrating import Difference, Migrated
    from daypack.settings.places import StorePlace
    from daypack.types.servers import ServerAddress

Named = Annotated[str, Positional(metavar="SRC")]


def migrate(terminal: Terminal, src: Named, dst: Annotated[str, Positional(metavar="DST")]) -> Migrated:
    """Copy the store SRC to DST: each a folder, or a URL postgresql://… of a server.

    DST must not be a store yet. Every row is compared after it was written. A run that was interrupted goes on when
    the same command runs again. SRC stays as it is; stop its writers meanwhile.
    """
    from daypack.api import Daypack

    with terminal.progress("copying") as step:
        return Daypack.migrate(_existing(src), _place(dst).store, progress=step)


def migrated_screen(done: Migrated) -> Screen:
    lines = [f"{rows:>12,}  {name}\n" for name, rows in done.rows.items() if rows]
    before = f", {done.found:,} of them by a run before" if done.found else ""
    said = f"copied {sum(done.rows.values()):,} rows{before}; every row equals its original\n"
    hint = f"use it with --store {one_line(shlex.quote(done.target), 300)}, or set DAYPACK_STORE; {one_line(done.source, 300)} is as it was"
    return Screen("".join([*lines, said]), hints=(hint,))


def migrated_data(done: Migrated) -> dict[str, Any]:
    return done._asdict()


def compare(first: Named, second: Annotated[str, Positional(metavar="OTHER")]) -> list[Difference]:
    """Compare the rows of two stores, each a folder or a URL postgresql://…; exit status 1 reports differences."""
    from daypack.api import Daypack

    return Daypack.differences(_existing(first), _existing(second))


def differences_screen(found: list[Difference]) -> Screen:
    lines = [f"{one.what:<22}  {one.table} {one_line(_key(one), 160)}\n" for one in found]
    return Screen("".join(lines) if lines else "every row is equal\n", 1 if found else 0)


def differences_data(found: list[Difference]) -> list[dict[str, str]]:
    return [{"table": one.table, "key": _key(one), "what": one.what} for one in found]


def _key(one: Difference) -> str:
    return " ".join(part.hex() if isinstance(part, bytes) else str(part) for part in one.key)


def _existing(named: str) -> Path | ServerAddress:
    """The store of this name. Raises StoreNotFound."""
    from daypack.surfaces.cli.context import store_inside

    place = _place(named)
    if not place.exists:
        inside = store_inside(place)
        step = f"did you mean {inside}?" if inside else "name a store, such as PROJECT/.daypack"
        raise StoreNotFound(str(place.store), step)
    return place.store


def _place(named: str) -> StorePlace:
    import click

    from daypack.surfaces.cli.context import CliContext

    given = click.get_current_context().find_object(CliContext) or CliContext()
    return given.place(named)


COMMANDS = (
    Command(migrate, migrated_screen, "store migrate", migrated_data, opens="none"),
    Command(compare, differences_screen, "store compare", differences_data, opens="none"),
)
