"""Vectors that are made beside everything else: all of them, once each, stopped at will and taken up again."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack, Settings
from daypack.embed.hashing import HashingEmbedder
from daypack.engine.background import BackgroundEmbedding
from daypack.engine.engine import Engine
from daypack.errors import ModelUnavailable
from daypack.testing import FakeEmbedder
from support import WORDS
from web_server import Handler, listening

NOW = 1_790_000_000.0
PATIENCE = 60.0  # seconds; nothing here takes one


def notes(count: int, first: int = 0) -> list[dict[str, str]]:
    return [
        {"id": f"n{number}", "text": f"Note {number} is about kettle number {number * number}."}
        for number in range(first, first + count)
    ]


class Service:
    """A model behind HTTP. Answers `free` requests, and each one more when it is let go; `texts` holds what
    it was asked.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.free = 10**9
        self.waiting = threading.Event()
        self.go_on = threading.Event()
        self.settings = WORDS


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()

    class Answering(Handler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            service.free -= 1
            if service.free < 0:
                service.waiting.set()
                service.go_on.wait(PATIENCE)
            service.texts += asked
            rows = HashingEmbedder().embed(asked).tolist()
            data = [{"index": i, "embedding": row} for i, row in enumerate(rows)]
            self.answer(json.dumps({"data": data}).encode())

    with listening(Answering) as server:
        place = f"endpoint:http://127.0.0.1:{server.server_port}"
        service.settings = Settings(embedder=place, embedder_model="hash")
        yield service
        service.go_on.set()


@pytest.fixture
def daypack(tmp_path: Path) -> Iterator[Daypack]:
    with Daypack.open(tmp_path / "s", settings=WORDS, clock=lambda: NOW) as daypack:
        yield daypack


def background(
    daypack: Daypack, settings: Settings = WORDS, *, idle_seconds: float = 60.0
) -> BackgroundEmbedding:
    served = daypack.engine.beside(daypack.engine.store, settings)
    return BackgroundEmbedding(served, idle_seconds=idle_seconds)


# ---------------------------------------------------------------- all of them


def test_everything_has_its_vector_when_the_wait_is_over(daypack: Daypack) -> None:
    daypack.records.add(notes(150))
    assert daypack.embed_in_background().wait(PATIENCE)
    assert daypack.status()["vectors_missing"] == 0
    pack = daypack.pack("kettle 49", vectors="auto")
    assert (pack.stats.embedded, pack.stats.vectors_missing) == (0, 0)


def test_a_second_wait_is_for_what_was_added_since(daypack: Daypack) -> None:
    thread = background(daypack)
    daypack.records.add(notes(20))
    assert thread.wait(PATIENCE)
    daypack.records.add(notes(20, first=20))
    assert thread.wait(PATIENCE)
    assert daypack.status()["vectors_missing"] == 0
    thread.stop()


def test_what_is_added_later_is_found_without_being_asked(daypack: Daypack) -> None:
    thread = background(daypack, idle_seconds=0.01)
    assert thread.wait(PATIENCE)
    daypack.records.add(notes(20))
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.02)):
        if not daypack.status()["vectors_missing"]:
            break
        pause.wait(0.02)
    assert daypack.status()["vectors_missing"] == 0
    thread.stop()


def test_vectors_made_in_the_background_answer_like_those_made_at_once(tmp_path: Path) -> None:
    answers = set()
    for name in ("background", "at once"):
        with Daypack.open(tmp_path / name, settings=WORDS, clock=lambda: NOW) as daypack:
            daypack.records.add(notes(80))
            if name == "background":
                assert daypack.embed_in_background().wait(PATIENCE)
            else:
                daypack.embed()
            answers.add(
                "".join(
                    daypack.pack("kettle number 49", vectors="all", shape=shape).text
                    for shape in ("json", "markdown", "xml")
                )
            )
    assert len(answers) == 1


# ---------------------------------------------------------------- stopped and taken up again


