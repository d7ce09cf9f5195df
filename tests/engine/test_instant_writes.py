"""Short commands leave instant vectors to the first question that needs them, and no answer shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from daypack import Daypack, Settings
from daypack.doors.sessions.types import Said, Step

NOW = 1_790_000_000.0
SAID = (
    "The ferry to the island leaves at dawn.",
    "The cook buys fish at the harbour every Friday.",
    "Invoices are kept for ten years in the cellar.",
    "The violin was repaired after the flood.",
    "A lantern stands on the northern pier.",
)
QUESTION = "when does the boat depart in the morning?"


def opened(folder: Path) -> Daypack:
    return Daypack.open(folder, root=folder.parent, settings=Settings(refresh=False), clock=lambda: NOW)


def say(daypack: Daypack, number: int) -> None:
    text = f"{SAID[number % len(SAID)]} This was noted as number {number}."
    daypack.sessions.add_steps([Step("monday", NOON + number, Said("user", text))])


NOON = NOW - 100_000


def read_table(daypack: Daypack) -> bool:
    return "static" in vars(daypack.engine.embedding)


def rows(folder: Path) -> int:
    found: int = apsw.Connection(str(folder / "daypack.db")).execute("SELECT count(*) FROM instant").get
    return found


def answer(folder: Path) -> str:
    with opened(folder) as daypack:
        return daypack.pack(QUESTION, budget=300).text


def written(folder: Path, count: int, *, before: Callable[[Daypack], object]) -> Path:
    """A store with events that were written one a process."""
    for number in range(count):
        with opened(folder) as daypack:
            before(daypack)
            say(daypack, number)
    return folder


def eager(daypack: Daypack) -> None:
    assert daypack.engine.embedding.static is not None


@pytest.mark.parametrize("count", [3, 11])
def test_one_event_reads_no_table_and_is_found_by_meaning_all_the_same(tmp_path: Path, count: int) -> None:
    lazy = written(tmp_path / "lazy", count, before=lambda daypack: None)
    assert rows(lazy) == 0
    ready = written(tmp_path / "eager", count, before=eager)
    assert rows(ready) > 0
    assert "ferry" in answer(ready)
    assert answer(lazy) == answer(ready)
    assert rows(lazy) == rows(ready)


def test_writing_does_not_read_the_table(tmp_path: Path) -> None:
    with opened(tmp_path / "store") as daypack:
        for number in range(12):
            say(daypack, number)
            assert not read_table(daypack)


def test_a_merge_keeps_the_vectors_that_a_question_made(tmp_path: Path) -> None:
    with opened(tmp_path / "store") as daypack:
        for number in range(7):
            say(daypack, number)
    assert answer(tmp_path / "store")
    with opened(tmp_path / "store") as daypack:
        say(daypack, 7)
    db = apsw.Connection(str(tmp_path / "store" / "daypack.db"))
    assert (
        db.execute("SELECT count(*) FROM segment").get == db.execute("SELECT count(*) FROM instant").get == 1
    )


def test_a_question_beside_a_writer_has_the_same_answer_and_keeps_nothing(tmp_path: Path) -> None:
    folder = written(tmp_path / "store", 4, before=lambda daypack: None)
    other = apsw.Connection(str(folder / "daypack.db"))
    other.execute("BEGIN IMMEDIATE")
    beside = answer(folder)
    other.execute("ROLLBACK")
    assert rows(folder) == 0
    assert answer(folder) == beside
    assert rows(folder) > 0


def test_vectors_are_not_kept_when_text_was_written_since_they_were_made(tmp_path: Path) -> None:
    folder = written(tmp_path / "store", 2, before=lambda daypack: None)
    with opened(folder) as daypack:
        embedding, store = daypack.engine.embedding, daypack.engine.store
        table, sequence = embedding.static, store.sequences()[0]
        assert table is not None
        with store.reading() as db:
            segment_ids = [segment_id for (segment_id,) in db.execute("SELECT id FROM segment")]
            made = {segment_id: embedding.instant_of(db, segment_id) for segment_id in segment_ids}
        with opened(folder) as other:
            say(other, 2)
        embedding.keep_instant(made, sequence)
        assert rows(folder) == 0
        embedding.keep_instant(made, sequence + 1)
        assert rows(folder) == 2


def test_a_vector_made_from_words_that_were_read_is_that_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(
        "import os\n\n\n"
        + "\n\n".join(
            f"def get_user_id_{n}(self):\n    '''Überprüft naïve parseURL2.'''\n"
            + f"    return retryHTTPServer_{n}\n" * (n * 9)
            for n in range(5)
        ),
        encoding="utf-8",
    )
    prose = "# Grüße › 東京\n\nA cafe\u0301 in ไทยแลนด์ and __init__ are read.\n\n## Limits\n\n"
    (tmp_path / "prose.md").write_text(prose + "Retries wait. " * 400, encoding="utf-8")
    (tmp_path / "long.txt").write_text("x" * 5_000 + "camelCaseWord" * 900, encoding="utf-8")
    with opened(tmp_path / "store") as daypack:
        eager(daypack)
        daypack.files.add(tmp_path)
        store, embedding = daypack.engine.store, daypack.engine.embedding
        with store.reading() as db:
            kept = list(db.execute("SELECT segment_id, codes FROM instant"))
            assert kept
            for segment_id, codes in kept:
                made = embedding.instant_of(db, segment_id)
                assert made is not None
                assert made.codes.tobytes() == codes
