"""The vector of a question is made once for the search and the packs that follow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from daypack import Daypack
from daypack.embed.hashing import HashingEmbedder
from daypack.engine.embedding import QUESTIONS_KEPT
from support import WORDS


class Counting(HashingEmbedder):
    """The hashing embedder, which keeps the texts that it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return super().embed(texts)


@pytest.fixture
def model() -> Counting:
    return Counting()


def test_a_search_and_a_pack_of_one_question_ask_the_model_once(tmp_path: Path, model: Counting) -> None:
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        daypack.records.add([{"id": "b", "text": "The printer is on the second floor."}])
        daypack.engine.embedding.model = model
        for _ in range(2):
            daypack.search("where is the printer?", vectors="all")
            daypack.pack("where is the printer?", vectors="all")
    assert model.asked.count("where is the printer?") == 1


def test_another_model_makes_its_own_vector_of_a_question(tmp_path: Path, model: Counting) -> None:
    other = Counting()
    other.model_id = "other"
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        embedding = daypack.engine.embedding
        for one in (model, other, model):
            embedding.model = one
            embedding.question_vector("where is the printer?")
    assert (len(model.asked), len(other.asked)) == (1, 1)


def test_the_latest_questions_are_kept(tmp_path: Path, model: Counting) -> None:
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        embedding = daypack.engine.embedding
        embedding.model = model
        first = embedding.question_vector("question 0")
        for n in range(1, QUESTIONS_KEPT):
            embedding.question_vector(f"question {n}")
            assert embedding.question_vector("question 0") is first
        embedding.question_vector("one more")
        embedding.question_vector("question 1")
    assert model.asked.count("question 0") == 1
    assert model.asked.count("question 1") == 2
    assert not first.flags.writeable
