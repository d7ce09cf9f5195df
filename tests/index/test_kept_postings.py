"""Postings that a former view read are those that a view without a past reads, whatever was written between."""

from __future__ import annotations

import math
import random

import pytest

from daypack.index.embedded.connection import FileConnection
from daypack.index.folded.viewing import load_view
from daypack.index.postings.lexical import LexicalEntry, merge_segments, postings, write_segment
from daypack.rank.views import ChunkFlag
from daypack.rank.views import lexical as room
from support import merge_all, tables_in_memory

WORDS = ["tea", "kettle", "boiler", "spout", "steam"]


def wrote(db: FileConnection, chance: random.Random, first: int, chunks: int) -> int:
    entries = [
        LexicalEntry(
            *(number, number, number, number, math.nan, ChunkFlag(0)),
            (" ".join(chance.choices(WORDS, k=3)), "", "", ""),
        )
        for number in range(first, first + chunks)
    ]
    write_segment(db, entries)
    return first + chunks


@pytest.mark.parametrize("seed", range(30))
def test_a_later_view_takes_over_what_was_read(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(room, "MOST_KEPT", chance.choice([20, 10_000]))
    db = tables_in_memory()
    with db:
        last = wrote(db, chance, 1, 40)
    hidden: list[int] = []
    view = load_view(db)
    for _ in range(12):
        for term in chance.sample(WORDS, 2):
            fresh = load_view(db, hidden)
            wanted, found = postings(db, fresh, term), postings(db, view, term)
            assert found.positions.tolist() == wanted.positions.tolist()
            assert found.tf.tolist() == wanted.tf.tolist()
        with db:
            if chance.random() < 0.6:
                last = wrote(db, chance, last, chance.randint(1, 9))
            if chance.random() < 0.5:
                gone = (chance.randrange(1, last),)
                db.execute("INSERT OR IGNORE INTO tomb VALUES (?)", gone)
            if chance.random() < 0.3:
                (merge_all if chance.random() < 0.3 else merge_segments)(db)
        if chance.random() < 0.3:
            hidden = chance.sample(range(1, last), 3)
        view = load_view(db, hidden, view)
    db.close()


def test_a_write_leaves_what_was_read_of_older_segments() -> None:
    db = tables_in_memory()
    chance = random.Random(1)
    with db:
        last = wrote(db, chance, 1, 50)
    view = load_view(db)
    whole = len(postings(db, view, "tea").positions)
    with db:
        wrote(db, chance, last, 5)
        db.execute("DELETE FROM posting WHERE segment_id = 1")  # so that nobody reads it again
    later = load_view(db, (), view)
    fresh = load_view(db)
    new = len(postings(db, fresh, "tea").positions)
    assert len(postings(db, later, "tea").positions) == whole + new
    db.close()
