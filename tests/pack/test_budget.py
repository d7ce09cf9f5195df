"""A pack never exceeds its budget: any texts, any counter, any shape, any packing."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_packs import COMBINATIONS, STATS, check, main, packed, table_from, text_from

from daypack.testing import make_chunk
from daypack.types import Budget, Candidate, Packing, RecordKind, SymbolKind, Tokenizer

CASES = 10_800
"""Packs that the suite makes of random candidates and checks against their budget: Hypothesis examples, all
told.
"""

# Drawing is what costs, so little is drawn: a seed makes a record.
seeds = st.lists(st.integers(0, 1 << 32), min_size=1, max_size=5)
limits = st.one_of(
    st.integers(0, 80), st.integers(0, 600), st.integers(0, 5_000), st.sampled_from([0, 1, 2, 9_999_999])
)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "packing"), COMBINATIONS)
@settings(max_examples=CASES // len(COMBINATIONS), database=None, suppress_health_check=list(HealthCheck))
@given(seeds, limits, st.sampled_from(Tokenizer), st.integers(0, 1 << 32))
def test_no_pack_exceeds_its_budget(
    shape: str, packing: Packing, seeds: list[int], limit: int, tokenizer: Tokenizer, seed: int
) -> None:
    texts, candidates = table_from(seeds)
    query = text_from(random.Random(seed)) if seed % 2 else "how does retry run"
    check(
        packed(query, texts, candidates, Budget(limit, tokenizer), packing, shape, STATS[seed % 3 % 2]),
        texts,
        candidates,
    )


@pytest.mark.parametrize("kind", ["symbol", "paragraph"])
def test_a_chunk_that_begins_with_a_blank_line_gives_no_blank_excerpt(kind: str) -> None:
    body = "\n\n" + "retry the call " * 40
    symbol = SymbolKind.METHOD if kind == "symbol" else None
    chunk = make_chunk(
        body,
        symbol=symbol,
        name="run",
        signature="def run(self):",
        record_kind=RecordKind.CODE if symbol else RecordKind.DOCUMENT,
    )
    candidates = [Candidate(chunk, 1.0, 1.0, ())]
    for limit in range(20, 200, 10):
        check(
            packed("retry", {1: body}, candidates, Budget(limit), Packing.AUTO, "markdown", STATS[0]),
            {1: body},
            candidates,
        )


def test_the_packs_of_make_packs_are_within_their_budgets() -> None:
    assert main(150, seed=1) == 0
