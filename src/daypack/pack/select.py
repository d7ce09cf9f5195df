"""Selection: which variants of which candidates, for a number of tokens.

    auto     lazy greedy over the increments of each candidate's variant hull, by dv / dc^.5; best single item as a floor
    skip     rank order, whole chunks, what does not fit is passed over
    prefix   rank order, whole chunks, stop at the first that does not fit

The value of a candidate is its calibrated probability. Raw fused scores in a knapsack, or by score / cost,
fill the pack with tiny items: .744 → .37 evidence recall at 1,000 tokens (docs/decisions/006-constants.md).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

from daypack.pack.variants import Choice, upper_hull
from daypack.types import Candidate, Variant

COST_EXPONENT = 0.5


class Option:
    """A candidate that may be shown. Its variants are made when selection first needs them: most candidates
    are never worth it.

    `outline` stands for them until then: pairs of value and cost (tokens), and no variant has a higher value
    at a lower cost. From it: `least`, the lowest cost of any variant; `ceiling`, the upper bound of the
    density of every variant; `rate`, the upper bound of value by token. `asks` is the room (tokens) below
    which making the variants does not pay.
    """

    __slots__ = ("_choices", "_hull", "_make", "asks", "candidate", "ceiling", "least", "outline", "rate")

    def __init__(
        self,
        candidate: Candidate,
        outline: Sequence[tuple[float, int]],
        make: Callable[[], Sequence[Choice]],
        asks: int = 0,
    ) -> None:
        self.candidate = candidate
        self.outline = outline
        value, cost = outline[0]
        least, ceiling, rate = cost, value / cost**COST_EXPONENT, value / cost
        for value, cost in outline[1:]:
            least, ceiling, rate = (
                min(least, cost),
                max(ceiling, value / cost**COST_EXPONENT),
                max(rate, value / cost),
            )
        self.least, self.ceiling, self.rate = (
            least,
            candidate.probability * ceiling,
            candidate.probability * rate,
        )
        self.asks = max(asks, least)
        self._make = make
        self._choices: Sequence[Choice] | None = None
        self._hull: list[Choice] | None = None

    @property
    def known(self) -> bool:
        """True when the variants were made."""
        return self._choices is not None

    @property
    def choices(self) -> Sequence[Choice]:
        """All variants; the last is the whole chunk."""
        if self._choices is None:
            self._choices = self._make()
        return self._choices

    @property
    def hull(self) -> list[Choice]:
        """The variants on the upper convex hull, cheapest first."""
        if self._hull is None:
            self._hull = upper_hull(self.choices)
        return self._hull


class Selected(NamedTuple):
    """A candidate in one of its variants; `density` orders which choice to give up first."""

    candidate: Candidate
    choice: Choice
    density: float


def select_greedy(options: Sequence[Option], limit: int) -> tuple[list[Selected], float]:
    """The chosen variants, and value over the bound of the LP relaxation (Lin & Bilmes, 2010, for the
    greedy).
    """
    level = [-1] * len(options)
    # (-density, option, step); a step of -1 stands for all of an option, by its ceiling.
    heap = [(-option.ceiling, i, -1) for i, option in enumerate(options)]
    heapq.heapify(heap)

    def push(i: int) -> None:
        step = level[i] + 1
        if step < len(options[i].hull):
            gain, cost = _increment(options[i].hull, step)
            heapq.heappush(heap, (-options[i].candidate.probability * gain / cost**COST_EXPONENT, i, step))

    used, value = 0, 0.0
    while heap:
        _, i, step = heapq.heappop(heap)
        if step < 0:
            if used + options[i].asks <= limit:
                push(i)
            continue
        gain, cost = _increment(options[i].hull, step)
        if used + cost <= limit:
            used += cost
            value += options[i].candidate.probability * gain
            level[i] = step
            push(i)
    chosen = [selected(options[i].candidate, options[i].hull[n]) for i, n in enumerate(level) if n >= 0]
    single = _best_single(options, limit, value)
    if single is not None:
        chosen, value = [single], single.candidate.probability * single.choice.value
    bound = _bound(options, limit)
    return chosen, min(1.0, value / bound) if bound > 0 else 1.0


def selected(candidate: Candidate, choice: Choice) -> Selected:
    return Selected(
        candidate, choice, candidate.probability * choice.value / max(choice.cost, 1) ** COST_EXPONENT
    )


def _increment(hull: Sequence[Choice], step: int) -> tuple[float, int]:
    """(value gained, tokens paid) by the step from the variant before to this one."""
    if step == 0:
        return hull[0].value, max(1, hull[0].cost)
    return hull[step].value - hull[step - 1].value, max(1, hull[step].cost - hull[step - 1].cost)


def _best_single(options: Sequence[Option], limit: int, floor: float) -> Selected | None:
    """The single variant that is worth more than `floor`; of several the best, of equals the first."""
    best: Selected | None = None
    for option in options:
        p = option.candidate.probability
        if p > floor and option.least <= limit:  # no variant is worth more than the candidate
            for choice in option.hull:
                if choice.cost <= limit and p * choice.value > floor:
                    best, floor = selected(option.candidate, choice), p * choice.value
    return best


def _bound(options: Sequence[Option], limit: int) -> float:
    """Value of the fractional relaxation: an upper bound of any selection.

    For variants that were not made, the outline counts.
    """
    # (-value by token, gain, cost, -1), or (-its bound, 0, 0, option) of an outline
    heap: list[tuple[float, float, int, int]] = []

    def push(p: float, hull: Sequence[Choice]) -> None:
        for step in range(len(hull)):
            gain, cost = _increment(hull, step)
            heapq.heappush(heap, (-p * gain / cost, p * gain, cost, -1))

    for i, option in enumerate(options):
        if option.known:
            push(option.candidate.probability, option.hull)
        elif option.least <= limit:
            heapq.heappush(heap, (-option.rate, 0.0, 0, i))
    room, value = limit, 0.0
    while heap:
        _, gain, cost, i = heapq.heappop(heap)
        if i >= 0:
            push(
                options[i].candidate.probability,
                upper_hull([Choice(Variant.FULL, (), *point) for point in options[i].outline]),
            )
        elif cost > room:
            return value + gain * room / cost
        else:
            value += gain
            room -= cost
    return value


def select_in_order(options: Sequence[Option], limit: int, *, stop: bool) -> list[Selected]:
    """Whole chunks in rank order: skip those that do not fit, or stop at the first."""
    chosen: list[Selected] = []
    used = 0
    for n, option in enumerate(options):
        full = option.choices[-1]
        if used + full.cost > limit:
            if stop:
                break
            continue
        used += full.cost
        chosen.append(Selected(option.candidate, full, -float(n)))
    return chosen
