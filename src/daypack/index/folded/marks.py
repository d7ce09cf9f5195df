"""The mark of a fold in the database: which segments its file holds, and what happened to them since.

It changes with the segments, in their transactions: a merge or a removal of one of them drops it, a deletion corrects the totals and
notes the rows that the file must lose.
"""

from __future__ import annotations

import contextlib
import json
import struct
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.index import meta

if TYPE_CHECKING:
    import apsw

    from daypack.ports import Connection

_ROW = struct.Struct("<4qd4IB")  # a row of `COLUMNS`, here without numpy, which most commands do without
MARK, TOTALS, DUE = "folded", "fold_totals", "fold_due"
KEYS = (MARK, TOTALS, DUE)
FOLDER = "folded"  # in that of the store


class FoldedSegment(NamedTuple):
    """A segment in a fold, with the first and the last of its chunk ids."""

    id: int
    chunks: int
    first_id: int
    last_id: int


class Mark(NamedTuple):
    """A fold as the database knows it. `model` is "" for one without instant vectors."""

    generation: str
    model: str
    segments: tuple[FoldedSegment, ...]

    @property
    def rows(self) -> int:
        return sum(segment.chunks for segment in self.segments)

    def is_of(self, sizes: Mapping[int, int]) -> bool:
        """True where the segments, by id with the number of their chunks, begin with those of the fold."""
        begin = [*sizes.items()][: len(self.segments)]
        return begin == [(segment.id, segment.chunks) for segment in self.segments]


class Row(NamedTuple):
    """A chunk that was deleted from a fold: its row, True for code, and its lengths."""

    number: int
    code: bool
    lengths: tuple[int, ...]


def _value(db: Connection, key: str) -> Any:
    found = meta.value_of(db, key)
    return None if found is None else json.loads(found)


def read(db: Connection) -> Mark | None:
    """The mark of the store's fold; None where it has none."""
    said = _value(db, MARK)
    if said is None:
        return None
    return Mark(said["generation"], said["model"], tuple(FoldedSegment(*one) for one in said["segments"]))


def totals(db: Connection) -> tuple[list[int], list[list[int]]]:
    """(living chunks of prose and of code, the sums of their lengths by field), of the fold's chunks without a tombstone."""
    living, lengths = _value(db, TOTALS)
    return living, lengths


def due(db: Connection) -> list[int]:
    """Rows of deleted chunks that the file may still hold."""
    return _value(db, DUE) or []


def set_mark(db: Connection, mark: Mark, living: Sequence[int], lengths: Sequence[Sequence[int]]) -> None:
    """Make a fold the store's. The caller holds the write transaction, and its file holds no deleted chunk."""
    _put(db, MARK, mark._asdict())
    _put(db, TOTALS, [[*living], [[*row] for row in lengths]])
    clear_due(db)


def clear_due(db: Connection) -> None:
    meta.drop(db, DUE)


def drop(db: Connection, segment_ids: Iterable[int] | None = None) -> None:
    """Forget the fold, of these segments only where it holds one of them. Its file goes later."""
    mark = read(db)
    if mark is not None and (segment_ids is None or {one.id for one in mark.segments} & {*segment_ids}):
        forget(db)


def forget(db: Connection | apsw.Connection) -> None:
    """Remove the mark from a database, also from a copy, which has no such file beside it."""
    meta.drop(db, *KEYS)


def path_of(folder: Path, generation: str) -> Path:
    """The file of a fold in the folder of a store."""
    return folder / FOLDER / f"{generation}.fold"


def bytes_on_disk(folder: Path) -> int:
    """The bytes that the files of folds take; room that no row has taken is not among them."""
    total = 0
    for path in (folder / FOLDER).glob("*"):
        with contextlib.suppress(FileNotFoundError):
            status = path.stat()
            total += min(status.st_size, getattr(status, "st_blocks", status.st_size) * 512)
    return total


def rows_of(db: Connection, chunk_ids: Sequence[int]) -> list[Row]:
    """The rows in the fold of chunks that are about to be deleted, while the database has their columns."""
    mark = read(db) if chunk_ids else None
    found: list[Row] = []
    start = 0
    for segment in () if mark is None else mark.segments:
        wanted = [i for i in chunk_ids if segment.first_id <= i <= segment.last_id]
        if wanted:
            rows = _rows(db, segment, wanted)
            found += [row._replace(number=start + row.number) for row in rows]
        start += segment.chunks
    return found


def _rows(db: Connection, segment: FoldedSegment, wanted: Sequence[int]) -> Iterable[Row]:
    """The rows of chunks in the columns of a segment, whose ids rise."""
    # As a whole: the end of a long value takes a walk over all of its pages anyway.
    columns = db.execute("SELECT columns FROM segment WHERE id = ?", (segment.id,)).get

    def id_of(row: int) -> int:
        return int.from_bytes(columns[row * _ROW.size : row * _ROW.size + 8], "little", signed=True)

    for chunk_id in wanted:
        row = bisect_left(range(segment.chunks), chunk_id, key=id_of)
        if row < segment.chunks and id_of(row) == chunk_id:
            *_, flags = found = _ROW.unpack_from(columns, row * _ROW.size)
            yield Row(row, bool(flags & 1), found[5:-1])


def bury(db: Connection, rows: Sequence[Row]) -> None:
    """Take deleted chunks out of the totals, and note their rows. Rows of earlier deletions were overwritten, or are once more."""
    if not rows or read(db) is None:
        return
    living, lengths = totals(db)
    for row in rows:
        living[row.code] -= 1
        lengths[row.code] = [whole - part for whole, part in zip(lengths[row.code], row.lengths, strict=True)]
    _put(db, TOTALS, [living, lengths])
    _put(db, DUE, sorted({*due(db), *(row.number for row in rows)}))


def _put(db: Connection, key: str, value: Any) -> None:
    meta.put(db, key, json.dumps(value))
