"""Gather: everything that may be relevant to a query, with the features that ranking needs.

lexical best + their neighbours + nearest vectors + what the query names  →  pool
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from daypack.engine.retrieval.days import with_days_said
from daypack.engine.retrieval.features import Evidence, features_of
from daypack.engine.retrieval.named import named_by
from daypack.engine.retrieval.snapshots import Snapshot
from daypack.engine.retrieval.spelling import Spelling
from daypack.rank.blend import Pool
from daypack.rank.leading import best_by_words
from daypack.rank.nearness import Nearness
from daypack.rank.places import EVERY_FLAGS, is_about_testing, place_prior
from daypack.rank.views import ChunkFlag
from daypack.types import Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.ports import Connection

DEPTH = 200  # chunks of each arm; 97.5 % of the evidence of LoCoMo lies in the top 200 of the blend
# best lexical hits whose neighbours join the pool: the evidence is often next to the hit
NEIGHBOURS_OF = 50
MOST_OF_RELEASE = MOST_OF_DAYS = MOST_OF_PAGES = 400  # chunks


def gather(
    db: Connection,
    snapshot: Snapshot,
    query: Query,
    spelling: Spelling,
    mask: NDArray[np.bool_],
    nearness: Nearness | None,
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> Pool:
    """The pool of a query inside `mask`. `texts_of` reads the texts of chunks, to find what the query quotes."""
    view, bm25 = snapshot.view, snapshot.bm25
    named = named_by(db, view, query, mask, spelling.postings_of, spelling.corrections, texts_of)
    postings_of = with_days_said(spelling.postings_of, query.time_words, named.saying)
    lexical = bm25.matched(spelling.terms, postings_of)
    if query.asks_for_tests and is_about_testing(view, spelling.postings_of):
        query = query._replace(asks_for_tests=False)
    # Held back before the cut: tests repeat the words of an issue, and would fill the pool.
    prior = place_prior(EVERY_FLAGS, query, side_by_side=view.side_by_side)
    half = (len(spelling.terms) + 1) // 2
    lead, best = best_by_words(bm25, lexical, mask, prior, DEPTH, enough=half)
    parts = [best, *view.neighbours(best[:NEIGHBOURS_OF])]
    if nearness is not None:
        parts.append(nearness.nearest(DEPTH, mask))
    parts.append(
        np.asarray(
            [position for defined_at in named.definitions.values() for position in defined_at], dtype=np.int64
        )
    )
    parts += [np.asarray(uses.using, dtype=np.int64) for uses in named.uses]
    parts.append(np.asarray(named.holding, dtype=np.int64))
    parts.append(np.asarray([*named.releases][:MOST_OF_RELEASE], dtype=np.int64))
    if query.days is not None and (query.days.alone or query.days.length == 1):
        # Beside a subject most texts of a stretch say nothing: those that do are in the pool by themselves.
        of_days = sorted(named.days, key=named.days.__getitem__, reverse=True)[:MOST_OF_DAYS]
        parts.append(np.asarray(of_days, dtype=np.int64))
    parts.append(np.asarray(named.pages[:MOST_OF_PAGES], dtype=np.int64))
    parts.append(np.asarray([*named.manifests][:MOST_OF_RELEASE], dtype=np.int64))
    if named.records:
        parts.append(view.inside(mask, named.records)[:DEPTH])
    # Not `np.unique`, which imports numpy.ma the first time: 20 ms of a cold search.
    positions = np.asarray(sorted(set(np.concatenate(parts).tolist())), dtype=np.int64)
    positions = positions[mask[positions]]

    in_scope = int(np.count_nonzero(mask))
    evidence = Evidence(lexical, nearness, named, texts_of)
    features, titles = features_of(db, snapshot, query, evidence, positions)
    return Pool(
        positions=positions,
        chunk_ids=view.chunk_ids[positions],
        imports=(view.flags[positions] & ChunkFlag.IMPORTS) > 0,
        features=features,
        lexical=lexical,
        corrections=spelling.in_words,
        in_scope=in_scope,
        best_coverage=lead.best_coverage,
        holds_half=lead.holds_enough,
        unknown=spelling.unknown,
        lacking=int(np.count_nonzero(view.alive)) if spelling.nowhere else in_scope,
        anchors_missing=named.missing,
        titles=titles,
        of_release=bool(named.releases),
        of_days=bool(named.days),
    )
