"""Instant vectors follow their chunks: through merges, deletions and erasure, and into stores that never had any."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.index.embedded.connection import FileConnection
from daypack.index.erasing import Buried, erase
from daypack.index.folded.viewing import load_view
from daypack.index.postings.lexical import (
    LexicalEntry,
    chunk_ids,
    clear,
    merge_segments,
    postings,
    scrub,
    write_segment,
)
from daypack.index.vectors import instant
from daypack.index.vectors.instant import InstantRows
from daypack.rank.views import ChunkFlag
from support import merge_all, tables_in_memory

DIM = 4
MADE = 100  # the vector of a chunk that had none


def database() -> FileConnection:
    return tables_in_memory()


def rows(first: list[int]) -> InstantRows:
    codes = np.repeat(np.asarray(first, dtype=np.int8)[:, None], DIM, axis=1)
    return InstantRows("table", np.ones(len(first), dtype=np.float32), codes)


def made(db: FileConnection, segment_id: int) -> InstantRows:
    """Vectors that are made for a segment that has none."""
    return rows([MADE] * len(chunk_ids(db, segment_id)))


def write(db: FileConnection, ids: list[int], *, vectors: bool = True) -> None:
    """A segment of these chunks; the vector of chunk n is n, n, n, n."""
    entries = [LexicalEntry(n, n, n, n, math.nan, ChunkFlag(0), (f"tea {n}", "", "", "")) for n in ids]
    segment = write_segment(db, entries)
    if vectors:
        instant.put(db, segment, rows(ids))


def first_codes(db: FileConnection) -> dict[int, int]:
    """Living chunk → the first number of its instant vector, of those that have one."""
    view = load_view(db)
    vectors, _, _ = instant.load(db, view, "table", DIM, {}, lambda segment_id: made(db, segment_id))
    return {
        int(view.chunk_ids[position]): int(vectors.codes[vectors.row_of[position]][0])
        for position in np.flatnonzero(view.alive).tolist()
        if vectors.row_of[position] >= 0
    }


@settings(max_examples=40)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=20), st.sets(st.integers(1, 80)), st.booleans())
def test_every_living_chunk_keeps_its_vector_through_merges(
    sizes: list[int], gone: set[int], everything: bool
) -> None:
    db = database()
    following = 1
    for size in sizes:
        write(db, [*range(following, following + size)])
        following += size
        merge_segments(db)
    db.executemany("INSERT INTO tomb VALUES (?)", ((n,) for n in gone if n < following))
    (merge_all if everything else merge_segments)(db)
    living = {n: n for n in range(1, following) if n not in gone}
    assert first_codes(db) == living


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=2, max_size=12),
    st.sets(st.integers(1, 40)),
)
def test_a_view_that_follows_the_writes_has_the_vectors_of_a_new_one(
    steps: list[tuple[int, bool]], gone: set[int]
) -> None:
    db = database()
    following, known, before = 1, {}, None
    for size, everything in steps:
        write(db, [*range(following, following + size)], vectors=size != 2)
        following += size
        new = [n for n in gone if n < following]
        db.executemany("INSERT OR IGNORE INTO tomb VALUES (?)", ((n,) for n in new))
        (merge_all if everything else merge_segments)(db)
        view = load_view(db)
        vectors, known, _ = instant.load(db, view, "table", DIM, known, lambda i: made(db, i), before)
        fresh, rows, _ = instant.load(db, view, "table", DIM, {}, lambda i: made(db, i))
        assert vectors.codes[vectors.row_of].tolist() == fresh.codes[fresh.row_of].tolist()
        assert {i: known[i].codes.tolist() for i in known} == {i: rows[i].codes.tolist() for i in rows}
        before = (view, vectors)


def test_segments_that_lack_vectors_are_named_before_they_are_merged() -> None:
    db = database()
    write(db, [1, 2])
    write(db, [3], vectors=False)
    for n in range(4, 10):
        write(db, [n])
    asked: list[int] = []

    def ready(segment_ids: Sequence[int]) -> None:
        asked.extend(segment_ids)
        for segment_id in instant.lacking(db, segment_ids):
            instant.put(db, segment_id, made(db, segment_id))

    merge_segments(db, ready=ready)
    assert len(asked) == 8
    assert first_codes(db) == {n: n for n in range(1, 10)} | {3: MADE}


def test_a_merge_with_a_segment_that_lacks_vectors_lacks_them() -> None:
    db = database()
    write(db, [1, 2])
    write(db, [3], vectors=False)
    assert first_codes(db) == {1: 1, 2: 2, 3: MADE}
    merge_all(db)
    assert first_codes(db) == {1: MADE, 2: MADE, 3: MADE}


def test_the_vector_of_an_erased_chunk_is_overwritten_at_once() -> None:
    db = database()
    write(db, [1, 2, 3])
    db.execute("INSERT INTO tomb VALUES (2)")
    scrub(db)
    ((codes,),) = db.execute("SELECT codes FROM instant")
    assert np.frombuffer(codes, dtype=np.int8).reshape(-1, DIM)[:, 0].tolist() == [1, 0, 3]


@pytest.mark.parametrize("gone", [[2], [9], [5], [2, 9], [4, 6], [2, 5, 9]])
def test_a_deleted_chunk_is_erased_from_the_one_of_overlapping_segments_that_holds_it(
    gone: list[int],
) -> None:
    db = database()
    write(db, [1, 2, 8, 9])  # as a merge leaves them: the other two came between
    write(db, [3, 5, 7])
    write(db, [4, 6])
    buried = [Buried((n,), f"tea {n}", "", (), ()) for n in gone]
    db.executemany("INSERT INTO tomb VALUES (?)", ((n,) for n in gone))
    erase(db, buried)
    left = [n for n in range(1, 10) if n not in gone]
    terms = {str(term) for (term,) in db.execute("SELECT DISTINCT term FROM posting")}
    assert terms - {"tea"} == {str(n) for n in left}
    codes = b"".join(data for (data,) in db.execute("SELECT codes FROM instant"))
    assert {*np.frombuffer(codes, dtype=np.int8).tolist()} - {0} == {*left}


def test_overlapping_segments_are_merged_in_the_order_of_their_chunks() -> None:
    db = database()
    write(db, [1, 2, 8, 9])
    write(db, [3, 5, 7])
    db.execute("INSERT INTO tomb VALUES (5)")
    merge_all(db)
    view = load_view(db)
    assert view.chunk_ids.tolist() == [1, 2, 3, 7, 8, 9]
    assert postings(db, view, "tea").positions.tolist() == [0, 1, 2, 3, 4, 5]
    assert postings(db, view, "8").positions.tolist() == [4]
    assert first_codes(db) == {n: n for n in (1, 2, 3, 7, 8, 9)}


def test_rows_of_another_table_or_size_are_not_read() -> None:
    db = database()
    write(db, [1])
    view = load_view(db)
    for model, dim in (("other", DIM), ("table", DIM + 1)):
        other = InstantRows(model, np.ones(1, dtype=np.float32), np.full((1, dim), MADE, dtype=np.int8))
        vectors, read, new = instant.load(db, view, model, dim, {}, lambda _, other=other: other)
        assert (vectors.codes[0, 0], len(read), len(new)) == (MADE, 1, 1)


def test_clearing_the_index_clears_the_vectors() -> None:
    db = database()
    write(db, [1])
    clear(db)
    assert db.execute("SELECT count(*) FROM instant").get == 0
