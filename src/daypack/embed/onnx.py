"""A sentence encoder in ONNX: word pieces → last hidden states → their mean over the text → unit length.

A graph takes the numbers of the pieces, or their rows from a file beside it.

Each run holds one text, so nothing is padded and no text beside it changes a sum: equal text, equal vector. Runs of several
short texts would save a fifth of their time with the packaged model, and some bits would differ.

Each run has one thread, and several run beside each other. Two threads in one run wait for each other after each of its
small products: 30 to 45 % more CPU, and 1.5 times the time on the clock.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from daypack.embed.beside import each
from daypack.errors import BadVector, ModelUnavailable
from daypack.types.arrays import Array, Floats, Int8s, Ints, Vectors

MAX_CHARACTERS = 4_000  # 256 word pieces end long before; keeps a text of a megabyte as cheap as a page
# tokenised at once: bounds the ids in memory, and long enough to find equal texts
SLAB_TEXTS = 2_048


class PinnedFile(NamedTuple):
    """A file, and the hash of the only content that is accepted."""

    path: Path
    sha256: str


class Tokenizer(Protocol):
    """Numbers of pieces for texts."""

    specials: int  # added to every text

    def encode(self, text: str, limit: int) -> list[int]:
        """At most `limit` numbers, the special ones included."""
        ...


class WordRows(NamedTuple):
    """A row for each word piece: codes int8 (pieces, dim) times its scale float32 (pieces,)."""

    codes: Int8s
    scales: Floats

    def of(self, ids: Ints) -> Floats:
        """The rows of word pieces, (…) → (…, dim)."""
        import numpy as np

        rows: Floats = self.codes[ids].astype(np.float32) * self.scales[ids][..., None]
        return rows


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Tokenizer
    rows: WordRows | None
    inputs: tuple[str, ...]
    output: str
    # options of a run after which the runtime gives its working memory back: some 50 MB after long texts
    shrinking: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxModel:
    """A model to embed with: its files, and the way in which texts become rows of vectors.

    `words` is for a graph that takes the rows of word pieces instead of their numbers: the codes of all pieces, then their
    scales. `dim` is None when only the graph tells it. `max_tokens` cuts each text; raises ValueError when it leaves no room.
    """

    name: str
    model_id: str
    graph: PinnedFile
    build_tokenizer: Callable[[], Tokenizer]
    words: PinnedFile | None = None
    dim: int | None = None
    pool_first_token: bool = False
    max_tokens: int = 256

    def __post_init__(self) -> None:
        if self.max_tokens < 3:
            raise ValueError(
                f"max_tokens {self.max_tokens} leaves no room for text between the two special tokens"
            )


class OnnxEmbedder:
    """Loads a model at the first `embed` or `load`, then verifies that its files match their hashes."""

    def __init__(self, model: OnnxModel, *, threads: int = 2) -> None:
        self._model = model
        self._dim = model.dim
        self._threads = max(1, threads)
        self._loaded: _Loaded | None = None
        self._loading = threading.Lock()

    def __repr__(self) -> str:
        return f"OnnxEmbedder({self._model.model_id!r})"

    @property
    def model_id(self) -> str:
        return self._model.model_id

    @property
    def max_tokens(self) -> int:
        return self._model.max_tokens

    @property
    def dim(self) -> int:
        if self._dim is None:
            self.load()
        assert self._dim is not None
        return self._dim

    def load(self) -> None:
        """Read, verify and start the model now. Safe to call from several threads; all but the first wait."""
        self._ready()

    def embed(self, texts: Sequence[str], *, max_tokens: int | None = None) -> Vectors:
        """Row i belongs to texts[i]; a text without tokens gives zeros.

        `max_tokens` cuts the texts of this call earlier. The vectors stay comparable, but a text has one
        vector only as long as every caller cuts it at the same length.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        loaded = self._ready()
        limit = min(max_tokens or self._model.max_tokens, self._model.max_tokens)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for start in range(0, len(texts), SLAB_TEXTS):
            runs = self._runs(loaded, texts[start : start + SLAB_TEXTS], limit)
            vectors = self._vectors(loaded, [ids for _, ids in runs])
            for (places, _), vector in zip(runs, vectors, strict=True):
                rows[[start + i for i in places]] = vector
        return rows

    def _vectors(self, loaded: _Loaded, texts: Sequence[Ints]) -> list[Vectors]:
        """A row for each text, in their order."""
        if len(texts) < 2:
            return [self._run(loaded, ids) for ids in texts]
        found = each(lambda ids: self._run(loaded, ids), texts[:-1], threads=self._threads)
        return [*found, self._run(loaded, texts[-1], shrinking=True)]

    def _runs(self, loaded: _Loaded, texts: Sequence[str], limit: int) -> list[tuple[list[int], Ints]]:
        """The places of each distinct text and its token ids (1, length). Long ones come first, so that no
        thread ends with one.
        """
        import numpy as np

        places: dict[str, list[int]] = {}
        for i, text in enumerate(texts):
            places.setdefault(readable(text), []).append(i)
        runs: list[tuple[list[int], Ints]] = []
        for text, where in places.items():
            ids = loaded.tokenizer.encode(text, limit)
            if len(ids) > loaded.tokenizer.specials:
                runs.append((where, np.array([ids], dtype=np.int64)))
        return sorted(runs, key=lambda run: -run[1].size)

    def _run(self, loaded: _Loaded, ids: Ints, *, shrinking: bool = False) -> Vectors:
        import numpy as np

        values: dict[str, Array]
        if loaded.rows is not None:
            values = {"words": loaded.rows.of(ids)}
        else:
            values = {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
            }
        try:
            output = loaded.session.run(
                [loaded.output],
                {name: values[name] for name in loaded.inputs},
                loaded.shrinking if shrinking else None,
            )[0]
        except Exception as error:  # the runtime has no common base class for its errors
            raise ModelUnavailable(self._model.name, f"{type(error).__name__} while it ran") from error
        # float64 for the mean: its sum over tokens is then exact to the last bit of float32
        if output.ndim == 2:
            pooled = output.astype(np.float64)
        elif self._model.pool_first_token:
            pooled = output[:, 0].astype(np.float64)
        else:
            pooled = output.mean(axis=1, dtype=np.float64)
        norms = np.linalg.norm(pooled, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise BadVector(self._model.model_id, "NaN, infinite or zero")
        unit: Vectors = (pooled / norms).astype(np.float32)
        return unit

    def _ready(self) -> _Loaded:
        if self._loaded is None:
            with self._loading:
                if self._loaded is None:
                    self._loaded = self._start()
        return self._loaded

    def _start(self) -> _Loaded:
        model = self._model
        # Hashing releases the interpreter, so it runs beside the imports and costs no time on a second core.
        reading = _Reading(model.graph)
        reading_words = None if model.words is None else _Reading(model.words)
        runtime = self._runtime()
        tokenizer = self._tokenizer()
        weights = reading.result(model.name)
        rows = None if reading_words is None else _word_rows(reading_words.result(model.name), self._dim or 0)
        session = self._session(runtime, weights)
        inputs, output = self._ends(session, "input_ids" if rows is None else "words")
        session._model_bytes = None  # kept for a change of providers, which never happens: 22 MB
        del weights
        _give_memory_back()
        shrinking = runtime.RunOptions()
        shrinking.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        return _Loaded(session, tokenizer, rows, inputs, output, shrinking)

    def _runtime(self) -> Any:
        # From 1.29 on, onnxruntime reports to its maker, and keeps an identifier in the temporary folder, unless this is set
        # before the import.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        try:
            import onnxruntime
        except ImportError as error:
            raise ModelUnavailable(self._model.name, "onnxruntime is not installed") from error
        return onnxruntime

    def _tokenizer(self) -> Tokenizer:
        try:
            return self._model.build_tokenizer()
        except ModelUnavailable:
            raise
        except Exception as error:  # tokenizers raises bare Exception for files that it cannot read
            raise ModelUnavailable(
                self._model.name, f"its tokenizer cannot be read: {type(error).__name__}"
            ) from error

    def _session(self, runtime: Any, weights: bytes) -> Any:
        """A session of the runtime over the bytes that were hashed, so that the file cannot be exchanged in between."""
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # errors arrive as exceptions; standard error belongs to the caller
        # The arena stays on: without it every layer maps and unmaps its memory, measured 1.6 times slower in
        # batches.
        options.enable_mem_pattern = False  # would keep a plan for every length seen
        # Planning which tensors share memory takes a quarter of the start, and grows with the square of the nodes. The
        # arena gives a freed tensor's memory to the next one anyway: the peak and the time of a run stay.
        options.enable_mem_reuse = False
        try:
            return runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelUnavailable(
                self._model.name,
                f"{self._model.graph.path} does not run in onnxruntime: {type(error).__name__}",
            ) from error

    def _ends(self, session: Any, wanted: str) -> tuple[tuple[str, ...], str]:
        """(the inputs of a graph that takes `wanted`, the output that gives vectors of `dim`, which is set where only the graph
        tells it).
        """
        inputs = tuple(node.name for node in session.get_inputs())
        beside = {"attention_mask", "token_type_ids"} if wanted == "input_ids" else set()
        unknown = {*inputs} - {wanted, *beside}
        outputs = session.get_outputs()
        output = next(
            (node for node in outputs if node.name in ("sentence_embedding", "last_hidden_state")), outputs[0]
        )
        found = output.shape[-1] if output.shape else None
        if unknown or wanted not in inputs or not isinstance(found, int) or len(output.shape) not in (2, 3):
            raise ModelUnavailable(self._model.name, "it does not map token ids to vectors of one fixed size")
        if self._dim is not None and self._dim != found:
            raise ModelUnavailable(self._model.name, f"it gives {found} dimensions, expected {self._dim}")
        self._dim = found
        return inputs, output.name


def _word_rows(data: bytes, dim: int) -> WordRows:
    """The rows in a file of so many dimensions, whose hash was checked."""
    import numpy as np

    count = len(data) // (dim + 4)
    codes = np.frombuffer(data, dtype=np.int8, count=count * dim).reshape(count, dim)
    return WordRows(codes, np.frombuffer(data, dtype="<f4", count=count, offset=count * dim))


def _give_memory_back() -> None:
    """Return the memory that starting a session freed: 75 MB. Only glibc needs the request."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class _Reading:
    """A pinned file that is read and hashed in its own thread."""

    def __init__(self, file: PinnedFile) -> None:
        self._file = file
        self._bytes = b""
        self._sha256 = ""
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            self._bytes = self._file.path.read_bytes()
            self._sha256 = hashlib.sha256(self._bytes).hexdigest()
        except OSError as error:
            self._error = error

    def result(self, name: str) -> bytes:
        """The content. Raises ModelUnavailable where the file cannot be read, or has another hash."""
        self._thread.join()
        path, wanted = self._file
        if self._error is not None:
            raise ModelUnavailable(name, f"{path} cannot be read: {self._error.strerror}") from self._error
        if self._sha256 != wanted:
            raise ModelUnavailable(name, f"{path} has sha256 {self._sha256[:12]}…, expected {wanted[:12]}…")
        return self._bytes


def readable(text: str, limit: int = MAX_CHARACTERS) -> str:
    """The part of a text that a model sees: bounded, no leading blanks, no lone surrogates."""
    head = text[: 4 * limit].lstrip()[:limit]
    return head if head.isascii() else head.encode("utf-8", "replace").decode("utf-8")
