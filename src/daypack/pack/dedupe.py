"""Duplicates: chunks that say the same are packed once, and counted.

Exact: equal text. Near: Jaccard of the sets of five-word shingles of at least .85; a sketch of the eight smallest shingle
hashes finds the pairs worth comparing (Broder, 1997), so that the cost stays linear.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace

from daypack.types import Candidate

NEAR = 0.85
_SHINGLE, _SKETCH = 5, 8


def _shingles(text: str) -> frozenset[int]:
    words = text.lower().split()
    return frozenset(zlib.crc32(" ".join(words[i : i + _SHINGLE]).encode("utf-8", "replace")) for i in range(max(1, len(words) - _SHINGLE + 1)))


def drop_duplicates(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """(kept, dropped); the best of equals is kept and carries how many it stands for. Order is preserved."""
    kept: list[Candidate] = []
    dropped: list[Candidate] = []
    by_hash: dict[str, int] = {}
    by_shingle: dict[int, list[int]] = {}
    sets: list[frozenset[int]] = []
    copies: list[int] = []
    for candidate in candidates:
        twin = by_hash.get(candidate.chunk.hash)
        shingles: frozenset[int] = frozenset()
        if twin is None:
            shingles = _shingles(candidate.chunk.text)
            near = {i for shingle in sorted(shingles)[:_SKETCH] for i in by_shingle.get(shingle, ())}
            twin = next((i for i in sorted(near) if len(sets[i] & shingles) >= NEAR * len(sets[i] | shingles)), None)
        if twin is not None:
            copies[twin] += 1
            dropped.append(candidate)
            continue
        by_hash[candidate.chunk.hash] = len(kept)
        for shingle in sorted(shingles)[:_SKETCH]:
            by_shingle.setdefault(shingle, []).append(len(kept))
        sets.append(shingles)
        copies.append(candidate.duplicates)
        kept.append(candidate)
    return [replace(c, duplicates=n) if n != c.duplicates else c for c, n in zip(kept, copies, strict=True)], dropped
