"""Stored vectors stay close to the ones the model gave, and broken ones are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from daypack.embed.quantize import check, quantize
from daypack.errors import BadVector


def unit_rows(seed: int, count: int = 50, dim: int = 384) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def restored(scales: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Rows of unit length from their stored form; rows of zeros stay zeros."""
    rows = codes.astype(np.float32) * scales[:, None]
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)


def test_a_stored_row_points_where_the_row_pointed() -> None:
    rows = unit_rows(1)
    assert (rows * restored(*quantize(rows))).sum(axis=1).min() > 0.9999


def test_cosines_between_stored_rows_are_within_a_third_of_a_percent() -> None:
    rows = unit_rows(2)
    back = restored(*quantize(rows))
    assert np.abs(rows @ rows.T - back @ back.T).max() < 0.0033


def test_scales_and_codes_have_the_shapes_that_are_stored() -> None:
    scales, codes = quantize(unit_rows(3, count=4, dim=8))
    assert (scales.dtype, scales.shape) == (np.float32, (4,))
    assert (codes.dtype, codes.shape) == (np.int8, (4, 8))
    assert (np.abs(codes).max(axis=1) == 127).all()


def test_a_row_of_zeros_stays_zeros() -> None:
    scales, codes = quantize(np.zeros((1, 4), dtype=np.float32))
    assert scales[0] == 0
    assert not codes.any()
    assert not restored(scales, codes).any()


def test_no_rows_are_fine() -> None:
    scales, codes = quantize(np.zeros((0, 384), dtype=np.float32))
    assert (scales.shape, codes.shape) == ((0,), (0, 384))
    assert restored(scales, codes).shape == (0, 384)


@given(
    st_numpy.arrays(
        np.float32, st.tuples(st.integers(0, 5), st.integers(1, 20)), elements=st.floats(-1, 1, width=32)
    )
)
def test_an_element_is_off_by_half_a_step_at_most(rows: np.ndarray) -> None:
    scales, codes = quantize(rows)
    assert (
        np.abs(codes * scales[:, None].astype(np.float64) - rows) <= scales[:, None] * 0.5001 + 1e-37
    ).all()


def test_rows_of_unit_length_pass_and_zeros_are_pointed_out() -> None:
    rows = unit_rows(4, count=3)
    rows[1] = 0
    assert check(rows, dim=384, model_id="m").tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("value", "problem"),
    [(np.nan, "NaN or infinite in row 1"), (np.inf, "NaN or infinite in row 1"), (3.0, "row 1 has length")],
)
def test_broken_rows_are_refused(value: float, problem: str) -> None:
    rows = unit_rows(5, count=3)
    rows[1, 0] = value
    with pytest.raises(BadVector, match=problem):
        check(rows, dim=384, model_id="m")


@pytest.mark.parametrize("rows", [unit_rows(6, dim=256), unit_rows(6)[0]])
def test_a_wrong_shape_is_refused(rows: np.ndarray) -> None:
    with pytest.raises(BadVector, match="expected rows of 384"):
        check(rows, dim=384, model_id="m")
