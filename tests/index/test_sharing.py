"""What a writer sees of like texts without a snapshot, and what a snapshot keeps of the one before it."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np

from daypack import Daypack
from daypack.index.embedded.connection import FileConnection
from daypack.index.postings.lexical import COMMON_POSTINGS, LexicalEntry, chunks_sharing, write_segment
from daypack.index.schema import MIGRATIONS
from daypack.rank.views import ChunkFlag
from support import WORDS


def test_whoever_holds_enough_of_the_terms_is_among_those_that_share_them() -> None:
    """Also when some of the terms are in thousands of chunks, and their postings are not read."""
    chance = random.Random(4)
    rest = ["samovar", "boiler", "spout", "steam", "lid", "valve"]
    texts = [f"cup tea {' '.join(chance.sample(rest, 3))}" for _ in range(COMMON_POSTINGS + 1)]
    db = FileConnection(":memory:")
    for statement in MIGRATIONS[0].split(";"):
        db.execute(statement)
    entries = [
        LexicalEntry(n, n, n, n, math.nan, ChunkFlag(0), (text, "", "", ""))
        for n, text in enumerate(texts, 1)
    ]
    with db:
        write_segment(db, entries[:3000])
        write_segment(db, entries[3000:])
    terms = ["cup", "tea", "samovar", "boiler", "spout", "nowher"]
    found = [chunk_id for batch in chunks_sharing(db, terms, at_least=5) for chunk_id in batch]
    db.close()
    shared = {n: sum(term in text.split() for term in terms) for n, text in enumerate(texts, 1)}
    assert {n for n, count in shared.items() if count >= 5} == set(found)
    assert len(found) == len(set(found)) > 50


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
