"""The features of chunks, from the snapshot and the facts of their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from daypack.engine.retrieval.snapshots import Snapshot
from daypack.index import facts
from daypack.rank.blend import Features
from daypack.rank.bm25 import LexicalScores
from daypack.rank.named import Named
from daypack.rank.nearness import Nearness
from daypack.rank.places import (
    TEST_PRIOR,
    TRANSLATION_PRIOR,
    named_tests,
    place_prior,
    translations,
    version_priors,
)
from daypack.rank.signals import Arms, Symbols, chunk_features
from daypack.rank.texts.pool import Texts
from daypack.rank.uses import with_uses
from daypack.types import Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.ports import Connection


def features_of(
    db: Connection,
    snapshot: Snapshot,
    query: Query,
    lexical: LexicalScores,
    nearness: Nearness | None,
    positions: NDArray[np.int64],
    named: Named,
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
) -> tuple[Features, dict[int, str]]:
    """The features of the chunks at `positions`, which rise, and the titles of their records. `texts_of` reads the
    texts of chunks, to find what the query quotes.
    """
    view, bm25 = snapshot.view, snapshot.bm25
    record_ids = view.record_ids[positions]
    records = snapshot.facts_of(db, record_ids)
    nothing = np.zeros(len(positions), dtype=np.float32)
    dense = dense_context = np.full(len(positions), np.nan, dtype=np.float32)
    if nearness is not None:
        dense, dense_context = nearness.in_context(view, positions)
    tf = bm25.frequencies_around(lexical.terms, positions)
    own = np.ascontiguousarray(tf[:, : len(positions)])
    arms = Arms(
        unit=bm25.summed(lexical.terms, positions, own),
        context=bm25.context(lexical, positions, tf),
        file=bm25.file(lexical, positions) if view.code[positions].any() else nothing,
        dense=dense,
        dense_context=dense_context,
    )
    uris = {record_id: record.uri for record_id, record in records.items()}
    flags = view.flags[positions]
    prior = place_prior(flags, query, side_by_side=view.side_by_side)
    if not (query.asks_for_tests or query.is_report):
        prior[named_tests(flags, positions, named.definitions)] /= TEST_PRIOR
    prior *= version_priors(record_ids, uris, query.text, flags)
    if copies := translations(uris, query.language):
        prior[np.isin(record_ids, copies)] *= TRANSLATION_PRIOR
    symbols = Symbols(partial(facts.symbol_names, db), partial(facts.symbol_lines, db))
    texts = Texts(lexical.terms, own, view.chunk_ids[positions], view.code[positions], texts_of)
    features = chunk_features(view, query, texts, arms, prior, positions, named, records, symbols)
    titles = {record_id: record.title for record_id, record in records.items()}
    return with_uses(features, positions, named.uses), titles
