"""Instant vectors: a row for each chunk of a segment, made from a static table when the segment is written.

Rows are in the order of the segment's columns, so a snapshot reads one value per segment, and a merge moves them with the
chunks. A segment has no rows when a short command wrote its few chunks, or when an earlier release or another table made
them. The first question that needs the rows makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from daypack.index import sql
from daypack.types.arrays import Bools, Floats, Int8s, Ints

if TYPE_CHECKING:
    from daypack.ports import Connection
    from daypack.rank.views import LexicalView, VectorView


class InstantRows(NamedTuple):
    """Vectors of one table: `scales` float32 (n,), `codes` int8 (n, dim); a vector is scale · codes."""

    model: str
    scales: Floats
    codes: Int8s


def put(db: Connection, segment_id: int, rows: InstantRows) -> None:
    """Store the rows of a segment, one per chunk. The caller holds the write transaction."""
    db.execute(
        "INSERT OR REPLACE INTO instant VALUES (?, ?, ?, ?, ?)",
        (segment_id, rows.model, rows.codes.shape[1], rows.scales.tobytes(), rows.codes.tobytes()),
    )


def lacking(db: Connection, segment_ids: Sequence[int]) -> list[int]:
    """The segments, of these, that have no rows."""
    marks = ",".join("?" * len(segment_ids))
    there = sql.column(db, f"SELECT segment_id FROM instant WHERE segment_id IN ({marks})", segment_ids)
    return [segment_id for segment_id in segment_ids if segment_id not in there]


def take(db: Connection, segment_ids: Sequence[int], order: Ints) -> InstantRows | None:
    """Delete the rows of segments, and return the rows numbered by `order`, in which the rows of all segments count on. None
    when a segment has no rows, or the rows are of different tables.
    """
    import numpy as np

    marks = ",".join("?" * len(segment_ids))
    found = list(
        db.execute(
            f"SELECT model, dim, scales, codes FROM instant WHERE segment_id IN ({marks}) ORDER BY segment_id",
            segment_ids,
        )
    )
    db.execute(f"DELETE FROM instant WHERE segment_id IN ({marks})", segment_ids)
    if len(found) < len(segment_ids) or len({row[:2] for row in found}) > 1:
        return None
    rows = [_rows(*row) for row in found]
    scales, codes = np.concatenate([row.scales for row in rows]), np.concatenate([row.codes for row in rows])
    return InstantRows(rows[0].model, scales[order], codes[order])


def erase(db: Connection, segment_id: int, gone: Bools) -> None:
    """Overwrite the rows of deleted chunks with zeros, because a vector reveals the subject of its text. `gone` is bool, one
    for each row.
    """
    row = db.execute("SELECT model, dim, scales, codes FROM instant WHERE segment_id = ?", (segment_id,))
    for model, dim, scale_bytes, code_bytes in list(row):
        _, scales, codes = _rows(model, dim, scale_bytes, code_bytes)
        kept = ~gone
        put(db, segment_id, InstantRows(model, scales * kept, codes * kept[:, None]))


def erase_rows(db: Connection, segment_id: int, numbers: Sequence[int]) -> None:
    """Overwrite single rows with zeros in place, which is much faster than `erase` in a large segment."""
    row = db.execute("SELECT dim FROM instant WHERE segment_id = ?", (segment_id,)).fetchone()
    if row is None:
        return
    for column, width in (("scales", 4), ("codes", row[0])):
        db.clear_parts("instant", column, segment_id, [(number * width, width) for number in numbers])


def load(
    db: Connection,
    view: LexicalView,
    model: str,
    dim: int,
    known: Mapping[int, InstantRows],
    make: Callable[[int], InstantRows | None],
    before: tuple[LexicalView, VectorView] | None = None,
) -> tuple[VectorView, dict[int, InstantRows], dict[int, InstantRows]]:
    """(the instant vectors of a snapshot, segment → its rows, segment → the rows that were made now).

    `make` makes the rows of a segment that has none, or returns None when it cannot. `known` has rows that were read for an
    earlier snapshot, because the rows of a segment change only by erasure. `before` is that snapshot with its vectors, which
    must not be used afterwards.
    """
    import numpy as np

    from daypack.rank.views import VectorView

    vectors, placed = VectorView(view, dim, model), frozenset[int]()
    if before is not None and known and all(view.offsets.get(i) == before[0].offsets.get(i) for i in known):
        vectors, placed = before[1].grown(view), frozenset(known)
    elif (fold := view.fold) is not None and fold.vectors is not None and fold.vectors.model == model:
        vectors = VectorView.folded(view, fold.vectors)
        placed = frozenset(i for i, first in view.offsets.items() if first < fold.rows)
    else:
        vectors.reserve(len(view))
    there: dict[int, int] = {}  # segment → number of its rows
    made: dict[int, InstantRows] = {}
    ends = [*view.offsets.values(), len(view)][1:]
    for (segment_id, first), end in zip(view.offsets.items(), ends, strict=True):
        if segment_id in placed:
            there[segment_id] = end - first
            continue
        rows = known.get(segment_id)
        if rows is None:
            found = db.execute(
                "SELECT model, dim, scales, codes FROM instant WHERE segment_id = ? AND model = ? AND dim = ?",
                (segment_id, model, dim),
            ).fetchone()
            rows = None if found is None else _rows(*found)
        if rows is None and (rows := make(segment_id)) is not None:
            made[segment_id] = rows
        if rows is not None:
            vectors.place(np.arange(len(rows.scales)) + first, rows.scales, rows.codes)
            there[segment_id] = len(rows.scales)
    # Slices of the view's arrays, so that no row is in memory twice.
    parts = {
        segment_id: slice(start := int(vectors.row_of[view.offsets[segment_id]]), start + count)
        for segment_id, count in there.items()
    }
    kept = {i: InstantRows(model, vectors.scales[part], vectors.codes[part]) for i, part in parts.items()}
    return vectors, kept, made


def _rows(model: str, dim: int, scales: bytes, codes: bytes) -> InstantRows:
    import numpy as np

    return InstantRows(
        model, np.frombuffer(scales, dtype=np.float32), np.frombuffer(codes, dtype=np.int8).reshape(-1, dim)
    )
