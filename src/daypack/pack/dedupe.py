"""Duplicates: chunks that say the same are packed once, and counted.

Exact: equal text. Near: Jaccard of the sets of five-word shingles of at least .85; a sketch of the eight smallest shingle
hashes finds the pairs worth comparing (Broder, 1997), so that the cost stays linear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from daypack.types import Candidate

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR = 0.85
_SHINGLE, _SKETCH = 5, 8
_HASH_BITS = 48
# Odd numbers, one for each place in a shingle, so that the order of its words counts.
_PLACES = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
_MIX = 0xE7037ED1A0B428DB


def _shingles(texts: Sequence[str]) -> list[NDArray[np.uint64]]:
    """The hashes of the shingles of each text, rising, each once. All texts at once: one by one is twenty times slower."""
    if not texts:
        return []
    words = [text.lower().split() for text in texts]
    words = [found if len(found) >= _SHINGLE else [*found, *[""] * (_SHINGLE - len(found))] for found in words]
    flat = [*chain.from_iterable(words)]
    # Words are numbered as they come: `hash()` differs from process to process, and a checksum of each takes longer than all the rest.
    numbered = dict.fromkeys(flat)
    numbered = dict(zip(numbered, range(1, len(numbered) + 1), strict=True))
    hashes = np.fromiter(map(numbered.__getitem__, flat), dtype=np.uint64, count=len(flat)) * np.uint64(_MIX)
    hashes ^= hashes >> np.uint64(32)
    lengths = np.asarray([len(found) for found in words])
    mixed = np.zeros(len(hashes) - _SHINGLE + 1, dtype=np.uint64)
    for place, factor in enumerate(_PLACES):
        mixed += hashes[place : place + len(mixed)] * np.uint64(factor)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_MIX)
    numbers = lengths - _SHINGLE + 1
    starts = np.cumsum(lengths) - lengths
    at = np.repeat(starts - (np.cumsum(numbers) - numbers), numbers) + np.arange(numbers.sum())
    text = np.repeat(np.arange(len(texts), dtype=np.uint64), numbers)
    keys = np.sort((text << np.uint64(_HASH_BITS)) | (mixed[at] >> np.uint64(64 - _HASH_BITS)))
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
    bounds = np.searchsorted(keys, np.arange(1, len(texts), dtype=np.uint64) << np.uint64(_HASH_BITS))
    return np.split(keys & np.uint64((1 << _HASH_BITS) - 1), bounds)


def _alike(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> bool:
    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared >= NEAR * (len(a) + len(b) - shared)


def drop_duplicates(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """(kept, dropped); the best of equals is kept and carries how many it stands for. Order is preserved."""
    kept: list[Candidate] = []
    dropped: list[Candidate] = []
    by_hash: dict[str, int] = {}
    by_shingle: dict[int, list[int]] = {}
    sets: list[NDArray[np.uint64]] = []
    copies: list[int] = []
    all_shingles = _shingles([candidate.chunk.text for candidate in candidates])
    sketches: list[list[int]] = [shingles[:_SKETCH].tolist() for shingles in all_shingles]
    often = {shingle for shingle, number in Counter(chain.from_iterable(sketches)).items() if number > 1}
    for candidate, shingles, smallest in zip(candidates, all_shingles, sketches, strict=True):
        twin = by_hash.get(candidate.chunk.hash)
        sketch = often.intersection(smallest)  # most share nothing with anybody
        if twin is None:
            near = {i for shingle in sketch for i in by_shingle.get(shingle, ())}
            twin = next((i for i in sorted(near) if _alike(sets[i], shingles)), None)
        if twin is not None:
            copies[twin] += 1 + candidate.duplicates
            dropped.append(candidate)
            continue
        by_hash[candidate.chunk.hash] = len(kept)
        for shingle in sketch:
            by_shingle.setdefault(shingle, []).append(len(kept))
        sets.append(shingles)
        copies.append(candidate.duplicates)
        kept.append(candidate)
    return [replace(c, duplicates=n) if n != c.duplicates else c for c, n in zip(kept, copies, strict=True)], dropped
