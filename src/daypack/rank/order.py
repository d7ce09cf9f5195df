"""A pool in order: the weight of each signal for a question, the chunks and the files best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from daypack.rank.ablation import leave_out
from daypack.rank.blend import BlendWeights, Pool, Scored, blend, scaled
from daypack.types import Query, QueryKind
from daypack.types.tuned_weights import DEFAULTS, Factors

# of the idf mass: where no chunk holds so much, the words match by chance, and meaning decides
TELLING_COVERAGE = 0.5
# The weight `lead` for a task over code: the change may be in any chunk of a good file, while a question is answered by
# one chunk of each of several files (docs/decisions/019-lines-of-a-task.md).
REPORT_LEAD = 0.0
_MOST_TERMS = 10  # one chunk never covers a longer query: bounds of coverage shrink with its length


def weights_for(query: Query, pool: Pool, *, calibrated: bool, factors: Factors = DEFAULTS) -> BlendWeights:
    """The weight of each signal: names are matched by letters, questions by meaning. `factors` are a user's
    fitted factors.

    Over code a query that names code or is a task about it has a weight of its own. For any other query the
    weight of the dense arm is its best cosine: a text that expresses the question in other words is near, and
    where no text is near the words decide (docs/decisions/008-code-ranking.md). Then both arms of a question
    of one line count by their squares: the answer to a reworded question is among the best of one arm, not
    middling in both. `calibrated` says that the cosines are of the model that this was measured with.
    A report is not compared word by word: it describes a future state, in words that the code may not have.

    Where even the best chunk holds little of a question's words, the lexical arms lose weight to the dense
    ones: min-max would stretch a match of stray words to 1.
    """
    weights = BlendWeights()
    match query.kind:
        case QueryKind.IDENTIFIER | QueryKind.PATH | QueryKind.QUOTED | QueryKind.ERROR:
            weights = BlendWeights(dense=0.2, dense_alone=0.2, dense_event=0.2, dense_code=0.2)
        case _:
            known = pool.features.dense[pool.features.code & ~np.isnan(pool.features.dense)]
            if calibrated and len(known) and not (query.about_code or query.mentions):
                # A text with a title and a body describes something: many such texts are middling in both arms.
                steep = 1.0 if "\n" in query.text.strip() else 2.0
                weights = BlendWeights(dense_code=float(np.clip(known.max(), 0.0, 1.0)), steep_code=steep)
            if calibrated and not is_task(query, pool):
                weights = _by_meaning(weights, 1 - words_tell(pool, query))
    if query.is_report:
        weights = weights._replace(lead=REPORT_LEAD, wording=0.0)
    if query.kind is not QueryKind.NATURAL or query.about_code or query.mentions:
        weights = weights._replace(nearest=0.0)  # the answer is code that is named, or that the task changes
    return scaled(weights, factors)


def words_tell(pool: Pool, query: Query) -> float:
    """The degree to which the words of a query tell its chunks apart, 0 to 1.

    1 where one chunk holds enough of them, or where the lexically best chunk is the nearest as well. Words that match
    by chance are few, and their chunk is about something else.
    """
    covered = min(1.0, pool.best_coverage / (TELLING_COVERAGE * brevity(query))) ** 2
    dense = np.where(np.isnan(pool.features.dense), np.float32(0), pool.features.dense)
    nearest = float(dense.max(initial=0.0))
    if covered == 1 or nearest <= 0:
        return 1.0
    agreed = float(dense[pool.features.unit.argmax()]) / nearest
    return 1 - (1 - covered) * min(1.0, 2 * (1 - agreed))


def _by_meaning(weights: BlendWeights, share: float) -> BlendWeights:
    """The weights after each lexical arm gave a share of its weight to the dense arm."""
    arms = {arm: getattr(weights, arm) for arm in ("dense", "dense_alone", "dense_event", "dense_code")}
    return weights._replace(**{arm: dense + (1 - dense) * share for arm, dense in arms.items()})


def brevity(query: Query) -> float:
    """The factor of a bound of coverage: 1 for a short query, less for one of more than ten terms."""
    return min(1.0, _MOST_TERMS / max(1, len(query.terms)))


def is_task(query: Query, pool: Pool) -> bool:
    """True for a report or a task over code. It may describe a future state, in words that the code does not have yet, so
    low cosines and missing words do not show that it is about something else.
    """
    return query.about_code and bool(pool.features.code.any())


def score(pool: Pool, weights: BlendWeights, *, without: Sequence[str] = ()) -> Scored:
    """The pool in order of relevance, without the signals in `without`.

    Ties break by record, then by place in it: unlike the ids of chunks, these outlive changes and rebuilds.
    """
    features = pool.features
    if without:
        features, weights = leave_out(features, weights, without)
    blended = blend(features, weights)
    order = np.lexsort((pool.chunk_ids, features.record, -blended.score))
    return Scored(pool.chunk_ids[order], blended.score[order], blended, order, pool.imports[order])


def rank_files(pool: Pool, scored: Scored, limit: int) -> list[tuple[int, float]]:
    """(chunk id of its best chunk, score) of each file, best file first; ties by record."""
    records = pool.features.record[scored.order]
    _, first = np.unique(records, return_index=True)  # by record; the first row of a record is its best chunk
    scores = scored.scores[first]
    best = np.argsort(-scores, kind="stable")[:limit]
    return list(zip(scored.chunk_ids[first[best]].tolist(), scores[best].tolist(), strict=True))
