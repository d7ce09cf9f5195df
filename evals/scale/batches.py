"""Bulk work on machines that fail: leases, repeats, and an insert that counts once."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np


class Embedded(NamedTuple):
    """A bulk embedding by many workers."""

    hours: float  # by the clock
    repeated: float  # share of the batches that were computed more than once
    handed_over_twice: int  # batches that two workers delivered: the second insert changes nothing
    missing: int  # batches that nobody delivered: must be 0


def embedded(
    batches: int,
    *,
    seconds_a_batch: float,
    workers: int,
    hours_between_failures: float,
    lease_seconds: float,
    randomness: np.random.Generator,
) -> Embedded:
    """Workers lease a batch, compute and deliver it under its content's hash. One that dies delivers nothing, or, one
    time in ten, has delivered and not said so; another takes the batch when the lease ends. A new worker stands in
    its place at once. Each batch takes up to a fifth longer or shorter.
    """
    waiting = [(0.0, batch) for batch in range(batches)]  # free to lease at
    heapq.heapify(waiting)
    idle = [0.0] * workers
    delivered = np.zeros(batches, dtype=np.int64)
    computed = np.zeros(batches, dtype=np.int64)
    end = 0.0
    rate = 1 / (hours_between_failures * 3600)
    while waiting:
        free_at, batch = heapq.heappop(waiting)
        start = max(heapq.heappop(idle), free_at)
        takes = seconds_a_batch * float(randomness.uniform(0.8, 1.2))
        dies_after = float(randomness.exponential(1 / rate))
        computed[batch] += 1
        if dies_after < takes:
            if float(randomness.random()) < 0.1:
                delivered[batch] += 1
            heapq.heappush(idle, start + dies_after)
            heapq.heappush(waiting, (start + lease_seconds, batch))
            continue
        delivered[batch] += 1
        end = max(end, start + takes)
        heapq.heappush(idle, start + takes)
    return Embedded(
        end / 3600, float((computed > 1).mean()), int((delivered > 1).sum()), int((delivered == 0).sum())
    )


def moved(chunks: int, stored_bytes: float, nodes: int, megabytes_a_second: float) -> tuple[float, float]:
    """(share of the text that moves, hours) when one node joins `nodes`: its part of the shards is copied to it, one
    after the other, while the old copies answer.
    """
    share = 1 / (nodes + 1)
    return share, chunks * stored_bytes * share / (megabytes_a_second * 1e6) / 3600
