"""The commands that copy a whole store and bring copies back: `daypack backup`, `restore`, `export`, `import`."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from daypack.errors import InputError
from daypack.guard.fences import one_line
from daypack.shapes.plain import pick
from daypack.verbs.command import FROM_THE_START, Command, Screen, Terminal, Unopened
from daypack.verbs.table import Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.index.copies.backups import Backup, Taken
    from daypack.index.copies.exchange import Imported
    from daypack.index.copies.placing import Kept

# ---------------------------------------------------------------- backup, restore


def backup(
    daypack: Daypack,
    dest: Annotated[str, Positional(metavar="DEST", read="path")],
    keep: Annotated[int | None, "Keep this many backups, and remove older ones. [default: all]", Range(1, 1_000_000)] = None,
) -> Taken:  # fmt: skip
    """Back up the whole store into the folder DEST, while others use it.

    Each store has a folder of its own. A backup writes only what no earlier one there holds, and every
    block is read back. Nothing is encrypted.
    """
    return daypack.backup(dest, keep=keep)


def taken_text(taken: Taken) -> str:
    removed = f", {taken.removed:,} older removed" if taken.removed else ""
    return (
        f"backup of {taken.backup.time}: {_megabytes(taken.backup.size)}, "
        f"{_megabytes(taken.new_bytes)} of that new{removed}\n"
    )


def taken_data(taken: Taken) -> dict[str, Any]:
    return {**backup_data(taken.backup), **pick(taken, "new_blocks new_bytes removed")}


def backup_data(backup: Backup) -> dict[str, Any]:
    return pick(backup, "name made_at origin schema size")


class Outcome(NamedTuple):
    """A result in the form that a terminal shows, and as data."""

    screen: Screen
    data: dict[str, Any]


def restore(
    store: Unopened,
    src: Annotated[str, Positional(metavar="SRC", read="path")],
    at: Annotated[float | None, "Restore the newest backup of this time or before. [default: the newest]", Flag(metavar="TIME", read="end")] = None,
    verify: Annotated[bool, "Compare every block of the backup with its hash, and change nothing."] = False,
    list: Annotated[bool, "List the backups in SRC, and change nothing."] = False,
) -> Outcome:  # fmt: skip
    """Replace the store with a backup in the folder SRC.

    The replaced store is kept as a backup in a folder of its own; one that is damaged, or of a newer version, is set
    aside unchanged. Memories that were forgotten after the backup return with it.
    """
    from daypack.api import Daypack

    if list:
        backups = Daypack.backups(src)
        lines = (f"{one.time}  {_megabytes(one.size):>10}  {one.name}\n" for one in backups)
        return Outcome(Screen("".join(lines)), {"backups": [*map(backup_data, backups)]})
    if verify:
        found = Daypack.verify_backup(src, at=at)
        message = f"the backup of {found.time} is whole: {_megabytes(found.size)}\n"
        return Outcome(Screen(message), {**backup_data(found), "whole": True})
    done = Daypack.restore(src, store.folder, at=at)
    message = f"restored the backup of {done.backup.time}: {_megabytes(done.backup.size)}\n"
    screen = Screen(message, hints=kept_hints(done.kept))
    return Outcome(
        screen, {**backup_data(done.backup), "kept_backup": done.kept.backup, "kept_aside": done.kept.aside}
    )


def kept_hints(kept: Kept) -> tuple[str, ...]:
    """The place of the store that was there before."""
    if kept.backup:
        return ("`daypack restore` with the folder `backup` of the store undoes this",)
    if kept.aside:
        return (f"the store before it is kept in its folder as {one_line(kept.aside, 100)}",)
    return ()


# ---------------------------------------------------------------- export, import


def export(
    daypack: Daypack,
    terminal: Terminal,
    path: Annotated[str, Positional(metavar="[FILE]", read="path")] = "-",
) -> str:
    """Write the whole store as JSON lines to FILE, or to standard output; `daypack import` takes them.

    The lines hold every row that is not derived, sorted, so two exports can be compared.
    """
    if path == "-":
        daypack.export(terminal.write)
        return ""
    return f"exported {daypack.export_file(path):,} rows to {one_line(path, 200)}\n"


def import_(store: Unopened, path: Annotated[str, Positional(metavar="FILE", read="path")]) -> Imported:
    """Make a store from an export: FILE, or - for standard input. The store must be new or empty."""
    from daypack.api import Daypack

    if path == "-":
        return Daypack.import_lines(io.TextIOWrapper(sys.stdin.buffer, "utf-8", "replace"), store.folder)
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:  # noqa: PTH123 - an argument, as it was typed
            return Daypack.import_lines(lines, store.folder)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check the path") from None


def imported_text(imported: Imported) -> str:
    return f"imported {sum(imported.rows.values()):,} rows\n"


def imported_data(imported: Imported) -> dict[str, Any]:
    return {"rows": imported.rows}


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


COMMANDS = (
    Command(backup, taken_text, "backup", taken_data),
    Command(export, at="export", interrupted=f"the export is not complete; {FROM_THE_START}"),
    Command(
        import_,
        imported_text,
        "import",
        imported_data,
        opens="later",
        interrupted=f"nothing was imported; {FROM_THE_START}",
    ),
    Command(
        restore,
        lambda done: done.screen,
        "restore",
        lambda done: done.data,
        opens="later",
        interrupted=f"nothing was restored; {FROM_THE_START}",
    ),
)