def test_it_stops_after_the_batch_at_hand_and_goes_on_where_it_was(
    daypack: Daypack, service: Service
) -> None:
    daypack.records.add(notes(200))
    service.free = 1
    thread = background(daypack, service.settings)
    assert service.waiting.wait(PATIENCE)  # it is inside the second batch
    stopping = threading.Thread(target=thread.stop)
    stopping.start()
    assert thread._stopping.wait(PATIENCE)
    service.go_on.set()
    stopping.join(PATIENCE)
    assert not stopping.is_alive()
    assert thread.error is None
    assert daypack.engine.store.counts()["vec"] == 128  # two batches of 64, each kept
    again = background(daypack, service.settings)
    assert again.wait(PATIENCE)
    again.stop()
    assert daypack.engine.store.counts()["vec"] == 200
    assert set(Counter(text for text in service.texts if text != "dimension").values()) == {1}


def test_whoever_waits_is_told_that_it_was_stopped(daypack: Daypack, service: Service) -> None:
    daypack.records.add(notes(100))
    service.free = 0
    thread = background(daypack, service.settings)
    assert service.waiting.wait(PATIENCE)
    assert not thread.wait(0.01)  # the time ran out
    told: list[bool] = []
    waiting = threading.Thread(target=lambda: told.append(thread.wait(PATIENCE)))
    waiting.start()
    stopping = threading.Thread(target=thread.stop)
    stopping.start()
    assert thread._stopping.wait(PATIENCE)
    service.go_on.set()
    stopping.join(PATIENCE)
    waiting.join(PATIENCE)
    assert told == [False]


def test_closing_the_store_stops_it(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as daypack:
        daypack.records.add(notes(10))
        thread = daypack.embed_in_background()
        assert daypack.embed_in_background() is thread
    assert not thread._thread.is_alive()


def test_a_model_that_is_not_there_is_said_and_nobody_waits_for_it(daypack: Daypack) -> None:
    daypack.records.add(notes(10))
    thread = background(daypack, Settings(embedder="folder:/nowhere"))
    assert thread.wait(PATIENCE)
    assert isinstance(thread.error, ModelUnavailable)
    assert thread.wait(PATIENCE)
    thread.stop()


# ---------------------------------------------------------------- once each


def test_the_same_text_is_embedded_once_however_often_it_stands_there(daypack: Daypack) -> None:
    counting = FakeEmbedder()
    daypack.engine.embedding.model = counting
    daypack.records.add(
        [{"id": f"copy{number}", "text": f"Tea of kind {number % 3}."} for number in range(30)]
    )
    seen: list[tuple[int, int]] = []
    assert daypack.embed(progress=lambda done, total: seen.append((done, total))) == 30
    assert sorted(text for call in counting.calls for text in call) == [
        "Tea of kind 0.",
        "Tea of kind 1.",
        "Tea of kind 2.",
    ]
    assert (seen[0], seen[-1]) == ((0, 30), (30, 30))
    assert daypack.status()["vectors_missing"] == 0


def test_a_text_that_comes_again_keeps_its_vector(daypack: Daypack) -> None:
    counting = FakeEmbedder()
    daypack.engine.embedding.model = counting
    daypack.records.add([{"id": "one", "text": "Tea."}])
    daypack.embed()
    daypack.records.add([{"id": "two", "text": "Tea."}, {"id": "one", "text": "Milk."}])
    daypack.embed()
    assert [text for call in counting.calls for text in call] == ["Tea.", "Milk."]
    assert daypack.embed() == 0


def test_a_store_that_nobody_wrote_to_is_not_looked_through_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    real = Engine.embed_pending
    monkeypatch.setattr(
        Engine, "embed_pending", lambda engine, **given: looks.append(1) or real(engine, **given)
    )
    with Daypack.open(tmp_path, settings=WORDS) as dp:
        dp.records.add(notes(3))
        background = dp.embed_in_background()
        assert background.wait(PATIENCE)
        assert background.wait(PATIENCE)
        assert len(looks) == 1
        dp.records.add(notes(3, first=3))
        assert background.wait(PATIENCE)
        assert len(looks) == 2
        assert dp.status()["vectors_missing"] == 0
