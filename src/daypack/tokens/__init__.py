"""Text to a number of tokens, by a named counter: `counter(Tokenizer.O200K)("hello world") == 2`.

    o200k, cl100k   exact, by byte-pair encoding; text that looks like a special token counts as the text it is
    approx          ceil(characters / 4): free of any vocabulary, and of any promise
    chars, bytes    characters; bytes of UTF-8

Every counter takes every Python string: a lone surrogate counts as U+FFFD, which is what a decoder would make
of it.

Counts do not add up across concatenation, so a budget is held by counting the final string, never by a sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import assert_never

from daypack.ports import CountTokens
from daypack.tokens.table import CannotTell, TableCounter
from daypack.types import Tokenizer

__all__ = ["count_batch", "counter", "counter_of_like_texts", "expect"]

_WORTH_A_START = 1_000_000  # characters, at 5 against 70 MB/s
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\n(?=[^\s/])")


def counter(tokenizer: Tokenizer) -> CountTokens:
    """The counter of that name."""
    match tokenizer:
        case Tokenizer.O200K:
            return _byte_pair_counter("o200k_base")
        case Tokenizer.CL100K:
            return _byte_pair_counter("cl100k_base")
        case Tokenizer.APPROX:
            return _count_approx
        case Tokenizer.CHARS:
            return len
        case Tokenizer.BYTES:
            return _count_bytes
        case _:
            assert_never(tokenizer)


def counter_of_like_texts(tokenizer: Tokenizer) -> CountTokens:
    """A counter that remembers lines: for texts with most lines in common, as the attempts at one pack have.

    Exact, because no token of the two encodings reaches from the end of a line into a next one that begins
    with neither white space nor a slash: in their expressions only line ends, or line ends and slashes,
    follow a line end inside a piece.
    """
    count = counter(tokenizer)
    if not isinstance(count, _TwoSpeeds):
        return count
    open_line, whole_line = cache(count), cache(lambda line: count(f"{line}\n"))

    def total(text: str) -> int:
        *lines, last = _LINE_END.split(text)
        return sum(map(whole_line, lines)) + open_line(last)

    return total


def count_batch(tokenizer: Tokenizer, texts: Iterable[str]) -> list[int]:
    """One count a text, in order."""
    return [*map(counter(tokenizer), texts)]


def expect(tokenizer: Tokenizer, characters: int) -> None:
    """Announce that so many characters will be counted, to decide whether to load the vocabulary."""
    count = counter(tokenizer)
    if isinstance(count, _TwoSpeeds) and characters >= _WORTH_A_START:
        count.left = 0


@cache
def _byte_pair_counter(encoding: str) -> CountTokens:
    return _TwoSpeeds(encoding)


class _TwoSpeeds:
    """Counts from the table on disk for `left` characters, then with splintr. Each is loaded at its first
    count.

    Every command is a new process, so the time to the first count decides: the table is ready in 2 ms,
    splintr needs .25 s at the first word that is not a token by itself. But splintr counts fourteen times
    faster, so a process that counts enough to pay for that start goes on with it. Both give the ids of
    OpenAI's tokenizers, and the test suite compares them with a third.
    """

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._table: TableCounter | None = None
        self._steady: CountTokens | None = None
        self.left = _WORTH_A_START

    def __call__(self, text: str) -> int:
        if self._steady is not None:
            return self._steady(text)
        self.left -= len(text)
        if self.left >= 0:
            table = self._table = self._table or TableCounter(self._encoding)
            try:
                return table(text)
            except CannotTell:
                pass
        steady = self._steady = _splintr_counter(self._encoding)
        self._table = None
        return steady(text)


def _splintr_counter(encoding: str) -> CountTokens:
    from splintr import Tokenizer as Splintr

    splintr = Splintr.from_pretrained(encoding)
    encode, encode_flat = splintr.encode_ordinary, splintr.encode_flat

    def count(text: str) -> int:
        try:
            # Four bytes a token, without a Python integer for each; but this call interprets special tokens.
            return len(encode_flat(text)) // 4 if "<|" not in text else len(encode(text))
        except UnicodeEncodeError:
            return len(encode(_encodable(text)))

    return count


def _count_approx(text: str) -> int:
    return (len(text) + 3) // 4


def _count_bytes(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return len(_encodable(text).encode())


def _encodable(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, character for character."""
    return _SURROGATE.sub("\ufffd", text)
