"""The same question, the same bytes: whatever was asked before, and whoever makes vectors meanwhile."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from daypack import Daypack, Settings
from daypack.embed.hashing import HashingEmbedder
from daypack.text.numbering import ReadTexts
from support import environment

NOW = 1_790_000_000.0
WORDS = "kettle boiler retry payment refund order queue ledger harbour crane anchor tide lantern glacier orchard cider violin"
QUESTIONS = 50


class HashedTable(HashingEmbedder):
    """A static table of the hashing embedder's space, which sees the first half of the dimensions."""

    model_id = "half-of-hashing"
    line = (0.8, 0.05)
    longest = 1 << 20

    def embed_read(self, texts: ReadTexts) -> np.ndarray:
        known, ends = [*texts.known], np.cumsum(texts.texts.sizes)
        parts = np.split(texts.texts.words, ends[:-1])
        return self.embed([" ".join(known[number] for number in part) for part in parts])

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return self._halved(super().embed(texts))

    def project(self, vector: np.ndarray) -> np.ndarray:
        return self._halved(vector[None])[0]

    def words_of(self, text: str) -> list[str]:
        return text.lower().split()

    def embed_words(self, words: Sequence[str]) -> np.ndarray:
        return self.embed(words)

    def _halved(self, rows: np.ndarray) -> np.ndarray:
        rows = rows.copy()
        rows[:, self.dim // 2 :] = 0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)


def sentences(count: int, seed: int, length: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS.split(), k=length)) for _ in range(count)]


def opened(folder: Path) -> Daypack:
    daypack = Daypack.open(folder, settings=Settings(embedder="folder:words"), clock=lambda: NOW)
    daypack.engine.embedding.model = HashingEmbedder()
    daypack.engine.embedding.static = HashedTable()  # type: ignore[misc]  # what `embed.open_static` gives for other models
    return daypack


def answers(daypack: Daypack, questions: Sequence[str]) -> dict[str, str]:
    return {
        question: daypack.pack(question, budget=400).text
        + daypack.pack(question, budget=4000, shape="json").text
        for question in questions
    }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 notes, of which none has a vector but the instant one."""
    folder = tmp_path_factory.mktemp("same") / "store"
    with opened(folder) as daypack:
        daypack.records.add(
            {"id": f"n{number}", "text": f"Note {number}. {text}."}
            for number, text in enumerate(sentences(300, 1, 25))
        )
    return folder


def shuffled(seed: int) -> list[str]:
    questions = [f"which {text}?" for text in sentences(QUESTIONS, 2, 4)]
    random.Random(seed).shuffle(questions)
    return questions


@pytest.fixture(scope="module")
def first(store: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Each answer by a store that was asked nothing before."""
    found = {}
    for question in shuffled(0):
        folder = tmp_path_factory.mktemp("fresh") / "store"
        shutil.copytree(store, folder)
        with opened(folder) as daypack:
            found |= answers(daypack, [question])
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_of_the_questions_changes_no_answer(
    store: Path, first: dict[str, str], tmp_path: Path, seed: int
) -> None:
    shutil.copytree(store, tmp_path / "store")
    with opened(tmp_path / "store") as daypack:
        assert answers(daypack, shuffled(seed)) == first
        assert answers(daypack, shuffled(seed + 10)) == first


@pytest.mark.parametrize("seed", [4, 5])
def test_vectors_that_are_made_in_the_background_change_no_answer(
    store: Path, first: dict[str, str], tmp_path: Path, seed: int
) -> None:
    shutil.copytree(store, tmp_path / "store")
    with opened(tmp_path / "store") as daypack:
        background = daypack.embed_in_background()
        assert answers(daypack, shuffled(seed)) == first
        assert background.wait(60)
        assert daypack.status()["vectors_missing"] == 0
        assert answers(daypack, shuffled(seed)) == first


def test_a_second_process_that_asks_at_the_same_time_changes_no_answer(
    store: Path, first: dict[str, str], tmp_path: Path
) -> None:
    shutil.copytree(store, tmp_path / "store")
    asking = f"""
import json, sys
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1])]!r}
from pathlib import Path
from test_same_answer import answers, opened, shuffled
with opened(Path(sys.argv[1])) as daypack:
    answers(daypack, shuffled(7))
    json.dump(answers(daypack, shuffled(7)), sys.stdout)
"""
    other = subprocess.Popen(
        [sys.executable, "-c", asking, str(tmp_path / "store")],
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
    )
    with opened(tmp_path / "store") as daypack:
        mine = answers(daypack, shuffled(6))
    theirs, _ = other.communicate(timeout=120)
    assert mine == first
    assert json.loads(theirs) == first


def test_a_complete_place_counts_from_the_next_text_on_and_from_an_explicit_embedding(
    store: Path, first: dict[str, str], tmp_path: Path
) -> None:
    question = next(iter(first))
    for name, step in (
        ("written", lambda daypack: daypack.records.add([{"id": "last", "text": "Nothing of the sort."}])),
        ("embedded", lambda daypack: daypack.embed()),
    ):
        shutil.copytree(store, tmp_path / name)
        with opened(tmp_path / name) as daypack:
            background = daypack.embed_in_background()
            assert background.wait(60)
            assert answers(daypack, [question])[question] == first[question]
            step(daypack)
            everything = daypack.pack(question, budget=400, vectors="all")
            assert [e.citation.reference for e in daypack.pack(question, budget=400).excerpts] == [
                e.citation.reference for e in everything.excerpts
            ]


def test_a_store_without_instant_vectors_gets_them_at_the_first_question(
    store: Path, first: dict[str, str], tmp_path: Path
) -> None:
    shutil.copytree(store, tmp_path / "store")
    question = next(iter(first))
    with opened(tmp_path / "store") as daypack:
        with daypack.engine.store.writing() as db:
            db.execute("DELETE FROM instant")
        assert answers(daypack, [question])[question] == first[question]
        assert daypack.engine.store.db.execute("SELECT count(*) FROM instant").get > 0
