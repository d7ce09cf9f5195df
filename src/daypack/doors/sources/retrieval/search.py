"""Retrieval of records: one request from its filters to its ranked items."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from daypack.doors.sources import rules
from daypack.doors.sources.retrieval import ranking, table
from daypack.doors.sources.retrieval.visibility import DOOR
from daypack.doors.sources.table import DAY
from daypack.doors.sources.types import (
    Retrieval,
    RetrievedSource,
    RetrieveRequest,
    Source,
    SourceRanking,
    SourceSettings,
)
from daypack.engine.answers import in_turn, told_apart
from daypack.engine.engine import Engine
from daypack.engine.retrieval.retriever import Ranked
from daypack.errors import InputError
from daypack.filters import All, Filter, OneOf
from daypack.pack.worth import DEPTH, worth_showing
from daypack.ports import Viewer
from daypack.rank.candidates import to_candidates
from daypack.text.checks import check_texts, member
from daypack.types import Candidate, Chunk, EmptyReason, VectorMode

POOL = 400  # ranked candidates that the weighted ranking scores again; about as many as there ever are


class SourceSearch:
    """A request of one viewer at one time.

    Raises InputError for a limit, a ranking, a vector mode or a filter that does not exist.
    """

    def __init__(
        self,
        engine: Engine,
        settings: SourceSettings,
        request: RetrieveRequest,
        viewer: Viewer,
        *,
        trim: bool = False,
    ) -> None:
        """With `trim`, for an assembly, the default ranking leaves out items with little chance of being wanted, and the answer
        lists what any ranking leaves out.
        """
        self._limit = settings.query_top_k if request.limit is None else request.limit
        rules.check_limit(self._limit)
        for name in ("kinds", "source_types", "content_classes", "source_keys", "tags", "confidentialities"):
            check_texts(name, getattr(request, name) or ())
        rules.check_weights(settings.weights)
        if not isinstance(request.intent_schema, Mapping | None):
            raise InputError('intent_schema must be an object, as {"primary_text_paths": ["goal"]}')
        self._ranking = member(SourceRanking, request.ranking)
        self._vectors = member(VectorMode, request.vectors)
        self._engine = engine.seen_by(viewer)
        self._store = engine.store
        self._weights = settings.weights
        self._request, self._viewer, self._now = request, viewer, engine.clock()
        self._trim = trim
        self._reasons = table.exclusions(request, self._now)

    def run(self) -> Retrieval:
        """Filter, rank, and ask again for each thing that the question lists."""
        request, limit = self._request, self._limit
        intent = rules.intent_words(request.intent_data, request.intent_schema)
        query = " ".join([request.query_text, *intent])
        with self._engine.translating_damage():
            with self._store.reading() as db:
                passing = table.passing(db, self._viewer, self._reasons)
            condition: Filter = OneOf("door", (DOOR,))
            if passing.ids is not None:
                condition = All((condition, OneOf("uid", passing.ids)))
            weighted = self._ranking is SourceRanking.WEIGHTED
            things = [] if weighted else ranking.listed_things(request.query_text)
            rank = partial(self._engine.retriever.rank, mode=self._vectors, condition=condition)
            with self._engine.in_one_state(lambda: [*map(rank, (query, *things))]) as (ranked, *each):
                depth = POOL if weighted else max(limit, DEPTH) if things else limit
                items, every, _ = self._items(ranked, query, depth, listing=self._trim)
                if weighted:
                    items = ranking.reranked(items, limit, self._weights)
                elif items and things:
                    items = self._in_turn(ranked, items, things, each)
        empty = None if items else ranked.empty_reason or EmptyReason.NOTHING_RELEVANT
        if empty is not None and not passing.count:
            empty = EmptyReason.FILTERED_OUT if passing.excluded else EmptyReason.EMPTY_STORE
        shown = tuple(items[:limit])
        ids = {item.chunk_id for item in shown}
        low = tuple(item for item in every if item.chunk_id not in ids) if self._trim else ()
        return Retrieval(
            request, shown, passing.count, passing.excluded, self._ranking, ranked.stats, empty, low=low
        )

    def _in_turn(
        self, whole: Ranked, items: Sequence[RetrievedSource], things: Sequence[str], each: Sequence[Ranked]
    ) -> list[RetrievedSource]:
        """The items for the whole question and for each thing that it lists, in turn."""
        question, answers, matching_any = self._request.query_text, [], set[int]()
        for thing, ranked in zip(things, each, strict=True):
            found = self._items(ranked, thing, max(self._limit, DEPTH))
            matching = ranking.holders_of_a_thing(question, thing, found.every, found.worthy)
            matching_any |= matching
            answers.append(_with_first(found.items, matching))
        # If its names alone answer the whole, they answer each thing.
        if whole.by_name or whole.empty_reason is not None:
            answers = [ranking.holding_all_names(question, answer) for answer in answers]
        return in_turn([_with_first(items, matching_any), *answers], lambda item: item.chunk_id)

    def _items(self, ranked: Ranked, query: str, depth: int, *, listing: bool = False) -> _Found:
        """The items found for a question; with `listing`, all that were ranked are those of the whole pool."""
        # then only items found by name are an answer
        far = ranked.by_name or ranked.empty_reason is EmptyReason.NOTHING_RELEVANT
        if ranked.scored is None or ranked.pool is None or (ranked.empty_reason is not None and not far):
            return _Found([], [], frozenset())
        trims = self._trim and self._ranking is not SourceRanking.WEIGHTED
        wanted = POOL if far else max(depth, DEPTH) if trims else depth
        depth = POOL if listing else wanted
        scored, features = ranked.scored, ranked.pool.features
        dense = np.nan_to_num(features.dense[scored.order][:depth])
        cosines = dict(zip(scored.chunk_ids[:depth].tolist(), dense.tolist(), strict=True))
        records, chunks = self._still_passing([*cosines])
        candidates: Sequence[Candidate] = told_apart(
            self._store, self._engine.visibility, to_candidates(scored, chunks, depth)
        )
        worthy = candidates[:wanted] if far else worth_showing(candidates[:wanted])
        found = [
            self._item(query, candidate, records[candidate.chunk.id], cosines[candidate.chunk.id])
            for candidate in candidates
        ]
        ids = frozenset(candidate.chunk.id for candidate in worthy)
        answering = [item for item in found if item.chunk_id in ids] if trims else found
        if far:
            answering = ranking.holding_all_names(query, answering)
        return _Found(answering, found, ids)

    def _still_passing(self, chunk_ids: Sequence[int]) -> tuple[dict[int, Source], dict[int, Chunk]]:
        """(chunk → its record, the chunks) of those that pass: a record, and its policy, may have changed since it was ranked."""
        with self._store.reading() as db:
            places = self._store.places_of(db, chunk_ids)
            uids = {uid for _, uid in places.values()}
            records = table.passing_by_ids(db, self._viewer, self._reasons, uids)
            of_chunks = {
                chunk_id: records[places[chunk_id][1]]
                for chunk_id in chunk_ids
                if chunk_id in places and places[chunk_id][1] in records
            }
            return of_chunks, self._store.chunks([*of_chunks])

    def _item(self, query: str, candidate: Candidate, record: Source, cosine: float) -> RetrievedSource:
        chunk, weights = candidate.chunk, self._weights
        signals = ranking.signals(
            query, chunk.text, record, ordinal=chunk.ordinal, semantic=cosine, weights=weights
        )
        score, parts = candidate.score, {one.signal: one.share for one in candidate.contributions}
        if self._ranking is SourceRanking.WEIGHTED:
            parts = ranking.weighted_parts(
                signals,
                record,
                age_days=max(0.0, self._now - record.created_at) / DAY,
                source_keys=self._request.source_keys or (),
                tags=self._request.tags or (),
                weights=weights,
            )
            score = sum(parts.values())
        return RetrievedSource(
            record, chunk.id, chunk.text, score, parts, chunk.tokens, chunk.reference, signals
        )


class _Found(NamedTuple):
    items: Sequence[RetrievedSource]  # those that answer
    every: Sequence[RetrievedSource]  # all that were ranked
    worthy: frozenset[int]  # ids of those worth showing


def _with_first(items: Sequence[RetrievedSource], first: Collection[int]) -> list[RetrievedSource]:
    return sorted(items, key=lambda item: item.chunk_id not in first)
