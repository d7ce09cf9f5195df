"""The static table: a vector for a text without running a model, in a tenth of a millisecond.

Each word piece has one row of 256 signed bytes. The vector of a text is the sum of the rows of its words, made one long. The table was trained
so that these sums lie where the default encoder puts the same texts, turned into 256 dimensions; `project` turns an encoder's vector of a
question the same way. `models/README.md` says how the table is made. Questions need the projection alone; the rows are read when the first text is embedded.

    document   StaticTable.embed([text])      (n, 256)
    question   StaticTable.project(encoder.embed([question])[0])    (256,)
    score      embed(...) @ project(...)
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from daypack.embed.wordpieces import FOLDER, MAX_KNOWN_WORDS, packaged_vocabulary, word_pieces
from daypack.errors import ModelUnavailable
from daypack.text.numbering import ReadTexts, members, read
from daypack.types.arrays import Floats, Int8s, Ints, Vectors

DIM = 256
TABLE = FOLDER / "table.bin"
TABLE_SHA256 = "4245ce4c70f74ed4d7c3d95d8fd07c4e2fe2e3827cebd0c64491c319ae2db030"
PROJECTION_SHA256 = "5938334905388e46cae466808137770fb3db82d7680ddf80635dc222da41525c"  # of its last bytes
ENCODER_DIM = 384
PROJECTION_BYTES = 2 * ENCODER_DIM * DIM
# (slope, intercept): the encoder's cosine of a question and a text ≈ intercept + slope · the table's, by models/line.py.
LINE = (0.94, -0.04)
MAX_CHARACTERS = 4_000
MAX_PIECES = 512
MAX_KNOWN_VECTORS = 16_384  # of words that were compared with a question, of a kilobyte each

# camelCase ends a word: parseURL2 is parse, URL, 2. Punctuation separates words.
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")
_WORDS = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+|[A-Z]")
# A run of words; in a text of ASCII the bytes between runs become blanks.
_RUNS = re.compile(r"[^\W_]+")
_BLANKED = bytes(byte if byte < 128 and chr(byte).isalnum() else 0x20 for byte in range(256))


T = TypeVar("T")


class PieceRows(NamedTuple):
    """A row for each word piece: codes (pieces, 256) times its scale; the numbers of the pieces."""

    codes: Int8s
    scales: Floats
    vocabulary: Mapping[str, int]


class _Known(dict[str, tuple[T, ...]]):
    """Remembers the result for each word: words repeat, and an expression takes most of the time of a text."""

    def __init__(self, make: Callable[[str], Iterable[T]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: str) -> tuple[T, ...]:
        if len(self) >= MAX_KNOWN_WORDS:
            self.clear()
        made = self[word] = tuple(self._make(word))
        return made


class StaticTable:
    """The projection (encoder's dimension, 256), and the rows of word pieces, which the first `embed` reads."""

    line = LINE
    longest = MAX_CHARACTERS

    def __init__(self, projection: Floats, read: Callable[[], PieceRows], *, model_id: str) -> None:
        self._projection = projection
        self._read = read
        self._pieces = _Known(self._pieces_of_word)
        self._pieces_of_part = _Known(lambda part: word_pieces(part, self._rows.vocabulary))
        self._lower = _Known(lambda run: map(str.lower, _WORDS.findall(run)))
        self._row_of: dict[str, int] = {}  # word → the row of its vector in `_units`
        self._units: Floats = np.empty((0, self.dim), dtype=np.float32)
        self._keeping = threading.Lock()
        self.model_id = model_id

    @property
    def dim(self) -> int:
        return int(self._projection.shape[1])

    @cached_property
    def _rows(self) -> PieceRows:
        rows = self._read()
        if rows.codes.shape != (len(rows.scales), self.dim):
            raise ModelUnavailable("static", "its table has the wrong size")
        return rows

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Row i belongs to texts[i], and has unit length; a text without a known word gives zeros.

        Raises `ModelUnavailable` where the rows cannot be read, or do not belong to the projection.
        """
        return self.embed_read(read([text[:MAX_CHARACTERS] for text in texts]))

    def embed_read(self, texts: ReadTexts) -> Vectors:
        """The vectors that `embed` gives for texts of at most `longest` characters, which were read already."""
        of_word = [*map(self._pieces.__getitem__, texts.known)]
        counts = np.fromiter(map(len, of_word), dtype=np.int64, count=len(of_word))
        pieces = np.fromiter(chain.from_iterable(of_word), dtype=np.int64, count=int(counts.sum()))
        words, sizes = texts.texts
        ends = np.concatenate([[0], np.cumsum(counts[words])])[np.cumsum(sizes)]
        return self._sums(pieces[members(counts, words)], ends)

    def words_of(self, text: str) -> list[str]:
        """The different words of a text in lower case, in order; an identifier is split where its case changes."""
        return [
            *dict.fromkeys(chain.from_iterable(map(self._lower.__getitem__, dict.fromkeys(_runs_of(text)))))
        ]

    def embed_words(self, words: Sequence[str]) -> Vectors:
        """The vectors that `embed` gives for single words, of which there are many: all at once.

        Raises `ModelUnavailable` where the rows cannot be read.
        """
        with self._keeping:
            new = [*dict.fromkeys(word for word in words if word not in self._row_of)]
            if len(self._row_of) + len(new) > MAX_KNOWN_VECTORS:
                self._row_of, new = {}, [*dict.fromkeys(words)]
            if len(new) > MAX_KNOWN_VECTORS:
                return self._units_of(words)
            if new:
                if not len(self._units):  # memory that is not written to costs nothing
                    self._units = np.empty((MAX_KNOWN_VECTORS, self.dim), dtype=np.float32)
                first = len(self._row_of)
                self._units[first : first + len(new)] = self._units_of(new)
                self._row_of.update(zip(new, range(first, first + len(new)), strict=True))
            units: Vectors = self._units[[self._row_of[word] for word in words]]
        return units

    def _units_of(self, words: Sequence[str]) -> Vectors:
        codes, scales, _ = self._rows
        unit: Vectors = np.zeros((len(words), self.dim), dtype=np.float32)
        pieces = [self._pieces[word][:MAX_PIECES] for word in words]
        alone = [row for row, of_word in enumerate(pieces) if len(of_word) == 1]
        numbers = [pieces[row][0] for row in alone]
        unit[alone] = codes[numbers] * scales[numbers, None]
        for row, of_word in enumerate(pieces):
            if len(of_word) > 1:
                unit[row] = scales[[*of_word]] @ codes[[*of_word]]
        unit /= np.maximum(np.sqrt(np.einsum("ij,ij->i", unit, unit)), np.float32(1e-12))[:, None]
        return unit

    def has_word(self, word: str) -> bool:
        """Tell whether a lower-case word is a piece by itself, as common words are.

        Raises `ModelUnavailable` where the pieces cannot be read.
        """
        return word in self._rows.vocabulary

    def project(self, vector: Vectors) -> Vectors:
        """An encoder's vector in the dimensions of the table, of unit length."""
        projected = vector @ self._projection
        unit: Vectors = (projected / (np.linalg.norm(projected) or 1.0)).astype(np.float32)
        return unit

    def _sums(self, pieces: Ints, ends: Ints) -> Vectors:
        """A vector for each text, whose pieces end there; those after the first `MAX_PIECES` of a text do not count."""
        codes, scales, _ = self._rows
        sums = np.zeros((len(ends), self.dim), dtype=np.float32)
        used = np.zeros(len(codes), dtype=bool)
        used[pieces] = True
        wide = codes[used].astype(np.float32)
        weights, places = scales.take(pieces), (np.cumsum(used) - 1)[pieces]
        start = 0
        for row, end in enumerate(ends.tolist()):
            if end > start:
                part = slice(start, min(end, start + MAX_PIECES))
                sums[row] = weights[part] @ wide.take(places[part], axis=0)
            start = end
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: Vectors = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0)
        return unit

    def _pieces_of_word(self, word: str) -> Iterable[int]:
        """Numbers of the pieces of a word; an identifier has those of its parts."""
        if word.isascii() and word.isalpha() and word.islower():
            return word_pieces(word, self._rows.vocabulary)
        parts = chain.from_iterable(map(_plain, _WORDS.findall(word)))
        return chain.from_iterable(map(self._pieces_of_part.__getitem__, parts))


