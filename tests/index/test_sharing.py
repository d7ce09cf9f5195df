"""What a writer sees of like texts without a snapshot, and what a snapshot keeps of the one before it."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from daypack import Daypack
from daypack.index.embedded.connection import FileConnection
from daypack.index.postings.lexical import LexicalEntry, write_segment
from daypack.index.postings.sharing import COMMON_POSTINGS, chunks_sharing, chunks_sharing_among
from daypack.index.schema import MIGRATIONS
from daypack.rank.views import ChunkFlag
from support import WORDS


def _index_of(texts: Sequence[str], *cuts: int) -> FileConnection:
    """A connection whose index has the texts, numbered from 1, in a segment up to each of the cuts and one for the others."""
    db = FileConnection(":memory:")
    for statement in MIGRATIONS[0].split(";"):
        db.execute(statement)
    entries = [
        LexicalEntry(n, n, n, n, math.nan, ChunkFlag(0), (text, "", "", ""))
        for n, text in enumerate(texts, 1)
    ]
    with db:
        for first, end in pairwise((0, *cuts, len(texts))):
            write_segment(db, entries[first:end])
    return db


def test_whoever_holds_enough_of_the_terms_is_among_those_that_share_them() -> None:
    """Also when some of the terms are in thousands of chunks, and their postings are not read."""
    chance = random.Random(4)
    rest = ["samovar", "boiler", "spout", "steam", "lid", "valve"]
    texts = [f"cup tea {' '.join(chance.sample(rest, 3))}" for _ in range(COMMON_POSTINGS + 1)]
    db = _index_of(texts, 3000)
    terms = ["cup", "tea", "samovar", "boiler", "spout", "nowher"]
    found = [chunk_id for batch in chunks_sharing(db, terms, at_least=5) for chunk_id in batch]
    db.close()
    shared = {n: sum(term in text.split() for term in terms) for n, text in enumerate(texts, 1)}
    assert {n for n, count in shared.items() if count >= 5} == set(found)
    assert len(found) == len(set(found)) > 50


def test_texts_of_common_words_lead_to_few_chunks() -> None:
    """A store of many files has most words of any text thousands of times; each chunk with one of them would be looked at."""
    chance = random.Random(5)
    common = [f"{letter}{letter}ommon" for letter in "abcdefghijkl"]
    texts = [" ".join(chance.sample(common, 8)) for _ in range(2 * COMMON_POSTINGS)]
    texts += [" ".join([*common, "samovar"])] * 2
    db = _index_of(texts, 5000)
    terms = [*common, "samovar"]
    found = [chunk_id for batch in chunks_sharing(db, terms, at_least=10) for chunk_id in batch]
    db.close()
    assert found == [len(texts) - 1, len(texts)]


def test_some_of_the_chunks_are_found_in_their_own_segments_alone() -> None:
    chance = random.Random(6)
    words = ["cup", "tea", "samovar", "boiler", "spout", "steam", "lid", "valve"]
    texts = [" ".join(chance.sample(words, 4)) for _ in range(400)]
    db = _index_of(texts, 100, 200, 300)
    own, terms = [*range(110, 190, 3)], words[:5]
    asked: list[str] = []

    def note(_connection: object, statement: str, _values: object) -> bool:
        asked.append(statement)
        return True

    db.exec_trace = note
    found = [chunk_id for batch in chunks_sharing_among(db, terms, own, at_least=3) for chunk_id in batch]
    db.exec_trace = None
    shared = {n: len({*texts[n - 1].split()} & {*terms}) for n in own}
    db.close()
    assert found == sorted((n for n in own if shared[n] >= 3), key=lambda n: (-shared[n], n))
    assert len(found) > 5
    assert sum("FROM segment AS s" in statement for statement in asked) == 1  # looks for postings


def test_a_process_that_writes_and_asks_in_turn_has_the_vectors_of_one_that_comes_new(tmp_path: Path) -> None:
    folder = tmp_path / ".daypack"
    words = ["retry", "kettle", "boiler", "refund", "queue", "samovar", "invoice", "tea"]
    chance = random.Random(8)

    def values(dp: Daypack) -> dict[int, list[float]]:
        snapshot = dp.engine.snapshots.current(vectors=True)
        assert snapshot.vectors is not None
        living = np.flatnonzero(snapshot.view.alive)
        cosines = snapshot.vectors.encoder.at(living, dp.engine.embedding.vectors_of(["kettle and queue"])[0])
        return dict(
            zip(
                snapshot.view.chunk_ids[living].tolist(),
                np.nan_to_num(cosines, nan=-2.0).tolist(),
                strict=True,
            )
        )

    with Daypack.open(folder, settings=WORDS) as dp, Daypack.open(folder, settings=WORDS) as other:
        for step in range(40):
            name = f"n{chance.randrange(12)}"
            match chance.choice(["add", "add", "delete", "elsewhere", "embed"]):
                case "add":
                    dp.records.add([{"id": name, "text": f"{step} " + " ".join(chance.choices(words, k=6))}])
                case "delete":
                    dp.records.delete([name])
                case "elsewhere":
                    other.records.add(
                        [{"id": name, "text": f"{step} " + " ".join(chance.choices(words, k=6))}]
                    )
                    other.search("samovar tea")
                case _:
                    dp.embed()
            dp.search(" ".join(chance.choices(words, k=2)), limit=3)
            with Daypack.open(folder, settings=WORDS) as new:
                assert values(dp) == values(new)
