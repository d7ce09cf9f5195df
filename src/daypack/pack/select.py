"""Selection: which variants of which candidates, for a number of tokens.

    auto     lazy greedy over the increments of each candidate's variant hull, by dv / dc^.5; or the best single item.
             For a question it is divided by 1 + 4 · the share of the budget that is spent on the same record
    skip     whole chunks in rank order; those that do not fit are skipped
    prefix   whole chunks in rank order, up to the first that does not fit

The value of a candidate is its calibrated probability. Raw fused scores in a knapsack, or by score / cost,
fill the pack with tiny items: .744 → .37 evidence recall at 1,000 tokens (docs/decisions/006-constants.md).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from daypack.pack.variants import Choice, upper_hull
from daypack.types import Candidate, Variant

Widen = Callable[[Choice, int], Choice | None]
"""(a choice, tokens) → an extract with more lines, of at most so many tokens."""

COST_EXPONENT = 0.5
SPREAD = 4.0  # how fast more of the same record is worth less (docs/decisions/037-spread.md)
UNLIKELY = 0.005  # probability; below, more lines of a candidate that was cut are worth more


class Option:
    """A candidate that may be shown. Its variants are made when selection first needs them; for most candidates it never
    does.

    Until then `outline` bounds them: pairs of value and cost (tokens), where no variant has a higher value at a lower cost.
    It gives `least`, the lowest cost; `ceiling`, the upper bound of the density; `rate`, the upper bound of the value a
    token. In less room than `asks` (tokens) the variants are not worth making.
    """

    __slots__ = (
        "_choices",
        "_hull",
        "_make",
        "_widen",
        "asks",
        "candidate",
        "ceiling",
        "least",
        "outline",
        "rate",
    )

    def __init__(
        self,
        candidate: Candidate,
        outline: Sequence[tuple[float, int]],
        make: Callable[[], Sequence[Choice]],
        asks: int = 0,
        widen: Widen | None = None,
    ) -> None:
        self.candidate = candidate
        self.outline = outline
        self.least = min([cost for _, cost in outline])
        self.ceiling = candidate.probability * max([value / cost**COST_EXPONENT for value, cost in outline])
        self.rate = candidate.probability * max([value / cost for value, cost in outline])
        self.asks = max(asks, self.least)
        self._make = make
        self._widen = widen
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

    @property
    def smallest(self) -> Choice:
        """The first variant of the hull, also where `fit` left none."""
        return (self.hull or upper_hull(self.choices))[0]

    def fit(self, room: int) -> bool:
        """Leave out the variants of the hull that cost more than `room`; True when this brings in others that fit."""
        former = self.hull
        self._hull = upper_hull([choice for choice in self.choices if choice.cost <= room])
        return bool(self._hull) and self._hull[0].cost < former[0].cost

    def next_step(self, before: int, room: int) -> tuple[int, float]:
        """(the variant of the hull to show instead of the variant `before`, or -1; its density).

        It is the next variant; for code the densest one within `room`, because a body says more than a signature.
        """
        densest, best = -1, 0.0
        last = len(self.hull) if self._widen is not None else min(before + 2, len(self.hull))
        for step in range(before + 1, last):
            gain, cost = _increment(self.hull, before, step)
            density = gain / cost**COST_EXPONENT
            if density > best and (cost <= room or step == before + 1):
                densest, best = step, density
        return densest, best

    def smaller(self, choice: Choice, room: int) -> Choice | None:
        """The largest variant below `choice` that costs at most `room`, or else the smallest; None below the smallest."""
        below = [other for other in self.choices if other.cost < choice.cost]
        return next((other for other in reversed(below) if other.cost <= room), below[0] if below else None)

    def widened(self, choice: Choice, room: int) -> Choice | None:
        """An extract of code with more lines than `choice` that costs at most `room`; None for other texts."""
        return None if self._widen is None else self._widen(choice, room)


class Selected(NamedTuple):
    """A candidate in one of its variants; `density` orders which choice to give up first."""

    candidate: Candidate
    choice: Choice
    density: float


def select_greedy(
    options: Sequence[Option], limit: int, *, spread: float = 0.0
) -> tuple[list[Selected], float]:
    """(the chosen variants, their value over the bound of the LP relaxation). The greedy is that of Lin & Bilmes, 2010.

    The larger `spread`, the more records share the tokens; 0 leaves the records out of account.
    """
    greedy = _Greedy(options, limit, spread)
    greedy.run()
    chosen, value = greedy.chosen(), greedy.value
    single = _best_single(options, limit, value)
    if single is not None:
        chosen, value = [single], single.candidate.probability * single.choice.value
    bound = _bound(options, limit)
    return chosen, min(1.0, value / bound) if bound > 0 else 1.0


class _Greedy:
    """A choice under construction: steps to larger variants, the densest first, as long as they fit."""

    def __init__(self, options: Sequence[Option], limit: int, spread: float) -> None:
        self.value = 0.0
        self._options = options
        self._room = limit
        self._spread = spread / max(1, limit)
        self._spent: Counter[int] = Counter()  # tokens, by record
        self._level = [-1] * len(options)  # the chosen variant of each hull
        self._wider: dict[int, Choice] = {}  # extracts that replace it
        self._tight: list[int] = []  # chosen options whose next variant does not fit
        # (-what a step is worth beside the rest of its record, option, step, its density); a step of -1 is an option whose
        # variants are not made yet, by its ceiling.
        self._heap = [(-option.ceiling, i, -1, option.ceiling) for i, option in enumerate(options)]
        heapq.heapify(self._heap)

    def run(self) -> None:
        while self._heap:
            worth, i, step, density = heapq.heappop(self._heap)
            option = self._options[i]
            beside = self._beside(i, density)
            if beside < -worth:  # more of its record was taken since
                heapq.heappush(self._heap, (-beside, i, step, density))
                continue
            if option.candidate.probability < UNLIKELY:
                self._widen()
            if step >= 0:
                self._take(i, step)
            elif option.asks <= self._room:
                self._push(i)
        self._widen()

    def chosen(self) -> list[Selected]:
        return [
            selected(self._options[i].candidate, self._wider.get(i) or self._options[i].hull[n])
            for i, n in enumerate(self._level)
            if n >= 0
        ]

    def _push(self, i: int) -> None:
        option = self._options[i]
        step, gained = option.next_step(self._level[i], self._room)
        if step >= 0:
            density = option.candidate.probability * gained
            heapq.heappush(self._heap, (-self._beside(i, density), i, step, density))

    def _beside(self, i: int, density: float) -> float:
        """The worth of a density of an option, beside what the pack shows of its record."""
        return density / (1.0 + self._spread * self._spent[self._options[i].candidate.chunk.record_id])

    def _take(self, i: int, step: int) -> None:
        """Take a step if it still fits, else look for a smaller one."""
        option, before = self._options[i], self._level[i]
        gain, cost = _increment(option.hull, before, step)
        if cost <= self._room:
            self._level[i] = step
            self._pay(option, gain, cost)
            self._push(i)
        elif step > before + 1:
            self._push(i)
        elif before >= 0:
            self._tight.append(i)
        elif option.fit(self._room):
            self._push(i)

    def _widen(self) -> None:
        """Give each tight option as many lines as still fit, the best candidate first."""
        for i in sorted(self._tight):
            option = self._options[i]
            now = option.hull[self._level[i]]
            wider = option.widened(now, self._room + now.cost)
            if wider is not None:
                self._wider[i] = wider
                self._pay(option, wider.value - now.value, wider.cost - now.cost)
        self._tight.clear()

    def _pay(self, option: Option, gain: float, cost: int) -> None:
        self.value += option.candidate.probability * gain
        self._room -= cost
        self._spent[option.candidate.chunk.record_id] += cost


def selected(candidate: Candidate, choice: Choice) -> Selected:
    return Selected(
        candidate, choice, candidate.probability * choice.value / max(choice.cost, 1) ** COST_EXPONENT
    )


def _increment(hull: Sequence[Choice], before: int, step: int) -> tuple[float, int]:
    """(value gained, tokens paid) by the step from the variant `before`, -1 for none, to the variant `step`."""
    if before < 0:
        return hull[step].value, max(1, hull[step].cost)
    return hull[step].value - hull[before].value, max(1, hull[step].cost - hull[before].cost)


def with_first(options: Sequence[Option], chosen: Sequence[Selected], limit: int) -> list[Selected]:
    """The chosen variants, and the smallest of the first option, the best candidate: where it was not chosen, those with the
    lowest density make room for it.
    """
    first = options[0]
    if first.least > limit or any(item.candidate is first.candidate for item in chosen):
        return [*chosen]
    smallest = selected(first.candidate, first.choices[0])
    room = limit - smallest.choice.cost
    if room < 0:
        return [*chosen]
    kept = sorted(chosen, key=lambda item: item.density, reverse=True)
    while sum(item.choice.cost for item in kept) > room:
        kept.pop()
    return [smallest, *kept]


def _best_single(options: Sequence[Option], limit: int, floor: float) -> Selected | None:
    """The most valuable single variant, if it is worth more than `floor`; the first of equals."""
    best: Selected | None = None
    for option in options:
        p = option.candidate.probability
        if p > floor and option.least <= limit:  # no variant is worth more than the candidate
            for choice in option.hull:
                if choice.cost <= limit and p * choice.value > floor:
                    best, floor = selected(option.candidate, choice), p * choice.value
    return best


def _bound(options: Sequence[Option], limit: int) -> float:
    """The value of the fractional relaxation, an upper bound for any selection; outlines count for variants not made."""
    # (-value by token, gain, cost, -1), or (-its bound, 0, 0, option) of an outline
    heap: list[tuple[float, float, int, int]] = []

    def push(p: float, hull: Sequence[Choice]) -> None:
        for step in range(len(hull)):
            gain, cost = _increment(hull, step - 1, step)
            heapq.heappush(heap, (-p * gain / cost, p * gain, cost, -1))

    for i, option in enumerate(options):
        if option.known:
            push(option.candidate.probability, upper_hull(option.choices))
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
    """Whole chunks in rank order, without those that do not fit; with `stop` up to the first of these."""
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
