"""The chance that a ranked pool answers its query at all: empty, weak or neither.

    empty    no text is near, and no chunk holds a good part of the words
    weak     the nearest text is not near enough for a query with a word that no text in scope has; or it is far, and
             some words match

The score of the best candidate says nothing about it, for scores are relative to the pool.
"""

from __future__ import annotations

import numpy as np

from daypack.rank.blend import Pool
from daypack.rank.order import brevity, is_task
from daypack.types import EmptyReason, Query, QueryKind

# Bounds of an empty and of a weak answer, on the scale of the best chunk's cosine (of the default model) and of
# the share of the query's idf mass that one chunk holds (docs/decisions/016-chance-of-an-answer.md).
FAR_COSINE = 0.27
FAR_COVERAGE = 0.45
FAR_COVERAGE_LEXICAL = 0.17
# A word that no text in scope has: the answer may use other words, which then must be near.
UNKNOWN_COSINE = 0.15
UNKNOWN_COVERAGE_LEXICAL = 0.35
SAYS_MUCH = 400  # chunks; in a smaller store many words are missing
COVERED = 0.6  # words alone show that the best chunk is about the query


def why_empty(pool: Pool, query: Query, *, calibrated: bool) -> EmptyReason | None:
    """The reason why an answer would be noise; None when there is something worth showing.

    `calibrated` says that the dense features are cosines of the model that FAR_COSINE was measured with;
    another model has its own scale of cosines, and words alone decide.
    """
    if not pool.in_scope:
        return EmptyReason.FILTERED_OUT
    if not len(pool.positions):
        return EmptyReason.ANCHOR_NOT_FOUND if pool.anchors_missing else EmptyReason.NOTHING_RELEVANT
    if pool.anchors_missing and query.text.strip().strip("\"'`“”") in pool.anchors_missing:
        return EmptyReason.ANCHOR_NOT_FOUND
    nearest = _nearest(pool, calibrated=calibrated)
    if _names_file(pool, query) or (nearest is not None and nearest >= FAR_COSINE):
        return None
    # half of the query's words in one place: in a small store idf tells no more
    if 2 * pool.best_terms >= len(query.terms):
        return None
    by_words = nearest is None or is_task(query, pool)
    bound = FAR_COVERAGE_LEXICAL if by_words else FAR_COVERAGE
    if pool.best_coverage < bound * brevity(query):
        return EmptyReason.NOTHING_RELEVANT
    return None


def is_weak(pool: Pool, query: Query, *, calibrated: bool) -> bool:
    """True when an answer is worth showing, with a warning: its best chunk has little chance of being wanted."""
    questions = (QueryKind.NATURAL, QueryKind.TEMPORAL)
    if query.kind not in questions or is_task(query, pool) or _names_file(pool, query):
        return False
    nearest = _nearest(pool, calibrated=calibrated)
    if nearest is None:
        return bool(pool.unknown) and pool.best_coverage < UNKNOWN_COVERAGE_LEXICAL * brevity(query)
    if not pool.unknown:
        return nearest < FAR_COSINE and pool.best_coverage < COVERED
    return nearest < FAR_COSINE + UNKNOWN_COSINE * min(1.0, pool.in_scope / SAYS_MUCH)


def _names_file(pool: Pool, query: Query) -> bool:
    """True where the query names a stored file by its path; a word that happens to be the name of a file does not count."""
    return bool(query.paths) and bool(pool.features.path.any())


def _nearest(pool: Pool, *, calibrated: bool) -> float | None:
    """The best cosine of a pool; None without a vector of a model whose cosines are known."""
    known = pool.features.dense[~np.isnan(pool.features.dense)] if calibrated else np.empty(0)
    return float(known.max()) if len(known) else None
