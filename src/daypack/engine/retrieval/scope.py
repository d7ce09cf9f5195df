"""The scope of a query: the chunks that it may find in one state of the store, with their words and texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np

from daypack.engine.retrieval.snapshots import Snapshot, Snapshots
from daypack.filters import Filter
from daypack.index import facts
from daypack.index.postings.lexical import postings
from daypack.ports import Connection
from daypack.rank.membership import distinct
from daypack.rank.views import ChunkFlag, LexicalView, PostingsOf, TermPostings
from daypack.text import analysis
from daypack.text.paths import MANIFEST_ENDS
from daypack.types.arrays import Bools, Ints

TextsOf = Callable[[Sequence[int]], Mapping[int, str]]
"""Chunk ids → the texts of those that are there."""

# Fields of a posting, in the order of `index.columns.FIELDS`.
BODY, NAME, BODY_AND_NAME, WITHOUT_CONTEXT = slice(0, 1), slice(1, 2), slice(0, 2), slice(0, 3)
NAMES = slice(1, 4)  # names, paths and headings
PATH = slice(2, 3)  # and titles
CONTEXT = slice(3, 4)  # headings; of an event its tags and date
ANYWHERE = slice(0, 4)
_SETTLED = np.uint8(
    ChunkFlag.CODE | ChunkFlag.PAGE | ChunkFlag.EVENT
)  # flags of files, and of events, which are never pages


class Moment(NamedTuple):
    """One state of the store, at the moment of a question."""

    db: Connection
    snapshots: Snapshots
    snapshot: Snapshot
    now: datetime
    texts_of: TextsOf

    def mask(self, condition: Filter | None) -> Bools:
        """The living chunks whose record passes a filter."""
        return self.snapshots.mask(self.db, self.snapshot, condition)

    def scope(self, mask: Bools) -> Scope:
        """The scope of a query that may find the chunks inside a mask, with the words as the store spells them."""
        find = partial(postings, self.db, self.snapshot.view)
        return Scope(self.db, self.snapshot, mask, find, self.texts_of)


class Scope(NamedTuple):
    """The chunks that a query may find, and the ways to read their words and texts."""

    db: Connection
    snapshot: Snapshot
    mask: Bools  # of all chunks, True for those that the query may find
    postings_of: PostingsOf  # of living chunks, inside the mask or not
    texts_of: TextsOf

    @property
    def view(self) -> LexicalView:
        return self.snapshot.view

    def having(self, terms: Iterable[str], fields: slice) -> Ints:
        """The rising positions inside the mask of chunks with one of the terms in one of the fields."""
        found = [np.empty(0, dtype=np.int64)]
        for term in terms:
            positions = having(self.postings_of(term), fields)
            found.append(positions[self.mask[positions]])
        return distinct(np.concatenate(found))

    def pages_called(self, words: Iterable[str], names: Iterable[str] = ()) -> dict[int, str]:
        """Record id → path, of the pages inside the mask with one of the words in their path, or one of the names in place of it,
        and of all texts without a path. Others may be among them.
        """
        view, mask = self.view, self.mask
        # "readme" is the stem "readm", and the whole of `ReadMe`.
        terms = {term for word in words for term in (word, *analysis.expand(word))}
        found = self.having(terms, PATH)
        paths = found[(view.flags[found] & ChunkFlag.CODE) == 0]
        others = np.flatnonzero(mask & ((view.flags & _SETTLED) == 0))
        records = distinct(view.record_ids[np.concatenate([paths, others])]).tolist()
        called = facts.files_called(self.db, names)
        here = {*view.record_ids[view.inside(mask, called)].tolist()}
        return facts.names_of(self.db, records) | {id_: uri for id_, uri in called.items() if id_ in here}

    def manifests_ending(self) -> dict[int, str]:
        """Record id → path, of the files inside the mask whose ending says that they are manifests."""
        terms = {term for end in MANIFEST_ENDS for term in analysis.expand(end[1:])}
        records = distinct(self.view.record_ids[self.having(terms, PATH)]).tolist()
        found = facts.names_of(self.db, records)
        return {record_id: uri for record_id, uri in found.items() if uri.endswith(MANIFEST_ENDS)}

    def positions_by_id(self, positions: Ints) -> dict[int, int]:
        """Chunk id → position, for the chunks at some positions."""
        return dict(zip(self.view.chunk_ids[positions].tolist(), positions.tolist(), strict=True))

    def texts_at(self, positions: Ints) -> list[str]:
        """The texts of the chunks at some positions."""
        ids = self.view.chunk_ids[positions].tolist()
        texts = self.texts_of(ids)
        return [texts.get(chunk_id, "") for chunk_id in ids]


def having(found: TermPostings, fields: slice) -> Ints:
    """The rising positions of the postings with a frequency in one of the fields."""
    # The four frequencies as one number: a look at each takes ten times as long.
    bits = sum(0xFF << 8 * field for field in range(4)[fields])
    return found.positions[(found.tf.view("<u4")[:, 0] & np.uint32(bits)) > 0]
