"""Gather: everything that may be relevant to a query, with the features that ranking needs.

lexical best + their neighbours + nearest vectors + what the query names  →  pool
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from daypack.engine.features import chunk_features, exact_shares, name_things
from daypack.engine.snapshots import Snapshot
from daypack.index import facts
from daypack.index.lexical import postings
from daypack.rank.bm25 import LexicalScores
from daypack.rank.dense import nearest
from daypack.rank.fuzzy import nearest_term
from daypack.rank.scoring import Pool
from daypack.rank.signals import TESTING_SHARE, place_prior
from daypack.rank.top_k import kth_value, top_k
from daypack.rank.views import ChunkFlag, LexicalView, PostingsOf
from daypack.types import AnchorKind, Query

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

DEPTH = 200  # of each arm; 97.5 % of the evidence of LoCoMo lies in the top 200 of the blend
# best lexical hits whose neighbours join the pool: what stands beside the evidence often is it
NEIGHBOURS_OF = 50
CORRECTED_WEIGHT = 0.8  # of a typo's repair, against the word as written
# whose facts a snapshot keeps: some 300 bytes each, and reading those of a pool takes a tenth of a query
KEPT_RECORDS = 20_000


def gather(
    db: apsw.Connection,
    snapshot: Snapshot,
    query: Query,
    mask: NDArray[np.bool_],
    query_vector: NDArray[np.float32] | None,
    vocabulary: Callable[[], Sequence[str]],
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> Pool:
    """The pool of a query inside `mask`. `texts_of` reads the texts of chunks, for strings that it quotes."""
    view, bm25 = snapshot.view, snapshot.bm25
    postings_of = partial(postings, db, view)
    corrections = _repaired(query, vocabulary, postings_of, mask)
    terms = {
        corrections.get(term, term): weight * (CORRECTED_WEIGHT if term in corrections else 1.0)
        for term, weight in query.terms.items()
    }
    lexical = bm25.score(terms, postings_of, mask)

    test, aside, imports, page = (
        (view.flags & flag) > 0
        for flag in (ChunkFlag.TEST, ChunkFlag.ASIDE, ChunkFlag.IMPORTS, ChunkFlag.PAGE)
    )
    if query.asks_for_tests and _is_about_testing(view, test, postings_of):
        query = query._replace(asks_for_tests=False)
    page &= view.code.any()
    prior = place_prior(test, aside, imports, page, query)

    # Held back before the cut: tests repeat the words of an issue, and would fill the pool.
    best = best_positions(lexical.unit * prior, DEPTH)
    near = best[:NEIGHBOURS_OF]
    parts = [best, view.previous[near], view.following[near]]
    if snapshot.vectors is not None and query_vector is not None:
        parts.append(nearest(snapshot.vectors, query_vector, depth=DEPTH, mask=mask))
    named = name_things(db, view, query, mask, postings_of)
    parts.append(np.asarray([p for found in named.definitions.values() for p in found], dtype=np.int64))
    if named.records:
        parts.append(np.flatnonzero(mask & np.isin(view.record_ids, [*named.records]))[:DEPTH])
    # Not `np.unique`, which imports numpy.ma the first time: 20 ms of a cold search.
    positions = np.asarray(sorted(set(np.concatenate(parts).tolist())), dtype=np.int64)
    positions = positions[mask[positions]]

    records = _record_facts(db, snapshot, view.record_ids[positions])
    component = named.component(records)
    if component and not query.about_code:  # a query that names a part of the code is about code
        prior = place_prior(test, aside, imports, page, query._replace(about_code=True))
    features = chunk_features(
        db, snapshot, query, lexical, positions, prior[positions], query_vector, named, records, component
    )
    chunk_ids = view.chunk_ids[positions]
    if quoted := [anchor.text for anchor in query.anchors if anchor.kind is AnchorKind.QUOTED]:
        texts = texts_of(chunk_ids.tolist())
        features = features._replace(exact=exact_shares(texts, chunk_ids, features.code, quoted))
    return Pool(
        positions=positions,
        chunk_ids=chunk_ids,
        imports=imports[positions],
        features=features,
        lexical=lexical,
        corrections=corrections,
        in_scope=int(mask.sum()),
        best_coverage=float(lexical.coverage.max()) if len(lexical.coverage) else 0.0,
        best_terms=_most_terms(lexical, mask),
        anchors_missing=named.missing,
        titles={record_id: record.title for record_id, record in records.items()},
    )


def _repaired(
    query: Query, vocabulary: Callable[[], Sequence[str]], postings_of: PostingsOf, mask: NDArray[np.bool_]
) -> dict[str, str]:
    """Query term that does not occur inside the mask → the nearest word that does.

    Words of the store outside the mask repair nothing: what is hidden must not show, not even by its silence.
    """

    def occurs(term: str) -> bool:
        positions = postings_of(term).positions
        return bool(mask[positions[:64]].any() or mask[positions].any())  # a common term shows at once

    return repair(query, [term for term in query.terms if not occurs(term)], vocabulary, occurs)


def repair(
    query: Query,
    unknown: Sequence[str],
    vocabulary: Callable[[], Sequence[str]],
    occurs: Callable[[str], bool],
) -> dict[str, str]:
    """Unknown query terms → the nearest word that occurs where the query looks."""
    corrections = {}
    for term in unknown:
        found = nearest_term(term, vocabulary(), occurs)
        if found is not None and found not in query.terms:
            corrections[term] = found
    return corrections


def _is_about_testing(view: LexicalView, test: NDArray[np.bool_], postings_of: PostingsOf) -> bool:
    """Whether the code itself speaks of tests: there the word is the subject of most questions, and wishes
    for tests in few.
    """
    code = view.alive & view.code & ~test
    found = postings_of("test")
    return bool(code[found.positions[found.tf[:, 0] > 0]].sum() > TESTING_SHARE * code.sum())


def best_positions(scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions of the highest positive scores, best first; ties by position."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > depth:
        positive = _without_crowd(positive, scores, depth)
    return top_k(scores[positive], positive, depth)


def _without_crowd(positive: NDArray[np.int64], scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions without the mass of one score.

    Thousands of copies of one text score alike and would fill the pool by themselves.
    """
    values = scores[positive]
    best = np.sort(values[values >= kth_value(values, depth)])[-depth:]
    crowds, sizes = np.unique(best, return_counts=True)
    for crowd in crowds[sizes > depth // 2]:
        alike = np.flatnonzero(values == crowd)
        keep = np.ones(len(values), dtype=bool)
        keep[alike[depth // 4 :]] = False
        positive, values = positive[keep], values[keep]
    return positive


def _most_terms(lexical: LexicalScores, mask: NDArray[np.bool_]) -> int:
    held = np.zeros(len(mask), dtype=np.int64)
    for term in lexical.terms:
        held[term.postings.positions] += 1
    return int(held[mask].max(initial=0))


def _record_facts(
    db: apsw.Connection, snapshot: Snapshot, record_ids: NDArray[np.int64]
) -> dict[int, facts.RecordFacts]:
    """Facts of records by id, from the snapshot where it knows them."""
    wanted = sorted(set(record_ids.tolist()))
    known = snapshot.facts
    if unread := [record_id for record_id in wanted if record_id not in known]:
        if len(known) + len(unread) > KEPT_RECORDS:
            known.clear()
            unread = wanted
        known.update(facts.record_facts(db, unread))
    return {record_id: known[record_id] for record_id in wanted}
