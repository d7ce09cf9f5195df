"""The index of a store in memory: the first segments mapped from its fold, the others from the database."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain
from pathlib import Path

import numpy as np

from daypack.index import sql
from daypack.index.folded import marks, reading
from daypack.index.postings.columns import COLUMNS
from daypack.ports import Connection
from daypack.rank.membership import is_in
from daypack.rank.views import LexicalView


def load_view(
    db: Connection, hidden: Iterable[int] = (), before: LexicalView | None = None, folder: Path | None = None
) -> LexicalView:
    """The index as of the read transaction that `db` is in, without the records of these ids.

    Segments never change but to be erased, so those that `before` begins with, an earlier view of the same store, are not
    read again; where only segments came in, the two views share their memory. The first segments come from the fold of a
    store in `folder`, where it has one.
    """
    sizes: dict[int, int] = dict(db.execute("SELECT id, length(columns) FROM segment ORDER BY id"))
    chunks = {segment_id: size // COLUMNS.itemsize for segment_id, size in sizes.items()}
    ends = dict(zip(chunks, accumulate(chunks.values()), strict=True))
    offsets = dict(zip(ends, chain([0], ends.values()), strict=False))
    total = max(ends.values(), default=0)
    room, kept, fold = np.empty(total + total // 16, COLUMNS) if before is None else None, 0, None
    mark = None if folder is None else marks.read(db)
    if before is not None:
        kept = before.shared_with(ends)
        room = before.room if before.has_room_for(ends) else None
        if room is not None and before.fold is not None and mark is not None and mark.is_of(chunks):
            fold = reading.with_totals(db, before.fold, mark)
    if fold is None and mark is not None and folder is not None:
        fold = reading.open_fold(db, folder, mark, chunks)
        if fold is not None and len(fold.columns) >= total:
            room, kept = fold.columns, max(fold.rows, kept)
            if before is not None and kept > fold.rows:
                room[fold.rows : kept] = before.columns[fold.rows : kept]
        else:
            fold = None
    if room is None:
        room = np.empty(total + total // 16, COLUMNS)
        if before is not None:
            room[:kept] = before.columns[:kept]
    for segment_id, first in offsets.items():
        if first >= kept:
            db.read_into("segment", "columns", segment_id, room[first : ends[segment_id]].view(np.uint8).data)
    tombs = sql.column(db, "SELECT chunk_id FROM tomb")
    view = LexicalView(room[:total], offsets, tombs, hidden, room, fold)
    if before is not None:
        rows = before.shared_with(ends)
        # Postings lack the chunks that were dead or hidden: where one comes back, they are read again.
        if is_in(before.dead[before.dead < rows], view.dead).all():
            view.kept = before.kept.followed(rows)
    return view
