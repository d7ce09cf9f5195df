"""Postings as bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from daypack.index.postings.packed import Postings, pack, unpack

FREQUENCIES = st.tuples(*[st.one_of(st.integers(0, 3), st.integers(0, 255))] * 4)
ROWS = st.lists(
    st.dictionaries(st.one_of(st.integers(0, 600), st.integers(0, 2**32 - 1)), FREQUENCIES, max_size=30),
    max_size=8,
)


def made(rows: list[dict[int, tuple[int, ...]]]) -> Postings:
    listed = [(ordinal, row[ordinal]) for row in rows for ordinal in sorted(row)]
    frequencies = np.array([each for _, each in listed], dtype=np.uint8).reshape(-1, 4)
    return Postings(
        np.array([ordinal for ordinal, _ in listed], dtype=np.int64),
        frequencies.view("<u4").reshape(-1),
        np.array([len(row) for row in rows], dtype=np.int64),
    )


def as_lists(postings: Postings) -> list[list[int]]:
    return [column.tolist() for column in postings]


@given(ROWS)
@example([{}])
@example([{0: (7, 1, 3, 1)}, {}, {2**32 - 1: (255, 255, 255, 255)}])
def test_rows_come_back_as_they_were_packed(rows: list[dict[int, tuple[int, ...]]]) -> None:
    postings = made(rows)
    packed = pack(postings)
    assert as_lists(unpack(packed)) == as_lists(postings)
    assert [as_lists(unpack([row]))[:2] for row in packed] == [as_lists(made([row]))[:2] for row in rows]


@given(ROWS, st.randoms(use_true_random=False))
def test_what_is_taken_out_of_rows_leaves_the_rest_in_its_row(
    rows: list[dict[int, tuple[int, ...]]], random
) -> None:  # type: ignore[no-untyped-def]
    kept = [{ordinal: each for ordinal, each in row.items() if random.random() < 0.5} for row in rows]
    mask = np.array(
        [ordinal in left for row, left in zip(rows, kept, strict=True) for ordinal in sorted(row)], dtype=bool
    )
    assert as_lists(made(rows).taken(mask)) == as_lists(made(kept))


def test_a_common_word_takes_two_bytes_a_chunk_and_a_word_of_one_chunk_four() -> None:
    everywhere = made([dict.fromkeys(range(0, 9000, 3), (2, 0, 0, 1))])
    assert [len(row) for row in pack(everywhere)] == [2 * 3000]
    assert [len(row) for row in pack(made([{70_000: (1, 0, 1, 0)}]))] == [4]


@pytest.mark.parametrize("row", [b"\x01", b"\x01\x08\x02"])
def test_half_a_unit_is_refused(row: bytes) -> None:
    with pytest.raises(ValueError, match=r"buffer|unit"):
        unpack([row])


def test_halves_of_two_rows_are_no_whole_unit() -> None:
    with pytest.raises(ValueError, match="unit"):
        unpack([b"\x01\x08\x02", b"\x08"])


@given(st.lists(st.binary(max_size=24).filter(lambda row: len(row) % 2 == 0), max_size=5))
def test_damaged_bytes_are_read_without_an_error_and_show_when_packed_again(rows: list[bytes]) -> None:
    found = unpack(rows)
    assert found.counts.sum() == len(found.ordinals) == len(found.frequencies)
    again = pack(found)
    assert as_lists(unpack(again)) == as_lists(found)
