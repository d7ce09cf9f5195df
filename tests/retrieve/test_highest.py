"""The highest values are those that sorting all of them would give."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from daypack.retrieve.highest import highest


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1000)), unique_by=lambda pair: pair[1]), st.integers(1, 12))
def test_they_come_highest_first_and_equal_ones_by_name(pairs: list[tuple[int, int]], depth: int) -> None:
    values, names = np.asarray([v for v, _ in pairs], dtype=np.float32), np.asarray([n for _, n in pairs], dtype=np.int64)
    assert highest(values, names, depth).tolist() == [name for _, name in sorted(pairs, key=lambda pair: (-pair[0], pair[1]))][:depth]
