"""Duplicates: chunks that say the same are packed once, and counted.

Two chunks say the same when the Jaccard index of their sets of five-word shingles is at least .85. A chunk
with a near duplicate shares nearly all of its shingles, so only such chunks are compared. A first look
at all texts as bytes finds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from daypack.types import Candidate
from daypack.types.arrays import Array, UInt32s

NEAR = 0.85
_SHINGLE = 5
# odd: it has an inverse modulo 2^32, so a sum of bytes times its powers can be moved to its beginning
_FACTOR = 0x9E3779B1
_BUCKETS = 15  # bits of a hash by which shingles are counted, at most
_BLANK = 32  # bytes up to it are not part of a word


@cache
def _powers(bits: int, factor: int) -> UInt32s:
    """The first 2^bits powers of a factor, modulo 2^32."""
    if not bits:
        return np.ones(1, dtype=np.uint32)
    half = _powers(bits - 1, factor)
    return np.concatenate([half, half * np.uint32(pow(factor, len(half), 1 << 32))])


def _running(values: Array, kind: type) -> Array:
    """Sums of the first none, one, two … values. Methods here and below: numpy's functions around them are
    Python code, and cost as much.
    """
    sums: Array = np.zeros(len(values) + 1, dtype=kind)
    values.cumsum(dtype=kind, out=sums[1:])
    return sums


def _suspects(texts: Sequence[str]) -> dict[int, set[int]]:
    """Texts with `NEAR` of their shingles perhaps in others as well, with the hashes of all their shingles.

    All texts at once, and as bytes: words as Python's strings take four times as long. The hash of a word
    whose bytes are those from `a` to `b` is S[b] - S[a], S being the sums of bytes times powers, and
    multiplied by a power it is moved to the place of the word without blanks. The hash of a shingle is the
    sum over its words, moved to the beginning. Shared shingles are counted by the first bits of the hash, so
    a few count as shared that are not.
    """
    # Blanks beyond ASCII separate words as well, and letters beyond it have two cases.
    encoded = [
        (text if text.isascii() else " ".join(text.lower().split())).encode("utf-8", "surrogatepass")
        for text in texts
    ]
    together = np.frombuffer(b" ".join([b"", *encoded, b""]).lower(), dtype=np.uint8)
    solid = together > _BLANK
    edges = (solid[1:] != solid[:-1]).nonzero()[0] + 1
    starts, ends = edges[::2], edges[1::2]
    number = len(starts)
    if not number:
        return {}
    bits = len(together).bit_length()
    back = _powers(bits, pow(_FACTOR, -1, 1 << 32))
    sums = _running(together * _powers(bits, _FACTOR)[: len(together)], np.uint32)
    places = _running(ends - starts, np.int64)  # of words, when blanks are left out
    totals = _running((sums[ends] - sums[starts]) * back[starts - places[:-1]], np.uint32)
    # Words of a text reach from one of these to the next.
    firsts = starts.searchsorted(_running(np.asarray([len(text) + 1 for text in encoded]), np.int64))
    last = (firsts[1:] - 1).repeat(firsts[1:] - firsts[:-1])
    words = np.arange(number)
    whole = words + _SHINGLE - 1 <= last
    whole[firsts[:-1][firsts[:-1] < firsts[1:]]] = True  # a text of fewer words is one shingle
    begins = whole.nonzero()[0]
    hashes = (totals[np.minimum(begins + _SHINGLE - 1, last[begins]) + 1] - totals[begins]) * back[
        places[begins]
    ]
    buckets = hashes >> np.uint32(32 - min(_BUCKETS, 1 + len(hashes).bit_length()))
    shared = _running(np.bincount(buckets)[buckets] > 1, np.int64)
    edge = begins.searchsorted(firsts)
    sizes, common = edge[1:] - edge[:-1], shared[edge[1:]] - shared[edge[:-1]]
    chosen = ((common >= NEAR * sizes) & (sizes > 0)).nonzero()[0]
    return {i: set(hashes[edge[i] : edge[i + 1]].tolist()) for i in chosen.tolist()}


def _alike(first: set[int], second: set[int]) -> bool:
    shared = len(first & second)
    return shared >= NEAR * (len(first) + len(second) - shared)


def near_duplicates(texts: Sequence[str]) -> dict[int, int]:
    """Texts that nearly equal an earlier one → the first such text."""
    if len(texts) < 2:
        return {}
    suspects = _suspects(texts)
    originals: list[int] = []
    twin_of: dict[int, int] = {}
    for i, shingles in suspects.items():
        least, most = NEAR * len(shingles), len(shingles) / NEAR
        twin = next(
            (j for j in originals if least <= len(suspects[j]) <= most and _alike(suspects[j], shingles)),
            None,
        )
        if twin is None:
            originals.append(i)
        else:
            twin_of[i] = twin
    return twin_of


def copies(texts: Sequence[str]) -> dict[int, int]:
    """Texts, or hashes of texts, that equal an earlier one → the first such text."""
    if len({*texts}) == len(texts):
        return {}
    first: dict[str, int] = {}
    return {i: twin for i, text in enumerate(texts) if (twin := first.setdefault(text, i)) != i}


def without(
    candidates: Sequence[Candidate], twin_of: Mapping[int, int]
) -> tuple[list[Candidate], list[Candidate]]:
    """(kept, dropped); the first of equal candidates is kept with the number that it stands for. Order is
    preserved.
    """
    if not twin_of:
        return [*candidates], []
    numbers: dict[int, int] = {}
    for i, twin in twin_of.items():
        numbers[twin] = numbers.get(twin, candidates[twin].duplicates) + 1 + candidates[i].duplicates
    kept = [
        candidate._replace(duplicates=numbers[i]) if i in numbers else candidate
        for i, candidate in enumerate(candidates)
        if i not in twin_of
    ]
    return kept, [candidates[i] for i in sorted(twin_of)]
