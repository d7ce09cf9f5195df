"""The leaders of a query by words are those of a scan of all chunks, byte for byte."""

from __future__ import annotations

import math
import random
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from daypack.index.embedded.connection import FileConnection
from daypack.index.folded.viewing import load_view
from daypack.index.postings.lexical import LexicalEntry, postings, write_segment
from daypack.rank import leading as room
from daypack.rank.bm25 import FIELD_CAPS, K1, Bm25, LexicalScores
from daypack.rank.leading import best_by_words, leading
from daypack.rank.views import ChunkFlag, LexicalView
from support import tables_in_memory

WORDS = [
    "tea",
    "kettle",
    "boiler",
    "spout",
    "steam",
    "lid",
    "valve",
    "samovar",
    "cup",
    "milk",
    "sugar",
    "queue",
]


def store(chance: random.Random, chunks: int, copies: int) -> FileConnection:
    """Chunks of common and rare words, some of them equal, in two segments, a few of them deleted."""
    db = tables_in_memory()
    weights = [1 / (rank + 1) ** 1.5 for rank in range(len(WORDS))]

    def said(most: int) -> str:
        return " ".join(chance.choices(WORDS, weights, k=chance.randint(0, most)))

    same = (said(12), "", "", "")
    entries = [
        LexicalEntry(
            number,
            number // 3,
            number // 3,
            number // 3,
            math.nan,
            ChunkFlag(chance.choice([0, 1, 1 | 4, 8, 32])),
            same if number < copies else (said(12), said(1), said(1), said(2)),
        )
        for number in range(1, chunks + 1)
    ]
    with db:
        write_segment(db, entries[: chunks // 2])
        write_segment(db, entries[chunks // 2 :])
        db.executemany("INSERT INTO tomb VALUES (?)", [(n,) for n in chance.sample(range(1, chunks), 5)])
    return db


def by_scanning(view: LexicalView, bm25: Bm25, scores: LexicalScores) -> NDArray[np.float32]:
    """BM25F of every chunk: every posting of every term is scored, in the order of the query."""
    unit = np.zeros(len(view), dtype=np.float32)
    for term in scores.terms:
        where = term.postings.positions
        tf = np.minimum(term.postings.tf, FIELD_CAPS).astype(np.float32)
        pseudo = np.einsum("ij,ij->i", tf, bm25._scales(where))
        unit[where] += np.float32(term.weight * term.idf * (K1 + 1)) * pseudo / (pseudo + np.float32(K1))
    return unit


@pytest.mark.parametrize("seed", range(60))
def test_no_leader_is_missed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FEW_POSTINGS", 0)  # so that common terms are left out in a small store too
    chance = random.Random(seed)
    monkeypatch.setattr(room, "_FEW", chance.choice([0, 4_096]))
    monkeypatch.setattr(room, "_LOOKED_UP", chance.choice([1, 32]))
    db = store(chance, chance.choice([30, 300, 900]), chance.choice([0, 0, 40]))
    view = load_view(db)
    bm25 = Bm25(view)
    asked = chance.sample([*WORDS, "nowher"], chance.randint(1, 8))
    terms = {term: chance.choice([0.8, 1.0, 2.0]) for term in asked}
    scores = bm25.matched(terms, partial(postings, db, view))
    passing = chance.choice([1.0, 0.5, 0.01])
    mask = view.alive & np.asarray([chance.random() < passing for _ in range(len(view))])
    prior = np.asarray([chance.choice([1.0, 0.6, 0.4]) for _ in range(256)], dtype=np.float32)
    depth, enough = chance.choice([1, 5, 20]), (len(terms) + 1) // 2

    everything = by_scanning(view, bm25, scores)
    wanted = np.where(mask, everything * prior[view.flags], 0)
    lead = leading(bm25, scores, mask, prior, depth=depth, enough=enough)
    db.close()
    assert lead.unit.tobytes() == everything[lead.positions].tobytes()
    order = np.lexsort((np.arange(len(view)), -wanted))
    best = order[: min(depth, np.count_nonzero(wanted))]
    found = lead.unit * prior[view.flags[lead.positions]]
    assert lead.positions[np.lexsort((lead.positions, -found))[:depth]].tolist() == best.tolist()

    held = np.zeros((len(scores.terms), len(view)), dtype=bool)
    for row, term in zip(held, scores.terms, strict=True):
        row[term.postings.positions] = True
    held &= mask
    masses = np.asarray([term.weight * term.idf for term in scores.terms])
    most = (held * masses[:, None]).sum(axis=0).max(initial=0)
    assert lead.best_coverage == pytest.approx(most / scores.mass, rel=1e-6)
    assert lead.holds_enough == (held.sum(axis=0).max(initial=0) >= enough)


def test_copies_do_not_crowd_out_what_comes_after_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FEW_POSTINGS", 0)
    db = store(random.Random(3), 300, 0)
    texts = ["samovar milk"] * 60 + ["tea milk", "milk sugar samovar queue lid tea cup spout"]
    with db:
        write_segment(
            db,
            [
                LexicalEntry(
                    1000 + n, 1000 + n, 1000 + n, 1000 + n, math.nan, ChunkFlag(0), (text, "", "", "")
                )
                for n, text in enumerate(texts)
            ],
        )
    view = load_view(db)
    bm25 = Bm25(view)
    scores = bm25.matched({"samovar": 1.0, "milk": 1.0}, partial(postings, db, view))
    _, best = best_by_words(bm25, scores, view.alive, room.EQUAL, 20)
    db.close()
    assert len(best) == 20
    copies = [position for position in best if 1000 <= view.chunk_ids[position] < 1060]
    assert len(copies) == 5


def test_the_postings_of_common_words_are_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query costs what its rare words cost."""
    monkeypatch.setattr(room, "FEW_POSTINGS", 8)
    db = tables_in_memory()
    texts = ["tea" if n % 20 else "tea samovar boiler" for n in range(1, 2001)]
    with db:
        write_segment(
            db,
            [
                LexicalEntry(n, n, n, n, math.nan, ChunkFlag(0), (text, "", "", ""))
                for n, text in enumerate(texts, 1)
            ],
        )
    view = load_view(db)
    bm25 = Bm25(view)
    scores = bm25.matched({"tea": 1.0, "samovar": 1.0, "boiler": 1.0}, partial(postings, db, view))
    scored: list[int] = []
    relative_gain = bm25.relative_gain

    def counted(term):  # type: ignore[no-untyped-def]
        scored.append(len(term.postings.positions))
        return relative_gain(term)

    monkeypatch.setattr(bm25, "relative_gain", counted)
    lead = leading(bm25, scores, view.alive, room.EQUAL, depth=10, enough=2)
    db.close()
    assert len(lead.positions) == 100
    assert max(scored) == 100
