"""The highest values are those that sorting all of them would give."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from daypack.rank.top_k import kth_value, top_k


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1000)), unique_by=lambda pair: pair[1]),
    st.integers(0, 12),
)
def test_they_come_highest_first_and_equal_ones_by_name(pairs: list[tuple[int, int]], depth: int) -> None:
    values, names = (
        np.asarray([v for v, _ in pairs], dtype=np.float32),
        np.asarray([n for _, n in pairs], dtype=np.int64),
    )
    assert (
        top_k(values, names, depth).tolist()
        == [name for _, name in sorted(pairs, key=lambda pair: (-pair[0], pair[1]))][:depth]
    )


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 6000), st.integers(1, 300), st.integers(1, 50), st.booleans()
)
def test_of_thousands_in_any_order_the_level_is_that_of_a_sort(
    seed: int, count: int, depth: int, different: int, in_order: bool
) -> None:
    values = np.random.default_rng(seed).integers(0, different, count).astype(np.float32)
    if in_order:  # the highest stand side by side
        values.sort()
    depth = min(depth, count)
    assert kth_value(values, depth) == sorted(values.tolist(), reverse=True)[depth - 1]
    assert len(top_k(values, np.arange(count), depth)) == depth
