"""The features of chunks, from the snapshot and the facts of their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from daypack.engine.retrieval.kinds import kind_priors
from daypack.engine.retrieval.snapshots import Snapshot
from daypack.index import facts
from daypack.index.postings.lexical import postings
from daypack.ports import Connection
from daypack.rank import places
from daypack.rank.blend import Features
from daypack.rank.bm25 import LexicalScores
from daypack.rank.membership import is_in
from daypack.rank.named import NO_PLACE, NOTHING_NAMED, Named
from daypack.rank.nearness import Nearness
from daypack.rank.signals import Arms, PoolChunks, Symbols, chunk_features
from daypack.rank.texts.dated import UNDATED_PRIOR, undated
from daypack.rank.texts.interfaces import TERRAFORM, asks_for_interface, interface_priors
from daypack.rank.texts.packages import package_priors
from daypack.rank.texts.pool import Texts
from daypack.rank.texts.reasons import asks_for_reason, reason_priors
from daypack.rank.texts.statements import statement_priors
from daypack.rank.texts.translations import TRANSLATION_PRIOR, translations
from daypack.rank.uses import with_uses
from daypack.rank.views import ChunkFlag
from daypack.types import Query
from daypack.types.arrays import Floats, Ints, UInt32s

# The factor of every file outside the file or folder that a question names.
OTHER_FILE_PRIOR = 0.5


class Evidence(NamedTuple):
    """The parts of a query that were found in a store: terms, meaning, and the things that it names."""

    lexical: LexicalScores
    nearness: Nearness | None = None
    named: Named = NOTHING_NAMED
    texts_of: Callable[[Sequence[int]], Mapping[int, str]] = lambda _ids: {}
    """Reads the texts of chunks, to find what the query quotes."""


def features_of(
    db: Connection, snapshot: Snapshot, query: Query, evidence: Evidence, positions: Ints
) -> tuple[Features, dict[int, str]]:
    """The features of the chunks at `positions`, which rise, and the titles of their records."""
    view, (lexical, _, named, texts_of) = snapshot.view, evidence
    records = snapshot.facts_of(db, view.record_ids[positions])
    tf = snapshot.bm25.frequencies_around(lexical.terms, positions)
    own = np.ascontiguousarray(tf[:, : len(positions)])
    symbols = Symbols(partial(facts.symbol_names, db), partial(facts.symbol_lines, db))
    chunks = PoolChunks(view, positions, records, symbols)
    texts = Texts(lexical.terms, own, view.chunk_ids[positions], view.code[positions], texts_of)
    arms = _arms(snapshot, evidence, positions, tf, own)
    prior = _prior(query, named, chunks, texts)
    if query.event_kinds:
        events = (view.flags[positions] & ChunkFlag.EVENT) > 0
        prior *= kind_priors(partial(postings, db, view), positions, events, query.event_kinds)
    features = chunk_features(query, named, chunks, texts, arms, prior)
    titles = {record_id: record.title for record_id, record in records.items()}
    return with_uses(features, positions, named.uses), titles


def _arms(snapshot: Snapshot, evidence: Evidence, positions: Ints, tf: UInt32s, own: UInt32s) -> Arms:
    """The scores by words and by vectors. `own` are the frequencies in the chunks, `tf` also those in their neighbours."""
    view, bm25, lexical = snapshot.view, snapshot.bm25, evidence.lexical
    dense = dense_context = np.full(len(positions), np.nan, dtype=np.float32)
    if evidence.nearness is not None:
        dense, dense_context = evidence.nearness.in_context(view, positions)
    no_code = np.zeros(len(positions), dtype=np.float32)
    return Arms(
        unit=bm25.summed(lexical.terms, positions, own),
        context=bm25.context(lexical, positions, tf),
        file=bm25.file(lexical, positions) if view.code[positions].any() else no_code,
        dense=dense,
        dense_context=dense_context,
    )


def _prior(query: Query, named: Named, chunks: PoolChunks, texts: Texts) -> Floats:
    """The prior of each chunk by its place: lower in tests, translations, old versions and other packages than a named one,
    unless the query asks for these; for a report lower in comments, and for a question that asks why in texts that do not say why.
    """
    view, positions = chunks.view, chunks.positions
    flags = view.flags[positions]
    uris = {record_id: record.uri for record_id, record in chunks.records.items()}
    prior = places.place_prior(flags, query, side_by_side=view.side_by_side)
    if not (query.asks_for_tests or query.is_report):
        prior[places.named_tests(flags, positions, named.definitions)] /= places.TEST_PRIOR
    prior *= places.asked_for(chunks.record_ids, uris, flags, query, side_by_side=view.side_by_side)
    prior *= places.version_priors(chunks.record_ids, uris, query.text, flags)
    prior *= places.form_priors(chunks.record_ids, uris, query)
    if query.about_code and not query.kind.is_name:
        code = np.flatnonzero(texts.code)
        prior[code] *= statement_priors(texts.at(code))
    elif (
        query.overview is None
        and not query.kind.is_name
        and view.side_by_side
        and asks_for_reason(query.text)
    ):
        beside = np.flatnonzero(texts.code | places.is_page(flags))
        rarities = {term.term: term.idf for term in texts.terms}
        prior[beside] *= reason_priors(texts.at(beside), rarities) ** view.side_by_side
    if not (query.kind.is_name or query.asks_for_docs or asks_for_interface(query.text)):
        modules = [record_id for record_id, uri in uris.items() if uri.endswith(TERRAFORM)]
        parts = np.flatnonzero(is_in(chunks.record_ids, modules))
        prior[parts] *= interface_priors(texts.at(parts))
    if query.asks_for_version:
        by_name = [record_id for record_id, uri in uris.items() if places.is_changelog_name(uri)]
        changelog = ((flags & ChunkFlag.CHANGELOG) > 0) | is_in(chunks.record_ids, by_name)
        prior[undated(texts, changelog, places.is_page(flags) & ((flags & ChunkFlag.ASIDE) == 0))] *= (
            UNDATED_PRIOR**view.side_by_side
        )
    if others := package_priors(uris, named.packages):
        prior *= np.asarray([others.get(id_, 1.0) for id_ in chunks.record_ids.tolist()], dtype=np.float32)
    if named.place != NO_PLACE and (
        here := [record_id for record_id, uri in uris.items() if named.place.holds(record_id, uri)]
    ):
        prior[~is_in(chunks.record_ids, here)] *= OTHER_FILE_PRIOR
    if copies := translations(uris, query.language):
        prior[is_in(chunks.record_ids, copies)] *= TRANSLATION_PRIOR
    return prior
