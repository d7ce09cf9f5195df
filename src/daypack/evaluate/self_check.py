"""A store asked for its own chunks: every arm ranks questions that were made from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from daypack.engine.engine import Engine
from daypack.engine.retrieval.retriever import Ranked
from daypack.evaluate.arms import Arm, RankedQuestion, SelfCheck
from daypack.evaluate.known_items import Question, questions, sampling_key
from daypack.evaluate.suite_runner import counted, store_state
from daypack.index.postings.lexical import postings
from daypack.ports import Progress
from daypack.rank.blend import blend, without_vectors
from daypack.rank.order import weights_for
from daypack.types import VectorMode
from daypack.types.arrays import Bools, Floats
from daypack.types.tuned_weights import Factors


def ask(
    engine: Engine, *, items: int, seed: int, mode: VectorMode, progress: Progress | None = None
) -> SelfCheck:
    """Ask for `items` chunks of the store by questions made from them, and rank each in every arm."""
    found = _known_items(engine, items, seed)
    asked = []
    turned_away = 0
    for question in counted(found.questions, progress):
        ranked = engine.retriever.rank(question.text, mode=mode)
        turned_away += ranked.empty_reason is not None
        ranks = _ranks(ranked, found.ids[question.chunk_hash], engine.snapshots.factors(""))
        asked.append(RankedQuestion(question, ranks))
    state = store_state(engine, mode)
    return SelfCheck(asked, seed, found.items, mode, state.vectors_missing, state.chunks, turned_away)


@dataclass(frozen=True, slots=True)
class _KnownItems:
    questions: list[Question]
    items: int  # chunks that the questions were made from
    ids: dict[str, set[int]]  # hash of a text → the chunks that have it


def _known_items(engine: Engine, items: int, seed: int) -> _KnownItems:
    ids: dict[str, set[int]] = {}
    for chunk_id, hash_ in engine.store.chunk_hashes():
        ids.setdefault(hash_, set()).add(chunk_id)
    order = sorted(ids, key=lambda hash_: sampling_key(hash_, seed))
    found: list[Question] = []
    used = 0
    with engine.store.reading() as db:
        view = engine.snapshots.current(vectors=False).view
        living = int(view.alive.sum())
        for first in range(0, len(order), 64):
            chunks = engine.store.chunks([min(ids[hash_]) for hash_ in order[first : first + 64]])
            for chunk in sorted(chunks.values(), key=lambda chunk: sampling_key(chunk.hash, seed)):
                if used == items:
                    return _KnownItems(found, used, ids)
                made = list(
                    questions(chunk, lambda term: len(postings(db, view, term).positions), living, seed)
                )
                found += made
                used += bool(made)
    return _KnownItems(found, used, ids)


def _ranks(ranked: Ranked, wanted: set[int], by_words: Factors) -> dict[Arm, int | None]:
    """Ranks of the first wanted chunk when each arm alone, and their fusion, orders the pool; `by_words` are the weights where words alone rank."""
    if ranked.pool is None or ranked.scored is None:
        return dict.fromkeys(Arm)
    features, scored = ranked.pool.features, ranked.scored
    ids = np.empty_like(scored.chunk_ids)
    ids[scored.order] = scored.chunk_ids
    words_only = blend(
        without_vectors(features), weights_for(ranked.query, ranked.pool, calibrated=False, factors=by_words)
    ).score

    def rank(values: Floats, has: Bools) -> int | None:
        order = np.lexsort((ids, -np.where(has, values, -np.inf)))[: int(has.sum())]
        return next(
            (place for place, chunk_id in enumerate(ids[order].tolist(), 1) if chunk_id in wanted), None
        )

    everything = np.ones(len(ids), dtype=bool)
    # a withheld answer counts as none, however well it was ranked
    answered = ranked.empty_reason is None
    return {
        Arm.UNIT: rank(features.unit, features.unit > 0),
        Arm.CONTEXT: rank(features.context, features.context > 0),
        Arm.DENSE: rank(features.dense, ~np.isnan(features.dense)),
        Arm.WORDS_ONLY: rank(words_only, everything) if answered else None,
        Arm.FUSED: next(
            (place for place, chunk_id in enumerate(scored.chunk_ids.tolist(), 1) if chunk_id in wanted), None
        )
        if answered
        else None,
    }
