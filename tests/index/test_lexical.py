"""The lexical index against ten lines of Python, and against itself built anew."""

from __future__ import annotations

import math
import random
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.index.embedded.connection import FileConnection
from daypack.index.folded.viewing import load_view
from daypack.index.postings.columns import FIELDS
from daypack.index.postings.lexical import LexicalEntry, merge_segments, postings, write_segment
from daypack.rank.bm25 import B_CODE, B_PROSE, FIELD_CAPS, FIELD_WEIGHTS, K1, Bm25
from daypack.rank.views import ChunkFlag
from daypack.text import analysis
from support import ills, indexed, merge_all, tables_in_memory

VOCABULARY = [
    "retry",
    "retries",
    "payment",
    "getUserId",
    "user",
    "id",
    "tea",
    "kettle",
    "日本語",
    "café",
    "x1",
    "snake_case_name",
    "the",
]


def reference(entries: list[LexicalEntry], query: dict[str, float]) -> dict[int, float]:
    """BM25F, from the definition."""
    terms = {e.chunk_id: [Counter(analysis.terms(text)) for text in e.fields] for e in entries}
    average = {
        c: [
            max(
                1.0,
                np.mean([terms[e.chunk_id][f].total() for e in entries if (e.flags & ChunkFlag.CODE) == c]),
            )
            for f in range(4)
        ]
        for c in {(e.flags & ChunkFlag.CODE) for e in entries}
    }
    df = Counter(term for fields in terms.values() for term in set().union(*fields))
    scores = {}
    for e in entries:
        total, b = 0.0, B_CODE if (e.flags & ChunkFlag.CODE) else B_PROSE
        for term, weight in query.items():
            counts = [
                min(f[term], 255, int(cap)) for f, cap in zip(terms[e.chunk_id], FIELD_CAPS, strict=True)
            ]
            tf = sum(
                w
                * n
                / (1 - b[f] + b[f] * terms[e.chunk_id][f].total() / average[(e.flags & ChunkFlag.CODE)][f])
                for f, (w, n) in enumerate(zip(FIELD_WEIGHTS, counts, strict=True))
            )
            total += (
                weight
                * math.log(1 + (len(entries) - df[term] + 0.5) / (df[term] + 0.5))
                * tf
                * (K1 + 1)
                / (tf + K1)
            )
        scores[e.chunk_id] = total
    return scores


def database() -> FileConnection:
    return tables_in_memory()


def scores(db: FileConnection, query: dict[str, float]) -> dict[int, float]:
    view = load_view(db)
    bm25 = Bm25(view)
    unit = bm25.unit(bm25.matched(query, partial(postings, db, view)), np.arange(len(view)))
    return {int(chunk_id): float(unit[i]) for i, chunk_id in enumerate(view.chunk_ids) if view.alive[i]}


text = st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join)
entry = st.tuples(text, text, text, text, st.booleans(), st.integers(1, 3))
# A history: batches of chunks, each followed by deletions and perhaps a merge of everything.
history = st.lists(
    st.tuples(st.lists(entry, max_size=5), st.lists(st.integers(0, 30), max_size=4), st.booleans()),
    min_size=1,
    max_size=14,
)


@settings(max_examples=150)
@given(history, st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=3))
def test_scores_are_those_of_the_definition_after_any_history(
    history: list[tuple[list[tuple[str, str, str, str, bool, int]], list[int], bool]], asked: list[str]
) -> None:
    db, living, number = database(), {}, 0
    query = {
        term: 1.0 + n / 2
        for n, term in enumerate(dict.fromkeys(term for word in asked for term in analysis.terms(word)))
    }
    for batch, dead, merge in history:
        entries = []
        for *fields, code, record in batch:
            number += 1
            entries.append(
                LexicalEntry(
                    number,
                    record,
                    record,
                    record,
                    math.nan,
                    ChunkFlag.CODE if code else ChunkFlag(0),
                    (fields[0], fields[1], fields[2], fields[3]),
                )
            )
        with db:
            write_segment(db, entries)
            living.update({e.chunk_id: e for e in entries})
            for chunk_id in {i for i in dead if i in living}:
                del living[chunk_id]
                db.execute("INSERT INTO tomb VALUES (?)", (chunk_id,))
            (merge_all if merge else merge_segments)(db)
    got, wanted = scores(db, query), reference([*living.values()], query) if living else {}
    assert got.keys() == wanted.keys()
    for chunk_id, score in wanted.items():
        assert got[chunk_id] == pytest.approx(score, rel=2e-5, abs=1e-6)
    # Merged into one, and written anew: bit for bit the same.
    with db:
        merge_all(db)
    fresh = database()
    with fresh:
        write_segment(fresh, [living[chunk_id] for chunk_id in sorted(living)])
    assert scores(db, query) == scores(fresh, query)
    assert db.execute("SELECT count(*) FROM tomb").fetchone() == (0,)
    db.close()
    fresh.close()


