"""Vectors from an OpenAI-compatible service: POST {"model", "input": [text, …]} → {"data": [{"index",
"embedding"}, …]}.

The only embedder that sends text anywhere, and only because its URL was named. https everywhere, plain http
to this machine; redirects are refused, since the text would follow them; errors and representations hold
neither text nor key. The service decides whether equal texts give equal vectors.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from daypack.embed.onnx import readable
from daypack.errors import BadVector, ConfigError, ModelUnavailable
from daypack.text.hosts import is_loopback, is_safe
from daypack.types.arrays import Vectors

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from urllib.request import OpenerDirector


MAX_CHARACTERS = 8_000  # about 2,000 tokens; what services take at most differs, chunks are far shorter
BATCH_TEXTS = 64
MAX_RESPONSE_BYTES = 64_000_000  # 64 vectors of 4,096 dimensions written out take 6 MB


class EndpointEmbedder:
    """Without `dim`, the constructor finds it by embedding one word."""

    def __init__(
        self,
        url: str,
        *,
        model: str,
        api_key: str = "",
        dim: int | None = None,
        timeout_seconds: float = 30.0,
    ) -> None:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise ConfigError(
                "the endpoint is not a valid URL; write endpoint:https://host/v1/embeddings"
            ) from error
        if parts.username or parts.password:
            raise ConfigError("the endpoint's URL holds a password; pass the key by itself")
        if not is_safe(parts):
            raise ConfigError(
                f"the endpoint {parts.scheme}://{host} is neither https nor http to this machine; text is not sent to it"
            )
        if not model:
            raise ConfigError("an endpoint needs the name of its model")
        if not api_key.isascii() or not api_key.isprintable():
            raise ConfigError("the endpoint's key holds characters that no header can carry")
        path = parts.path.rstrip("/")
        if not path.endswith("/embeddings"):
            path = f"{path or '/v1'}/embeddings"
        self._place = f"{host}:{port}" if port else host
        self._url = parts._replace(path=path, fragment="").geturl()
        self._loopback = is_loopback(host)
        self._model = model
        self._api_key = api_key
        self._dim = dim
        self._timeout_seconds = timeout_seconds
        self._opener: OpenerDirector | None = None

    def __repr__(self) -> str:
        return f"EndpointEmbedder({self.model_id!r})"

    @property
    def model_id(self) -> str:
        return f"endpoint-{self._model}@{self._place}"

    @property
    def dim(self) -> int:
        if self._dim is None:
            self._ask(["dimension"])
        assert self._dim is not None
        return self._dim

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Row i belongs to texts[i]. Blank texts give zeros and are not sent: services refuse them."""
        import numpy as np

        places: dict[str, list[int]] = {}
        for i, text in enumerate(texts):
            if head := readable(text, MAX_CHARACTERS):
                places.setdefault(head, []).append(i)
        distinct = list(places)
        answers = [
            self._ask(distinct[start : start + BATCH_TEXTS]) for start in range(0, len(distinct), BATCH_TEXTS)
        ]
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for answer, start in zip(answers, range(0, len(distinct), BATCH_TEXTS), strict=True):
            for vector, text in zip(answer, distinct[start : start + BATCH_TEXTS], strict=True):
                rows[places[text]] = vector
        return rows

    def _ask(self, texts: list[str]) -> Vectors:
        import numpy as np

        answer = self._post({"model": self._model, "input": texts, "encoding_format": "float"})
        items = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise self._unavailable("its response has no list of data")
        if len(items) != len(texts):
            raise self._unavailable(f"it returned {len(items)} vectors for {len(texts)} texts")
        ordered: list[Any] = [None] * len(texts)
        for position, item in enumerate(items):
            index = item.get("index", position)
            if not isinstance(index, int) or not 0 <= index < len(texts) or ordered[index] is not None:
                raise self._unavailable("its response numbers the vectors wrongly")
            ordered[index] = item.get("embedding")
        expected = (
            self._dim if self._dim is not None else len(ordered[0]) if isinstance(ordered[0], list) else 0
        )
        for vector in ordered:
            if (
                not isinstance(vector, list)
                or not vector
                or not all(type(value) in (int, float) for value in vector)
            ):
                raise BadVector(self.model_id, "not a list of numbers")
            if len(vector) != expected:
                raise BadVector(self.model_id, f"{len(vector)} dimensions, expected {expected}")
        try:
            rows = np.array(ordered, dtype=np.float64)
        except OverflowError as error:  # whole numbers in JSON have no limit
            raise BadVector(self.model_id, "infinite") from error
        peaks = np.abs(rows).max(axis=1, keepdims=True)
        if not np.isfinite(peaks).all() or not peaks.all():
            raise BadVector(self.model_id, "NaN, infinite or zero")
        rows /= peaks  # keeps the squares of very large and very small numbers inside the range
        unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        self._dim = expected
        return unit

    def _post(self, body: dict[str, Any]) -> Any:
        from http.client import HTTPException
        from urllib.error import HTTPError, URLError
        from urllib.request import Request

        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        request = Request(self._url, data=json.dumps(body).encode(), headers=headers, method="POST")  # noqa: S310 - scheme checked
        deadline = time.monotonic() + self._timeout_seconds
        try:
            with self._connect().open(request, timeout=self._timeout_seconds) as response:
                received = bytearray()
                while block := response.read1(65_536):
                    received += block
                    if len(received) > MAX_RESPONSE_BYTES:
                        raise self._unavailable("its response is too large")
                    if time.monotonic() > deadline:  # the socket's own limit starts again with every packet
                        raise TimeoutError
        except HTTPError as error:
            error.close()  # its body may quote the text that was sent, so Daypack does not read it
            if error.code in (301, 302, 303, 307, 308):
                raise self._unavailable(
                    "it redirects, and the text does not follow; name the final URL"
                ) from None
            if error.code in (401, 403):
                raise self._unavailable(f"it refused the key, status {error.code}") from None
            raise self._unavailable(f"it returned status {error.code}") from None
        except TimeoutError:
            raise self._unavailable(f"no answer within {self._timeout_seconds:g} s") from None
        except URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._unavailable(f"no answer within {self._timeout_seconds:g} s") from None
            raise self._unavailable(f"no connection: {error.reason}") from None
        except (HTTPException, OSError) as error:
            raise self._unavailable(f"the connection broke: {type(error).__name__}") from None
        try:
            return json.loads(received)
        except (ValueError, RecursionError):
            raise self._unavailable("its response is not JSON") from None

    def _connect(self) -> OpenerDirector:
        if self._opener is None:
            from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

            class NoRedirect(HTTPRedirectHandler):
                def redirect_request(
                    self, req: Any, fp: Any, code: int, msg: str, headers: HTTPMessage, newurl: str
                ) -> None:
                    return None

            # A proxy from the environment would carry text for this machine off this machine.
            self._opener = (
                build_opener(NoRedirect, ProxyHandler({})) if self._loopback else build_opener(NoRedirect)
            )
        return self._opener

    def _unavailable(self, why: str) -> ModelUnavailable:
        return ModelUnavailable(f"{self._model} at {self._place}", why)
