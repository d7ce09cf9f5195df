"""Export, import and sharing, as `daypack.memories.files` shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from daypack.doors.memories import table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.files import folders
from daypack.doors.memories.files import shared as shared_files
from daypack.doors.memories.files.importing import import_lines
from daypack.doors.memories.files.lines import USE, to_line, version_to_line
from daypack.doors.memories.types import ImportReport
from daypack.doors.memories.writing.indexing import carry_out_due
from daypack.errors import CannotWrite


def read_changed_files(context: MemoryContext) -> None:
    """Read changed shared files and imported notes again; without changes it only compares their times."""
    shared_files.refresh_shared(context)
    folders.refresh_notes(context)


def try_read_changed_files(context: MemoryContext) -> None:
    """`read_changed_files`, where the store can be written; otherwise a later call does it."""
    with suppress(CannotWrite):
        read_changed_files(context)


def try_refresh(context: MemoryContext) -> None:
    """Apply changes of files and time, and an owed purge, where the store can be written."""
    with suppress(CannotWrite):
        read_changed_files(context)
        carry_out_due(context)
        if context.store.owes_purge():  # other processes blocked the purge when a memory was forgotten
            context.store.purge(busy_seconds=0)


class MemoryFiles:
    """Export, import and sharing of one owner's memories in one project."""

    def __init__(self, context: MemoryContext) -> None:
        self._context = context

    def export(self, *, shared: bool = False) -> Iterator[str]:
        """Every version of every key as lines of JSON without line ends, by key, in recorded order."""
        with self._context.store.reading() as db:
            space = self._context.find_space(db, shared=shared)
            if space is None:
                return
            for row in table.all_rows(db, space):
                yield to_line({name: getattr(row, name) for name in USE})
                yield from (version_to_line(row.key, version) for version in row.versions)
            yield from shared_files.gone_lines(db, space.owner, space.project)

    def import_lines(
        self, lines: Iterable[str], *, shared: bool = False, name: str = "", is_array: bool = False
    ) -> ImportReport:
        """Import the output of `export`; issues call the file `name`, and count from 0 where the lines are entries of an array.

        Known versions write nothing; memories forgotten here stay forgotten.
        """
        report = import_lines(self._context, lines, shared=shared, name=name, is_array=is_array, by_hand=True)
        if shared:
            shared_files.write_all_shared(self._context)
        return report

    def import_markdown(self, path: Path | str, *, prefix: str = "", shared: bool = False) -> ImportReport:
        """Read a Markdown file, or those of a folder, and remember the path: they are read again when they
        change.

        Keys are the paths of the files and their headings, below `prefix`. A memory that vanishes from a file
        is ended, not forgotten. Raises InputError for a path that does not exist.
        """
        return folders.import_folder(self._context, path, prefix, shared=shared)

    @property
    def folder(self) -> Path:
        """The folder of the project's shared memories; it exists when they are shared in files."""
        return shared_files.shared_folder(self._context)

    def share(self) -> Path:
        """Keep the project's shared memories in files for git from now on; returns their folder."""
        shared_files.make_shared_folder(self._context)
        read_changed_files(self._context)
        shared_files.write_all_shared(self._context)
        return self.folder
