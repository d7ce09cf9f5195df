"""A question is answered from one state of the store, whatever other processes write meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from daypack import Daypack, Settings
from daypack.doors.sources.types import RetrieveRequest
from daypack.embed.hashing import HashingEmbedder
from daypack.errors import ModelUnavailable
from daypack.types import VectorMode
from support import project

FILES = {
    "refunds.md": "# Refunds\n\nA refund that fails is retried after five minutes.\n",
    "payouts.md": "# Payouts\n\nA payout runs each night, and none is retried.\n",
    "tides.md": "# Tides\n\nThe harbour closes at low tide.\n",
}
QUESTION = "how is a refund retried?"
BEST = "refunds.md"


def edit(folder: Path) -> None:
    """What a person and another process do: a line is added to the best file, which is indexed."""
    file = folder / BEST
    file.write_text(file.read_text() + "\nA refund is never retried twice at once.\n")
    with opened(folder) as other:
        other.files.add(folder)


def reindex(folder: Path) -> None:
    with opened(folder) as other:
        other.reindex()


WRITES = pytest.mark.parametrize("write", [reindex, edit], ids=["reindex", "an edit and add"])
MODES = pytest.mark.parametrize("mode", [VectorMode.NONE, VectorMode.AUTO, VectorMode.ALL], ids=str)


class WritesWhenAsked(HashingEmbedder):
    """An embedder in whose time another process writes, when it reads texts of the store."""

    write: Callable[[], None] | None = None

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self.write is not None and texts != [QUESTION]:
            write, self.write = self.write, None
            write()
        return super().embed(texts)


class AnotherModel(HashingEmbedder):
    """A model whose vectors the other one cannot use."""

    model_id = "another"


def opened(folder: Path, place: str = "") -> Daypack:
    daypack = Daypack.open(place or folder / ".daypack", settings=Settings(embedder="folder:words"))
    daypack.engine.embedding.model = WritesWhenAsked()
    return daypack


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = project(tmp_path / "p", FILES)
    with opened(made) as daypack:
        daypack.files.add(made)
    return made


@contextmanager
def written_after_ranking(daypack: Daypack, write: Callable[[], None]) -> Iterator[None]:
    """`write` runs once, between the ranking of a question and the reading of its texts."""
    checks = iter(range(1, 1000))

    def wanted() -> bool:
        if next(checks) == 2:  # the first is before the ranking
            write()
        return True

    with daypack.engine.stopping.asking(wanted):
        yield


@MODES
@WRITES
def test_a_pack_shows_the_best_file_though_its_pieces_are_replaced_after_the_ranking(
    folder: Path, write: Callable[[Path], None], mode: VectorMode
) -> None:
    with opened(folder) as daypack, written_after_ranking(daypack, lambda: write(folder)):
        pack = daypack.pack(QUESTION, budget=300, vectors=mode)
    with opened(folder) as after:
        assert pack.text == after.pack(QUESTION, budget=300, vectors=mode).text
    assert pack.excerpts[0].citation.uri == BEST


@MODES
@WRITES
def test_a_search_lists_the_best_file_though_its_pieces_are_replaced_after_the_ranking(
    folder: Path, write: Callable[[Path], None], mode: VectorMode
) -> None:
    with opened(folder) as daypack, written_after_ranking(daypack, lambda: write(folder)):
        found = daypack.search(QUESTION, vectors=mode)
    assert found.candidates[0].chunk.uri == found.files[0].uri == BEST


@WRITES
def test_a_question_is_answered_in_full_though_its_texts_are_replaced_while_the_encoder_reads_them(
    folder: Path, write: Callable[[Path], None]
) -> None:
    with opened(folder) as daypack:
        model = daypack.engine.embedding.model
        assert isinstance(model, WritesWhenAsked)
        model.write = lambda: write(folder)
        pack = daypack.pack(QUESTION, budget=300)
        assert model.write is None
    assert pack.excerpts[0].citation.uri == BEST
    assert not pack.stats.degraded


@MODES
def test_the_vectors_that_a_question_makes_are_kept_by_the_next_one_when_a_writer_came_between(
    folder: Path, mode: VectorMode
) -> None:
    with opened(folder) as daypack:
        with written_after_ranking(daypack, lambda: edit(folder)):
            daypack.pack(QUESTION, budget=300, vectors=mode)
        again = daypack.pack(QUESTION, budget=300, vectors=mode)
    with opened(folder) as other:
        assert other.pack(QUESTION, budget=300, vectors=mode).text == again.text


@pytest.mark.parametrize("rounds", [1, 2])
def test_no_text_is_embedded_while_a_transaction_is_open_when_a_writer_came_between(
    folder: Path, rounds: int
) -> None:
    with opened(folder) as daypack:
        model = daypack.engine.embedding.model
        assert isinstance(model, WritesWhenAsked)
        reading: list[bool] = []
        times = iter(range(rounds))

        def write() -> None:
            reading.append(daypack.engine.store.is_reading)
            if next(times, None) is not None:
                edit(folder)
                model.write = write

        model.write = write
        pack = daypack.pack(QUESTION, budget=300, vectors=VectorMode.ALL)
    assert pack.excerpts[0].citation.uri == BEST
    assert len(reading) == rounds + 1
    assert not any(reading)


class FailsInATransaction(WritesWhenAsked):
    """A model that fails while its caller holds a transaction: then a writer has come during each ranking before."""

    daypack: Daypack | None = None

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self.daypack is not None and self.daypack.engine.store.is_reading:
            raise ModelUnavailable("words", "it is gone")
        return super().embed(texts)


def test_a_model_that_fails_when_a_question_is_ranked_again_is_reported(folder: Path) -> None:
    with opened(folder) as daypack:
        model = daypack.engine.embedding.model = FailsInATransaction()
        model.daypack = daypack

        def write() -> None:
            edit(folder)
            model.write = write

        model.write = write
        pack = daypack.pack(QUESTION, budget=300, vectors=VectorMode.ALL)
    assert pack.excerpts[0].citation.uri == BEST
    assert pack.stats.degraded
    assert "it is gone" in pack.stats.degraded[0]


def test_a_team_server_answers_from_one_state_as_well(folder: Path, new_store: Callable[[], str]) -> None:
    place = new_store()
    with opened(folder, place) as daypack, opened(folder, place) as other:
        other.files.add(folder)
        with written_after_ranking(daypack, other.reindex):
            pack = daypack.pack(QUESTION, budget=300)
    assert pack.excerpts[0].citation.uri.endswith(BEST)


def test_records_are_retrieved_though_the_store_is_indexed_again_meanwhile(folder: Path) -> None:
    with opened(folder) as daypack:
        daypack.engine.embedding.model = AnotherModel()
        daypack.sources.store("research_report", "A refund is retried after five minutes.", title="Refunds")
    with opened(folder) as daypack:
        model = daypack.engine.embedding.model
        assert isinstance(model, WritesWhenAsked)
        model.write = lambda: reindex(folder)
        found = daypack.sources.retrieve(RetrieveRequest(QUESTION))
        assert model.write is None
    assert [item.record.title for item in found.items] == ["Refunds"]


def test_memories_are_recalled_though_the_store_is_indexed_again_meanwhile(folder: Path) -> None:
    with opened(folder) as daypack:
        daypack.engine.embedding.model = AnotherModel()
        daypack.memories.remember("refunds/retry", "A refund is retried after five minutes.")
    with opened(folder) as daypack:
        model = daypack.engine.embedding.model
        assert isinstance(model, WritesWhenAsked)
        model.write = lambda: reindex(folder)
        found = daypack.memories.search(QUESTION)
        assert model.write is None
    assert [hit.memory.key for hit in found.hits] == ["refunds/retry"]