def _runs_of(text: str) -> list[str]:
    """The runs of letters and digits of a text, in order, with repeats; each holds whole words."""
    text = text[:MAX_CHARACTERS]
    if not text.isascii():
        return _RUNS.findall(text)
    return text.encode().translate(_BLANKED).decode("ascii").split()


def _plain(word: str) -> list[str]:
    """A word as the encoder's tokenizer sees it: lower case, without accents, ideographs one by one."""
    if word.isascii():
        return [word.lower()]
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
    return _IDEOGRAPH.sub(r" \g<0> ", bare.lower()).split()


def open_table(path: Path = TABLE) -> StaticTable:
    """The packaged table. Raises `ModelUnavailable` where the file is missing or ends with another projection than the one
    named by its hash; a row that is damaged is found when the first text is embedded.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - PROJECTION_BYTES))
            data = file.read()
    except OSError as error:
        raise ModelUnavailable("static", f"{path} cannot be read: {error.strerror}") from error
    if size < PROJECTION_BYTES or (size - PROJECTION_BYTES) % (DIM + 4):
        raise ModelUnavailable("static", f"{path} is not a table: it has {size:,} bytes")
    _check(path, "projection", data, PROJECTION_SHA256)
    projection = np.frombuffer(data, dtype="<f2").reshape(ENCODER_DIM, DIM).astype(np.float32)
    return StaticTable(projection, lambda: _read_rows(path), model_id=f"static-{DIM}d-{TABLE_SHA256[:8]}")


def _read_rows(path: Path) -> PieceRows:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelUnavailable("static", f"{error.filename} cannot be read: {error.strerror}") from error
    _check(path, "table", data, TABLE_SHA256)
    count = (len(data) - PROJECTION_BYTES) // (DIM + 4)
    codes = np.frombuffer(data, dtype=np.int8, count=count * DIM).reshape(count, DIM)
    scales = np.frombuffer(data, dtype="<f4", count=count, offset=count * DIM)
    return PieceRows(codes, scales, packaged_vocabulary())


def _check(path: Path, part: str, data: bytes, sha256: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise ModelUnavailable(
            "static", f"the {part} in {path} has sha256 {found[:12]}…, expected {sha256[:12]}…"
        )
