"""A query, from its text to ranked candidates. Each step is a function of a module beside this one:

parse → meaning → gather → rescore → reword → rank, with links
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np

from daypack.engine.embedding import Embedding
from daypack.engine.limits import check_limits, left_unread
from daypack.engine.open_work import Parts
from daypack.engine.retrieval.asides import mask_of_evidence
from daypack.engine.retrieval.following import ranked_with_links
from daypack.engine.retrieval.gather import gather
from daypack.engine.retrieval.happened import events_then
from daypack.engine.retrieval.joining import Joining
from daypack.engine.retrieval.meaning import is_calibrated, meaning_of, nearness_of
from daypack.engine.retrieval.projects import is_package, is_project
from daypack.engine.retrieval.rescoring import rescored
from daypack.engine.retrieval.rewording import reworded
from daypack.engine.retrieval.scope import Moment
from daypack.engine.retrieval.snapshots import Snapshot, Snapshots
from daypack.engine.retrieval.spelling import language_found, spelling_of
from daypack.errors import ModelError
from daypack.filters import Filter
from daypack.index.store import Store
from daypack.ports import Connection
from daypack.query import asks_what_was_done, maybe_project, parse_query, time_in_words
from daypack.rank.blend import BlendWeights, Pool, Scored
from daypack.rank.chance import Chance, chance_of
from daypack.rank.nearness import Nearness
from daypack.rank.order import score, weights_for
from daypack.settings import Settings
from daypack.shapes.weights import described
from daypack.text.storable import storable
from daypack.types import EmptyReason, Overview, Query, SearchStats, Turn, VectorMode
from daypack.types.arrays import Bools, Floats, Ints
from daypack.types.servers import behind
from daypack.types.tuned_weights import DEFAULTS, Factors


class Ranked(NamedTuple):
    """A ranked query before its texts are read."""

    query: Query
    pool: Pool | None
    scored: Scored | None
    stats: SearchStats
    empty_reason: EmptyReason | None
    term_weights: dict[str, float]
    snapshot: Snapshot | None = None
    by_name: bool = False  # nothing but a name speaks for the answer
    parts: Mapping[int, Parts] = {}  # chunk id → the parts that alone answer

    @property
    def best_alone(self) -> Ranked:
        """The ranking with its best text alone."""
        return self if self.scored is None else self._replace(scored=self.scored.best_alone)


class Gathered(NamedTuple):
    """The pool of a query, with the state of the store that it was gathered from."""

    snapshot: Snapshot
    mask: Bools
    nearness: Nearness | None
    pool: Pool


class Refined(NamedTuple):
    """A pool after its best texts were read."""

    pool: Pool
    nearness: Nearness | None
    embedded: int  # texts that the encoder read
    degraded: tuple[str, ...]
    seconds: float  # of the encoder


class Retriever:
    """Ranks queries over the snapshots of one store."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        now: Callable[[], datetime],
        snapshots: Snapshots,
        embedding: Embedding,
    ) -> None:
        self._store = store
        self._settings = settings
        self._now = now
        self._snapshots = snapshots
        self._embedding = embedding

    def rank(
        self,
        text_or_query: str | Query,
        *,
        mode: VectorMode = VectorMode.AUTO,
        condition: Filter | None = None,
        stats: SearchStats | None = None,
        fitted: bool = True,
        history: Sequence[Turn] = (),
    ) -> Ranked:
        """The ranking for a text or a door's query; the caller reads the texts of the answer.

        `stats` are the facts that the search adds to, `history` the turns of the conversation before the text. Without `fitted`, the default weights rank.
        """
        check_limits(text_or_query.text if isinstance(text_or_query, Query) else text_or_query)
        started = time.perf_counter()
        with self._store.reading() as db:
            snapshot = self._snapshots.current(vectors=False)
            query = (
                text_or_query
                if isinstance(text_or_query, Query)
                else self._parsed(db, text_or_query, snapshot, condition, history)
            )
        stats = (stats or SearchStats())._replace(query_kind=query.kind)
        stats = stats._replace(degraded=stats.degraded + left_unread(query))
        if not query.terms:
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_QUERY, {})
        if not snapshot.view.alive.any():  # not its length: hidden chunks must not show
            return Ranked(query, None, None, stats, EmptyReason.EMPTY_STORE, {})
        if query.happenings is not None and (events := self._events_then(query, condition, stats)):
            return events
        ranked = self._ranked(query, mode, condition, stats, fitted=fitted)
        seconds = time.perf_counter() - started - ranked.stats.embed_seconds
        return ranked._replace(stats=ranked.stats._replace(retrieve_seconds=seconds))

    def _ranked(
        self, query: Query, mode: VectorMode, condition: Filter | None, stats: SearchStats, *, fitted: bool
    ) -> Ranked:
        """The ranking for a query with terms, over a store with texts."""
        store, embedding = self._store, self._embedding
        started = time.perf_counter()
        vector, degraded = meaning_of(query, mode, condition, store, self._snapshots, embedding)
        if vector is None:
            mode = VectorMode.NONE
        embed_seconds = time.perf_counter() - started if vector is not None else 0.0
        if lag := store.lag():  # before the state is fixed, which is as new or newer
            degraded += (f"read from a replica that is {behind(lag)}",)

        gathered = self._gathered(query, vector, mode, condition)
        embedder = embedding.model.model_id if vector is not None else ""
        calibrated = is_calibrated(embedder)
        factors = self._snapshots.factors(embedder) if fitted else DEFAULTS
        weigh = partial(weights_for, query, calibrated=calibrated, factors=factors)
        refined = self._refined(query, gathered, mode, weigh)
        pool, snapshot = refined.pool, gathered.snapshot
        chance = chance_of(pool, query, calibrated=calibrated)  # documents that join make no answer relevant
        stats = _with_quality(stats, pool, chance)
        stats = stats._replace(time=self._time_read(query, pool))
        joining = Joining(gathered.mask, refined.nearness)
        pool, scored = ranked_with_links(
            store, snapshot, query, pool, weigh(pool), without=self._settings.without, joining=joining
        )

        stats = _with_vectors(stats, mode, embedder, snapshot, pool)._replace(
            chunks=pool.in_scope,
            candidates=len(pool.positions),
            fitted=described(factors),
            embedded=refined.embedded,
            degraded=stats.degraded + degraded + refined.degraded,
            embed_seconds=embed_seconds + refined.seconds,
        )
        term_weights = {term.term: term.weight * term.idf for term in pool.lexical.terms}
        return Ranked(query, pool, scored, stats, chance.empty, term_weights, snapshot, chance.by_name)

    def _refined(
        self, query: Query, gathered: Gathered, mode: VectorMode, weigh: Callable[[Pool], BlendWeights]
    ) -> Refined:
        """The pool after the encoder made vectors of its best texts, and their words were compared with the question's."""
        snapshot, _, nearness, pool = gathered
        embedding, without = self._embedding, self._settings.without
        if embedding.static_trouble and nearness is not None and not nearness.counted.all():
            degraded: tuple[str, ...] = (embedding.static_trouble,)
        else:
            degraded = self._snapshots.keep_instant()

        def order_of(pool: Pool) -> Ints:
            return score(pool, weigh(pool), without=without).order

        embedded, seconds = 0, 0.0
        if mode is VectorMode.AUTO and nearness is not None and not nearness.counted[pool.positions].all():
            started = time.perf_counter()
            rescoring = rescored(pool, nearness, snapshot, embedding, order_of, self._settings.rescored)
            pool, nearness = rescoring.pool, rescoring.nearness
            self._snapshots.follow_commits(rescoring.commits)
            embedded, degraded = rescoring.texts, degraded + rescoring.degraded
            seconds = time.perf_counter() - started
        table = embedding.static if nearness is not None and weigh(pool).wording else None
        if table is not None and len(pool.positions):
            try:
                pool = reworded(pool, order_of(pool), query, snapshot.view, self._store.bodies, table)
            except ModelError as error:  # the other signals rank
                degraded = (*dict.fromkeys((*degraded, f"instant vectors: {error}")),)
        return Refined(pool, nearness, embedded, degraded, seconds)

    def _events_then(self, query: Query, condition: Filter | None, stats: SearchStats) -> Ranked | None:
        """The ranking for a question that asks what happened; None where it may be about texts."""
        started = time.perf_counter()
        with self._store.reading() as db:
            snapshot = self._snapshots.current(vectors=False)
            events = events_then(self._moment(db, snapshot), query, condition)
        if events is None:
            return None
        stats = stats._replace(time=events.time)
        if events.pool is None:
            return Ranked(query, None, None, stats, EmptyReason.NOTHING_THEN, {}, snapshot)
        stats = stats._replace(
            chunks=events.pool.in_scope,
            candidates=len(events.pool.positions),
            retrieve_seconds=time.perf_counter() - started,
        )
        return Ranked(query, events.pool, events.scored, stats, None, {}, snapshot, parts=events.parts)

    def _time_read(self, query: Query, pool: Pool) -> str:
        """The time of a question about deeds of its asker, in words, where events of sessions are held back for being outside;
        else "".
        """
        time, events = time_in_words(query.since, query.until), pool.features.event
        if not time or not events.any() or not asks_what_was_done(query.text):
            return ""
        with self._store.reading() as db:
            records = sorted(set(pool.features.record[events].tolist()))
            return time if self._snapshots.visibility.happened(db, records) else ""

    def _parsed(
        self, db: Connection, text: str, snapshot: Snapshot, condition: Filter | None, history: Sequence[Turn]
    ) -> Query:
        """The query of a text. A text too short to show its language takes that of the texts that it finds, and the name of the
        project stands for the whole.
        """
        languages = self._snapshots.languages(snapshot.sequence)
        parse = partial(parse_query, storable(text), now=self._now(), languages=languages, history=history)
        query = parse()
        moment = self._moment(db, snapshot)
        scope = moment.scope(moment.mask(condition))
        language = language_found(scope, query)
        project = "" if query.overview else maybe_project(query.title)
        if project and not is_project(scope, project):
            of_package = parse(project=project).overview is Overview.VERSION and is_package(scope, project)
            project = project if of_package else ""
        return parse(language=language, project=project) if language or project else query

    def _gathered(
        self, query: Query, vector: Floats | None, mode: VectorMode, condition: Filter | None
    ) -> Gathered:
        store, snapshots, embedding = self._store, self._snapshots, self._embedding
        # One state of the store: the next transaction of any process may merge segments of a snapshot away.
        with store.reading() as db:
            snapshot = snapshots.current(vectors=vector is not None)
            vocabulary = snapshots.vocabulary(snapshot.sequence)
            moment = self._moment(db, snapshot)
            scope = moment.scope(mask_of_evidence(moment, query, condition))
            spelling = spelling_of(scope, query, vocabulary, embedding.is_word)
            nearness = None if vector is None else nearness_of(vector, mode, snapshot, embedding)
            pool = gather(query, spelling, nearness)
        return Gathered(snapshot, scope.mask, nearness, pool)

    def _moment(self, db: Connection, snapshot: Snapshot) -> Moment:
        return Moment(db, self._snapshots, snapshot, self._now(), self._store.bodies)

    def weighed(self, ranked: Ranked, factors: Factors) -> Scored:
        """The order of the pool of `ranked` with other weights; nothing is retrieved again."""
        assert ranked.pool is not None
        assert ranked.snapshot is not None
        features = ranked.pool.features
        pool = ranked.pool._replace(features=features._replace(link=np.zeros_like(features.link)))
        calibrated = is_calibrated(ranked.stats.embedder)
        weights = weights_for(ranked.query, pool, calibrated=calibrated, factors=factors)
        without = self._settings.without
        _, scored = ranked_with_links(
            self._store, ranked.snapshot, ranked.query, pool, weights, without=without
        )
        return scored


def _with_quality(stats: SearchStats, pool: Pool, chance: Chance) -> SearchStats:
    """The statistics with the signs of a poor answer, before documents join the pool."""
    return stats._replace(
        corrections=pool.corrections,
        anchors_missing=pool.anchors_missing,
        weak=chance.weak,
        unknown=pool.unknown if chance.weak else (),
    )


def _with_vectors(
    stats: SearchStats, mode: VectorMode, embedder: str, snapshot: Snapshot, pool: Pool
) -> SearchStats:
    """The statistics with those of the vectors that ranked; with the mode NONE words alone did."""
    has_vectors = mode is not VectorMode.NONE
    return stats._replace(
        vectors=mode,
        embedder=embedder,
        vectors_pending=int(np.isnan(pool.features.dense).sum()) if has_vectors else 0,
        vectors_missing=snapshot.count_without_vector() if has_vectors else 0,
    )
