"""Bag of hashed words: every word adds one to the bucket that its 64-bit FNV-1a hash names; then unit length.

    "database search and indexing" · "database search"  =  2 / (√4 · √2)  =  .7071

No model, no stop words, no stemming, no weights: a reproducible baseline, and the embedder of the
JSON-document door.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from daypack.types.arrays import Vectors

DIM = 256
VERSION = 2  # rises with every change that gives a text another vector
# the baseline reads whole documents; this bounds a pathological one to about a tenth of a second
MAX_CHARACTERS = 1_000_000
_WORD = re.compile(r"[^\W_]+")
_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 0xFFFFFFFFFFFFFFFF


def fnv1a(data: bytes) -> int:
    """64-bit FNV-1a."""
    value = _OFFSET
    for byte in data:
        value = ((value ^ byte) * _PRIME) & _MASK
    return value


@lru_cache(maxsize=65_536)
def _bucket(word: str) -> int:
    return fnv1a(word.encode("utf-8", "replace")) % DIM


def counts(text: str) -> Counter[int]:
    """The number of hits of each bucket: the vector before it is brought to unit length."""
    found: Counter[int] = Counter()
    # Found before they are lowered, because "İ" becomes two characters, of which the second ends a word.
    for word, count in Counter(_WORD.findall(text[:MAX_CHARACTERS])).items():
        found[_bucket(word.lower())] += count
    return found


def similarity(one: Counter[int], other: Counter[int]) -> float:
    """The cosine of two texts' counts in double precision; 0 for a text without words."""
    if len(one) > len(other):
        one, other = other, one
    dot = sum(count * other[bucket] for bucket, count in one.items() if bucket in other)
    return dot / math.sqrt(_square(one) * _square(other)) if dot else 0.0


def _square(counted: Counter[int]) -> int:
    return sum(count * count for count in counted.values())


class HashingEmbedder:
    """Deterministic on every machine."""

    model_id = f"hashing-{DIM}-v{VERSION}"
    former_ids = tuple(f"hashing-{DIM}-v{version}" for version in range(1, VERSION))
    dim = DIM

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Row i belongs to texts[i]; a text without letters and digits gives zeros."""
        import numpy as np

        rows = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for bucket, count in counts(text).items():
                row[bucket] = count
            # math in float64: counts of a long text lose bits in float32 squares
            norm = float(np.linalg.norm(row.astype(np.float64)))
            if norm:
                row /= norm
        return rows
