"""A query, from its text to ranked candidates whose texts are not read yet.

    parse → gather → score → rescore → follow links

Gathering and the first score read words and the vectors that count for every question: those of complete places and
the static table's. The best few are then scored again by the encoder, and their vectors kept. So the cache of vectors
changes how fast an answer comes, never the answer.

A snapshot is one state of the store as one visibility shows it. It is kept in memory from one query to the
next until something is written.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.engine.embedding import Embedding
from daypack.engine.gather import Snapshot, VectorTiers, gather, joined
from daypack.engine.limits import refuse
from daypack.engine.visibility import Visibility
from daypack.errors import ModelError, StoreError
from daypack.index import complete, facts, instant
from daypack.index import lexical as lexical_index
from daypack.index import vectors as vector_index
from daypack.index.instant import InstantRows
from daypack.index.store import Store
from daypack.ports import Clock
from daypack.query import parse_query
from daypack.rank.blend import Pool, Scored
from daypack.rank.bm25 import Bm25
from daypack.rank.chance import is_weak, why_empty
from daypack.rank.links import MOST_NAMES, best_hits, names_in, with_links
from daypack.rank.membership import is_in
from daypack.rank.nearness import Nearness, StaticTier
from daypack.rank.order import score, weights_for
from daypack.rank.tuned_weights import DEFAULTS, Factors, Fitted, from_json
from daypack.rank.views import LexicalView, VectorView
from daypack.settings import Settings
from daypack.shapes.weights import described
from daypack.text import analysis
from daypack.text.storable import storable
from daypack.types import EmptyReason, Query, SearchStats, VectorMode

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from daypack.filters import Filter
    from daypack.rank.blend import BlendWeights

KEPT_MASKS = 8


class Ranked(NamedTuple):
    """A ranked query before its texts are read."""

    query: Query
    pool: Pool | None
    scored: Scored | None
    stats: SearchStats
    empty_reason: EmptyReason | None
    term_weights: dict[str, float]
    snapshot: Snapshot | None = None


class Retriever:
    """Ranks queries over one store as one visibility shows it."""

    def __init__(
        self, store: Store, settings: Settings, *, clock: Clock, visibility: Visibility, embedding: Embedding
    ) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.visibility = visibility
        self.embedding = embedding
        self._snapshot: Snapshot | None = None
        self._before: Snapshot | None = None  # the last one that had vectors, when text was written since
        self._vector_sequence = -1
        self._instant_rows: dict[int, InstantRows] = {}
        self._instant_made: dict[int, InstantRows] = {}  # for the snapshot, and not kept in the store yet
        self._masks: dict[tuple[int, Filter], NDArray[np.bool_]] = {}
        self._vocabulary: tuple[int, list[str]] | None = None
        self._languages: tuple[int, frozenset[str]] | None = None
        self._fitted: tuple[int, Fitted | None] | None = None

    def rank(
        self,
        asked: str | Query,
        *,
        mode: VectorMode = VectorMode.AUTO,
        condition: Filter | None = None,
        stats: SearchStats | None = None,
        fitted: bool = True,
    ) -> Ranked:
        """Retrieve and rank for a text or a door's query; the caller reads the texts of the answer.

        Without `fitted`, the default weights rank.
        """
        refuse(asked.text if isinstance(asked, Query) else asked)
        started = time.perf_counter()
        query, snapshot = self._parsed(asked)
        stats = (stats or SearchStats())._replace(query_kind=query.kind)
        if not query.terms:
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_QUERY, {})
        if not snapshot.view.alive.any():  # not its length: hidden chunks must not show
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_STORE, {})
        vector, degraded = self._query_vector(query, mode)
        embed_seconds = time.perf_counter() - started if vector is not None else 0.0
        try:
            if vector is not None and mode is VectorMode.ALL:
                self._embed_missing(condition)
            snapshot, nearness, pool = self._gathered(query, vector, condition, mode)
        except ModelError as error:
            vector, degraded = None, (f"vectors: {error}",)
            snapshot, nearness, pool = self._gathered(query, None, condition, mode)
        degraded += self._instant_troubles(snapshot.sequence, nearness)
        embedder = self.embedding.model.model_id if vector is not None else ""
        factors = self.factors(embedder) if fitted else DEFAULTS
        weigh = partial(weights_for, query, calibrated=_calibrated(embedder), factors=factors)
        embedded = 0
        if nearness is not None and mode is VectorMode.AUTO:
            rescoring = time.perf_counter()
            pool, embedded, trouble = self._rescored(pool, snapshot, nearness, weigh(pool))
            degraded += trouble
            embed_seconds += time.perf_counter() - rescoring
        gathered = pool  # documents that the best hits name make no answer relevant
        pool, scored = self._scored(query, pool, snapshot, weigh(pool), (condition, nearness))
        stats = stats._replace(
            chunks=pool.in_scope,
            candidates=len(pool.positions),
            vectors=mode if vector is not None else VectorMode.NONE,
            embedder=embedder,
            fitted=described(factors),
            vectors_pending=int(np.isnan(pool.features.dense).sum()) if vector is not None else 0,
            vectors_missing=int((snapshot.vectors.encoder.row_of[snapshot.view.alive] < 0).sum())
            if snapshot.vectors is not None and vector is not None
            else 0,
            embedded=embedded,
            degraded=stats.degraded + degraded,
            corrections=pool.corrections,
            anchors_missing=pool.anchors_missing,
            embed_seconds=embed_seconds,
            retrieve_seconds=time.perf_counter() - started - embed_seconds,
        )
        empty = why_empty(gathered, query, calibrated=_calibrated(embedder))
        if empty is None and is_weak(gathered, query, calibrated=_calibrated(embedder)):
            stats = stats._replace(weak=True, unknown=gathered.unknown)
        term_weights = {term.term: term.weight * term.idf for term in pool.lexical.terms}
        return Ranked(query, pool, scored, stats, empty, term_weights, snapshot)

    def _parsed(self, asked: str | Query) -> tuple[Query, Snapshot]:
        with self.store.reading():
            snapshot = self.snapshot(vectors=False)
            languages = self.languages(snapshot.sequence)
        if isinstance(asked, Query):
            return asked, snapshot
        return parse_query(storable(asked), now=self.clock(), languages=languages), snapshot

    def _query_vector(
        self, query: Query, mode: VectorMode
    ) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
        if mode is VectorMode.NONE or not query.dense_text.strip():
            return None, ()
        try:
            if query.language and _calibrated(self.embedding.model.model_id):
                return None, ()  # the packaged model reads English alone, and would only add noise
            vector = self.embedding.vectors_of([query.dense_text])[0]
        except ModelError as error:  # the lexical arm still answers, and reports that it was alone
            return None, (f"vectors: {error}",)
        return (vector, ()) if vector.any() else (None, ())

    def _embed_missing(self, condition: Filter | None) -> None:
        """Make the missing vectors of chunks inside the filter; on a warm snapshot without gaps this costs
        nothing.
        """
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=True)
            assert snapshot.vectors is not None
            lacking = self.mask(db, snapshot, condition) & (snapshot.vectors.encoder.row_of < 0)
        if lacking.any():
            self.embedding.fill(snapshot.view.chunk_ids[lacking].tolist())

    def _instant_troubles(self, sequence: int, nearness: Nearness | None) -> tuple[str, ...]:
        """Keep the instant vectors that were made for the snapshot; why there are none, or why they are not kept."""
        trouble = self.embedding.static_trouble
        if trouble and nearness is not None and not nearness.counted.all():
            return (trouble,)
        made, self._instant_made = self._instant_made, {}
        if not made:
            return ()
        try:
            self._vector_sequence += self.embedding.keep_instant(made, sequence)
        except StoreError as error:  # a full disk costs time at the next question, not this answer
            return (f"instant vectors not kept: {error}",)
        return ()

    def _gathered(
        self, query: Query, vector: NDArray[np.float32] | None, condition: Filter | None, mode: VectorMode
    ) -> tuple[Snapshot, Nearness | None, Pool]:
        """The pool, from one state of the store: the next transaction of any process may merge segments of a
        snapshot away.
        """
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=vector is not None)
            mask = self.mask(db, snapshot, condition)
            vocabulary = self.vocabulary(snapshot.sequence)
            nearness = None if vector is None else self._nearness(snapshot, vector, mode)
            pool = gather(
                db, snapshot, query, mask, nearness, vocabulary, self.store.bodies, self.embedding.is_word
            )
        return snapshot, nearness, pool

    def _nearness(self, snapshot: Snapshot, vector: NDArray[np.float32], mode: VectorMode) -> Nearness:
        tiers = snapshot.vectors
        assert tiers is not None
        if mode is VectorMode.ALL:
            return Nearness(tiers.encoder, vector, np.ones(len(snapshot.view), dtype=bool))
        static = None
        if tiers.static is not None and (table := self.embedding.static) is not None:
            static = StaticTier(tiers.static, table.project(vector), *table.line)
        return Nearness(tiers.encoder, vector, tiers.counted, static)

    def _rescored(
        self, pool: Pool, snapshot: Snapshot, nearness: Nearness, weights: BlendWeights
    ) -> tuple[Pool, int, tuple[str, ...]]:
        """The pool with the encoder's vectors of its best, how many were made now, and why not more."""
        if not len(pool.positions) or nearness.counted[pool.positions].all():
            return pool, 0, ()
        view, vectors = snapshot.view, nearness.vectors
        first = score(pool, weights, without=self.settings.without)
        best = first.chunk_ids[: self.settings.rescored]
        made = self.embedding.fill_chunks(vectors, view, best)
        self._vector_sequence += made.commits
        own, context = nearness.counting(view.positions_of(best)).in_context(view, pool.positions)
        pool = pool._replace(features=pool.features._replace(dense=own, dense_context=context))
        return pool, made.texts, made.degraded

    def _scored(
        self,
        query: Query,
        pool: Pool,
        snapshot: Snapshot,
        weights: BlendWeights,
        joining: tuple[Filter | None, Nearness | None] | None = None,
    ) -> tuple[Pool, Scored]:
        """A pool ranked twice: the second time with the links that its best hits gave it.

        With `joining`, the filter and nearness of the query, documents that the best hits name join the pool.
        """
        without = self.settings.without
        scored = score(pool, weights, without=without)
        if "link" in without:
            return pool, scored
        question = frozenset(analysis.terms(query.text))
        with self.store.reading() as db:
            hits = best_hits(pool, scored, self.store.chunks, question)
            wider = pool
            if joining is not None and (names := names_in("\n".join(h.chunk.text for h in hits if h.asked))):
                condition, nearness = joining
                mask = self.mask(db, snapshot, condition)
                wider = joined(db, snapshot, query, mask, nearness, pool, names[:MOST_NAMES])
            postings_of = partial(lexical_index.postings, db, snapshot.view)
            linked = with_links(wider, hits, question, postings_of, snapshot.bm25.living)
        return (pool, scored) if linked is wider else (linked, score(linked, weights, without=without))

    def factors(self, embedder: str) -> Factors:
        """The fitted weights for an answer by this model, "" for words alone.

        Raises FittedWeightsDamaged.
        """
        fitted = self.fitted()
        return DEFAULTS if fitted is None else fitted.factors(embedder)

    def weighed(self, ranked: Ranked, factors: Factors) -> Scored:
        """The order of `ranked`, which has a pool, in other weights; nothing is retrieved again."""
        assert ranked.pool is not None
        assert ranked.snapshot is not None
        features = ranked.pool.features
        pool = ranked.pool._replace(features=features._replace(link=np.zeros_like(features.link)))
        calibrated = _calibrated(ranked.stats.embedder)
        weights = weights_for(ranked.query, pool, calibrated=calibrated, factors=factors)
        return self._scored(ranked.query, pool, ranked.snapshot, weights)[1]

    # ------------------------------------------------------------ snapshots

    def snapshot(self, *, vectors: bool) -> Snapshot:
        """The store at present, from memory when nothing was written since."""
        with self.store.reading() as db:
            sequence, vector_sequence = self.store.sequences()
            snapshot = self._snapshot
            if snapshot is None or snapshot.sequence != sequence:
                if snapshot is not None and snapshot.vectors is not None:
                    self._before = snapshot
                view = lexical_index.load_view(db, self.visibility.hidden_ids(db))
                self._masks.clear()
                self._instant_made = {}
                snapshot = Snapshot(sequence, view, Bm25(view), None, {})
            if vectors and (snapshot.vectors is None or self._vector_sequence != vector_sequence):
                followed = self._vector_sequence == vector_sequence
                snapshot = snapshot._replace(vectors=self._tiers(db, snapshot.view, followed=followed))
                self._vector_sequence, self._before = vector_sequence, None
            self._snapshot = snapshot
        return snapshot

    def _tiers(self, db: apsw.Connection, view: LexicalView, *, followed: bool) -> VectorTiers:
        encoder = self._load_vectors(db, view, followed=followed)
        counted = complete.counted(db, view, encoder.model)
        if counted.all() or (table := self.embedding.static) is None:
            return VectorTiers(encoder, counted, None)
        make = partial(self.embedding.instant_of, db)
        static, self._instant_rows, made = instant.load(
            db, view, table.model_id, table.dim, self._instant_rows, make
        )
        self._instant_made |= made
        return VectorTiers(encoder, counted, static)

    def _load_vectors(self, db: apsw.Connection, view: LexicalView, *, followed: bool) -> VectorView:
        """The vectors of a view. When the vectors added since were all `followed`, those of the earlier view
        are kept.
        """
        model, before = self.embedding.model, self._before
        if (
            followed
            and before is not None
            and before.vectors is not None
            and before.vectors.encoder.model == model.model_id
        ):
            return vector_index.follow_vectors(db, before.vectors.encoder, before.view, view)
        return vector_index.load_vectors(db, view, model.model_id, model.dim)

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
            self._masks[key] = snapshot.view.alive & is_in(snapshot.view.record_ids, passing)
        return self._masks[key]

    def vocabulary(self, sequence: int) -> Callable[[], list[str]]:
        """Every term of the index at a sequence number, read when it is first asked for."""

        def read() -> list[str]:
            if self._vocabulary is None or self._vocabulary[0] != sequence:
                self._vocabulary = (sequence, lexical_index.vocabulary(self.store.db))
            return self._vocabulary[1]

        return read

    def languages(self, sequence: int) -> frozenset[str]:
        """The programming languages of the store at a sequence number."""
        if self._languages is None or self._languages[0] != sequence:
            self._languages = (sequence, self.store.languages())
        return self._languages[1]

    def fitted(self) -> Fitted | None:
        """The current weights that were fitted for this store; None where the defaults rank.

        Raises FittedWeightsDamaged.
        """
        sequence, _ = self.store.sequences()
        if self._fitted is None or self._fitted[0] != sequence:
            text = self.store.fitted_weights()
            self._fitted = (sequence, from_json(text, str(self.store.folder)) if text else None)
        return self._fitted[1]


def _calibrated(embedder: str) -> bool:
    """True when cosines are of the model that constants were measured with."""
    return embedder.startswith("minilm-")
