"""Finding and mapping the fold of a store. Where `trouble` gives a reason, questions read the database instead."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from daypack.index.folded import layout, marks, wiping
from daypack.index.folded.marks import Mark, path_of
from daypack.ports import Connection
from daypack.rank.views.folds import Fold, FoldedVectors, Totals
from daypack.rank.views.runs import Runs


def trouble(folder: Path, mark: Mark, sizes: Mapping[int, int]) -> str:
    """The reason why a fold cannot be used, "" where it can; `sizes` are the chunks of the store's segments, by id."""
    file = path_of(folder, mark.generation)
    try:
        found = layout.read_layout(file)
    except OSError as error:
        return f"{file.name} cannot be read: {error.strerror}"
    if found is None:
        return f"{file.name} is damaged, or of another version"
    if found.generation != mark.generation or found.rows != mark.rows or not _is_whole(found, mark):
        return f"{file.name} is another fold"
    return "" if mark.is_of(sizes) else "segments of the store are not those of the fold"


def _is_whole(found: layout.Layout, mark: Mark) -> bool:
    names = {part.name for part in found.parts}
    wanted = {"columns", "flags", "bodies", "records", "sections"}
    return wanted | ({"scales", "codes", "signs"} if mark.model else set()) <= names


def open_fold(db: Connection, folder: Path, mark: Mark, sizes: Mapping[int, int]) -> Fold | None:
    """The mapped fold of a store in the state of the transaction that `db` is in; None where it cannot be used."""
    if trouble(folder, mark, sizes):
        return None
    file = path_of(folder, mark.generation)
    try:
        found = layout.read_layout(file)
        if found is None:
            return None
        if rows := marks.due(db):  # the process that deleted them was killed
            wiping.overwrite(file, found, rows)
        arrays = layout.mapped(file, found)
    except OSError:
        return None
    fold = _fold(mark, arrays, *marks.totals(db))
    # A first and a last id of each segment: another state of the store, or a file of holes, has others.
    ids = fold.columns["chunk_id"]
    same = (ids[fold.starts] == fold.first_ids).all() and (ids[fold.ends - 1] == fold.last_ids).all()
    return fold if same else None


def _fold(mark: Mark, arrays: layout.Arrays, living: list[int], lengths: list[list[int]]) -> Fold:
    sizes = np.asarray([segment.chunks for segment in mark.segments], dtype=np.int64)
    ends = np.cumsum(sizes)
    vectors = None
    if mark.model:
        vectors = FoldedVectors(mark.model, arrays["scales"], arrays["codes"], arrays["signs"])
    return Fold(
        generation=mark.generation,
        rows=mark.rows,
        first_ids=np.asarray([segment.first_id for segment in mark.segments], dtype=np.int64),
        last_ids=np.asarray([segment.last_id for segment in mark.segments], dtype=np.int64),
        starts=ends - sizes,
        ends=ends,
        columns=arrays["columns"],
        flags=arrays["flags"],
        bodies=arrays["bodies"],
        records=Runs(*arrays["records"]),
        groups=_runs(arrays, "groups"),
        sections=Runs(*arrays["sections"]),
        totals=Totals(np.asarray(living, dtype=np.int64), np.asarray(lengths, dtype=np.int64)),
        vectors=vectors,
    )


def _runs(arrays: Mapping[str, Any], name: str) -> Runs | None:
    return Runs(*arrays[name]) if name in arrays else None


def with_totals(db: Connection, fold: Fold, mark: Mark) -> Fold | None:
    """A fold that is mapped already, in the state of the transaction that `db` is in; None where the store has another."""
    if fold.generation != mark.generation:
        return None
    living, lengths = marks.totals(db)
    return fold._replace(
        totals=Totals(np.asarray(living, dtype=np.int64), np.asarray(lengths, dtype=np.int64))
    )
