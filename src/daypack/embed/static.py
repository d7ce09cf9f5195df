"""The static table: a vector for a text without running a model, in a tenth of a millisecond.

Each word piece has one row of 256 signed bytes. The vector of a text is the sum of the rows of its words, made one long. The table was trained
so that these sums lie where the default encoder puts the same texts, turned into 256 dimensions; `project` turns an encoder's vector of a
question the same way. `models/README.md` says how the table is made.

    document   StaticTable.embed([text])      (n, 256)
    question   StaticTable.project(encoder.embed([question]))
    score      project(...) @ embed(...).T
"""

from __future__ import annotations

import hashlib
import re
import threading
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from daypack.embed.onnx import MAX_CHARACTERS, word_piece_tokenizer
from daypack.errors import ModelUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from daypack.ports import Vectors

DIM = 256
FOLDER = Path(__file__).parent / "minilm"
TABLE = FOLDER / "table.npz"
TABLE_SHA256 = "bed8e5426c7d1bf709aca83af21b4eee28f5b769be9ce90a36a195712e3a0a7a"
MAX_PIECES = 512
# Known words are kept with the numbers of their pieces; a store's vocabulary rarely has more.
MAX_KNOWN_WORDS = 100_000
BLOCK_PIECES = 65_536

_UNKNOWN = 100
# camelCase ends a word: parseURL2 is parse, URL, 2. Punctuation is no word.
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+|[A-Z]")


class StaticTable:
    """Codes (pieces, 256) and a scale for each piece; the projection (encoder's dimension, 256)."""

    def __init__(
        self,
        codes: NDArray[np.int8],
        scales: NDArray[np.float32],
        projection: NDArray[np.float32],
        tokenizer: Any,
        *,
        model_id: str,
    ) -> None:
        """Raises `ModelUnavailable` where the shapes do not belong together."""
        if codes.ndim != 2 or scales.shape != codes.shape[:1] or projection.shape[1:] != codes.shape[1:]:
            raise ModelUnavailable("static", "its table has the wrong size")
        self._codes = codes
        self._scales = scales
        self._projection = projection
        self._tokenizer = tokenizer
        self._pieces: dict[str, tuple[int, ...]] = {}
        self._tokenizing = threading.Lock()
        self.model_id = model_id

    @property
    def dim(self) -> int:
        return int(self._codes.shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Row i belongs to texts[i], and has unit length; a text without a known word gives zeros."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        first = 0
        pieces: list[int] = []
        ends: list[int] = []
        for number, text in enumerate(texts):
            pieces += self._pieces_of(text)
            ends.append(len(pieces))
            if len(pieces) >= BLOCK_PIECES or number == len(texts) - 1:
                rows[first : number + 1] = self._sums(pieces, ends)
                first, pieces, ends = number + 1, [], []
        return rows

    def project(self, vectors: Vectors) -> Vectors:
        """An encoder's vectors in the dimensions of the table; not of unit length."""
        projected: Vectors = vectors @ self._projection
        return projected

    def _sums(self, pieces: list[int], ends: list[int]) -> Vectors:
        sums = np.zeros((len(ends), self.dim), dtype=np.float32)
        start = 0
        numbers = np.array(pieces, dtype=np.int64)
        for row, end in enumerate(ends):
            if end > start:
                part = numbers[start:end]
                sums[row] = self._scales[part] @ self._codes[part].astype(np.float32)
            start = end
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: Vectors = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0)
        return unit

    def _pieces_of(self, text: str) -> list[int]:
        """Numbers of the pieces of the words of a text, at most `MAX_PIECES`."""
        known = self._pieces
        found: list[int] = []
        for word in _WORDS.findall(text[:MAX_CHARACTERS]):
            pieces = known.get(word)
            if pieces is None:
                pieces = self._learn(word)
            found += pieces
        return found[:MAX_PIECES]

    def _learn(self, word: str) -> tuple[int, ...]:
        # A lone surrogate is in no vocabulary, and no tokenizer takes it.
        plain = word if word.isascii() else word.encode("utf-8", "replace").decode("utf-8")
        with self._tokenizing:
            ids = self._tokenizer.encode(plain, add_special_tokens=False).ids
            pieces = tuple(piece for piece in ids if piece != _UNKNOWN)
            if len(self._pieces) >= MAX_KNOWN_WORDS:
                self._pieces.clear()
            self._pieces[word] = pieces
        return pieces


def open_static(path: Path = TABLE, *, sha256: str = TABLE_SHA256) -> StaticTable:
    """The packaged table. Raises `ModelUnavailable` where the file is missing or not the one named by its hash."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelUnavailable("static", f"{path} cannot be read: {error.strerror}") from error
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise ModelUnavailable("static", f"{path} has sha256 {found[:12]}…, expected {sha256[:12]}…")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            codes, scales, projection = (arrays[name] for name in ("codes", "scales", "projection"))
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise ModelUnavailable("static", f"{path} is no table: {error}") from error
    return StaticTable(
        codes,
        scales.astype(np.float32),
        projection.astype(np.float32),
        word_piece_tokenizer(FOLDER / "vocab.txt"),
        model_id=f"static-{codes.shape[1]}d-{sha256[:8]}",
    )
