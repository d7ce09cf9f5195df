"""The store as queries see it, kept in memory from one query to the next until something is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.engine.embedding import Embedding
from daypack.engine.visibility import Visibility
from daypack.index import facts
from daypack.index import lexical as lexical_index
from daypack.index import vectors as vector_index
from daypack.index.store import Store
from daypack.rank.bm25 import Bm25
from daypack.rank.tuned_weights import Fitted, from_json
from daypack.rank.views import LexicalView, VectorView

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from daypack.filters import Filter

KEPT_MASKS = 8


class Snapshot(NamedTuple):
    """One state of the store, ready to be searched. Made once for many queries."""

    sequence: int
    view: LexicalView
    bm25: Bm25
    vectors: VectorView | None
    facts: dict[int, facts.RecordFacts]  # of the records that were in pools so far, by id


class Snapshots:
    """The newest snapshot of a store as one visibility shows it, and what is derived from that state."""

    def __init__(self, store: Store, embedding: Embedding, visibility: Visibility) -> None:
        self._store = store
        self._embedding = embedding
        self._visibility = visibility
        self._newest: Snapshot | None = None
        self._before: Snapshot | None = None  # the last one that had vectors, when text was written since
        self._vector_sequence = -1
        self._masks: dict[tuple[int, Filter], NDArray[np.bool_]] = {}
        self._vocabulary: tuple[int, list[str]] | None = None
        self._languages: tuple[int, frozenset[str]] | None = None
        self._fitted: tuple[int, Fitted | None] | None = None

    def newest(self, *, vectors: bool) -> Snapshot:
        """The store as it is now, from memory when nothing was written since."""
        with self._store.reading() as db:
            sequence, vector_sequence = self._store.sequences()
            snapshot = self._newest
            if snapshot is None or snapshot.sequence != sequence:
                if snapshot is not None and snapshot.vectors is not None:
                    self._before = snapshot
                view = lexical_index.load_view(db, self._visibility.hidden_ids(db))
                self._masks.clear()
                snapshot = Snapshot(sequence, view, Bm25(view), None, {})
            if vectors and (snapshot.vectors is None or self._vector_sequence != vector_sequence):
                followed = self._vector_sequence == vector_sequence
                snapshot = snapshot._replace(vectors=self._load_vectors(db, snapshot.view, followed=followed))
                self._vector_sequence, self._before = vector_sequence, None
            self._newest = snapshot
        return snapshot

    def _load_vectors(self, db: apsw.Connection, view: LexicalView, *, followed: bool) -> VectorView:
        """The vectors of a view. Where every vector that was added since was `followed`, those of the earlier
        view are kept.
        """
        model, before = self._embedding.model, self._before
        if (
            followed
            and before is not None
            and before.vectors is not None
            and before.vectors.model == model.model_id
        ):
            return vector_index.follow_vectors(db, before.vectors, before.view, view)
        return vector_index.load_vectors(db, view, model.model_id, model.dim)

    def follow(self, commits: int) -> None:
        """Note that the newest snapshot holds the vectors of so many further commits."""
        self._vector_sequence += commits

    def forget(self) -> None:
        """Read everything anew for the next query, as after a change of the model."""
        self._newest = None

    def mask(self, db: apsw.Connection, snapshot: Snapshot, condition: Filter | None) -> NDArray[np.bool_]:
        """The living chunks whose record passes a filter.

        Kept for the last filters: over 100,000 records, evaluating one takes longer than the query.
        """
        if condition is None:
            return snapshot.view.alive
        key = (snapshot.sequence, condition)
        if key not in self._masks:
            from daypack.filters import to_sql

            while len(self._masks) >= KEPT_MASKS:
                del self._masks[next(iter(self._masks))]
            passing = facts.record_ids_where(db, *to_sql(condition))
            self._masks[key] = snapshot.view.alive & np.isin(snapshot.view.record_ids, passing)
        return self._masks[key]

    def vocabulary(self, sequence: int) -> Callable[[], list[str]]:
        """Every term of the index at a sequence number, read when it is first asked for."""

        def read() -> list[str]:
            if self._vocabulary is None or self._vocabulary[0] != sequence:
                self._vocabulary = (sequence, lexical_index.vocabulary(self._store.db))
            return self._vocabulary[1]

        return read

    def languages(self, sequence: int) -> frozenset[str]:
        """The programming languages of the store at a sequence number."""
        if self._languages is None or self._languages[0] != sequence:
            self._languages = (sequence, self._store.languages())
        return self._languages[1]

    def fitted(self) -> Fitted | None:
        """The weights that were fitted for this store, as they are now; None where the defaults rank.

        Raises FittedWeightsDamaged.
        """
        sequence, _ = self._store.sequences()
        if self._fitted is None or self._fitted[0] != sequence:
            text = self._store.fitted_weights()
            self._fitted = (sequence, from_json(text, str(self._store.folder)) if text else None)
        return self._fitted[1]
