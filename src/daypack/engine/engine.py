"""Wiring: a store, an embedder, a clock, and the four verbs on them: ingest, search, pack, get.

The engine decides nothing about relevance; it keeps snapshots warm, embeds what a query needs, and says what
it did.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack import tokens
from daypack.engine.embedding import Embedding, Progress
from daypack.engine.ingest import CHUNK_TOKENIZER, Ingestion
from daypack.engine.retrieve import (
    Pool,
    Scored,
    Snapshot,
    filter_mask,
    gather,
    rank_files,
    score,
    to_candidates,
    weights_for,
    with_exact,
    with_links,
    with_vectors,
)
from daypack.errors import BadBudget, DaypackError, ModelError, QueryTooLong, StoreDamaged
from daypack.index import lexical as lexical_index
from daypack.index import vectors as vector_index
from daypack.index.spaces import Sight
from daypack.index.store import RecordText, Store
from daypack.index.vectors import VectorView
from daypack.ports import Clock, Shape
from daypack.query import parse_query
from daypack.rank.bm25 import Bm25
from daypack.rank.tuned_weights import DEFAULTS, Factors, Fitted, described, from_json
from daypack.settings import LARGEST_BUDGET, LONGEST_QUERY_BYTES, Settings
from daypack.text.storable import storable
from daypack.types import (
    AnchorKind,
    Budget,
    Candidate,
    Chunk,
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
    import apsw
    from numpy.typing import NDArray

    from daypack.filters import Filter
    from daypack.index.lexical import LexicalView
    from daypack.rank.blend import BlendWeights

KEPT_MASKS = 8
KEPT_SIGHTS = 4  # other than the one an engine was opened for
# An answer is called irrelevant when even its best chunk holds little of the query's idf mass, fewer than
# half of its terms, and lies far from it. On four sets asked their own 340 questions and each other's 1,020:
# .3 % of the own and 77 % of the foreign are turned away, and without vectors (the lexical bound alone) none
# of the own and 31 % of the foreign.
WEAK_COVERAGE = 0.45
WEAK_COSINE = 0.36  # of the default model
WEAK_COVERAGE_LEXICAL = 0.17
EVERYBODY = Sight()
_WEAK_TERMS = 10  # a longer query is never covered by one chunk: the bounds shrink with its length


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
    """One store and what is needed to search it. Not for two threads at once; open one engine a thread."""

    def __init__(
        self, store: Store, settings: Settings, *, clock: Clock = time.time, sight: Sight = EVERYBODY
    ) -> None:
        """What is not in `sight` does not exist for this engine."""
        self.store = store
        self.settings = settings
        self.clock = clock
        self.sight = sight
        self.ingestion = Ingestion(store, clock=clock)
        self.embedding = Embedding(store, settings)
        self._others: dict[Sight, Engine] = {}
        self._masks: dict[tuple[int, Filter], NDArray[np.bool_]] = {}
        self._snapshot: Snapshot | None = None
        self._before: Snapshot | None = None  # the last one that had vectors, when text was written since
        self._vector_sequence = -1
        self._vocabulary: tuple[int, list[str]] | None = None
        self._languages: tuple[int, frozenset[str]] | None = None
        self._fitted: tuple[int, Fitted | None] | None = None

    def seeing(self, sight: Sight) -> Engine:
        """An engine over the same store for whom something else exists. A few are kept."""
        if sight == self.sight:
            return self
        if sight not in self._others:
            while len(self._others) >= KEPT_SIGHTS:
                del self._others[next(iter(self._others))]
            other = Engine(self.store, self.settings, clock=self.clock, sight=sight)
            other.embedding = self.embedding  # one model is enough
            self._others[sight] = other
        return self._others[sight]

    def reindex(self) -> IngestReport:
        """Cut and index every record anew from its stored text; vectors of unchanged text are kept."""
        with self.store.writing() as db:
            records, chunks = self.ingestion.rebuild(db)
            if hidden := self.sight.hidden(db):  # rebuilt as well, and nobody else's business
                where, parameters = self.sight.seen(db)
                records -= len(hidden)
                chunks = db.execute(
                    f"SELECT count(*) FROM chunk WHERE record_id IN (SELECT id FROM record WHERE {where})",
                    parameters,
                ).get
        return IngestReport(updated=records, chunks=chunks)

    def stay(self) -> None:
        """Say that this process will answer for long: its counter may take longer to start, is faster then
        and needs less memory.
        """
        tokens.expect(CHUNK_TOKENIZER, sys.maxsize)

    def warm(self) -> None:
        """Bring into memory what a first question waits for: the counter, the model, the index and its
        vectors.
        """
        tokens.counter(CHUNK_TOKENIZER)("unseenwordsstartit")
        try:
            self.embedding.vectors_of(["a question"])
            self.snapshot(vectors=True)
        except ModelError:  # every question says what is wrong with it, and answers by words
            self.snapshot(vectors=False)

    def embed_pending(
        self, *, progress: Progress | None = None, stop: Callable[[], bool] = lambda: False
    ) -> int:
        """Embed what has no vector yet and may be seen: see `Embedding.fill`."""
        with self.store.reading() as db:
            view = self.snapshot(vectors=False).view if self.sight.hidden(db) else None
        return self.embedding.fill(
            None if view is None else view.chunk_ids[view.alive].tolist(), progress=progress, stop=stop
        )

    # ------------------------------------------------------------ search

    def snapshot(self, *, vectors: bool) -> Snapshot:
        """The store as it is now, from memory when nothing was written since."""
        with self.store.reading() as db:
            sequence, vector_sequence = self.store.sequences()
            snapshot = self._snapshot
            if snapshot is None or snapshot.sequence != sequence:
                if snapshot is not None and snapshot.vectors is not None:
                    self._before = snapshot
                view = lexical_index.load_view(db, self.sight.hidden(db))
                self._masks.clear()
                snapshot = Snapshot(sequence, view, Bm25(view), None, {})
            if vectors and (snapshot.vectors is None or self._vector_sequence != vector_sequence):
                snapshot = replace(
                    snapshot,
                    vectors=self._vectors(
                        db, snapshot.view, followed=self._vector_sequence == vector_sequence
                    ),
                )
                self._vector_sequence, self._before = vector_sequence, None
            self._snapshot = snapshot
        return snapshot

    def _vectors(self, db: apsw.Connection, view: LexicalView, *, followed: bool) -> VectorView:
        """The vectors of a view; those that an earlier one had are kept where nobody added any that were not
        `followed`.
        """
        model, before = self.embedding.model, self._before
        if (
            followed
            and before is not None
            and before.vectors is not None
            and before.vectors.model == model.model_id
        ):
            return before.vectors.follow(db, before.view, view)
        return VectorView.load(db, view, model.model_id, model.dim)

    def vocabulary_of(self, sequence: int) -> list[str]:
        if self._vocabulary is None or self._vocabulary[0] != sequence:
            self._vocabulary = (sequence, lexical_index.vocabulary(self.store.db))
        return self._vocabulary[1]

    def languages_of(self, sequence: int) -> frozenset[str]:
        if self._languages is None or self._languages[0] != sequence:
            self._languages = (sequence, self.store.languages())
        return self._languages[1]

    def fitted(self) -> Fitted | None:
        """The weights that were fitted for this store, as they are now; None where the defaults rank.

        Raises FittedWeightsDamaged.
        """
        sequence, _ = self.store.sequences()
        if self._fitted is None or self._fitted[0] != sequence:
            text = self.store.fitted_weights()
            self._fitted = (sequence, from_json(text, str(self.store.folder)) if text else None)
        return self._fitted[1]

    def factors(self, embedder: str) -> Factors:
        """The fitted weights that hold for an answer by this model, "" for words alone.

        Raises FittedWeightsDamaged.
        """
        fitted = self.fitted()
        return DEFAULTS if fitted is None else fitted.factors(embedder)

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
        stats = stats or SearchStats()
        started = time.perf_counter()
        with self.store.reading():
            snapshot = self.snapshot(vectors=False)
            languages = self.languages_of(snapshot.sequence)
        query = parse_query(storable(text), now=self.clock(), languages=languages)
        stats = replace(stats, query_kind=query.kind)
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
        without = self.settings.without
        embedder = self.embedding.model.model_id if vector is not None else ""
        calibrated = _calibrated(embedder)
        factors = self.factors(embedder) if fitted else DEFAULTS
        embedded = 0
        if vector is not None and mode is VectorMode.LAZY and np.isnan(pool.features.dense).any():
            lazy_started = time.perf_counter()
            weights = weights_for(query, pool, calibrated=calibrated, factors=factors)
            by_words = score(pool, snapshot, weights, lexical_only=True, without=without)
            assert snapshot.vectors is not None
            best = by_words.chunk_ids[: self.settings.lazy_candidates]
            embedded, commits, trouble = self.embedding.fill_within(
                self.settings.lazy_seconds, snapshot.vectors, snapshot.view, best
            )
            self._vector_sequence += commits
            degraded += trouble
            if embedded:
                pool = with_vectors(pool, snapshot, vector)
            embed_seconds += time.perf_counter() - lazy_started
        pool, scored = self._scored(
            pool, snapshot, weights_for(query, pool, calibrated=calibrated, factors=factors)
        )
        dense = pool.features.dense
        stats = replace(
            stats,
            chunks=pool.in_scope,
            candidates=len(pool.positions),
            vectors=mode if vector is not None else VectorMode.NONE,
            embedder=embedder,
            fitted=described(factors),
            vectors_pending=int(np.isnan(dense).sum()) if vector is not None else 0,
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
        term_weights = {term.term: term.weight * term.idf for term in pool.lexical.terms}
        return Ranked(
            query, pool, scored, stats, _why_empty(pool, query, calibrated=calibrated), term_weights, snapshot
        )

    def _scored(self, pool: Pool, snapshot: Snapshot, weights: BlendWeights) -> tuple[Pool, Scored]:
        """A pool ranked, and once more with the links that its best hits gave it."""
        without = self.settings.without
        scored = score(pool, snapshot, weights, without=without)
        with self.store.reading() as db:
            linked = with_links(db, pool, snapshot, scored, self.store.chunks)
        return (
            (pool, scored) if linked is pool else (linked, score(linked, snapshot, weights, without=without))
        )

    def weighed(self, ranked: Ranked, factors: Factors) -> Scored:
        """What `ranked`, which has a pool, would be in other weights; nothing is retrieved again."""
        assert ranked.pool is not None
        assert ranked.snapshot is not None
        features = ranked.pool.features
        pool = replace(ranked.pool, features=replace(features, link=np.zeros_like(features.link)))
        weights = weights_for(
            ranked.query, pool, calibrated=_calibrated(ranked.stats.embedder), factors=factors
        )
        return self._scored(pool, ranked.snapshot, weights)[1]

    def _embed_missing(self, condition: Filter | None) -> None:
        """Make the vectors that chunks inside the filter lack; on a warm snapshot that lacks none this costs
        nothing.
        """
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=True)
            assert snapshot.vectors is not None
            lacking = self.mask(db, snapshot, condition) & (snapshot.vectors.row_of < 0)
        if lacking.any():
            self.embedding.fill(snapshot.view.chunk_ids[lacking].tolist())

    def _gathered(
        self, query: Query, vector: NDArray[np.float32] | None, condition: Filter | None
    ) -> tuple[Snapshot, Pool]:
        """The pool, from one state of the store: segments of a snapshot may be merged away by the next
        transaction of any process.
        """
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=vector is not None)
            mask = self.mask(db, snapshot, condition)
            pool = gather(db, snapshot, query, mask, vector, lambda: self.vocabulary_of(snapshot.sequence))
            quoted = [anchor.text for anchor in query.anchors if anchor.kind is AnchorKind.QUOTED]
            if quoted:
                pool = with_exact(
                    pool,
                    self.store.bodies(snapshot.view.chunk_ids[pool.positions].tolist()),
                    snapshot,
                    quoted,
                )
        return snapshot, pool

    def mask(self, db: apsw.Connection, snapshot: Snapshot, condition: Filter | None) -> NDArray[np.bool_]:
        """Which chunks pass, from memory for a filter that was asked with before: of 100,000 records it takes
        longer than the query.
        """
        if condition is None:
            return snapshot.view.alive
        key = (snapshot.sequence, condition)
        if key not in self._masks:
            while len(self._masks) >= KEPT_MASKS:
                del self._masks[next(iter(self._masks))]
            self._masks[key] = filter_mask(db, snapshot.view, condition)
        return self._masks[key]

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
    def careful(self) -> Iterator[None]:
        """Inside, what a damaged store makes go wrong is StoreDamaged, wherever it comes to light; bugs stay
        bugs.
        """
        try:
            yield
        except DaypackError:
            raise
        except Exception as error:
            from daypack.engine.health import damage

            found = damage(self.store)
            if found:
                raise StoreDamaged(str(self.store.folder), f"{found[0].name}: {found[0].detail}") from error
            raise

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

    def _with_twins(self, candidates: list[Candidate], condition: Filter | None) -> list[Candidate]:
        """Candidates that know of equal chunks beyond the pool: the best of each kind stands for those that
        were not ranked.
        """
        with self.store.reading() as db:
            snapshot = self.snapshot(vectors=False)
            mask = self.mask(db, snapshot, condition)
            first_of = vector_index.twins(db, [candidate.chunk.id for candidate in candidates])
            if len(first_of) == len(candidates):  # each is among its own twins
                return candidates
        positions = snapshot.view.positions_of(np.asarray(list(first_of), dtype=np.int64))
        inside = (positions >= 0) & mask[positions]
        counts = Counter(compress(first_of.values(), inside.tolist()))
        counts.subtract(Counter(first_of.get(candidate.chunk.id, 0) for candidate in candidates))
        return [
            replace(candidate, duplicates=beyond)
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
        from daypack.pack import pack_candidates
        from daypack.pack.fit import POOL, Fitting
        from daypack.pack.variants import Weigher

        self.refuse(text, budget)
        text = storable(text)
        ranked = self.rank(text, mode=mode, condition=condition, stats=stats)
        started = time.perf_counter()
        count = tokens.counter_of_like_texts(budget.tokenizer)
        rungs = shapes.ladder(shape) if ladder is None else ladder
        read: dict[int, RecordText] = {}

        @cache
        def text_of(record_id: int) -> str:
            return read[record_id].text if record_id in read else self.store.record_text(record_id)

        @cache
        def checked(record_id: int) -> str:
            return self.store.checked(read[record_id]) if record_id in read else text_of(record_id)

        def tokens_of(chunk: Chunk) -> int:
            return chunk.tokens if budget.tokenizer is CHUNK_TOKENIZER else count(chunk.text)

        fitting = Fitting(
            count=count,
            render=rungs[0],
            ladder=rungs,
            text_of=text_of,
            checked=checked,
            tokens_of=tokens_of,
            weigher=Weigher(ranked.term_weights),
            shape=shape,
        )
        with self.store.reading():  # spans and the texts that they are cut from must be of one state
            candidates = self._with_twins(self._hydrated(ranked, POOL, read), condition)
            if revised is not None:
                candidates = revised(candidates)
            pack = pack_candidates(
                text,
                candidates,
                budget,
                packing,
                fitting,
                stats=ranked.stats,
                empty_reason=ranked.empty_reason,
            )
            for _ in range(page - 1):
                candidates = _left_over(candidates, pack)
                pack = pack_candidates(
                    text,
                    candidates,
                    budget,
                    packing,
                    fitting,
                    stats=ranked.stats,
                    empty_reason=ranked.empty_reason,
                )
        return replace(
            pack,
            page=page,
            stats=replace(pack.stats, pack_seconds=time.perf_counter() - started),
            renderer=_rendered,
        )


def _left_over(candidates: Sequence[Candidate], pack: Pack) -> list[Candidate]:
    """Those that a pack neither shows nor calls duplicates of what it shows."""
    shown = {chunk_id for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    same = {one.chunk.id for one in pack.omitted.duplicate}
    return [one for one in candidates if one.chunk.id not in shown and one.chunk.id not in same]


def _calibrated(embedder: str) -> bool:
    """Whether cosines are of the model that constants were measured with."""
    return embedder.startswith("minilm-")


def _rendered(pack: Pack, shape: str) -> str:
    from daypack import shapes

    return shapes.render(pack, shape)


def _why_empty(pool: Pool, query: Query, *, calibrated: bool) -> EmptyReason | None:
    """Why an answer would be noise; None when there is something worth showing.

    `calibrated` says that the dense features are cosines of the model that WEAK_COSINE was measured with; the
    cosines of another one are on a scale of its own, and words alone decide.
    """
    if not pool.in_scope:
        return EmptyReason.FILTERED_OUT
    if not len(pool.positions):
        return EmptyReason.ANCHOR_NOT_FOUND if pool.anchors_missing else EmptyReason.NOTHING_RELEVANT
    if pool.anchors_missing and query.text.strip().strip("\"'`“”") in pool.anchors_missing:
        return EmptyReason.ANCHOR_NOT_FOUND
    known = pool.features.dense[~np.isnan(pool.features.dense)] if calibrated else np.empty(0)
    if pool.features.path.any() or (len(known) and float(known.max()) >= WEAK_COSINE):
        return None
    # half of what was asked, in one place: in a small store no idf says more
    if 2 * pool.best_terms >= len(query.terms):
        return None
    # A task says what shall be, in words that the code may not have yet: low cosines are no sign that it is
    # about something else.
    by_words = not len(known) or (query.about_code and bool(pool.features.code.any()))
    bound = WEAK_COVERAGE_LEXICAL if by_words else WEAK_COVERAGE
    if pool.best_coverage < bound * min(1.0, _WEAK_TERMS / len(query.terms)):
        return EmptyReason.NOTHING_RELEVANT
    return None
