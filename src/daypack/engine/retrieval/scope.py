"""The scope of a query: the chunks that it may find in one state of the store, with their words and texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.index.postings.lexical import postings
from daypack.rank.membership import distinct
from daypack.rank.views import LexicalView, PostingsOf, TermPostings

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from daypack.engine.retrieval.snapshots import Snapshot, Snapshots
    from daypack.filters import Filter
    from daypack.ports import Connection

    Positions = NDArray[np.int64]

TextsOf = Callable[[Sequence[int]], Mapping[int, str]]
"""Chunk ids → the texts of those that are there."""

# Fields of a posting, in the order of `index.columns.FIELDS`.
BODY, NAME, BODY_AND_NAME, WITHOUT_CONTEXT = slice(0, 1), slice(1, 2), slice(0, 2), slice(0, 3)
NAMES = slice(1, 4)  # names, paths and headings
CONTEXT = slice(3, 4)  # headings; of an event its tags and date
ANYWHERE = slice(0, 4)


class Moment(NamedTuple):
    """One state of the store, at the moment of a question."""

    db: Connection
    snapshots: Snapshots
    snapshot: Snapshot
    now: datetime
    texts_of: TextsOf

    def mask(self, condition: Filter | None) -> NDArray[np.bool_]:
        """The living chunks whose record passes a filter."""
        return self.snapshots.mask(self.db, self.snapshot, condition)

    def scope(self, mask: NDArray[np.bool_]) -> Scope:
        """The scope of a query that may find the chunks inside a mask, with the words as the store spells them."""
        find = partial(postings, self.db, self.snapshot.view)
        return Scope(self.db, self.snapshot, mask, find, self.texts_of)


class Scope(NamedTuple):
    """The chunks that a query may find, and the ways to read their words and texts."""

    db: Connection
    snapshot: Snapshot
    mask: NDArray[np.bool_]  # of all chunks, True for those that the query may find
    postings_of: PostingsOf  # of living chunks, inside the mask or not
    texts_of: TextsOf

    @property
    def view(self) -> LexicalView:
        return self.snapshot.view

    def having(self, terms: Iterable[str], fields: slice) -> Positions:
        """The rising positions inside the mask of chunks with one of the terms in one of the fields."""
        found = [np.empty(0, dtype=np.int64)]
        for term in terms:
            positions = having(self.postings_of(term), fields)
            found.append(positions[self.mask[positions]])
        return distinct(np.concatenate(found))

    def positions_by_id(self, positions: Positions) -> dict[int, int]:
        """Chunk id → position, for the chunks at some positions."""
        return dict(zip(self.view.chunk_ids[positions].tolist(), positions.tolist(), strict=True))

    def texts_at(self, positions: Positions) -> list[str]:
        """The texts of the chunks at some positions."""
        ids = self.view.chunk_ids[positions].tolist()
        texts = self.texts_of(ids)
        return [texts.get(chunk_id, "") for chunk_id in ids]


def having(found: TermPostings, fields: slice) -> Positions:
    """The rising positions of the postings with a frequency in one of the fields."""
    return found.positions[found.tf[:, fields].any(axis=1)]
