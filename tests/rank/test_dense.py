"""The dense arm against a full sort, and the context cosine against its mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.embed.quantize import quantize
from daypack.index.folded.viewing import load_view
from daypack.index.postings.lexical import LexicalEntry, write_segment
from daypack.rank.nearness import Nearness, StaticTier
from daypack.rank.views import ChunkFlag, LexicalView, VectorView
from support import tables_in_memory

DIM = 8


def view_of(groups: list[int]) -> LexicalView:
    """A snapshot with one chunk for each group, ids from 1."""
    db = tables_in_memory()
    with db:
        write_segment(
            db,
            [
                LexicalEntry(n, g, g, g, math.nan, ChunkFlag(0), ("tea", "", "", ""))
                for n, g in enumerate(groups, 1)
            ],
        )
    view = load_view(db)
    db.close()
    return view


def vectors_of(view: LexicalView, ids: list[int], rows: np.ndarray) -> VectorView:
    """The stored form of these rows, for these chunks."""
    vectors = VectorView(view, DIM)
    vectors.add(view, np.asarray(ids, dtype=np.int64), *quantize(rows))
    return vectors


def unit_rows(seed: int, count: int) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, DIM))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def nearness(vectors: VectorView, query: np.ndarray, static: StaticTier | None = None) -> Nearness:
    """How near chunks are to `query` where every vector counts."""
    return Nearness(vectors, query, np.ones(len(vectors.row_of), dtype=bool), static)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 70), st.floats(0, 1), st.floats(0, 1))
def test_the_nearest_are_those_of_a_full_sort(
    seed: int, count: int, depth: int, embedded: float, masked: float
) -> None:
    chance = np.random.default_rng(seed)
    view = view_of([1] * count)
    having = np.flatnonzero(chance.random(count) <= embedded)
    mask = chance.random(count) > masked
    rows = unit_rows(seed, len(having))
    query = unit_rows(seed + 1, 1)[0]
    found = nearness(vectors_of(view, [int(n) + 1 for n in having], rows), query).nearest(depth, mask)
    scales, codes = quantize(rows)
    cosines = {
        int(position): float(scale * (code.astype(np.float64) @ query))
        for position, scale, code in zip(having, scales, codes, strict=True)
    }
    inside = sorted(
        (position for position in cosines if mask[position]), key=lambda position: -cosines[position]
    )
    assert len(found) == len(set(found.tolist())) == min(depth, len(inside))
    assert all(mask[found])
    assert [cosines[position] for position in found.tolist()] == pytest.approx(
        [cosines[position] for position in inside[:depth]], abs=1e-6
    )


def test_equally_near_chunks_come_in_the_order_of_the_store() -> None:
    view = view_of([1] * 6)
    same = np.repeat(unit_rows(1, 1), 6, axis=0)
    vectors = vectors_of(view, [4, 2, 6, 1, 3, 5], same)
    assert nearness(vectors, same[0]).nearest(10, np.ones(6, dtype=bool)).tolist() == [0, 1, 2, 3, 4, 5]


def test_without_vectors_nothing_is_near() -> None:
    view = view_of([1, 1])
    empty = VectorView(view, DIM)
    query = unit_rows(1, 1)[0]
    assert nearness(empty, query).nearest(10, np.ones(2, dtype=bool)).tolist() == []
    own, context = nearness(empty, query).in_context(view, np.arange(2))
    assert np.isnan(own).all()
    assert np.isnan(context).all()


def test_the_context_cosine_is_the_mean_over_a_chunk_and_its_neighbours() -> None:
    view = view_of([1, 1, 1, 2])
    rows = unit_rows(2, 4)
    query = unit_rows(3, 1)[0]
    vectors = vectors_of(view, [1, 2, 3, 4], rows)
    a, b, c, d = (rows @ query).tolist()
    own, context = nearness(vectors, query).in_context(view, np.arange(4))
    assert own.tolist() == pytest.approx([a, b, c, d], abs=0.01)  # as near as a byte a dimension is
    assert context.tolist() == pytest.approx([(a + b) / 2, (a + b + c) / 3, (b + c) / 2, d], abs=0.01)


def test_a_neighbour_without_a_vector_is_left_out_of_the_mean() -> None:
    view = view_of([1, 1, 1])
    rows = unit_rows(4, 2)
    query = unit_rows(5, 1)[0]
    vectors = vectors_of(view, [2, 3], rows)
    b, c = (rows @ query).tolist()
    own, context = nearness(vectors, query).in_context(view, np.arange(3))
    assert math.isnan(own[0])
    assert math.isnan(context[0])  # its neighbour has one, but it has none itself
    assert context[1:].tolist() == pytest.approx([(b + c) / 2, (b + c) / 2], abs=0.01)


def test_a_text_without_direction_is_near_to_nothing() -> None:
    view = view_of([1, 2])
    vectors = vectors_of(view, [1, 2], np.stack([np.zeros(DIM, dtype=np.float32), unit_rows(6, 1)[0]]))
    own, _ = nearness(vectors, unit_rows(6, 1)[0]).in_context(view, np.arange(2))
    assert own.tolist() == pytest.approx([0.0, 1.0], abs=0.01)


# ---------------------------------------------------------------- two tiers


def two_tiers(
    seed: int, count: int, exact: list[int]
) -> tuple[LexicalView, Nearness, np.ndarray, np.ndarray]:
    """Chunks with vectors by both models, of which those at `exact` count; the cosines of either model."""
    view = view_of([1] * count)
    rows, small = unit_rows(seed, count), unit_rows(seed + 1, count)
    query, small_query = unit_rows(seed + 2, 2)
    ids = [*range(1, count + 1)]
    static = StaticTier(vectors_of(view, ids, small), small_query, slope=0.5, intercept=0.1)
    found = Nearness(vectors_of(view, ids, rows), query, np.isin(np.arange(count), exact), static)
    return view, found, rows @ query, small @ small_query


def test_a_chunk_that_is_not_counted_has_the_cosine_that_its_static_vector_suggests() -> None:
    _, found, exact, small = two_tiers(7, 4, [1, 2])
    wanted = [0.1 + 0.5 * small[0], exact[1], exact[2], 0.1 + 0.5 * small[3]]
    assert found.at(np.arange(4)).tolist() == pytest.approx(wanted, abs=0.01)


def test_a_vector_in_the_cache_changes_nothing_until_it_counts() -> None:
    view, found, exact, _ = two_tiers(8, 5, [])
    without = found._replace(vectors=VectorView(view, DIM))
    everything = np.ones(5, dtype=bool)
    assert found.at(np.arange(5)).tolist() == without.at(np.arange(5)).tolist()
    assert found.nearest(3, everything).tolist() == without.nearest(3, everything).tolist()
    assert found.counting(np.asarray([2])).at(np.asarray([2])).tolist() == pytest.approx([exact[2]], abs=0.01)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 50), st.floats(0, 1), st.floats(0, 1))
def test_the_nearest_by_both_tiers_are_those_of_a_full_sort(
    seed: int, count: int, depth: int, share: float, masked: float
) -> None:
    chance = np.random.default_rng(seed)
    exact = np.flatnonzero(chance.random(count) <= share).tolist()
    mask = chance.random(count) > masked
    _, found, _, _ = two_tiers(seed, count, exact)
    cosines = found.at(np.arange(count))
    inside = sorted(np.flatnonzero(mask).tolist(), key=lambda position: -cosines[position])
    nearest = found.nearest(depth, mask).tolist()
    assert cosines[nearest].tolist() == pytest.approx(cosines[inside[:depth]].tolist(), abs=1e-6)


def test_a_chunk_without_a_vector_in_either_tier_is_unknown() -> None:
    view = view_of([1, 2])
    empty = VectorView(view, DIM)
    static = StaticTier(vectors_of(view, [2], unit_rows(9, 1)), unit_rows(9, 1)[0], 1.0, 0.0)
    found = nearness(empty, unit_rows(9, 1)[0], static)._replace(counted=np.zeros(2, dtype=bool))
    assert np.isnan(found.at(np.arange(2))).tolist() == [True, False]
    assert found.nearest(5, np.ones(2, dtype=bool)).tolist() == [1]
