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
from typing import assert_never

from daypack.ports import CountTokens
from daypack.types import Tokenizer

__all__ = ["count_batch", "counter", "truncate"]

_NO_LIMIT = 1 << 40
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_TOKEN = 128  # characters; the longest of both vocabularies is a run of 128 spaces


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


def truncate(text: str, limit: int, tokenizer: Tokenizer) -> str:
    """The largest prefix of whole characters that counts at most `limit`.

    Byte-pair counts are not monotonic ("indivisibl" has more tokens than "indivisible"), so for o200k and cl100k the
    prefix is the largest that ends within one longest token of the place where the limit is first passed.
    """
    if limit <= 0:
        return ""
    match tokenizer:
        case Tokenizer.O200K:
            return _truncate_byte_pairs(text, limit, "o200k_base")
        case Tokenizer.CL100K:
            return _truncate_byte_pairs(text, limit, "cl100k_base")
        case Tokenizer.APPROX:
            return text[: 4 * limit]
        case Tokenizer.CHARS:
            return text[:limit]
        case Tokenizer.BYTES:
            # Cutting inside a character leaves a broken tail, and that tail alone, which "ignore" drops.
            kept = _encodable(text[:limit]).encode()[:limit].decode(errors="ignore")
            return text[: len(kept)]
        case _:
            assert_never(tokenizer)


def _byte_pair_counter(encoding: str) -> CountTokens:
    from toktok import truncate as toktok_truncate  # 12 MB of vocabularies: not before somebody counts

    def count(text: str) -> int:
        # `toktok.truncate` also gives the count of the whole text, in 1 µs for a short one and on this thread;
        # `toktok.batch_count` gives the same number and needs 35 µs to set its threads up.
        try:
            return int(toktok_truncate(text, _NO_LIMIT, encoding)[1])
        except UnicodeEncodeError:
            return int(toktok_truncate(_encodable(text), _NO_LIMIT, encoding)[1])

    return count


def _truncate_byte_pairs(text: str, limit: int, encoding: str) -> str:
    from toktok import truncate as toktok_truncate

    safe = _encodable(text)
    kept, total = toktok_truncate(safe, limit, encoding)
    if total <= limit:
        return text
    count = _byte_pair_counter(encoding)
    # The cut stands after the whole text's first `limit` tokens. Without its right neighbour the prefix may be split
    # in another way, into fewer tokens (then more text fits) or, where a rule looks ahead, into more.
    # Nothing joins a newline to a letter behind it, so what stands before such a place counts the same in both.
    head = 0
    for match in _LINE_START.finditer(safe, max(0, len(kept) - 20 * _LONGEST_TOKEN), max(0, len(kept) - _LONGEST_TOKEN)):
        head = match.start()
    room = limit - (count(safe[:head]) if head else 0)
    for end in range(min(len(safe), len(kept) + _LONGEST_TOKEN), head, -1):
        if count(safe[head:end]) <= room:
            return text[:end]
    return text[:head]


_LINE_START = re.compile(r"(?<=\n)[A-Za-z]")


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
