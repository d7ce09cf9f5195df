"""Membership, by a table of the range and by a search."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from daypack.rank.membership import is_in

NUMBERS = st.one_of(st.integers(-20, 60), st.integers(-(2**61), 2**61))


@given(st.lists(NUMBERS, max_size=30), st.lists(NUMBERS, max_size=30))
def test_membership_is_that_of_a_set(values: list[int], wanted: list[int]) -> None:
    expected = [value in wanted for value in values]
    assert is_in(np.asarray(values, dtype=np.int64), set(wanted)).tolist() == expected
    assert is_in(np.asarray(values, dtype=np.int64), np.asarray(wanted, dtype=np.int64)).tolist() == expected
