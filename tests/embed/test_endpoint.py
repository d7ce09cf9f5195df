"""The endpoint embedder against a real server on this machine: well-behaved, broken, slow and sly."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from daypack.embed import open_embedder
from daypack.embed.endpoint import EndpointEmbedder
from daypack.embed.hashing import HashingEmbedder
from daypack.errors import BadVector, ConfigError, ModelError, ModelUnavailable
from daypack.ports import Embedder
from daypack.testing import EmbedderConformance
from web_server import Handler, listening

SECRET_TEXT = "the merger closes on Friday"


class Service:
    """A service that can be told how to answer; `requests` holds what arrived."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Callable[[list[str]], Any] = hashing_answer
        self.status = 200
        self.location = ""
        self.delay_seconds = 0.0
        self.raw: bytes | None = None
        service = self

        class Answering(Handler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.requests.append(body)
                service.headers.append(dict(self.headers))
                time.sleep(service.delay_seconds)
                answer = (
                    service.raw
                    if service.raw is not None
                    else json.dumps(service.answer(body["input"])).encode()
                )
                headers = {"Location": service.location} if service.location else {}
                self.answer(answer, service.status, **headers)

        self._open = ExitStack()
        server = self._open.enter_context(listening(Answering))
        self.url = f"http://127.0.0.1:{server.server_port}/v1/embeddings"

    def stop(self) -> None:
        self._open.close()


def hashing_answer(texts: list[str]) -> dict[str, Any]:
    vectors = HashingEmbedder().embed(texts)
    vectors[~vectors.any(axis=1), 0] = 1  # a real model finds a direction for any text that is not blank
    # Not of unit length, and in another order, as the format allows.
    return {
        "data": [{"index": i, "embedding": (3 * vectors[i]).tolist()} for i in reversed(range(len(texts)))]
    }


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.stop()


class TestEndpoint(EmbedderConformance):
    @pytest.fixture(autouse=True)
    def _service(self, service: Service) -> None:
        self.service = service

    def make(self) -> Embedder:
        return open_embedder(f"endpoint:{self.service.url}", model="hash", api_key="k")


def test_text_model_and_key_arrive_once_each(service: Service) -> None:
    embedder = EndpointEmbedder(service.url, model="small", api_key="sesame", dim=256)
    embedder.embed(["one", "two", "one", "  "])
    assert [request["input"] for request in service.requests] == [["one", "two"]]
    assert service.requests[0]["model"] == "small"
    assert service.headers[0]["Authorization"] == "Bearer sesame"


def test_many_texts_go_in_several_requests(service: Service) -> None:
    texts = [f"text {i}" for i in range(150)]
    vectors = EndpointEmbedder(service.url, model="m").embed(texts)
    assert [len(request["input"]) for request in service.requests] == [64, 64, 22]
    assert np.allclose(vectors, HashingEmbedder().embed(texts), atol=1e-6)


def test_a_base_address_is_completed(service: Service) -> None:
    base = service.url.removesuffix("/v1/embeddings")
    assert EndpointEmbedder(base, model="m").dim == 256
    assert EndpointEmbedder(f"{base}/v1/", model="m").dim == 256


def one(**item: Any) -> Callable[[list[str]], Any]:
    return lambda texts: {"data": [{"index": i, "embedding": [1.0, 0.0], **item} for i in range(len(texts))]}


@pytest.mark.parametrize(
    ("answer", "error", "problem"),
    [
        (lambda texts: {"data": []}, ModelUnavailable, "0 vectors for 1 texts"),
        (lambda texts: {"error": texts}, ModelUnavailable, "no list of data"),
        (lambda texts: [texts], ModelUnavailable, "no list of data"),
        (lambda texts: {"data": texts}, ModelUnavailable, "no list of data"),
        (one(index=1), ModelUnavailable, "numbers the vectors wrongly"),
        (one(index="0"), ModelUnavailable, "numbers the vectors wrongly"),
        (one(embedding=[float("nan"), 1.0]), BadVector, "NaN"),
        (one(embedding=[float("inf"), 1.0]), BadVector, "infinite"),
        (one(embedding=[10**400, 1]), BadVector, "infinite"),
        (one(embedding=[0.0, 0.0]), BadVector, "zero"),
        (one(embedding=[1.0]), BadVector, "1 dimensions, expected 2"),
        (one(embedding=[]), BadVector, "not a list of numbers"),
        (one(embedding=None), BadVector, "not a list of numbers"),
        (one(embedding=["1", "2"]), BadVector, "not a list of numbers"),
        (one(embedding=[True, False]), BadVector, "not a list of numbers"),
        (one(embedding="AACAPw=="), BadVector, "not a list of numbers"),
    ],
)
def test_a_wrong_answer_is_refused_without_quoting_the_text(
    service: Service, answer: Callable[[list[str]], Any], error: type[ModelError], problem: str
) -> None:
    service.answer = answer
    with pytest.raises(error, match=problem) as caught:
        EndpointEmbedder(service.url, model="m", api_key="sesame", dim=2).embed([SECRET_TEXT])
    assert "merger" not in str(caught.value)
    assert "sesame" not in str(caught.value)


def test_the_first_answer_settles_the_dimension(service: Service) -> None:
    embedder = EndpointEmbedder(service.url, model="m")
    assert embedder.dim == 256
    service.answer = one()
    with pytest.raises(BadVector, match="2 dimensions, expected 256"):
        embedder.embed(["text"])


def test_very_large_numbers_still_give_unit_length(service: Service) -> None:
    service.answer = one(embedding=[1e300, 1e300])
    assert EndpointEmbedder(service.url, model="m").embed(["text"])[0] == pytest.approx([0.5**0.5] * 2)


@pytest.mark.parametrize(
    ("status", "problem"), [(500, "status 500"), (429, "status 429"), (401, "refused the key, status 401")]
)
def test_an_error_status_is_reported_without_its_body(service: Service, status: int, problem: str) -> None:
    service.status = status
    service.raw = SECRET_TEXT.encode()
    with pytest.raises(ModelUnavailable, match=problem) as caught:
        EndpointEmbedder(service.url, model="m").embed([SECRET_TEXT])
    assert "merger" not in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(service: Service, status: int) -> None:
    other = Service()
    service.status, service.location = status, other.url
    try:
        with pytest.raises(ModelUnavailable, match="redirects"):
            EndpointEmbedder(service.url, model="m").embed([SECRET_TEXT])
        assert other.requests == []
    finally:
        other.stop()


def test_a_slow_service_is_given_up(service: Service) -> None:
    service.delay_seconds = 0.5
    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.1 s"):
        EndpointEmbedder(service.url, model="m", timeout_seconds=0.1).embed(["text"])


@pytest.mark.parametrize("raw", [b"<html>", b"", b"\xff", b"[" * 100_000])
def test_an_answer_that_is_not_json_is_reported(service: Service, raw: bytes) -> None:
    service.raw = raw
    with pytest.raises(ModelUnavailable, match="not JSON"):
        EndpointEmbedder(service.url, model="m").embed(["text"])


def test_nobody_listening_is_reported(service: Service) -> None:
    service.stop()
    with pytest.raises(ModelUnavailable, match="no connection"):
        EndpointEmbedder(service.url, model="m").embed(["text"])


def test_a_proxy_from_the_environment_is_not_used_for_this_machine(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert EndpointEmbedder(service.url, model="m").embed(["text"]).any()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/v1/embeddings",
        "http://127.0.0.1.example.org/",
        "http://localhost.example.org/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "/v1/embeddings",
        "https://",
        "https://user:word@example.org/",
        "https://[::1",
        "http://10.0.0.1/",
    ],
)
def test_an_unsafe_address_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(ConfigError, match="the endpoint"):
        EndpointEmbedder(url, model="m")


@pytest.mark.parametrize(
    "url",
    ["https://example.org/v1/embeddings", "http://localhost:1/", "http://[::1]:1/", "http://127.0.0.2:1/"],
)
def test_https_and_this_machine_are_accepted(url: str) -> None:
    assert (
        "example" in EndpointEmbedder(url, model="m").model_id
        or "m@" in EndpointEmbedder(url, model="m").model_id
    )


def test_the_model_must_be_named() -> None:
    with pytest.raises(ConfigError, match="name of its model"):
        open_embedder("endpoint:https://example.org/v1/embeddings")


def test_a_key_that_would_break_the_header_is_refused_without_quoting_it() -> None:
    with pytest.raises(ConfigError) as caught:
        EndpointEmbedder("https://example.org/", model="m", api_key="sesame\r\nX-Evil: 1")
    assert "sesame" not in str(caught.value)


def test_the_key_is_not_shown() -> None:
    assert "sesame" not in repr(EndpointEmbedder("https://example.org/", model="m", api_key="sesame"))
