"""Duplicates: chunks that say the same are packed once, and counted.

Two chunks say the same when the Jaccard index of their sets of five-word shingles is at least .85. Whoever has a twin shares nearly all of
its shingles with others, so those are compared, and nobody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from daypack.types import Candidate

NEAR = 0.85
_SHINGLE = 5
_NAME_BITS = 16  # of a text, below the hash of one of its shingles
# Odd numbers, one for each place in a shingle, so that the order of its words counts.
_PLACES = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)
_MIX = 0xE7037ED1A0B428DB


def _suspects(texts: Sequence[str]) -> dict[int, set[int]]:
    """Texts of which at least `NEAR` of the shingles are in others as well, with the hashes of all of theirs. All texts at once: one by one is
    twenty times slower."""
    words = [text.lower().split() for text in texts]
    words = [found if len(found) >= _SHINGLE else [*found, *[""] * (_SHINGLE - len(found))] for found in words]
    flat = [*chain.from_iterable(words)]
    # `hash()` differs from process to process; what equals what does not.
    hashes = np.fromiter(map(hash, flat), dtype=np.int64, count=len(flat)).view(np.uint64) * np.uint64(_MIX)
    hashes ^= hashes >> np.uint64(32)
    mixed = np.zeros(len(hashes) - _SHINGLE + 1, dtype=np.uint64)
    for place, factor in enumerate(_PLACES):
        mixed += hashes[place : place + len(mixed)] * np.uint64(factor)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_MIX)
    lengths = np.asarray([len(found) for found in words])
    within = np.ones(len(flat), dtype=bool)  # of one text, not begun in one and ended in the next
    ends = np.cumsum(lengths)
    for back in range(1, _SHINGLE):
        within[ends - back] = False
    names = np.repeat(np.arange(len(texts), dtype=np.uint64), lengths)
    keys = (mixed >> np.uint64(_NAME_BITS) << np.uint64(_NAME_BITS) | names[: len(mixed)])[within[: len(mixed)]]
    keys.sort()
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
    shingles, names = keys >> np.uint64(_NAME_BITS), (keys & np.uint64((1 << _NAME_BITS) - 1)).astype(np.int64)
    same = np.concatenate([[False], shingles[1:] == shingles[:-1], [False]])
    shared = np.bincount(names[same[1:] | same[:-1]], minlength=len(texts))
    chosen = np.flatnonzero(shared >= NEAR * np.bincount(names, minlength=len(texts))).tolist()
    return {i: set(shingles[names == i].tolist()) for i in chosen}


def _alike(one: set[int], other: set[int]) -> bool:
    if min(len(one), len(other)) < NEAR * max(len(one), len(other)):
        return False
    shared = len(one & other)
    return shared >= NEAR * (len(one) + len(other) - shared)


def twins(texts: Sequence[str]) -> dict[int, int]:
    """Texts that say what an earlier one says → the first of those."""
    if len(texts) < 2:
        return {}
    suspects = _suspects(texts)
    kept: list[int] = []
    found: dict[int, int] = {}
    for i, shingles in suspects.items():
        twin = next((j for j in kept if _alike(suspects[j], shingles)), None)
        if twin is None:
            kept.append(i)
        else:
            found[i] = twin
    return found


def drop_duplicates(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """(kept, dropped); the best of equals is kept and carries how many it stands for. Order is preserved."""
    twin_of = twins([candidate.chunk.text for candidate in candidates])
    copies: dict[int, int] = {}
    for i, twin in twin_of.items():
        copies[twin] = copies.get(twin, candidates[twin].duplicates) + 1 + candidates[i].duplicates
    kept = [
        replace(candidate, duplicates=copies[i]) if i in copies else candidate for i, candidate in enumerate(candidates) if i not in twin_of
    ]
    return kept, [candidates[i] for i in sorted(twin_of)]
