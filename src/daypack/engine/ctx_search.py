"""A search by the profile "ctx" of `rank.rrf`, used only on request."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from daypack.engine.answers import told_apart
from daypack.engine.engine import Engine
from daypack.engine.limits import check_limits, left_unread
from daypack.engine.retrieval.asides import mask_of_evidence
from daypack.engine.retrieval.scope import Moment, Scope
from daypack.engine.retrieval.spelling import corrections_in_words
from daypack.filters import Filter
from daypack.query import parse_query
from daypack.rank.fuzzy import repairs
from daypack.rank.leading import EQUAL, best_by_words
from daypack.rank.rrf import PROXIMITY, containing, fuse, proximity, stands_in
from daypack.text import analysis
from daypack.text.storable import storable
from daypack.types import Candidate, Chunk, Contribution, EmptyReason, Query, SearchResult, SearchStats


class _Matches(NamedTuple):
    """The two lists of a query, as positions in the view, best first."""

    stemmed: list[int]
    trigram: list[int]  # which may hold a word; the text decides
    terms: frozenset[str]  # of the query, in the store's spelling
    words: frozenset[str]  # that have one of these terms
    corrections: Mapping[str, str]


def search_fused(
    engine: Engine, text: str, *, limit: int, condition: Filter | None, stats: SearchStats
) -> SearchResult:
    """The best chunks by the profile "ctx", without vectors: stemmed and trigram lists, proximity."""
    check_limits(text)
    engine.stopping.check()
    depth = max(2 * limit, 10)
    with engine.store.reading() as db:
        snapshot = engine.snapshots.current(vectors=False)
        languages = engine.snapshots.languages(snapshot.sequence)
        query = parse_query(storable(text), now=engine.now(), languages=languages)
        stats = stats._replace(degraded=stats.degraded + left_unread(query))
        if not analysis.content_terms(query.terms):
            return SearchResult(text, (), stats, EmptyReason.EMPTY_QUERY)
        if not len(snapshot.view):
            return SearchResult(text, (), stats, EmptyReason.EMPTY_STORE)
        moment = Moment(db, engine.snapshots, snapshot, engine.now(), engine.store.bodies)
        scope = moment.scope(mask_of_evidence(moment, query, condition))
        matches = _matches(engine, scope, query, depth)
        pool = sorted({*matches.stemmed, *matches.trigram})
        ids = snapshot.view.chunk_ids[pool].tolist()
        chunks = engine.store.chunks(ids)
        chunk_at = {
            at: chunks[chunk_id] for at, chunk_id in zip(pool, ids, strict=True) if chunk_id in chunks
        }
        candidates = told_apart(engine.store, engine.visibility, _fused(matches, chunk_at, depth))
    stats = stats._replace(
        chunks=int(scope.mask.sum()),
        candidates=len(candidates),
        corrections=matches.corrections,
        query_kind=query.kind,
    )
    reason = (
        None if candidates else EmptyReason.NOTHING_RELEVANT if scope.mask.any() else EmptyReason.FILTERED_OUT
    )
    return SearchResult(text, tuple(candidates[:limit]), stats, reason)


def _matches(engine: Engine, scope: Scope, query: Query, depth: int) -> _Matches:
    """The best `depth` chunks by stemmed terms, and twice as many by trigrams, because some do not hold the word."""
    bm25, mask, postings_of = scope.snapshot.bm25, scope.mask, scope.postings_of
    vocabulary = engine.snapshots.vocabulary(scope.snapshot.sequence)
    terms = dict.fromkeys(analysis.content_terms(query.terms), 1.0)
    stemmed = bm25.matched(terms, postings_of)
    corrections = repairs(
        stemmed.unknown, query.terms, vocabulary, lambda term: len(postings_of(term).positions)
    )
    if corrections:
        terms = {corrections.get(term, term): weight for term, weight in terms.items()}
        stemmed = bm25.matched(terms, postings_of)
    words = _words_of(query.text, terms) | {*corrections.values()}
    trigram = bm25.matched(containing(words, vocabulary().words), postings_of)
    return _Matches(
        best_by_words(bm25, stemmed, mask, EQUAL, depth)[1].tolist(),
        best_by_words(bm25, trigram, mask, EQUAL, 2 * depth)[1].tolist(),
        frozenset(terms),
        frozenset(words),
        corrections_in_words(scope, corrections, analysis.words(query.text)),
    )


def _fused(matches: _Matches, chunk_at: Mapping[int, Chunk], depth: int) -> list[Candidate]:
    """The candidates of both lists, best first."""
    holding = [
        position
        for position in matches.trigram
        if (chunk := chunk_at.get(position)) is not None
        and stands_in(matches.words, f"{chunk.uri} {chunk.title} {chunk.text}")
    ]
    shares_of = fuse({"stemmed": matches.stemmed, "trigram": holding[:depth]})
    candidates = [
        _candidate(chunk_at[position], shares, matches.terms)
        for position, shares in shares_of.items()
        if position in chunk_at
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.chunk.id))


def _words_of(text: str, terms: Collection[str]) -> set[str]:
    """The words of a text, in small letters, that have one of these terms."""
    wanted = frozenset(terms)
    return {word.lower() for word in analysis.words(text) if not wanted.isdisjoint(analysis.ANALYZER[word])}


def _candidate(chunk: Chunk, shares: Mapping[str, float], terms: frozenset[str]) -> Candidate:
    """A candidate with its shares of the fused lists, and one more where its text has the terms close together."""
    near = proximity(analysis.words(chunk.text), terms, analysis.ANALYZER.__getitem__)
    parts = {**shares, **({"proximity": PROXIMITY * near * sum(shares.values())} if near else {})}
    contributions = tuple(Contribution(name, share, share) for name, share in parts.items())
    return Candidate(chunk, sum(parts.values()), 0.0, contributions)
