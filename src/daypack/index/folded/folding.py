"""Folding: the columns and instant vectors of the first segments become one file, beside the readers and writers of the store.

    lock → merge new segments → write aside from one state → sync → rename → look again at segments and tombstones, and set the mark in one transaction

A process that dies before the mark leaves a file that no process reads; the next fold removes it.
No merge touches the segments of a fold, so small new ones are merged first: a word is read once a segment, and a store of a million
chunks had 60 segments of 4,000 chunks each.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import os
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from daypack.errors import DiskFull, StoreBusy, StoreError, StoreReadOnly
from daypack.index.database import Database
from daypack.index.folded import layout, marks, wiping
from daypack.index.folded.marks import FOLDER, FoldedSegment, Mark, path_of
from daypack.index.folded.reading import trouble
from daypack.index.postings.columns import COLUMNS, FIELDS
from daypack.index.postings.lexical import buried_chunks, merge
from daypack.ports import Connection
from daypack.rank.membership import is_in
from daypack.rank.views import ChunkFlag
from daypack.rank.views.folds import Totals, no_chunks
from daypack.rank.views.runs import runs_of
from daypack.rank.views.signs import packed
from daypack.system import AS_IS, lock, sync_path
from daypack.types.arrays import Array

FOLDED_FROM = 50_000  # chunks: in a smaller store a fold saves nothing that a person could notice
WORTH_FOLDING = 0.1  # of the folded chunks, that came in since
SMALLEST = 4_096  # chunks of the last segment that is folded: smaller ones are merged soon
# Postings of a store from which on segments are merged before a fold: fewer stay in memory once a question has read them.
MERGED_FROM = 5_000_000
SMALL = 1_000_000  # postings of a segment that is merged then; writing a larger one again costs more than it spares
MERGED = 4_000_000  # postings of segments that are merged together, in some 160 MB of memory
_BLOCK = 1 << 15  # rows


class Folding(enum.Enum):
    """The outcome of a fold."""

    DONE = "done"
    NOTHING = "nothing to fold"
    BUSY = "another process folds"
    CHANGED = "the store was rewritten meanwhile"


class _Source(NamedTuple):
    """The state that is folded: segments, the columns of their chunks, and the table of their instant vectors, "" for none."""

    sizes: dict[int, int]
    columns: Array
    model: str
    dim: int


def is_due(db: Connection, folder: Path) -> bool:
    """True where a fold would spare questions much: the store is large and has none, or much came in since the last."""
    sizes = sizes_of(db)
    total = sum(sizes.values())
    if total < FOLDED_FROM:
        return False
    foldable = sum(_foldable(sizes).values())
    mark = marks.read(db)
    if mark is None or trouble(folder, mark, sizes):
        return foldable > 0
    return foldable - mark.rows > WORTH_FOLDING * mark.rows


def sizes_of(db: Connection) -> dict[int, int]:
    """The number of chunks of every segment, by its id."""
    return dict(db.execute("SELECT id, chunks FROM segment ORDER BY id"))


def _foldable(sizes: Mapping[int, int]) -> dict[int, int]:
    """The first segments, up to the last that is large."""
    ids = [*sizes]
    last = max((place for place, i in enumerate(ids, 1) if sizes[i] >= SMALLEST), default=0)
    return {i: sizes[i] for i in ids[:last]}


def fold(store: Database, random: Callable[[int], bytes] = os.urandom) -> Folding:
    """Fold the store, under a name that no fold had. Raises StoreError, also where the disk is full: the store is as it was then."""
    generation = random(8).hex()
    folder = store.folder / FOLDER
    with _translated(store), _locked(folder) as mine:
        if not mine:
            return Folding.BUSY
        _sweep(store, folder)
        _merge_new(store)
        file, partial = path_of(store.folder, generation), folder / f"{generation}.partial"
        kept = False
        try:
            with store.reading() as db:
                source = _source(db)
                if source is None:
                    return Folding.NOTHING
                made = _write(db, partial, generation, source)
            partial.replace(file)
            sync_path(folder)
            kept = _publish(store, file, made, source)
        finally:
            for path in (partial, *(() if kept else (file,))):
                with contextlib.suppress(OSError):
                    path.unlink()
        _sweep(store, folder)
    return Folding.DONE if kept else Folding.CHANGED


@contextlib.contextmanager
def _translated(store: Database) -> Iterator[None]:
    """Turn errors of files into those of a store."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull(str(store.file)) from error
        if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            raise StoreReadOnly(str(store.folder)) from error
        raise StoreError(
            f"the fold of {store.folder} could not be written: {error.strerror}; run `daypack doctor`"
        ) from error


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """True while this process alone folds."""
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_CREAT | os.O_RDWR | AS_IS, 0o600)
    try:
        yield lock(descriptor, wait=False)
    finally:
        os.close(descriptor)


def _sweep(store: Database, folder: Path) -> None:
    """Remove the files that the store has no mark of. The caller has the lock."""
    with store.reading() as db:
        mark = marks.read(db)
    for path in folder.iterdir():
        if path.name != "lock" and (mark is None or path != path_of(store.folder, mark.generation)):
            with contextlib.suppress(OSError):  # Windows keeps a file that is mapped
                path.unlink()


def sweep(store: Database) -> None:
    """Remove the files of former folds, unless another process is folding."""
    folder = store.folder / FOLDER
    if folder.is_dir():
        with _locked(folder) as mine:
            if mine:
                _sweep(store, folder)


def _merge_new(store: Database) -> None:
    """Merge the small segments that no fold holds, one transaction for each that is made."""
    with store.reading() as db:
        groups = _new_together(db)
    for group in groups:
        with store.writing() as db:  # `seq` rises: a view of the old segments is of no use
            if group in _new_together(db):
                merge(db, group)