def test_segments_stay_few_however_many_writes_there_are() -> None:
    db = database()
    for number in range(1, 400):
        with db:
            write_segment(
                db,
                [
                    LexicalEntry(
                        number, number, number, number, math.nan, ChunkFlag(0), ("tea kettle", "", "", "")
                    )
                ],
            )
            merge_segments(db)
    assert db.execute("SELECT count(*) FROM segment").fetchone()[0] <= 8
    assert len(scores(db, {"kettl": 1.0})) == 399
    db.close()


def test_a_term_that_repeats_beyond_a_byte_is_capped_and_not_wrapped() -> None:
    db = database()
    with db:
        write_segment(
            db,
            [
                LexicalEntry(1, 1, 1, 1, math.nan, ChunkFlag(0), ("tea " * 300, "", "", "")),
                LexicalEntry(2, 2, 2, 2, math.nan, ChunkFlag(0), ("tea", "", "", "")),
            ],
        )
    view = load_view(db)
    assert postings(db, view, "tea").tf[:, 0].tolist() == [255, 1]
    assert view.lengths[:, 0].tolist() == [300, 1]
    assert len(FIELDS) == view.lengths.shape[1]
    db.close()


def test_neighbours_are_those_of_the_same_file_or_session_and_alive() -> None:
    db = database()
    rows = [
        (1, 7, math.nan),
        (2, 7, math.nan),
        (3, 7, math.nan),
        (4, -5, 30.0),
        (5, -5, 10.0),
        (6, 8, math.nan),
    ]
    with db:
        write_segment(
            db,
            [
                LexicalEntry(i, abs(group), group, group, time, ChunkFlag(0), ("x", "", "", ""))
                for i, group, time in rows
            ],
        )
        db.execute("INSERT INTO tomb VALUES (2)")
    view = load_view(db)
    ids = view.chunk_ids
    previous, following = view.neighbours(np.arange(len(ids)))
    links = {int(ids[i]): (int(ids[previous[i]]), int(ids[following[i]])) for i in range(len(ids))}
    assert links == {1: (1, 3), 2: (2, 2), 3: (1, 3), 4: (5, 4), 5: (5, 4), 6: (6, 6)}
    db.close()


def test_an_index_holds_no_more_deleted_chunks_than_living_ones(dp: Daypack) -> None:
    """As after switching between branches many times: most files change at once, and a few never."""
    for branch in range(12):
        texts = ({"id": f"{n}", "text": f"Berth {n} of {branch * (n > 40)}"} for n in range(700))
        dp.records.add(texts)
        with dp.engine.store.reading() as db:
            deleted, held = (
                db.execute(f"SELECT {what}").get
                for what in ("count(*) FROM tomb", "sum(chunks) FROM segment")
            )
            assert (deleted, held) <= (700, 1_400)
    assert len(dp.search("berth", limit=1_000).candidates) > 40
    assert ills(dp) == []


def test_an_index_with_a_history_equals_one_that_is_rebuilt(dp: Daypack) -> None:
    chance = random.Random(7)
    for step in range(60):
        ids = [f"r{chance.randrange(25)}" for _ in range(chance.randint(1, 4))]
        if chance.random() < 0.25:
            dp.records.delete(ids)
        else:
            dp.records.add(
                [
                    {
                        "id": i,
                        "text": f"step {step}\n\n"
                        + "\n\n".join(" ".join(chance.choices(VOCABULARY, k=30)) for _ in range(3)),
                    }
                    for i in ids
                ]
            )
    before = indexed(dp.engine.store)
    answers = [dp.pack(word, vectors="none", shape="json").text for word in VOCABULARY]
    assert ills(dp) == []
    dp.reindex()
    assert ills(dp) == []
    assert indexed(dp.engine.store) == before
    assert [dp.pack(word, vectors="none", shape="json").text for word in VOCABULARY] == answers


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=2, max_size=14),
    st.sets(st.integers(1, 40)),
)
def test_a_view_that_follows_the_writes_equals_a_new_one(
    steps: list[tuple[int, bool]], gone: set[int]
) -> None:
    db = database()
    following, views = 1, []
    for size, everything in steps:
        with db:
            entries = [
                LexicalEntry(n, n, n, n, math.nan, ChunkFlag(0), (f"tea {n}", "", "", ""))
                for n in range(following, following + size)
            ]
            write_segment(db, entries)
            following += size
            for n in gone:
                if n < following:
                    db.execute("INSERT OR IGNORE INTO tomb VALUES (?)", (n,))
            (merge_all if everything else merge_segments)(db)
        view, fresh = load_view(db, before=views[-1][0] if views else None), load_view(db)
        assert view.columns.tobytes() == fresh.columns.tobytes()
        assert view.offsets == fresh.offsets
        assert view.alive.tolist() == fresh.alive.tolist()
        views.append((view, view.columns.tobytes()))
    # Earlier views still show what they showed.
    assert [view.columns.tobytes() for view, _ in views] == [held for _, held in views]
    db.close()
