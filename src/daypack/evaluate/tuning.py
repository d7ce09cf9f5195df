"""Ranking weights fitted on a suite: its cases ranked by every setting that `evaluate.weights` tries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from daypack.engine.engine import Engine
from daypack.engine.retrieval.retriever import Ranked
from daypack.errors import TooFewCases
from daypack.evaluate.cases import Case, Expected, Expects, Suite, TermsScope
from daypack.evaluate.judge import matches
from daypack.evaluate.measures import ndcg
from daypack.evaluate.suite_runner import Names, Searchable, ready
from daypack.evaluate.weights import (
    CUTOFF,
    FEWEST,
    FOLDS,
    KindFit,
    RankerFit,
    Setting,
    chosen,
    factors_of,
    settings_of,
)
from daypack.ports import Progress
from daypack.types import VectorMode
from daypack.types.arrays import Bools
from daypack.types.tuned_weights import ChunkKind, Factors, Fitted


def fit_ranker(
    store: Searchable,
    suite: Suite,
    *,
    mode: VectorMode,
    refresh: bool | None = None,
    progress: Progress | None = None,
) -> RankerFit:
    """Weights for the kinds of text that enough cases expect, beside the defaults; nothing is kept.

    Kinds are fitted one after the other, each beside the helpful weights of the kinds before it. Raises
    TooFewCases, and BadSuite for a case that this store cannot answer.
    """
    cases = [(case, wanted) for case in suite.cases if (wanted := _wanted(case))]
    if len(cases) < FEWEST:
        raise TooFewCases(suite.name, FEWEST, len(cases), {})
    names, aside = ready(store, suite, refresh)

    def pools(rounds: int, of: int) -> Iterator[tuple[Case, _Pool]]:
        for number, (case, wanted) in enumerate(cases, rounds * len(cases)):
            if progress is not None:
                progress(number, of * len(cases))
            engine, condition = store.resolve_scope(case.query, filter=aside, **case.filters)
            ranked = engine.retriever.rank(case.query, mode=mode, condition=condition, fitted=False)
            yield case, _pool(engine, names, ranked, wanted)

    expecting: Counter[ChunkKind] = Counter()
    embedder = ""
    for _, pool in pools(0, 1 + len(ChunkKind)):
        expecting.update(pool.kinds())
        embedder = embedder or pool.ranked.stats.embedder
    enough = [kind for kind in ChunkKind if expecting[kind] >= FEWEST]
    if not enough:
        few = {kind.value: expecting[kind] for kind in ChunkKind if expecting[kind]}
        raise TooFewCases(suite.name, FEWEST, len(cases), few)
    found: list[KindFit] = []
    for rounds, kind in enumerate(enough, 1):
        values = _values(kind, factors_of(found), pools(rounds, 1 + len(enough)), embedder)
        found.append(chosen(kind, expecting[kind], values))
    if progress is not None:
        progress(len(cases), len(cases))
    weights = factors_of(found)
    evidence = {one.kind: one.evidence for one in found if one.helps and one.evidence is not None}
    fitted = Fitted(
        weights=weights,
        embedder=embedder,
        suite=suite.name,
        suite_digest=suite.digest,
        vectors=mode,
        folds=FOLDS,
        created=store.engine.clock(),
        version=version("daypack"),
        evidence=evidence,
    )
    rest = [KindFit(kind, expecting[kind], {}, None) for kind in ChunkKind if kind not in enough]
    return RankerFit(suite.name, len(cases), (*found, *rest), fitted if weights else None)


def _values(
    kind: ChunkKind, before: Factors, pools: Iterable[tuple[Case, _Pool]], embedder: str
) -> dict[Setting, dict[str, float]]:
    """Setting of a kind → case → its value, beside the factors of the kinds `before`. Pools of another model than `embedder`
    are ranked by the defaults.
    """
    values: dict[Setting, dict[str, float]] = {setting: {} for setting in settings_of(kind)}
    for case, pool in pools:
        of_this_model = pool.ranked.stats.embedder == embedder
        for setting, by_case in values.items():
            by_case[case.name] = pool.value({**before, kind: dict(setting)} if of_this_model else {})
    return values


def _wanted(case: Case) -> tuple[Expected, ...]:
    """Expected things that judge a search, as in `judge`."""
    return tuple(
        one
        for one in case.expected
        if one.kind is not Expects.TERM or case.terms_scope is TermsScope.RETRIEVED_RECORDS
    )


@dataclass(frozen=True, slots=True)
class _Pool:
    """The candidates of a case before they are weighed. `holds` is bool, (wanted things, candidates)."""

    engine: Engine
    ranked: Ranked
    holds: Bools

    def kinds(self) -> set[ChunkKind]:
        """Kinds of the candidates that hold something wanted."""
        if self.ranked.pool is None:
            return set()
        features, found = self.ranked.pool.features, self.holds.any(axis=0)
        return {
            kind
            for kind, of_kind in (
                (ChunkKind.CODE, features.code),
                (ChunkKind.EVENTS, features.event & ~features.code),
                (ChunkKind.PROSE, ~features.event & ~features.code),
            )
            if (found & of_kind).any()
        }

    def value(self, factors: Factors) -> float:
        """nDCG@10 of the case under weights; 0 without an answer, or without a wanted candidate."""
        if not self.holds.any() or self.ranked.empty_reason is not None:
            return 0.0
        best = self.holds[:, self.engine.retriever.weighed(self.ranked, factors).order[:CUTOFF]]
        return ndcg([int(row.argmax()) + 1 if row.any() else None for row in best], CUTOFF)


def _pool(engine: Engine, names: Names, ranked: Ranked, wanted: Sequence[Expected]) -> _Pool:
    if ranked.scored is None:
        return _Pool(engine, ranked, np.zeros((len(wanted), 0), dtype=bool))
    holds = np.zeros((len(wanted), len(ranked.scored.chunk_ids)), dtype=bool)
    chunks = engine.store.chunks(ranked.scored.chunk_ids.tolist())
    for chunk_id, row in zip(ranked.scored.chunk_ids.tolist(), ranked.scored.order.tolist(), strict=True):
        if (chunk := chunks.get(chunk_id)) is not None:
            passage = names.passage(chunk)
            holds[:, row] = [matches(one, passage) for one in wanted]
    return _Pool(engine, ranked, holds)
