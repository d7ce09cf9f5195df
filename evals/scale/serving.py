"""One process that searches, under questions that arrive at random: a queue, one core and a memory of so many bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

import numpy as np

from evals.scale.figures import Figures, cost_at
from evals.scale.population import Population


class Served(NamedTuple):
    """How a process did over one run. Times in milliseconds by the clock, waiting included."""

    p50: float
    p95: float
    p99: float
    busy: float  # share of the core's time
    warm: float  # share of the questions whose scope was in memory


def served(
    population: Population,
    figures: Figures,
    *,
    a_second: float,
    memory_bytes: float,
    questions: int,
    randomness: np.random.Generator,
) -> Served:
    """Questions arrive as a Poisson process, wait for the core in order, and take what their scope was measured to
    take; a scope that is not in memory pays for its opening and pushes out those asked longest ago. The first fifth,
    which fills the memory, is not counted.
    """
    which = randomness.choice(len(population.chunks), questions, p=population.share)
    arrivals = np.cumsum(randomness.exponential(1e3 / a_second, questions))
    free = 0.0  # when the core is
    held: OrderedDict[int, float] = OrderedDict()
    room = memory_bytes
    taken, hits, used = np.empty(questions), 0, 0.0
    first = questions // 5
    for number, (scope, arrival) in enumerate(zip(which.tolist(), arrivals.tolist(), strict=True)):
        size = float(population.chunks[scope])
        cost = cost_at(figures.search_ms, size)
        if scope in held:
            held.move_to_end(scope)
            hits += number >= first
        else:
            cost += cost_at(figures.opening_ms, size)
            held[scope] = size * figures.resident_bytes
            room -= held[scope]
            while room < 0 and len(held) > 1:
                room += held.popitem(last=False)[1]
        free = max(free, arrival) + cost
        taken[number] = free - arrival
        used += cost
    counted = taken[first:]
    p50, p95, p99 = (float(value) for value in np.percentile(counted, (50, 95, 99)))
    return Served(p50, p95, p99, used / float(arrivals[-1]), hits / len(counted))
