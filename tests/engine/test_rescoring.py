"""The encoder reads the best chunks of a pool in a room of word pieces, and corrects the estimates of the others."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.embed.quantize import quantize
from daypack.engine.retrieval.rescoring import LONGEST, LONGEST_SYMBOL, MOST_READ, RUN, corrected, cost_of
from daypack.index.folded.viewing import load_view
from daypack.index.postings.lexical import LexicalEntry, write_segment
from daypack.rank.nearness import StaticTier
from daypack.rank.views import ChunkFlag, LexicalView, VectorView
from daypack.testing import FakeEmbedder
from support import tables_in_memory

DIM = 16
NONE = np.float32(np.nan)


def view_of(bodies: list[str], *, name: str = "", flags: int = 0) -> LexicalView:
    """A snapshot with a chunk for each body."""
    db = tables_in_memory()
    with db:
        write_segment(
            db,
            [
                LexicalEntry(n, n, n, n, math.nan, ChunkFlag(flags), (body, name, "", ""))
                for n, body in enumerate(bodies, 1)
            ],
        )
    view = load_view(db)
    db.close()
    return view


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def tier_of(seed: int, count: int) -> StaticTier:
    chance = np.random.default_rng(seed)
    view = view_of(["tea"] * count)
    vectors = VectorView(view, DIM)
    vectors.add(view, view.chunk_ids, *quantize(unit(chance.standard_normal((count, DIM)))))
    return StaticTier(vectors, unit(chance.standard_normal(DIM)), 0.9, 0.02)


def estimates(tier: StaticTier) -> np.ndarray:
    positions = np.arange(len(tier.vectors.row_of))
    return tier.estimated(tier.vectors.at(positions, tier.query))


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 12))
def test_estimates_of_chunks_that_were_read_come_nearer_to_the_encoder(seed: int, count: int) -> None:
    tier = tier_of(seed, 40)
    exact = np.random.default_rng(seed + 1).uniform(-0.2, 0.9, count).astype(np.float32)
    before, after = estimates(tier), estimates(corrected(tier, np.arange(count), exact))
    assert np.square(exact - after[:count]).sum() <= np.square(exact - before[:count]).sum() + 1e-6


def test_a_chunk_moves_as_the_chunk_of_the_same_text_did() -> None:
    view = view_of(["tea"] * 3)
    rows = unit(np.stack([np.eye(DIM)[0] + 0.3, np.eye(DIM)[0] + 0.3, -np.eye(DIM)[1]]))
    vectors = VectorView(view, DIM)
    vectors.add(view, view.chunk_ids, *quantize(rows))
    tier = StaticTier(vectors, rows[0], 0.9, 0.0)
    before, after = estimates(tier), estimates(corrected(tier, np.array([0]), np.array([0.2], np.float32)))
    moved = before - after
    assert moved[1] == pytest.approx(moved[0], abs=1e-6)
    assert moved[0] > 0.3
    assert abs(moved[2]) < moved[0]


def test_chunks_without_a_vector_of_either_kind_correct_nothing() -> None:
    tier = tier_of(1, 4)
    assert corrected(tier, np.array([0, 1]), np.array([NONE, NONE])) is tier
    tier.vectors.row_of[2] = -1
    assert corrected(tier, np.array([2]), np.array([0.5], np.float32)) is tier


def test_a_short_chunk_costs_less_and_a_symbol_is_cut_earlier() -> None:
    bodies = ["tea " * 10, "tea " * 60, "tea " * 900]
    everything = np.arange(3)
    prose = cost_of(view_of(bodies), everything)
    assert prose[0] < prose[1] < prose[2] == LONGEST + RUN
    symbol = cost_of(view_of(bodies, name="brew_tea", flags=ChunkFlag.CODE), everything)
    assert symbol[0] > prose[0]
    assert symbol[2] == LONGEST_SYMBOL + RUN
    assert cost_of(view_of(bodies, flags=ChunkFlag.CODE), everything)[2] == LONGEST + RUN


@pytest.mark.parametrize(("words", "read"), [(3, MOST_READ), (60, 46), (120, 25)])
def test_more_chunks_are_read_where_they_are_short(dp: Daypack, words: int, read: int) -> None:
    dp.engine.embedding.model = FakeEmbedder()
    chance = Random(1)
    texts = (
        " ".join(["kettle", *("".join(chance.choices("abcdfgklmnoprtu", k=7)) for _ in range(words - 1))])
        for _ in range(90)
    )
    dp.records.add({"id": f"n{n}", "text": text} for n, text in enumerate(texts))
    assert dp.pack("kettle", budget=300).stats.embedded == read
    assert dp.pack("kettle", budget=300).stats.embedded == 0
