"""The vectors of one model over one snapshot of the index."""

from __future__ import annotations

import numpy as np

from daypack.rank.views.folds import FoldedVectors
from daypack.rank.views.lexical import LexicalView
from daypack.rank.views.signs import SCANNED, Signs
from daypack.types.arrays import Bools, Floats, Int8s, Ints

_BLOCK = 1 << 19  # components that are converted to floats at once


class VectorView:
    """The vectors of one model for one lexical snapshot, as they are stored.

    `codes` is int8 (n_vectors, dim), `scales` float32 (n_vectors,); a vector is scale · codes. `row_of` maps a position of
    the lexical view to its row, -1 for none.
    """

    def __init__(self, view: LexicalView, dim: int, model: str = "") -> None:
        self.dim = dim
        self.model = model
        self.codes: Int8s = np.empty((0, dim), dtype=np.int8)
        self.scales: Floats = np.empty(0, dtype=np.float32)
        self.row_of: Ints = np.full(len(view), -1, dtype=np.int64)
        self._positions: Ints = np.empty(0, dtype=np.int64)
        self._room = self.codes  # the buffer whose used part is `codes`
        self._signs = Signs()
        self._in_order = True  # row n belongs to position n
        self._widened = (np.empty(0, dtype=np.int64), np.empty((0, dim), dtype=np.float64))

    @classmethod
    def folded(cls, view: LexicalView, vectors: FoldedVectors) -> VectorView:
        """The vectors of the fold at the beginning of the view; further vectors go into the room after them."""
        assert view.fold is not None
        found, rows = cls(view, vectors.codes.shape[1], vectors.model), view.fold.rows
        found._room = vectors.codes
        found.codes, found.scales = vectors.codes[:rows], vectors.scales[:rows]
        found.row_of[:rows] = found._positions = np.arange(rows)
        found._signs = Signs(vectors.signs, rows)
        return found

    def followed(self, before: LexicalView, view: LexicalView) -> VectorView:
        """These vectors for a later snapshot, without those of chunks that it no longer has.

        The new view takes over the arrays of this one, which must not be used afterwards.
        """
        found = VectorView(view, self.dim, self.model)
        chunk_ids = before.chunk_ids[self._positions]
        positions = view.positions_of(chunk_ids)
        # Deleted chunks keep their rows under a tombstone for a while, so the rows mostly stay unchanged.
        if (positions >= 0).all():
            found._take_over(self, positions)
        else:
            found.add(view, chunk_ids, self.scales, self.codes)
        return found

    def grown(self, view: LexicalView) -> VectorView:
        """These vectors for a later snapshot in which their chunks have the same positions.

        The new view takes over the arrays of this one, as in `followed`.
        """
        found = VectorView(view, self.dim, self.model)
        found._take_over(self, self._positions)
        return found

    def _take_over(self, other: VectorView, positions: Ints) -> None:
        self.codes, self.scales, self._room, self._signs = (
            other.codes,
            other.scales,
            other._room,
            other._signs,
        )
        self._positions = positions
        numbers = np.arange(len(positions))
        self.row_of[positions] = numbers
        self._in_order = bool((positions == numbers).all())

    def add(self, view: LexicalView, chunk_ids: Ints, scales: Floats, codes: Int8s) -> None:
        """Add the vectors of chunks; ids that are not in the snapshot are ignored."""
        positions = view.positions_of(chunk_ids)
        known = positions >= 0
        if not known.any():
            return
        if not known.all():
            positions, scales, codes = positions[known], scales[known], codes[known]
        self.place(positions, scales, codes)

    def place(self, positions: Ints, scales: Floats, codes: Int8s) -> None:
        """Add the vectors of the chunks at these positions."""
        used, wanted = len(self.codes), len(self.codes) + len(positions)
        if not used and len(self._room) < wanted:
            self._room = codes  # in the order of arrival, because sorting would copy all vectors
        else:
            self.reserve(wanted)  # with room for more, because queries add a few rows at a time
            self._room[used:wanted] = codes
        self.row_of[positions] = np.arange(used, wanted)
        self.codes = self._room[:wanted]
        self.scales = np.concatenate([self.scales, scales])
        self._positions = np.concatenate([self._positions, positions])
        self._in_order &= bool((positions == np.arange(used, wanted)).all())

    def reserve(self, rows: int) -> None:
        """Make room for `rows` rows and some more; memory that is not written to costs nothing."""
        if rows > len(self._room):
            room = np.empty((rows + rows // 16 + 256, self.dim), dtype=np.int8)
            room[: len(self.codes)] = self.codes
            self._room = room
            self.codes = room[: len(self.codes)]

    def missing(self, view: LexicalView) -> int:
        """The number of living chunks of the view without a vector."""
        return view.living - int(np.count_nonzero(view.alive[self._positions]))

    def left(self, mask: Bools, counted: Bools) -> Bools:
        """The mask without the chunks that are `counted` and have a vector."""
        held = self._positions[counted[self._positions]]
        if not len(held):
            return mask
        rest = mask.copy()
        rest[held] = False
        return rest

    def similarities(self, vector: Floats, mask: Bools) -> tuple[Ints, Floats]:
        """(positions, cosines) of the chunks inside the mask that have a vector; of more than SCANNED only those whose signs are
        nearest.
        """
        inside = mask[self._positions] if len(self.codes) < len(mask) or not self._in_order else mask
        if np.count_nonzero(inside) > SCANNED:
            self._signs.follow(self.codes)
            rows = self._signs.nearest(vector, inside)
            return self._positions[rows], products(self.codes, self.scales, vector, rows)
        rows = np.flatnonzero(inside)
        if 4 * len(rows) < 3 * len(self.codes):
            return self._positions[rows], products(self.codes, self.scales, vector, rows)
        found = products(self.codes, self.scales, vector)  # all rows: selecting rows takes longer
        return (self._positions, found) if len(rows) == len(found) else (self._positions[rows], found[rows])

    def at(self, positions: Ints, vector: Floats) -> Floats:
        """The cosine of each position; NaN for one without a vector."""
        rows = self.row_of[positions]
        cosines = np.full(len(positions), np.nan, dtype=np.float32)
        have = rows >= 0
        rows = rows[have]
        before, wide = self._widened
        if not np.array_equal(rows, before):  # a search compares its pool several times
            wide = (self.codes[rows].astype(np.float32) * self.scales[rows][:, None]).astype(np.float64)
            self._widened = rows, wide
        # In double precision, so that the last bit does not depend on a row's place in the matrix: a process that embedded
        # the texts and one that loaded the vectors give the same bytes.
        cosines[have] = wide @ vector.astype(np.float64)
        return cosines


def products(codes: Int8s, scales: Floats, vector: Floats, rows: Ints | None = None) -> Floats:
    """The inner products of a vector with all vectors scale · codes, or with those whose rows `rows` numbers.

    Bytes are converted block by block in the cache of a core, which is as fast as a scan of floats, in a quarter of the
    memory. BLAS is not used, because its threads and those of a model wait for each other.
    """
    count = len(codes) if rows is None else len(rows)
    step = max(1, _BLOCK // max(1, codes.shape[1]))
    wide = np.empty((min(step, count), codes.shape[1]), dtype=np.float32)
    picked = np.empty(wide.shape if rows is not None else 0, dtype=np.int8)
    found = np.empty(count, dtype=np.float32)
    for first in range(0, count, step):
        if rows is None:
            part = codes[first : first + step]
        else:
            some = rows[first : first + step]
            # All rows exist; checking each would take a fifth of the time of selecting them.
            part = codes.take(some, axis=0, out=picked[: len(some)], mode="clip")
        block = wide[: len(part)]
        block[...] = part
        np.vecdot(block, vector, out=found[first : first + step])
    found *= scales if rows is None else scales[rows]
    return found
