"""Runs for tests, from what was found: no store, no files."""

from __future__ import annotations

from collections.abc import Sequence

from daypack.evaluate import CaseResult, Expected, Expects, Finding, Miss, Options, Require, Run, StoreState
from daypack.evaluate.cases import Case, Suite
from daypack.evaluate.runs import made_run

STORE = StoreState(records=3, chunks=9, sequence=4, vector_sequence=2, vectors_missing=0, embedder="")
VERSIONS = {"daypack": "0.1.0"}
NOON = 1_793_793_600.0


def finding(
    text: str, rank: int | None, *, packed: bool | None = True, limit: int = 10, pack_miss: Miss | None = None
) -> Finding:
    """An expected path at this rank."""
    retrieved = rank is not None and rank <= limit
    missed = None if retrieved else Miss.BELOW_LIMIT if rank is not None else Miss.NOT_RANKED
    return Finding(
        Expected(Expects.PATH, text),
        rank,
        retrieved,
        packed,
        missed,
        None if packed is not False else pack_miss or Miss.BUDGET,
    )


def term(text: str, *, packed: bool, pack_miss: Miss = Miss.NOT_RANKED) -> Finding:
    return Finding(Expected(Expects.TERM, text), None, None, packed, None, None if packed else pack_miss)


def case(
    name: str,
    *findings: Finding,
    require: Require = Require.ANY,
    budget: int = 400,
    digest: str = "same",
    category: str = "",
) -> CaseResult:
    return CaseResult(
        name,
        f"the question of {name}",
        digest,
        category,
        findings,
        10,
        require,
        tokens_used=budget // 2,
        token_budget=budget,
    )


def run(
    cases: Sequence[CaseResult],
    *,
    name: str = "run",
    options: Options | None = None,
    store: StoreState = STORE,
) -> Run:
    from dataclasses import replace

    suite = Suite("tea", tuple(Case(one.name, one.query, (Expected(Expects.ID, "x"),)) for one in cases))
    return replace(made_run(suite, cases, options or Options(), store, VERSIONS, NOON), id=name)
