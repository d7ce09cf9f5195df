"""Exact counts from a table of tokens on disk, ready at the first word: `TableCounter("o200k_base")("hello
world") == 2`.

A vocabulary in memory takes .1 to .3 s to build and 40 to 66 MB to hold, and a command that counts one pack
ends before that pays. Here a token is looked up in the file (`scripts/token_tables.py` writes it):

    offsets   buckets + 1 numbers of 4 bytes: the begin of the entries of each bucket
    entries   length, token, rank (1, length and 3 bytes), in the bucket of the token's CRC-32

A text falls into pieces by the expression of its encoding; a piece that is a token counts one, any other is
merged from its bytes, lowest rank first (Sennrich, Haddow & Birch, ACL 2016). The expressions use classes of
Unicode, which `re` does not know, so a text beyond ASCII is cut by its shadow, a copy in which one character
stands for each class.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from zlib import crc32

__all__ = ["CannotTell", "TableCounter"]

LONGEST_PIECE = 1000  # bytes; merging a piece takes time with the square of its length
_NO_TOKEN = 1 << 24
_ENTRY = 4  # bytes of an entry beside its token
_LONG_S = 0x17F  # ends a contraction as any other s does, where case does not matter

_UPPER, _LOWER, _OTHER, _MARK, _NUMBER, _SPACE, _REST = "À", "à", "ª", "¨", "²", "\x85", "¡"
_CLASSES = {
    "Lu": _UPPER, "Lt": _UPPER, "Ll": _LOWER, "Lm": _OTHER, "Lo": _OTHER, "Mn": _MARK, "Mc": _MARK, "Me": _MARK,
    "Nd": _NUMBER, "Nl": _NUMBER, "No": _NUMBER, "Zs": _SPACE, "Zl": _SPACE, "Zp": _SPACE,
}  # fmt: skip
_U, _L, _O = f"A-Z{_UPPER}", f"a-z{_LOWER}", _OTHER + _MARK
_LETTER, _DIGIT = f"{_U}{_L}{_OTHER}", f"0-9{_NUMBER}"
_WHITE = f"\t\n\v\f\r {_SPACE}"
_SHORT = "'(?:[sStTmMdD]|[rRvV][eE]|[lL][lL])"
_BLANKS = rf"[{_WHITE}]*[\r\n]+|[{_WHITE}]+(?![^{_WHITE}])|[{_WHITE}]+"
EXPRESSIONS = {
    "o200k_base": (
        rf"[^\r\n{_LETTER}{_DIGIT}]?[{_U}{_O}]*[{_L}{_O}]+(?:{_SHORT})?|[^\r\n{_LETTER}{_DIGIT}]?[{_U}{_O}]+[{_L}{_O}]*(?:{_SHORT})?"
        rf"|[{_DIGIT}]{{1,3}}| ?[^{_WHITE}{_LETTER}{_DIGIT}]+[\r\n/]*|{_BLANKS}"
    ),
    "cl100k_base": (
        rf"{_SHORT}|[^\r\n{_LETTER}{_DIGIT}]?[{_LETTER}]+|[{_DIGIT}]{{1,3}}| ?[^{_WHITE}{_LETTER}{_DIGIT}]+[\r\n]*|{_BLANKS}"
    ),
}
"""As in OpenAI's tiktoken, for shadows."""


class CannotTell(Exception):
    """A character of uncertain class, or a long piece: the counter in memory has to count the text."""


class TableCounter:
    """Counts by one encoding, and remembers pieces. Raises CannotTell where the count may be inexact."""

    def __init__(self, encoding: str) -> None:
        self._pieces = re.compile(EXPRESSIONS[encoding])
        self._sizes = _Sizes(_Ranks(Path(__file__).with_name(f"{encoding}.tokens").read_bytes()))

    def __call__(self, text: str) -> int:
        if text.isascii():
            return sum(map(self._sizes.__getitem__, self._pieces.findall(text)))
        shadow = text.translate(_shadows())
        return sum(self._sizes[text[found.start() : found.end()]] for found in self._pieces.finditer(shadow))


class _Ranks(dict[bytes, int]):
    """Bytes → their rank, `_NO_TOKEN` for bytes that are not a token; each looked up in the file once."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        # the first offset is the end of the offsets
        self._offsets = memoryview(data)[: int.from_bytes(data[:4], "little")].cast("I")
        self._buckets = len(self._offsets) - 1

    def __missing__(self, token: bytes) -> int:
        data, size = self._data, len(token)
        bucket = crc32(token) % self._buckets
        at, end = self._offsets[bucket], self._offsets[bucket + 1]
        rank = _NO_TOKEN
        while at < end:
            if data[at] == size and data.startswith(token, at + 1):
                rank = int.from_bytes(data[at + 1 + size : at + _ENTRY + size], "little")
                break
            at += data[at] + _ENTRY
        self[token] = rank
        return rank


class _Sizes(dict[str, int]):
    """A piece → its number of tokens."""

    def __init__(self, ranks: _Ranks) -> None:
        self._ranks = ranks

    def __missing__(self, piece: str) -> int:
        data = piece.encode()
        if len(data) > LONGEST_PIECE:
            raise CannotTell
        size = self[piece] = 1 if self._ranks[data] < _NO_TOKEN else _merged(data, self._ranks)
        return size


def _merged(piece: bytes, ranks: _Ranks) -> int:
    """The number of tokens left after joining pairs of lowest rank as long as any exist."""
    begins = [*range(len(piece) + 1)]
    # rank of the token that part i and the next one make
    joined = [ranks[piece[i : i + 2]] for i in range(len(piece) - 1)]
    while joined and (lowest := min(joined)) < _NO_TOKEN:
        i = joined.index(lowest)
        del begins[i + 1], joined[i]
        if i < len(joined):
            joined[i] = ranks[piece[begins[i] : begins[i + 2]]]
        if i:
            joined[i - 1] = ranks[piece[begins[i - 1] : begins[i + 1]]]
    return len(begins) - 1


@cache
def _shadows() -> _Shadows:
    return _Shadows()


class _Shadows(dict[int, str]):
    """The character for the class of another one; ASCII stands for itself."""

    def __init__(self) -> None:
        from unicodedata import category

        self._category = category
        self.update((code, chr(code)) for code in range(128))

    def __missing__(self, code: int) -> str:
        kind = self._category(chr(code))
        # other libraries may know characters that this Unicode version has not assigned
        if kind in ("Cn", "Cs") or code == _LONG_S:
            raise CannotTell
        shadow = self[code] = _SPACE if code == ord(_SPACE) else _CLASSES.get(kind, _REST)
        return shadow
