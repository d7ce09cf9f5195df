"""Gather: everything that may be relevant to a query, with the features that ranking needs.

lexical best + their neighbours + nearest vectors + what the query names  →  pool
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

import numpy as np

from daypack.engine.retrieval.days import with_days_said
from daypack.engine.retrieval.features import Evidence, features_of
from daypack.engine.retrieval.named import named_by
from daypack.engine.retrieval.spelling import Spelling
from daypack.rank.blend import Pool
from daypack.rank.leading import best_by_words
from daypack.rank.named import Named
from daypack.rank.nearness import Nearness
from daypack.rank.places import EVERY_FLAGS, place_prior
from daypack.rank.views import ChunkFlag
from daypack.types import Query

DEPTH = 200  # chunks of each arm; 97.5 % of the evidence of LoCoMo lies in the top 200 of the blend
# best lexical hits whose neighbours join the pool: the evidence is often next to the hit
NEIGHBOURS_OF = 50
MOST_OF_RELEASE = MOST_OF_DAYS = MOST_OF_PAGES = 400  # chunks


def gather(query: Query, spelling: Spelling, nearness: Nearness | None) -> Pool:
    """The pool of a query."""
    scope = spelling.scope
    view, bm25, mask = scope.view, scope.snapshot.bm25, scope.mask
    named = named_by(scope, query, spelling.corrections)
    postings_of = with_days_said(scope.postings_of, query.time_words, named.saying)
    lexical = bm25.matched(spelling.terms, postings_of)
    # Held back before the cut: tests repeat the words of an issue, and would fill the pool.
    prior = place_prior(EVERY_FLAGS, query, side_by_side=view.side_by_side)
    half = (len(spelling.terms) + 1) // 2
    lead, best = best_by_words(bm25, lexical, mask, prior, DEPTH, enough=half)
    parts = [best, *view.neighbours(best[:NEIGHBOURS_OF])]
    if nearness is not None:
        parts.append(nearness.nearest(DEPTH, mask, view.numbers_of))
    if named.records:
        parts.append(view.inside(mask, named.records)[:DEPTH])
    # Not `np.unique`, which imports numpy.ma the first time: 20 ms of a cold search.
    gathered = {*np.concatenate(parts).tolist(), *_positions_named(query, named)}
    positions = np.asarray(sorted(gathered), dtype=np.int64)
    positions = positions[mask[positions]]

    in_scope = int(np.count_nonzero(mask))
    evidence = Evidence(lexical, nearness, named, scope.texts_of)
    features, titles = features_of(scope.db, scope.snapshot, query, evidence, positions)
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


def _positions_named(query: Query, named: Named) -> Iterator[int]:
    """The positions of chunks that join the pool because the query names them."""
    yield from chain.from_iterable(named.definitions.values())
    yield from chain.from_iterable(uses.using for uses in named.uses)
    yield from named.holding
    yield from islice(named.releases, MOST_OF_RELEASE)
    if query.days is not None and (query.days.alone or query.days.length == 1):
        # Beside a subject most texts of a stretch say nothing: those that do are in the pool by themselves.
        yield from sorted(named.days, key=named.days.__getitem__, reverse=True)[:MOST_OF_DAYS]
    yield from named.pages[:MOST_OF_PAGES]
    yield from islice(named.manifests, MOST_OF_RELEASE)
    yield from islice(named.introducing, MOST_OF_RELEASE)
