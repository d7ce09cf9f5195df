"""Imports Markdown files and folders of notes, and reads them again when they change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from daypack.doors.memories import rules, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.files.notes import ENDINGS, Note, markdown_files, read_notes
from daypack.doors.memories.files.shared import write_shared
from daypack.doors.memories.spaces import Space
from daypack.doors.memories.types import ImportReport, MemoryVersion
from daypack.doors.memories.writing.indexing import PendingIndex, write_pending
from daypack.doors.memories.writing.recording import make_statement, record
from daypack.errors import InputError
from daypack.system import path_named
from daypack.types import SHARED, IngestIssue, SkipReason


def import_folder(context: MemoryContext, path: Path | str, prefix: str, *, shared: bool) -> ImportReport:
    """Read a Markdown file or the files of a folder, and note it as one to be read again."""
    root = Path(os.path.realpath(path_named(path)))
    if not root.exists():
        raise InputError(
            f"{path} does not exist; name JSON lines of an export, a Markdown file, or a folder of Markdown files"
        )
    if root.is_file() and root.suffix.lower() not in ENDINGS:
        raise InputError(
            f"{path} is not Markdown; import JSON lines with a key and a value each, or use `daypack add` for other files"
        )
    if prefix:
        rules.check_key(prefix)
    with context.store.writing() as db:
        space = context.make_space(db, shared=shared)
        for path_before, kind in table.note_roots(db, space):
            # its memories move below the new prefix
            if path_before == str(root) and kind != f"notes:{prefix}":
                table.drop_source(db, space, path_before, kind)
                for name in table.sources(db, space, _kind_of(root)):
                    table.drop_source(db, space, name, _kind_of(root))
        table.note_source(db, space, str(root), f"notes:{prefix}", mtime_ns=0, size=0)
    return _refresh_folder(context, space, root, prefix, all_files=True)


def refresh_notes(context: MemoryContext) -> None:
    """Read changed files of every imported file and folder again."""
    with context.store.reading() as db:
        roots = [(space, *root) for space in context.spaces(db) for root in table.note_roots(db, space)]
    for space, path, kind in roots:
        _refresh_folder(context, space, Path(path), kind.removeprefix("notes:"))


def _kind_of(root: Path) -> str:
    """The kind under which the table keeps the files below a root."""
    return f"note:{root}"


def _refresh_folder(
    context: MemoryContext, space: Space, root: Path, prefix: str, *, all_files: bool = False
) -> ImportReport:
    """Read the changed files of a root again, or all of them, and end the memories of those that vanished."""
    kind = _kind_of(root)
    with context.store.reading() as db:
        known = table.sources(db, space, kind)
    was_file = str(root) in known
    if not root.exists() and not (was_file and root.parent.is_dir()):
        return ImportReport()  # a folder that is away may be on a drive that is not mounted
    files = {str(path): path.stat() for path in markdown_files(root)}
    changed = [
        name
        for name, status in files.items()
        if all_files or known.get(name) != (status.st_mtime_ns, status.st_size)
    ]
    vanished = [name for name in known if name not in files]
    report = ImportReport()
    for name in [*changed, *vanished]:
        issues: list[IngestIssue] = []
        notes: list[Note] = []
        if name in files:
            path = Path(name)
            base = path.stem if path == root else path.relative_to(root).with_suffix("").as_posix()
            notes = read_notes(path, f"{prefix}/{base}" if prefix else base, issues)
        if not issues:
            report += _write_notes(context, space, kind, name, notes, files.get(name))
        report += ImportReport(issues=tuple(issues))
    return report


def _write_notes(
    context: MemoryContext,
    space: Space,
    kind: str,
    name: str,
    notes: Sequence[Note],
    status: os.stat_result | None,
) -> ImportReport:
    """Record the notes of a file and end those that it lost; `status` is None for a vanished file."""
    now, source = context.engine.clock(), f"file:{name}"[:512]
    report, issues, pending, written = ImportReport(), [], PendingIndex(), list[str]()
    with context.store.writing() as db:
        before = set(table.keys_of_source(db, space, source))
        for note in notes:
            try:
                key = rules.check_new_key(note.key)
                statement, _ = make_statement(note.value, tags=note.tags, source=source, now=now)
            except InputError as error:
                issues.append(IngestIssue(name, SkipReason.UNREADABLE, f"{note.key[:80]}: {error}"))
                continue
            before.discard(key)
            row = table.find(db, space, key)
            if row is None and table.find_gone(db, space.mark(key), key) is not None:
                report += ImportReport(refused=1)
                continue
            known = rules.head(row.versions) if row is not None else None
            if known is not None and known.source != source and known.value is not None:
                issues.append(
                    IngestIssue(name, SkipReason.UNREADABLE, f"{key} is in use; import with a prefix")
                )
                continue
            done = record(context, db, space, row, key, statement, now=now, pending=pending)
            report += ImportReport(added=int(done.written), unchanged=int(not done.written))
            written += [key] * done.written
        for key in sorted(before):
            row = table.find(db, space, key)
            known = rules.head(row.versions) if row is not None else None
            if known is None or known.source != source or known.value is None:
                continue
            end = MemoryVersion(token="", value=None, recorded_at=now, valid_from=now, source=source)
            done = record(context, db, space, row, key, end, now=now, pending=pending)
            report += ImportReport(ended=int(done.written))
            written.append(key)
        write_pending(context, db, pending)
        if status is None:
            table.drop_source(db, space, name, kind)
        else:
            table.note_source(db, space, name, kind, mtime_ns=status.st_mtime_ns, size=status.st_size)
    if space.owner == SHARED:
        write_shared(context, written)
    return replace(report, issues=tuple(issues))
