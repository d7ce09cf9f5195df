"""Snapshots: a state of the store as one viewer sees it, kept in memory until something is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from daypack.engine.embedding import Embedding
from daypack.engine.visibility import Visibility
from daypack.errors import StoreError
from daypack.filters import Filter, to_sql
from daypack.index import facts
from daypack.index import vectors as vector_index
from daypack.index.folded.viewing import load_view
from daypack.index.postings import lexical as lexical_index
from daypack.index.store import Store
from daypack.index.vectors import complete, instant
from daypack.index.vectors.instant import InstantRows
from daypack.ports import Connection
from daypack.rank.bm25 import Bm25
from daypack.rank.fuzzy import Vocabulary
from daypack.rank.signals import RecordFacts
from daypack.rank.views import LexicalView, VectorView
from daypack.types.arrays import Bools, Ints
from daypack.types.tuned_weights import DEFAULTS, Factors, Fitted, from_json

KEPT_MASKS = 8
# commits since the last snapshot: after so many a backup was restored, whose segments may reuse numbers
ANOTHER_STORE = 1 << 19
# records whose facts a snapshot keeps: some 300 bytes each, and reading those of a pool takes a tenth of a
# query
KEPT_RECORDS = 20_000


class VectorTiers(NamedTuple):
    """The vectors of a snapshot."""

    encoder: VectorView
    counted: Bools  # chunks whose vectors of the encoder count for every question
    static: VectorView | None  # of the static table; None without one, or where the encoder's suffice


class Snapshot(NamedTuple):
    """One state of the store, ready for many searches."""

    sequence: int
    view: LexicalView
    bm25: Bm25
    vectors: VectorTiers | None
    facts: dict[int, RecordFacts]  # of the records that were in pools so far, by id

    def count_without_vector(self) -> int:
        """The number of living chunks that have no vector of the encoder, which is loaded."""
        assert self.vectors is not None
        return self.vectors.encoder.missing(self.view)

    def without_vector(self) -> Bools:
        """The living chunks that have no vector of the encoder, which is loaded."""
        assert self.vectors is not None
        return self.view.alive & (self.vectors.encoder.row_of < 0)

    def facts_of(self, db: Connection, record_ids: Ints) -> dict[int, RecordFacts]:
        """Facts of records by id, from memory where they are known."""
        wanted = sorted(set(record_ids.tolist()))
        known = self.facts
        if unread := [record_id for record_id in wanted if record_id not in known]:
            if len(known) + len(unread) > KEPT_RECORDS:
                known.clear()
                unread = wanted
            known.update(facts.record_facts(db, unread))
        return {record_id: known[record_id] for record_id in wanted}


class Snapshots:
    """The last snapshot of a store, and the parts that queries share."""

    def __init__(self, store: Store, visibility: Visibility, embedding: Embedding) -> None:
        self._store = store
        self.visibility = visibility
        self._embedding = embedding
        self._last: Snapshot | None = None
        self._before: Snapshot | None = None  # the last one that had vectors, when text was written since
        self._vector_sequence = -1
        self._instant_rows: dict[int, InstantRows] = {}
        self._instant_made: dict[int, InstantRows] = {}  # for the snapshot, and not kept in the store yet
        self._masks: dict[tuple[int, Filter], Bools] = {}
        self._vocabulary: tuple[int, Vocabulary] | None = None
        self._languages: tuple[int, frozenset[str]] | None = None
        self._fitted: tuple[int, Fitted | None] | None = None

    def current(self, *, vectors: bool) -> Snapshot:
        """The store at present, from memory when nothing was written since."""
        with self._store.reading() as db:
            sequence, vector_sequence = self._store.sequences()
            snapshot = self._last
            if snapshot is None or snapshot.sequence != sequence:
                if snapshot is not None and snapshot.vectors is not None:
                    self._before = snapshot
                if snapshot is not None and not 0 < sequence - snapshot.sequence < ANOTHER_STORE:
                    self._instant_rows, self._before, self._last, snapshot = {}, None, None, None
                before = None if snapshot is None else snapshot.view
                view = load_view(db, self.visibility.hidden_ids(db), before, self._store.folder)
                self._masks.clear()
                self._instant_made = {}
                snapshot = Snapshot(sequence, view, Bm25(view), None, {})
            if vectors and (snapshot.vectors is None or self._vector_sequence != vector_sequence):
                followed = self._vector_sequence == vector_sequence
                snapshot = snapshot._replace(vectors=self._tiers(db, snapshot.view, followed=followed))
                self._vector_sequence, self._before = vector_sequence, None
            self._last = snapshot
        return snapshot

    def _tiers(self, db: Connection, view: LexicalView, *, followed: bool) -> VectorTiers:
        encoder = self._load_vectors(db, view, followed=followed)
        counted = complete.counted(db, view, encoder.model)
        if counted.all() or (table := self._embedding.static) is None:
            return VectorTiers(encoder, counted, None)
        make = partial(self._embedding.instant_of, db)
        earlier = self._before or self._last
        before = (
            (earlier.view, earlier.vectors.static)
            if earlier is not None and earlier.vectors is not None and earlier.vectors.static is not None
            else None
        )
        static, self._instant_rows, made = instant.load(
            db, view, table.model_id, table.dim, self._instant_rows, make, before
        )
        self._instant_made |= made
        return VectorTiers(encoder, counted, static)

    def _load_vectors(self, db: Connection, view: LexicalView, *, followed: bool) -> VectorView:
        """The vectors of a view. When the vectors added since were all `followed`, those of the earlier view
        are kept.
        """
        model, before = self._embedding.model, self._before
        if (
            followed
            and before is not None
            and before.vectors is not None
            and before.vectors.encoder.model == model.model_id
        ):
            return vector_index.follow_vectors(db, before.vectors.encoder, before.view, view)
        return vector_index.load_vectors(db, view, model.model_id, model.dim)

    def follow_commits(self, count: int) -> None:
        """Count commits whose vectors the last snapshot was given already."""
        self._vector_sequence += count

    def keep_instant(self) -> tuple[str, ...]:
        """Keep the instant vectors that were made for the last snapshot; returns the reason where that fails. Inside a
        transaction that reads, it leaves this to the next question.
        """
        if self._store.is_reading:
            return ()
        made, self._instant_made = self._instant_made, {}
        if made and self._last is not None:
            try:
                self.follow_commits(self._embedding.keep_instant(made, self._last.sequence))
            except StoreError as error:  # a full disk costs time at the next question, not this answer
                return (f"instant vectors not kept: {error}",)
        return ()

    def mask(self, db: Connection, snapshot: Snapshot, condition: Filter | None) -> Bools:
        """The living chunks whose record passes a filter.

        Kept for the last filters: over 100,000 records, evaluating one takes longer than the query.
        """
        if condition is None:
            return snapshot.view.alive
        key = (snapshot.sequence, condition)
        if key not in self._masks:
            import numpy as np

            while len(self._masks) >= KEPT_MASKS:
                del self._masks[next(iter(self._masks))]
            passing = facts.record_ids_where(db, *to_sql(condition))
            mask = np.zeros(len(snapshot.view), dtype=bool)
            mask[snapshot.view.inside(snapshot.view.alive, passing)] = True
            self._masks[key] = mask
        return self._masks[key]

    def vocabulary(self, sequence: int) -> Callable[[], Vocabulary]:
        """Every term of the index at a sequence number, read when it is first asked for."""

        def read() -> Vocabulary:
            if self._vocabulary is None or self._vocabulary[0] != sequence:
                self._vocabulary = (sequence, Vocabulary(lexical_index.vocabulary(self._store.db)))
            return self._vocabulary[1]

        return read

    def languages(self, sequence: int) -> frozenset[str]:
        """The programming languages of the store at a sequence number."""
        if self._languages is None or self._languages[0] != sequence:
            self._languages = (sequence, self._store.languages())
        return self._languages[1]

    def fitted(self) -> Fitted | None:
        """The current weights that were fitted for this store; None where the defaults rank.

        Raises FittedWeightsDamaged.
        """
        sequence, _ = self._store.sequences()
        if self._fitted is None or self._fitted[0] != sequence:
            text = self._store.fitted_weights()
            self._fitted = (sequence, from_json(text, self._store.name) if text else None)
        return self._fitted[1]

    def factors(self, embedder: str) -> Factors:
        """The fitted weights for an answer by this model, "" for words alone.

        Raises FittedWeightsDamaged.
        """
        fitted = self.fitted()
        return DEFAULTS if fitted is None else fitted.factors(embedder)
