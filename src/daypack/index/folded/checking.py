"""A fold compared with the database that it was made of."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from daypack.index.folded import folding, marks, reading
from daypack.index.folded.marks import Mark
from daypack.index.postings.lexical import buried_chunks, columns_of
from daypack.ports import Connection
from daypack.rank.membership import is_in
from daypack.rank.views.folds import Fold
from daypack.rank.views.runs import Runs
from daypack.rank.views.signs import packed
from daypack.types.arrays import Array, Bools, Ints, UInt8s


class FoldState(NamedTuple):
    """The fold of a store: chunks of the store and of the fold, bytes of its file, and the reason why it is not used, or "".

    `is_large` is true for a store that is folded in time.
    """

    chunks: int
    is_large: bool
    folded: int
    bytes: int
    trouble: str


def state(db: Connection, folder: Path) -> FoldState:
    """The state of a fold, without reading more than its header."""
    sizes, mark = folding.sizes_of(db), marks.read(db)
    said = "" if mark is None else reading.trouble(folder, mark, sizes)
    used = 0 if mark is None or said else mark.rows
    chunks = sum(sizes.values())
    # The limit is read here, from its own module: a name imported elsewhere would keep an earlier limit.
    return FoldState(chunks, chunks >= folding.FOLDED_FROM, used, marks.bytes_on_disk(folder), said)


def differences(db: Connection, folder: Path) -> int:
    """The number of living chunks, or of sums, that a fold has otherwise than the database; 0 where no fold is used."""
    sizes, mark = folding.sizes_of(db), marks.read(db)
    fold = None if mark is None else reading.open_fold(db, folder, mark, sizes)
    if mark is None or fold is None:
        return 0
    tombs = buried_chunks(db)
    alive = ~is_in(fold.columns["chunk_id"][: fold.rows], tombs)
    found = sum(_of_segment(db, fold, mark, number, alive) for number in range(len(mark.segments)))
    columns = fold.columns[: fold.rows]
    groups = fold.groups or fold.records
    for name, runs in (("record_id", fold.records), ("section", fold.sections), ("group", groups)):
        keys = _keys(runs, fold.rows)
        found += keys is None or int(np.count_nonzero((keys != columns[name]) & alive))
    living = columns[alive]
    counted = fold.totals.changed((living["flags"] & 1) > 0, living["length"], -1)
    return found + int(np.count_nonzero(counted.living)) + int(np.count_nonzero(counted.lengths))


def _keys(runs: Runs, rows: int) -> Ints | None:
    """The key of each row by its runs; None where they are not runs of so many rows."""
    sizes = runs.ends - runs.starts
    order = np.argsort(runs.starts, kind="stable")
    ends = np.cumsum(sizes[order])
    if (sizes <= 0).any() or (ends != runs.ends[order]).any() or (runs.keys[1:] < runs.keys[:-1]).any():
        return None
    return np.repeat(runs.keys[order], sizes[order]) if ends[-1:].sum() == rows else None


def _of_segment(db: Connection, fold: Fold, mark: Mark, number: int, alive: Bools) -> int:
    """The living chunks of a segment that differ."""
    segment, part = mark.segments[number], slice(int(fold.starts[number]), int(fold.ends[number]))
    stored, folded = columns_of(db, segment.id), fold.columns[part]
    same = _bytes(stored) == _bytes(folded)
    differs = ~same.all(axis=1)
    differs |= (fold.flags[part] != stored["flags"]) | (fold.bodies[part] != stored["length"][:, 0])
    if fold.vectors is not None:
        scales, codes = db.execute(
            "SELECT scales, codes FROM instant WHERE segment_id = ?", (segment.id,)
        ).get
        rows = np.frombuffer(codes, dtype=np.int8).reshape(segment.chunks, -1)
        differs |= (rows != fold.vectors.codes[part]).any(axis=1)
        differs |= np.frombuffer(scales, dtype=np.float32) != fold.vectors.scales[part]
        differs |= (fold.vectors.signs[:, part] != packed(rows > 0).T).any(axis=0)
    return int(np.count_nonzero(differs & alive[part]))


def _bytes(columns: Array) -> UInt8s:
    """Rows of columns as rows of bytes: a time may be no number, which equals nothing."""
    return np.ascontiguousarray(columns).view(np.uint8).reshape(len(columns), -1)