def _new_together(db: Connection) -> list[list[int]]:
    """The ids of segments that belong together: new, small, with instant vectors of one table, or none, and not too many postings."""
    mark = marks.read(db)
    held = frozenset() if mark is None else frozenset(segment.id for segment in mark.segments)
    rows = list(
        db.execute(
            """SELECT s.id, s.postings, coalesce(i.model || char(31) || i.dim, '') FROM segment AS s
               LEFT JOIN instant AS i ON i.segment_id = s.id ORDER BY s.id"""
        )
    )
    if sum(postings for _, postings, _ in rows) < MERGED_FROM:
        return []
    groups: list[list[int]] = []
    room, table = 0, ""
    for segment_id, postings, of_table in rows:
        if segment_id in held or postings >= SMALL:
            continue
        if not groups or of_table != table or postings > room:
            groups.append([])
            room, table = MERGED, of_table
        groups[-1].append(segment_id)
        room -= postings
    return [group for group in groups if len(group) > 1]


def _source(db: Connection) -> _Source | None:
    """The segments that are worth folding, in the state of a read transaction."""
    sizes = _foldable(sizes_of(db))
    if not sizes:
        return None
    columns = np.empty(sum(sizes.values()), dtype=COLUMNS)
    at = 0
    for segment_id, chunks in sizes.items():
        db.read_into("segment", "columns", segment_id, columns[at : at + chunks].view(np.uint8).data)
        at += chunks
    tables: dict[int, str] = dict(db.execute("SELECT segment_id, model || char(31) || dim FROM instant"))
    named = {tables.get(segment_id, "") for segment_id in sizes}
    model, _, dim = named.pop().partition("\x1f") if len(named) == 1 else ("", "", "")
    return _Source(sizes, columns, model, int(dim or 0))


def _write(db: Connection, path: Path, generation: str, source: _Source) -> layout.Layout:
    """Write the file of a fold, and sync it."""
    columns = source.columns
    names = {"records": "record_id", "groups": "group", "sections": "section"}
    if np.array_equal(columns["group"], columns["record_id"]):
        del names["groups"]
    runs = {name: np.stack(runs_of(columns[column])) for name, column in names.items()}
    plan = layout.planned(
        generation, len(columns), {name: part.shape[1] for name, part in runs.items()}, source.dim
    )
    place = {part.name: part for part in plan.parts}
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | AS_IS, 0o600), "wb") as file:
        file.truncate(plan.size)
        file.write(plan.header())

        def put(name: str, array: Array, at: int = 0) -> None:
            file.seek(place[name].offset + at)
            file.write(np.ascontiguousarray(array).view(np.uint8).data)

        put("columns", columns)
        put("flags", columns["flags"])
        put("bodies", columns["length"][:, FIELDS.index("body")])
        for name, part in runs.items():
            put(name, part)
        starts = chain([0], accumulate(source.sizes.values()))
        for segment_id, start in zip(source.sizes if source.dim else (), starts, strict=False):
            _put_vectors(db, segment_id, start, plan, put)
        file.flush()
        os.fsync(file.fileno())
    return plan


def _put_vectors(db: Connection, segment_id: int, start: int, plan: layout.Layout, put: Any) -> None:
    scales, codes, dim = db.execute(
        "SELECT scales, codes, dim FROM instant WHERE segment_id = ?", (segment_id,)
    ).get
    put("scales", np.frombuffer(scales, dtype=np.float32), 4 * start)
    rows = np.frombuffer(codes, dtype=np.int8).reshape(-1, dim)
    put("codes", rows, dim * start)
    signs = np.concatenate(
        [packed(rows[first : first + _BLOCK] > 0) for first in range(0, len(rows), _BLOCK)]
    )
    for word, of_word in enumerate(signs.T):
        put("signs", of_word, 8 * (word * plan.capacity + start))


def _publish(store: Database, file: Path, made: layout.Layout, source: _Source) -> bool:
    """Set the mark; False where the segments are others by now. Chunks that were deleted meanwhile leave the file first."""
    columns = source.columns
    ends = [*accumulate(source.sizes.values())]
    segments = [
        FoldedSegment(i, chunks, int(columns["chunk_id"][end - chunks]), int(columns["chunk_id"][end - 1]))
        for (i, chunks), end in zip(source.sizes.items(), ends, strict=True)
    ]
    mark = Mark(made.generation, source.model, tuple(segments))
    with store.writing("folds") as db:
        if not mark.is_of(sizes_of(db)):
            return False
        tombs = buried_chunks(db)
        dead = is_in(columns["chunk_id"], tombs)
        wiping.overwrite(file, made, np.flatnonzero(dead).tolist())
        alive = columns[~dead]
        totals: Totals = no_chunks(len(FIELDS)).changed(
            (alive["flags"] & ChunkFlag.CODE) > 0, alive["length"], 1
        )
        marks.set_mark(db, mark, totals.living.tolist(), totals.lengths.tolist())
    return True


def wipe(store: Database) -> None:
    """Overwrite the rows of deleted chunks in the file of the fold, and note that this is done."""
    with store.reading() as db:
        mark, rows = marks.read(db), marks.due(db)
    if mark is None or not rows:
        return
    file = path_of(store.folder, mark.generation)
    try:
        found = layout.read_layout(file)
        if found is not None:
            wiping.overwrite(file, found, rows)
    except OSError:  # it is gone, and the rows with it
        return
    with contextlib.suppress(StoreBusy), store.writing("folds", busy_seconds=0.5, durable=False) as db:
        now = marks.read(db)
        if now is not None and now.generation == mark.generation and marks.due(db) == rows:
            marks.clear_due(db)
