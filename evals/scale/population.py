"""Who asks, and over how much text: sizes of scopes with a long tail, and people of unequal diligence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Population(NamedTuple):
    """Scopes and how often each is asked; both arrays have one entry a scope."""

    chunks: NDArray[np.int64]
    share: NDArray[np.float64]  # of all questions; adds up to 1


def drawn(
    users: int, chunks: int, *, largest: int, tail: float, randomness: np.random.Generator
) -> Population:
    """One scope a user. Sizes are lognormal with the spread `tail` (1.2: the largest hundredth holds a seventh of the
    text), scaled to `chunks` in all, none above `largest`: what is above it is dealt out among the others. Diligence
    is lognormal too, and independent of size. Raises ValueError where the scopes cannot hold so many chunks.
    """
    if chunks > users * largest:
        raise ValueError(f"{users} scopes of at most {largest} chunks hold fewer than {chunks}")
    raw = randomness.lognormal(0, tail, users)
    low, high = 0.0, chunks / raw.min()
    for _ in range(80):  # the scale at which the capped sizes add up
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(raw * middle, largest).sum() < chunks else (low, middle)
    sizes = np.maximum(np.minimum(raw * high, largest).round().astype(np.int64), 1)
    diligence = randomness.lognormal(0, 1, users)
    return Population(sizes, diligence / diligence.sum())


def placed(scopes: int, shards: int, nodes: int) -> NDArray[np.int64]:
    """The node of each scope: a scope hashes to a shard, shards are dealt out in turn, as `create_distributed_table` does."""
    numbers = np.arange(scopes, dtype=np.uint64)
    # Fibonacci hashing: PostgreSQL's own function would do as well; only evenness matters here.
    mixed = (numbers * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    return ((mixed % np.uint64(shards)) % np.uint64(nodes)).astype(np.int64)
