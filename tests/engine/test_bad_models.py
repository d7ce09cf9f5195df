"""A store whose model is missing, damaged or changes answers on, and says why its answer is worse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from daypack import Daypack, Settings
from daypack.embed import minilm
from daypack.embed.hashing import HashingEmbedder
from daypack.types import VectorMode
from support import WORDS

NOTES = [
    {"id": "a", "text": "Our cafeteria shuts at 14:00."},
    {"id": "b", "text": "The printer is on the second floor."},
]
QUESTION = "where is the printer?"


class OtherSize(HashingEmbedder):
    """The hashing embedder, which gives half of its dimensions from the second call on."""

    calls = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.calls += 1
        rows = super().embed(texts)
        return rows if self.calls == 1 else rows[:, : self.dim // 2]


class Resized(HashingEmbedder):
    """The hashing embedder's name, and half of its dimensions."""

    dim = HashingEmbedder.dim // 2

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = super().embed(texts)[:, : self.dim]
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)


@pytest.mark.parametrize("damage", ["missing", "damaged"])
def test_without_its_model_a_store_answers_by_words_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    model = tmp_path / "model.onnx"
    if damage == "damaged":
        model.write_bytes(minilm.MODEL.path.read_bytes()[:-1])
    monkeypatch.setattr(minilm, "MODEL", minilm.MODEL._replace(path=model))
    with Daypack.open(tmp_path / "store", settings=Settings(refresh=False)) as daypack:
        daypack.memories.remember("printer", NOTES[1]["text"])
        daypack.records.add(NOTES)
        pack = daypack.pack(QUESTION, budget=300)
        assert NOTES[1]["text"] in pack.text
        (reason,) = pack.stats.degraded
        assert reason.startswith("vectors: ")
        assert "model.onnx" in reason
        assert pack.stats.vectors is VectorMode.NONE


@pytest.mark.parametrize("mode", VectorMode)
def test_vectors_of_a_model_that_changes_between_calls_are_not_kept(dp: Daypack, mode: VectorMode) -> None:
    dp.records.add(NOTES)
    dp.engine.embedding.model = OtherSize()
    pack = dp.pack(QUESTION, budget=300, vectors=mode)
    assert NOTES[1]["text"] in pack.text
    assert len(pack.stats.degraded) == (mode is not VectorMode.NONE)
    assert dp.engine.store.db.execute("SELECT count(*) FROM vec").get == 0


def test_a_model_that_changes_its_dimension_under_one_name_is_reported_and_words_answer(
    tmp_path: Path,
) -> None:
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        daypack.records.add(NOTES)
        daypack.embed()
        assert not daypack.pack(QUESTION, budget=300).stats.degraded
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        daypack.engine.embedding.model = Resized()
        pack = daypack.pack(QUESTION, budget=300)
        assert NOTES[1]["text"] in pack.text
        assert "changed without changing its name" in pack.stats.degraded[0]


def test_vectors_of_a_former_model_are_kept_apart_and_made_again(tmp_path: Path) -> None:
    class Former(HashingEmbedder):
        model_id = "former"

    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        daypack.engine.embedding.model = Former()
        daypack.records.add(NOTES)
        daypack.embed()
        before = daypack.pack(QUESTION, budget=300).text
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        assert daypack.status()["vectors_missing"] == 2
        assert NOTES[1]["text"] in daypack.pack(QUESTION, budget=300).text
        daypack.embed()
        assert daypack.status()["vectors_missing"] == 0
        assert daypack.pack(QUESTION, budget=300).text == before
        models = daypack.engine.store.db.execute("SELECT count(DISTINCT model_id) FROM vec").get
        assert models == 2


class FormerVersion(HashingEmbedder):
    model_id = HashingEmbedder.former_ids[-1]
    former_ids = ()


class Other(HashingEmbedder):
    model_id = "other"


def models_of(daypack: Daypack) -> list[str]:
    return [
        name
        for (name,) in daypack.engine.store.db.execute(
            "SELECT DISTINCT name FROM model JOIN vec ON vec.model_id = model.id ORDER BY name"
        )
    ]


def test_vectors_of_a_former_version_go_when_those_of_the_new_one_are_complete(dp: Daypack) -> None:
    for model in (Other(), FormerVersion()):
        dp.engine.embedding.model = model
        dp.records.add(NOTES)
        dp.embed()
    assert models_of(dp) == [FormerVersion.model_id, "other"]
    dp.engine.embedding.model = HashingEmbedder()
    first = dp.engine.store.db.execute("SELECT min(id) FROM chunk").get
    dp.engine.embedding.fill([first])
    assert models_of(dp) == [FormerVersion.model_id, HashingEmbedder.model_id, "other"]
    dp.embed()
    assert models_of(dp) == [HashingEmbedder.model_id, "other"]


def test_vectors_of_a_former_version_that_were_left_beside_complete_ones_go_too(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        daypack.records.add(NOTES)
        daypack.embed()
        daypack.engine.embedding.model = FormerVersion()
        daypack.embed()
    with Daypack.open(tmp_path / "store", settings=WORDS) as daypack:
        assert len(models_of(daypack)) == 2
        daypack.embed()
        assert models_of(daypack) == [HashingEmbedder.model_id]
