"""Following: a pool is ranked, its best hits name other documents, and the pool is ranked again with these links."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from daypack.engine.retrieval.joining import Joining, joined
from daypack.engine.retrieval.snapshots import Snapshot
from daypack.index.postings.lexical import postings
from daypack.index.store import Store
from daypack.rank.blend import BlendWeights, Pool, Scored
from daypack.rank.links import MOST_NAMES, best_hits, names_in, with_links, with_said
from daypack.rank.order import score
from daypack.text import analysis
from daypack.types import Query


def ranked_with_links(
    store: Store,
    snapshot: Snapshot,
    query: Query,
    pool: Pool,
    weights: BlendWeights,
    *,
    without: Sequence[str],
    joining: Joining | None = None,
) -> tuple[Pool, Scored]:
    """The pool and its order after a second ranking, which counts the links of the best hits of the first.

    With `joining`, documents that these hits name join the pool. Signals in `without` are silent.
    """
    if "link" in without:
        return pool, score(pool, weights, without=without)
    question = frozenset(analysis.terms(query.text))
    with store.reading() as db:
        postings_of = partial(postings, db, snapshot.view)
        pool = with_said(pool, query.text, postings_of, snapshot.bm25.living)
        scored = score(pool, weights, without=without)
        hits = best_hits(pool, scored, store.chunks, question)
        wider = pool
        if joining is not None and (names := names_in("\n".join(h.chunk.text for h in hits if h.asked))):
            wider = joined(db, snapshot, query, joining, pool, names[:MOST_NAMES])
        linked = with_links(wider, hits, question, postings_of, snapshot.bm25.living)
    return (pool, scored) if linked is wider else (linked, score(linked, weights, without=without))
