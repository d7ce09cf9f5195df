"""A project's shared memories in files that git can take: one file a first part of a key, one version a line.

Git merges the files line by line. Two copies of a line are one version, and two versions written
independently stay two: the later one is current, and the history shows both as in conflict.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from daypack.doors.memories import spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.files.importing import import_lines
from daypack.doors.memories.files.lines import to_line, version_to_line
from daypack.ports import Connection
from daypack.settings.places import make_store_folder
from daypack.system import replacing
from daypack.types import SHARED

SHARED_FOLDER = "memory"  # in the store's folder; where it exists, it holds the project's shared memories
GONE_FILE = "_gone.jsonl"


def shared_folder(context: MemoryContext) -> Path:
    """The folder of the project's shared memories, which need not exist."""
    folder = context.store.folder / SHARED_FOLDER
    return folder / f"@{quote(context.project, safe='')}" if context.project else folder


def make_shared_folder(context: MemoryContext) -> None:
    """Make the folder with its files for git."""
    store = context.store.folder
    make_store_folder(store)
    shared_folder(context).mkdir(parents=True, exist_ok=True)
    (store / ".gitignore").write_text(
        f"*\n!.gitignore\n!{SHARED_FOLDER}/\n!{SHARED_FOLDER}/**\n", encoding="utf-8"
    )
    # Lines of both sides of a merge stay: each is a version.
    (store / SHARED_FOLDER / ".gitattributes").write_text("*.jsonl merge=union -text\n", encoding="utf-8")


def write_shared(context: MemoryContext, keys: Sequence[str], *, gone: bool = False) -> list[str]:
    """Write the files of these keys again from the store; returns their names.

    Does nothing in a project without a shared folder.
    """
    if not keys or not shared_folder(context).is_dir():
        return []
    lines: dict[str, list[str]] = {part: [] for part in sorted({key.partition("/")[0] for key in keys})}
    with context.store.reading() as db:
        space = context.find_space(db, shared=True)
        for row in table.all_rows(db, space) if space is not None else ():
            if (own := lines.get(row.key.partition("/")[0])) is not None:
                own += [version_to_line(row.key, version) for version in row.versions]
    files = {f"{quote(part, safe='')}.jsonl": own for part, own in lines.items()}
    if gone:
        with context.store.reading() as db:
            files[GONE_FILE] = [*gone_lines(db, SHARED, context.project)]
    for name, own in files.items():
        _replace_file(context, name, own)
    return [f"{SHARED_FOLDER}/{name}" for name in files]


def write_all_shared(context: MemoryContext) -> None:
    """Write all files again from the store."""
    with context.store.reading() as db:
        space = context.find_space(db, shared=True)
        keys = table.keys(db, space) if space is not None else []
    files = (path.stem for path in shared_folder(context).glob("*.jsonl") if path.name != GONE_FILE)
    write_shared(context, [*keys, *map(unquote, files)], gone=True)


def gone_lines(db: Connection, owner: str, project: str) -> Iterator[str]:
    """A line for each key that was forgotten or redacted, under its hash."""
    for mark, state, at, reason in table.gone_of(db, spaces.mark_of(owner, project)):
        yield to_line({"gone": mark.hex(), "state": state, "at": at, "reason": reason})


def refresh_shared(context: MemoryContext) -> None:
    """Read changed shared files again, and take lines out of them that were forgotten."""
    folder = shared_folder(context)
    if not folder.is_dir():
        return
    with context.store.reading() as db:
        space = context.find_space(db, shared=True)
        known = table.sources(db, space, "shared") if space is not None else {}
    stale: list[str] = []  # keys whose files are written again, after all are read
    for path in sorted(folder.glob("*.jsonl"), key=lambda path: (path.name != GONE_FILE, path.name)):
        status = path.stat()
        if path.is_symlink() or known.get(path.name) == (status.st_mtime_ns, status.st_size):
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        report = import_lines(context, lines, shared=True, name=path.name)
        _note_read(context, path.name, status)
        if path.name == GONE_FILE:
            known = {} if report.added else known
        elif report.refused and not report.issues:  # a merge by lines brings forgotten ones back
            names = (json.loads(line).get("key") for line in lines if line.strip())
            stale += [unquote(path.stem), *filter(None, names)]
    write_shared(context, stale)


def _replace_file(context: MemoryContext, name: str, lines: Sequence[str]) -> None:
    path = shared_folder(context) / name
    if not lines:
        path.unlink(missing_ok=True)
        return
    with replacing(path, mode=0o666, synced=False) as stream:
        stream.writelines(f"{line}\n".encode() for line in lines)
    _note_read(context, name, path.stat())


def _note_read(context: MemoryContext, name: str, status: os.stat_result) -> None:
    with context.store.writing("touched") as db:
        space = context.make_space(db, shared=True)
        table.note_source(db, space, name, "shared", mtime_ns=status.st_mtime_ns, size=status.st_size)
