"""A search by the profile "ctx" of `rank.rrf`, used only on request."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING

from daypack.engine.limits import check_limits, left_unread
from daypack.index.lexical import postings
from daypack.query import parse_query
from daypack.rank.fuzzy import repairs
from daypack.rank.leading import EQUAL, best_by_words
from daypack.rank.rrf import PROXIMITY, containing, fuse, proximity, stands_in
from daypack.text import analysis
from daypack.text.storable import storable
from daypack.types import Candidate, Chunk, Contribution, EmptyReason, SearchResult, SearchStats

if TYPE_CHECKING:
    from daypack.engine.engine import Engine
    from daypack.filters import Filter


def search_fused(
    engine: Engine,
    text: str,
    *,
    limit: int = 10,
    condition: Filter | None = None,
    stats: SearchStats | None = None,
) -> SearchResult:
    """The best chunks by the profile "ctx", without vectors: stemmed and trigram lists, proximity."""
    check_limits(text)
    engine.stopping.check()
    stats = stats or SearchStats()
    with engine.store.reading() as db:
        snapshot = engine.snapshots.current(vectors=False)
        query = parse_query(
            storable(text), now=engine.now(), languages=engine.snapshots.languages(snapshot.sequence)
        )
        stats = stats._replace(degraded=stats.degraded + left_unread(query))
        terms = dict.fromkeys(analysis.content_terms(query.terms), 1.0)
        if not terms or not len(snapshot.view):
            return SearchResult(
                text, (), stats, EmptyReason.EMPTY_QUERY if not terms else EmptyReason.EMPTY_STORE
            )
        mask = engine.snapshots.mask(db, snapshot, condition)
        vocabulary = engine.snapshots.vocabulary(snapshot.sequence)
        postings_of = partial(postings, db, snapshot.view)
        bm25 = snapshot.bm25
        stemmed = bm25.matched(terms, postings_of)
        corrections = repairs(
            stemmed.unknown, query.terms, vocabulary, lambda term: len(postings_of(term).positions) > 0
        )
        if corrections:
            terms = {corrections.get(term, term): weight for term, weight in terms.items()}
            stemmed = bm25.matched(terms, postings_of)
        words = _words_of(query.text, terms) | {*corrections.values()}
        inside = bm25.matched(containing(words, vocabulary().words), postings_of)
        depth = max(2 * limit, 10)
        lists = {
            "stemmed": best_by_words(bm25, stemmed, mask, EQUAL, depth)[1].tolist(),
            "trigram": best_by_words(bm25, inside, mask, EQUAL, 2 * depth)[1].tolist(),
        }
        pool = sorted({position for ranked in lists.values() for position in ranked})
        ids = dict(zip(pool, snapshot.view.chunk_ids[pool].tolist(), strict=True))
        chunks = engine.store.chunks([*ids.values()])
    holding = {
        chunk_id
        for chunk_id, chunk in chunks.items()
        if stands_in(words, f"{chunk.uri} {chunk.title} {chunk.text}")
    }
    lists["trigram"] = [position for position in lists["trigram"] if ids[position] in holding][:depth]
    found = [
        _candidate(chunk, parts, frozenset(terms))
        for position, parts in fuse(lists).items()
        if (chunk := chunks.get(ids[position])) is not None
    ]
    found.sort(key=lambda candidate: (-candidate.score, candidate.chunk.id))
    stats = stats._replace(
        chunks=int(mask.sum()), candidates=len(found), corrections=corrections, query_kind=query.kind
    )
    reason = None if found else EmptyReason.NOTHING_RELEVANT if mask.any() else EmptyReason.FILTERED_OUT
    return SearchResult(text, tuple(found[:limit]), stats, reason)


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
