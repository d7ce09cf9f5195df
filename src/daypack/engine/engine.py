"""Wiring: a store, an embedder, a clock, and the four verbs on them: ingest, search, pack, get.

A query is told here from its text to the rendered answer, one step a line:

    parse → gather → fill vectors → score → read texts → pack → render

The engine decides nothing about relevance; it keeps snapshots in memory, embeds what a query needs, and says
what it did.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack import tokens
from daypack.engine.doors import Door
from daypack.engine.embedding import Embedding, Progress
from daypack.engine.gather import gather
from daypack.engine.ingest import CHUNK_TOKENIZER, Ingestion
from daypack.engine.snapshots import Snapshot, Snapshots
from daypack.engine.visibility import Visibility
from daypack.errors import BadBudget, DaypackError, ModelError, QueryTooLong, StoreDamaged
from daypack.index import census
from daypack.index import vectors as vector_index
from daypack.index.lexical import postings
from daypack.index.store import RecordText, Store
from daypack.ports import Clock, Shape, Viewer
from daypack.query import parse_query
from daypack.rank.candidates import to_candidates
from daypack.rank.dense import similarities_in_context
from daypack.rank.links import with_links
from daypack.rank.scoring import Pool, Scored, rank_files, score, weights_for, why_empty
from daypack.rank.tuned_weights import DEFAULTS, Factors, described
from daypack.settings import LARGEST_BUDGET, LONGEST_QUERY_BYTES, Settings
from daypack.text.storable import storable
from daypack.types import (
    Budget,
    Candidate,
    EmptyReason,
    IngestReport,
    Pack,
    Packing,
    Query,
    RankedFile,
    SearchResult,
    SearchStats,
    VectorMode,
    reference_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.filters import Filter
    from daypack.rank.blend import BlendWeights

KEPT_VIEWERS = 4  # other than the one an engine was opened for
NOBODY = Viewer()


class Ranked(NamedTuple):
    """A ranked query before its texts are read."""

    query: Query
    pool: Pool | None
    scored: Scored | None
    stats: SearchStats
    empty_reason: EmptyReason | None
    term_weights: dict[str, float]
    snapshot: Snapshot | None = None


class Engine:
    """One store and what is needed to search it. Not for two threads at once; one engine a thread."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        doors: Sequence[Door] = (),
        *,
        clock: Clock = time.time,
        viewer: Viewer = NOBODY,
        embedding: Embedding | None = None,
    ) -> None:
        """Records that a door hides from `viewer` do not exist for this engine."""
        self.store = store
        self.settings = settings
        self.clock = clock
        self.doors = tuple(doors)
        self.visibility = Visibility(viewer, self.doors)
        self.ingestion = Ingestion(store, self.doors, clock=clock)
        self.embedding = embedding or Embedding(store, settings)
        self.snapshots = Snapshots(store, self.embedding, self.visibility)
        self._others: dict[Viewer, Engine] = {}

    def seen_by(self, viewer: Viewer) -> Engine:
        """An engine over the same store and model for another viewer. A few are kept."""
        if viewer == self.visibility.viewer:
            return self
        if viewer not in self._others:
            while len(self._others) >= KEPT_VIEWERS:
                del self._others[next(iter(self._others))]
            self._others[viewer] = Engine(
                self.store,
                self.settings,
                self.doors,
                clock=self.clock,
                viewer=viewer,
                embedding=self.embedding,
            )
        return self._others[viewer]

    def beside(self, store: Store, settings: Settings) -> Engine:
        """An engine of its own over `store`, with the doors, the clock and the viewer of this one."""
        return Engine(store, settings, self.doors, clock=self.clock, viewer=self.visibility.viewer)

    def records_added(self, door: str) -> None:
        """Tell the doors that hold records of `door` that there are new texts."""
        for one in self.doors:
            if one.after_add is not None and door in one.handlings:
                one.after_add(self.store)

    def reindex(self) -> IngestReport:
        """Cut and index every record anew from its stored text; vectors of unchanged text are kept."""
        with self.store.writing() as db:
            records, chunks = self.ingestion.rebuild(db)
            if hidden := self.visibility.hidden_ids(db):  # rebuilt as well, but not counted
                records -= len(hidden)
                chunks = census.count_chunks(db, self.visibility.visible(db))
        return IngestReport(updated=records, chunks=chunks)

    def expect_long_run(self) -> None:
        """Say that this process will answer for long: its counter may take longer to start, is faster then
        and needs less memory.
        """
        tokens.expect(CHUNK_TOKENIZER, sys.maxsize)

    def preload(self) -> None:
        """Bring into memory what a first question waits for: the counter, the model, the index and its
        vectors.
        """
        tokens.counter(CHUNK_TOKENIZER)("unseenwordsstartit")
        try:
            self.embedding.vectors_of(["a question"])
            self.snapshots.newest(vectors=True)
        except ModelError:  # every question says what is wrong with it, and answers by words
            self.snapshots.newest(vectors=False)

    def embed_pending(
        self, *, progress: Progress | None = None, stop: Callable[[], bool] = lambda: False
    ) -> int:
        """Embed what has no vector yet and may be seen: see `Embedding.fill`."""
        with self.store.reading() as db:
            view = self.snapshots.newest(vectors=False).view if self.visibility.hidden_ids(db) else None
        return self.embedding.fill(
            None if view is None else view.chunk_ids[view.alive].tolist(), progress=progress, stop=stop
        )

    def refuse(self, text: str, budget: Budget | None = None) -> None:
        """Raise QueryTooLong or BadBudget, before anything is read or written for the question."""
        if (length := len(text.encode("utf-8", "replace"))) > LONGEST_QUERY_BYTES:
            raise QueryTooLong(length, LONGEST_QUERY_BYTES)
        if budget is not None and (
            isinstance(budget.limit, bool)
            or not isinstance(budget.limit, int)
            or not 0 <= budget.limit <= LARGEST_BUDGET
        ):
            raise BadBudget(budget.limit, LARGEST_BUDGET)

    @contextmanager
    def translating_damage(self) -> Iterator[None]:
        """Inside, an error that a damaged store causes becomes StoreDamaged, wherever it comes to light; bugs stay
        bugs.
        """
        try:
            yield
        except DaypackError:
            raise
        except Exception as error:
            from daypack.engine.health import damage

            found = damage(self.store, self.doors)
            if found:
                raise StoreDamaged(str(self.store.folder), f"{found[0].name}: {found[0].detail}") from error
            raise

    # ------------------------------------------------------------ rank

    def rank(
        self,
        text: str,
        *,
        mode: VectorMode = VectorMode.LAZY,
        condition: Filter | None = None,
        stats: SearchStats | None = None,
        fitted: bool = True,
    ) -> Ranked:
        """Retrieve and rank; texts of the answer are read by the caller.

        Not `fitted`, it is ranked by the default weights.
        """
        self.refuse(text)
        started = time.perf_counter()
        query, snapshot = self._parsed(text)
        stats = (stats or SearchStats())._replace(query_kind=query.kind)
        if not query.terms:
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_QUERY, {})
        if not snapshot.view.alive.any():  # not its length: what is hidden must not show
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_STORE, {})
        vector, degraded = self._query_vector(query, mode)
        embed_seconds = time.perf_counter() - started if vector is not None else 0.0
        try:
            if vector is not None and mode is VectorMode.ALL:
                self._embed_missing(condition)
            snapshot, pool = self._gathered(query, vector, condition)
        except ModelError as error:
            vector, degraded = None, (f"vectors: {error}",)
            snapshot, pool = self._gathered(query, None, condition)
        embedder = self.embedding.model.model_id if vector is not None else ""
        factors = self.factors(embedder) if fitted else DEFAULTS
        weigh = partial(weights_for, query, calibrated=_calibrated(embedder), factors=factors)
        embedded = 0
        if vector is not None and mode is VectorMode.LAZY and np.isnan(pool.features.dense).any():
            filling = time.perf_counter()
            pool, embedded, trouble = self._filled(pool, snapshot, vector, weigh(pool))
            degraded += trouble
            embed_seconds += time.perf_counter() - filling
        pool, scored = self._scored(pool, snapshot, weigh(pool))
        stats = stats._replace(
            chunks=pool.in_scope,
            candidates=len(pool.positions),
            vectors=mode if vector is not None else VectorMode.NONE,
            embedder=embedder,
            fitted=described(factors),
            vectors_pending=int(np.isnan(pool.features.dense).sum()) if vector is not None else 0,
            vectors_missing=int((snapshot.vectors.row_of[snapshot.view.alive] < 0).sum())
            if snapshot.vectors is not None and vector is not None
            else 0,
            embedded=embedded,
            degraded=stats.degraded + degraded,
            corrections=pool.corrections,
            anchors_missing=pool.anchors_missing,
            embed_seconds=embed_seconds,
            retrieve_seconds=time.perf_counter() - started - embed_seconds,
        )
        empty = why_empty(pool, query, calibrated=_calibrated(embedder))
        term_weights = {term.term: term.weight * term.idf for term in pool.lexical.terms}
        return Ranked(query, pool, scored, stats, empty, term_weights, snapshot)

    def _parsed(self, text: str) -> tuple[Query, Snapshot]:
        with self.store.reading():
            snapshot = self.snapshots.newest(vectors=False)
            languages = self.snapshots.languages(snapshot.sequence)
        return parse_query(storable(text), now=self.clock(), languages=languages), snapshot

    def _query_vector(
        self, query: Query, mode: VectorMode
    ) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
        if mode is VectorMode.NONE or not query.dense_text.strip():
            return None, ()
        try:
            vector = self.embedding.vectors_of([query.dense_text])[0]
        except ModelError as error:  # the lexical arm still answers, and says that it was alone
            return None, (f"vectors: {error}",)
        return (vector, ()) if vector.any() else (None, ())

    def _embed_missing(self, condition: Filter | None) -> None:
        """Make the vectors that chunks inside the filter lack; on a warm snapshot that lacks none this costs
        nothing.
        """
        with self.store.reading() as db:
            snapshot = self.snapshots.newest(vectors=True)
            assert snapshot.vectors is not None
            lacking = self.snapshots.mask(db, snapshot, condition) & (snapshot.vectors.row_of < 0)
        if lacking.any():
            self.embedding.fill(snapshot.view.chunk_ids[lacking].tolist())

    def _gathered(
        self, query: Query, vector: NDArray[np.float32] | None, condition: Filter | None
    ) -> tuple[Snapshot, Pool]:
        """The pool, from one state of the store: segments of a snapshot may be merged away by the next
        transaction of any process.
        """
        with self.store.reading() as db:
            snapshot = self.snapshots.newest(vectors=vector is not None)
            mask = self.snapshots.mask(db, snapshot, condition)
            vocabulary = self.snapshots.vocabulary(snapshot.sequence)
            return snapshot, gather(db, snapshot, query, mask, vector, vocabulary, self.store.bodies)

    def _filled(
        self, pool: Pool, snapshot: Snapshot, vector: NDArray[np.float32], weights: BlendWeights
    ) -> tuple[Pool, int, tuple[str, ...]]:
        """The pool with vectors of those that are best by words, as many as the time for them allows, how many
        were made, and why not more.
        """
        assert snapshot.vectors is not None
        by_words = score(pool, weights, lexical_only=True, without=self.settings.without)
        best = by_words.chunk_ids[: self.settings.lazy_candidates]
        embedded, commits, trouble = self.embedding.fill_within(
            self.settings.lazy_seconds, snapshot.vectors, snapshot.view, best
        )
        self.snapshots.follow(commits)
        if embedded:
            own, context = similarities_in_context(snapshot.vectors, snapshot.view, pool.positions, vector)
            pool = pool._replace(features=pool.features._replace(dense=own, dense_context=context))
        return pool, embedded, trouble

    def _scored(self, pool: Pool, snapshot: Snapshot, weights: BlendWeights) -> tuple[Pool, Scored]:
        """A pool ranked, and once more with the links that its best hits gave it."""
        without = self.settings.without
        scored = score(pool, weights, without=without)
        with self.store.reading() as db:
            postings_of = partial(postings, db, snapshot.view)
            linked = with_links(pool, scored, self.store.chunks, postings_of, snapshot.bm25.living)
        return (pool, scored) if linked is pool else (linked, score(linked, weights, without=without))

    def factors(self, embedder: str) -> Factors:
        """The fitted weights that hold for an answer by this model, "" for words alone.

        Raises FittedWeightsDamaged.
        """
        fitted = self.snapshots.fitted()
        return DEFAULTS if fitted is None else fitted.factors(embedder)

    def weighed(self, ranked: Ranked, factors: Factors) -> Scored:
        """The order of `ranked`, which has a pool, in other weights; nothing is retrieved again."""
        assert ranked.pool is not None
        assert ranked.snapshot is not None
        features = ranked.pool.features
        pool = ranked.pool._replace(features=features._replace(link=np.zeros_like(features.link)))
        calibrated = _calibrated(ranked.stats.embedder)
        weights = weights_for(ranked.query, pool, calibrated=calibrated, factors=factors)
        return self._scored(pool, ranked.snapshot, weights)[1]

    # ------------------------------------------------------------ search

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        mode: VectorMode = VectorMode.LAZY,
        condition: Filter | None = None,
        stats: SearchStats | None = None,
    ) -> SearchResult:
        """The best chunks for a query, best first."""
        ranked = self.rank(text, mode=mode, condition=condition, stats=stats)
        candidates = self._hydrated(ranked, limit)
        return SearchResult(
            text, tuple(candidates), ranked.stats, ranked.empty_reason, self._files(ranked, limit)
        )

    def _files(self, ranked: Ranked, limit: int) -> tuple[RankedFile, ...]:
        if ranked.pool is None or ranked.scored is None or ranked.empty_reason is not None:
            return ()
        found = rank_files(ranked.pool, ranked.scored, limit)
        places = self.store.places([chunk_id for chunk_id, _ in found])
        return tuple(
            RankedFile(
                place.uri, score, reference_of(place.uri, place.start_line, place.end_line), place.name
            )
            for chunk_id, score in found
            if (place := places.get(chunk_id)) is not None
        )

    def _hydrated(
        self, ranked: Ranked, limit: int, read: dict[int, RecordText] | None = None
    ) -> list[Candidate]:
        """The best with their texts. In `read` come the whole texts that those are parts of, by record."""
        if ranked.scored is None or ranked.empty_reason is not None:
            return []
        chunks = self.store.chunks(ranked.scored.chunk_ids[:limit].tolist(), read)
        return to_candidates(ranked.scored, chunks, limit)

    def _with_duplicates(self, candidates: list[Candidate], condition: Filter | None) -> list[Candidate]:
        """Candidates that know of equal chunks beyond the pool: the best of each kind stands for those that
        were not ranked.
        """
        with self.store.reading() as db:
            snapshot = self.snapshots.newest(vectors=False)
            mask = self.snapshots.mask(db, snapshot, condition)
            first_of = vector_index.duplicates_of(db, [candidate.chunk.id for candidate in candidates])
            if len(first_of) == len(candidates):  # each is a duplicate of itself alone
                return candidates
        positions = snapshot.view.positions_of(np.asarray(list(first_of), dtype=np.int64))
        inside = (positions >= 0) & mask[positions]
        counts = Counter(compress(first_of.values(), inside.tolist()))
        counts.subtract(Counter(first_of.get(candidate.chunk.id, 0) for candidate in candidates))
        return [
            candidate._replace(duplicates=beyond)
            if (beyond := counts.pop(first_of.get(candidate.chunk.id, 0), 0)) > 0
            else candidate
            for candidate in candidates
        ]

    # ------------------------------------------------------------ pack

    def pack(
        self,
        text: str,
        budget: Budget,
        *,
        packing: Packing = Packing.AUTO,
        shape: str = "markdown",
        mode: VectorMode = VectorMode.LAZY,
        condition: Filter | None = None,
        stats: SearchStats | None = None,
        revised: Callable[[list[Candidate]], list[Candidate]] | None = None,
        ladder: tuple[Shape, ...] | None = None,
        page: int = 1,
    ) -> Pack:
        """One cited pack whose rendered form counts at most `budget.limit`. `revised` may reorder or drop
        candidates first; `ladder` is that of a shape of the caller's own, in place of `shape`.

        A later page is packed from what the pages before it, made with the same arguments, had no room for.
        """
        from daypack import shapes  # `search` needs none of these
        from daypack.engine.packing import fitting_for, left_over
        from daypack.pack.fit import POOL, pack_candidates

        self.refuse(text, budget)
        text = storable(text)
        ranked = self.rank(text, mode=mode, condition=condition, stats=stats)
        started = time.perf_counter()
        read: dict[int, RecordText] = {}
        rungs = shapes.ladder(shape) if ladder is None else ladder
        fitting = fitting_for(self.store, budget, rungs, shape, ranked.term_weights, read)
        with self.store.reading():  # spans and the texts that they are cut from must be of one state
            candidates = self._with_duplicates(self._hydrated(ranked, POOL, read), condition)
            if revised is not None:
                candidates = revised(candidates)
            make = partial(
                pack_candidates,
                text,
                budget=budget,
                packing=packing,
                fitting=fitting,
                stats=ranked.stats,
                empty_reason=ranked.empty_reason,
            )
            pack = make(candidates)
            for _ in range(page - 1):
                candidates = left_over(candidates, pack)
                pack = make(candidates)
        return replace(
            pack,
            page=page,
            stats=pack.stats._replace(pack_seconds=time.perf_counter() - started),
            renderer=shapes.render,
        )


def _calibrated(embedder: str) -> bool:
    """Whether cosines are of the model that constants were measured with."""
    return embedder.startswith("minilm-")
