"""Text to a number of tokens, by a named counter: `counter(Tokenizer.O200K)("hello world") == 2`.

    o200k, cl100k   exact, by byte-pair encoding; text that looks like a special token counts as the text it is
    approx          ceil(characters / 4): free of any vocabulary, and of any promise
    chars, bytes    what they say; bytes of UTF-8

Every counter takes every Python string: a lone surrogate counts as U+FFFD, which is what a decoder would make of it.

Counts do not add up across concatenation, so a budget is held by counting the final string, never by a sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import assert_never

from daypack.ports import CountTokens
from daypack.types import Tokenizer

__all__ = ["count_batch", "counter"]

_QUICK_CHARACTERS = 3_000_000  # of prose 18 against 67 MB/s, of code 20 and 20: from about five million on the slower start pays
_SURROGATE = re.compile("[\ud800-\udfff]")


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


def count_batch(tokenizer: Tokenizer, texts: Iterable[str]) -> list[int]:
    """One count a text, in order."""
    return [*map(counter(tokenizer), texts)]


@cache
def _byte_pair_counter(encoding: str) -> CountTokens:
    """Both libraries give the ids of OpenAI's tokenizers, and the test suite compares them with a third.

    Every command starts anew, so the time to the first count decides: rs-bpe is ready in .07 s of CPU and has wheels for the
    common platforms; splintr has wheels for all, and needs .25 s once a text is not plain ASCII. (toktok: .6 s.) But splintr
    counts prose three times faster, so a process that has counted as much as that start is worth goes on with it.
    """
    try:
        from rs_bpe.bpe import openai
    except ImportError:
        return _splintr_counter(encoding)
    quick: CountTokens = getattr(openai, encoding)().count
    steady: CountTokens | None = None
    left = _QUICK_CHARACTERS

    def count(text: str) -> int:
        nonlocal steady, left
        if steady is not None:
            return steady(text)
        left -= len(text)
        if left < 0:
            steady = _splintr_counter(encoding)
        try:
            return quick(text)
        except UnicodeEncodeError:
            return quick(_encodable(text))

    return count


def _splintr_counter(encoding: str) -> CountTokens:
    from splintr import Tokenizer as Splintr

    splintr = Splintr.from_pretrained(encoding)
    encode, encode_flat = splintr.encode_ordinary, splintr.encode_flat

    def count(text: str) -> int:
        try:
            # Four bytes a token, without a Python integer for each; but this call takes special tokens for what they say.
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
