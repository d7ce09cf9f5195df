"""The nearest of many vectors by their signs, against a comparison with all of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from daypack.index.postings.columns import COLUMNS
from daypack.rank.views import LexicalView, VectorView, products
from daypack.rank.views import signs as room
from daypack.rank.views import vectors as views
from daypack.rank.views.signs import Signs

DIM = 192


def texts(count: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """(scales, codes) of vectors about a hundred themes, as texts are."""
    chance = np.random.default_rng(5)
    themes = chance.normal(size=(100, DIM))
    vectors = themes[chance.integers(0, 100, count)] + chance.normal(size=(count, DIM))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scales = (np.abs(vectors).max(axis=1) / 127).astype(np.float32)
    return scales, np.rint(vectors / scales[:, None]).astype(np.int8)


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_the_nearest_by_signs_hold_the_nearest_by_cosine(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "SCANNED", 2_000)
    monkeypatch.setattr(room, "FEWEST", 1_000)
    count = 20_000
    scales, codes = texts(count)
    columns = np.zeros(count, dtype=COLUMNS)
    columns["chunk_id"] = np.arange(count)
    view = LexicalView(columns, {1: 0}, [])
    vectors = VectorView(view, DIM)
    vectors.place(np.arange(count), scales, codes)
    chance = np.random.default_rng(6)
    mask = chance.random(count) < share
    held = []
    for number in chance.integers(0, count, 20):
        query = codes[number] + chance.normal(size=DIM) * 20
        query = (query / np.linalg.norm(query)).astype(np.float32)
        positions, cosines = vectors.similarities(query, mask)
        assert mask[positions].all()
        assert len(positions) < count / 4
        everything = np.where(mask, products(codes, scales, query), -2)
        assert cosines.tolist() == everything[positions].tolist()
        held.append(np.isin(np.argsort(-everything)[:50], positions).mean())
    assert np.mean(held) >= 0.99


def test_rows_that_came_in_later_are_found_like_the_first() -> None:
    _, codes = texts(3_000)
    grown, fresh = Signs(), Signs()
    for end in (1, 700, 700, 3_000):
        grown.follow(codes[:end])
    fresh.follow(codes)
    query, inside = codes[2_999].astype(np.float32), np.arange(3_000) % 2 == 1
    found = grown.nearest(query, inside)
    assert found.tolist() == fresh.nearest(query, inside).tolist()
    assert 2_999 in found


def test_few_vectors_are_all_compared() -> None:
    columns = np.zeros(100, dtype=COLUMNS)
    columns["chunk_id"] = np.arange(100)
    vectors = VectorView(LexicalView(columns, {1: 0}, []), DIM)
    scales, codes = texts(100)
    vectors.place(np.arange(100), scales, codes)
    positions, _ = vectors.similarities(codes[0].astype(np.float32), np.ones(100, dtype=bool))
    assert positions.tolist() == list(range(100))
