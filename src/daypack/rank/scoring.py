"""A pool of candidates in order of relevance, and whether any of it is worth showing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.rank.ablation import leave_out
from daypack.rank.blend import Blend, BlendWeights, Features, blend, scaled, without_vectors
from daypack.rank.bm25 import LexicalScores
from daypack.rank.tuned_weights import DEFAULTS, Factors
from daypack.types import EmptyReason, Query, QueryKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

# An answer is called irrelevant when even its best chunk holds little of the query's idf mass, fewer than
# half of its terms, and lies far from it. On four sets asked their own 340 questions and each other's 1,020:
# .3 % of the own and 77 % of the foreign are turned away, and without vectors (the lexical bound alone) none
# of the own and 31 % of the foreign.
WEAK_COVERAGE = 0.45
WEAK_COSINE = 0.36  # of the default model
WEAK_COVERAGE_LEXICAL = 0.17
_WEAK_TERMS = 10  # a longer query is never covered by one chunk: the bounds shrink with its length


class Pool(NamedTuple):
    """The candidates of one query before their texts are read, one row each, and what was learned beside."""

    positions: NDArray[np.int64]  # in the snapshot, rising
    chunk_ids: NDArray[np.int64]
    imports: NDArray[np.bool_]  # the chunk is the imports of its file
    features: Features
    lexical: LexicalScores
    corrections: Mapping[str, str]
    in_scope: int  # living chunks inside the filter
    best_coverage: float  # the largest share of the query's idf mass that one chunk holds
    best_terms: int  # the most query terms that one chunk holds
    anchors_missing: tuple[str, ...]
    titles: Mapping[int, str]  # of its records, by id


class Scored(NamedTuple):
    """A ranked pool: chunk ids best first, with what each signal added."""

    chunk_ids: NDArray[np.int64]
    scores: NDArray[np.float32]
    blend: Blend
    order: NDArray[np.int64]  # rows of the blend, best first
    imports: NDArray[np.bool_]  # of each chunk, best first: whether it is the imports of its file


def weights_for(query: Query, pool: Pool, *, calibrated: bool, factors: Factors = DEFAULTS) -> BlendWeights:
    """How much each signal weighs: names are matched by letters, questions by meaning. `factors` are what a
    user fitted, times that.

    Over code a query that names code or is a task about it has a weight of its own. For any other the dense
    arm weighs what its best cosine is: a text that says what was asked in other words lies near, and where
    nothing lies near the words decide (docs/decisions/008-code-ranking.md). Then both arms of a question of
    one line count by their squares: asked in other words, it is answered by what is among the best of one of
    them, not by what is middling in both. `calibrated` says that the cosines are of the model that this was
    measured with.
    """
    weights = BlendWeights()
    match query.kind:
        case QueryKind.IDENTIFIER | QueryKind.PATH | QueryKind.QUOTED | QueryKind.ERROR:
            weights = BlendWeights(dense=0.2, dense_alone=0.2, dense_event=0.2, dense_code=0.2)
        case _:
            known = pool.features.dense[pool.features.code & ~np.isnan(pool.features.dense)]
            if calibrated and len(known) and not (query.about_code or query.mentions):
                # What has a title and a body describes something, and much of it is middling in both arms.
                steep = 2.0 if query.title == query.text.strip() else 1.0
                weights = BlendWeights(dense_code=float(np.clip(known.max(), 0.0, 1.0)), steep_code=steep)
    return scaled(weights, factors)


def score(
    pool: Pool, weights: BlendWeights, *, lexical_only: bool = False, without: Sequence[str] = ()
) -> Scored:
    """The pool in order of relevance, as if the signals in `without` said nothing.

    Ties break by chunk id, so equal stores give equal answers.
    """
    features = without_vectors(pool.features) if lexical_only else pool.features
    if without:
        features, weights = leave_out(features, weights, without)
    blended = blend(features, weights)
    order = np.lexsort((pool.chunk_ids, -blended.score))
    return Scored(pool.chunk_ids[order], blended.score[order], blended, order, pool.imports[order])


def rank_files(pool: Pool, scored: Scored, limit: int) -> list[tuple[int, float]]:
    """(chunk id of its best chunk, score) of each file, best file first; ties by record."""
    records = pool.features.record[scored.order]
    _, first = np.unique(records, return_index=True)  # by record; the first row of a record is its best chunk
    scores = scored.blend.file[scored.order][first]
    best = np.argsort(-scores, kind="stable")[:limit]
    return list(zip(scored.chunk_ids[first[best]].tolist(), scores[best].tolist(), strict=True))


def why_empty(pool: Pool, query: Query, *, calibrated: bool) -> EmptyReason | None:
    """Why an answer would be noise; None when there is something worth showing.

    `calibrated` says that the dense features are cosines of the model that WEAK_COSINE was measured with; the
    cosines of another one are on a scale of its own, and words alone decide.
    """
    if not pool.in_scope:
        return EmptyReason.FILTERED_OUT
    if not len(pool.positions):
        return EmptyReason.ANCHOR_NOT_FOUND if pool.anchors_missing else EmptyReason.NOTHING_RELEVANT
    if pool.anchors_missing and query.text.strip().strip("\"'`“”") in pool.anchors_missing:
        return EmptyReason.ANCHOR_NOT_FOUND
    known = pool.features.dense[~np.isnan(pool.features.dense)] if calibrated else np.empty(0)
    if pool.features.path.any() or (len(known) and float(known.max()) >= WEAK_COSINE):
        return None
    # half of what was asked, in one place: in a small store no idf says more
    if 2 * pool.best_terms >= len(query.terms):
        return None
    # A task says what shall be, in words that the code may not have yet: low cosines are no sign that it is
    # about something else.
    by_words = not len(known) or (query.about_code and bool(pool.features.code.any()))
    bound = WEAK_COVERAGE_LEXICAL if by_words else WEAK_COVERAGE
    if pool.best_coverage < bound * min(1.0, _WEAK_TERMS / len(query.terms)):
        return EmptyReason.NOTHING_RELEVANT
    return None
