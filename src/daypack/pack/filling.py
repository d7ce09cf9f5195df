"""Filling: the room that a pack leaves takes larger variants and omitted candidates, best first.

    the additions that should fit together → build → too large? drop the last of them, and build again
    all fit?                                 go on behind the last

Each addition is estimated; a count of the built pack decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from daypack.pack.frame import Frame
from daypack.pack.select import Option, Selected, selected
from daypack.pack.variants import Choice
from daypack.types import Pack

_BUILDS, _FAILURES = 12, 2  # the most that filling takes of each

Build: TypeAlias = Callable[[Sequence[Selected]], Pack]
"""Chosen variants → their pack, rendered and counted."""


class _Addition(NamedTuple):
    """A larger variant of a candidate, which may fit into the room left."""

    item: Selected
    cost: int  # beyond that of the variant that is shown
    following: int  # the place of the next option

    @property
    def chunk_id(self) -> int:
        return self.item.candidate.chunk.id

    @property
    def record_id(self) -> int:
        return self.item.candidate.chunk.record_id


class _Attempt(NamedTuple):
    """The outcome of some additions to a pack."""

    pack: Pack
    shown: Mapping[int, Selected]  # by chunk id
    fitting: int  # the number of additions that fit
    builds: int

    @property
    def failures(self) -> int:
        return self.builds - (self.fitting > 0)


class Filler(NamedTuple):
    """The candidates of a pack, best first, and what it takes to add them."""

    options: Sequence[Option]
    build: Build
    frame: Frame
    too_large: Mapping[int, int] = MappingProxyType({})  # chunk id → the cost of a variant that does not fit

    def without(self, dropped: Sequence[Selected]) -> Filler:
        """This filler, after choices were dropped to stay within the limit: a single one is known not to fit; of several, some
        may.
        """
        if len(dropped) != 1:
            return self
        return self._replace(too_large={item.candidate.chunk.id: item.choice.cost for item in dropped})

    def filled(self, pack: Pack, chosen: Sequence[Selected]) -> Pack:
        """The pack of the chosen variants with its remaining room used. As many additions as should fit are built at once."""
        shown: Mapping[int, Selected] = {item.candidate.chunk.id: item for item in chosen}
        records = {item.candidate.chunk.record_id for item in chosen}
        builds = failures = start = 0
        while builds < _BUILDS and failures < _FAILURES:
            additions = self._additions(pack, shown, records, start)
            if not additions:
                break
            records.update(addition.record_id for addition in additions)
            attempt = self._attempt(pack, shown, additions)
            pack, shown = attempt.pack, attempt.shown
            builds += attempt.builds
            failures += attempt.failures
            start = additions[max(attempt.fitting, 1) - 1].following
        return pack

    def _attempt(self, pack: Pack, shown: Mapping[int, Selected], additions: Sequence[_Addition]) -> _Attempt:
        """The pack with as many of the additions as fit. As many of the last ones are dropped at once as the excess costs."""
        fitting, builds = [*additions], 0
        while fitting:
            trial = {**shown, **{addition.chunk_id: addition.item for addition in fitting}}
            larger = self.build([*trial.values()])
            builds += 1
            excess = larger.tokens_used - pack.budget.limit
            if excess <= 0:
                return _Attempt(larger, trial, len(fitting), builds)
            while fitting and excess > 0:
                excess -= fitting.pop().cost
        return _Attempt(pack, shown, 0, builds)

    def _additions(
        self, pack: Pack, shown: Mapping[int, Selected], records: Set[int], start: int
    ) -> list[_Addition]:
        """The additions of the options from `start` on that should fit together into the room left. `records` are those that
        the pack shows, or was to show.
        """
        left = pack.budget.limit - pack.tokens_used
        least = 1 + min(self.frame.further.values()) // 2
        records = {*records}
        additions: list[_Addition] = []
        for following, option in enumerate(self.options[start:], start + 1):
            if left < least:
                break
            chunk = option.candidate.chunk
            before = shown.get(chunk.id)
            paid = before.choice.cost if before is not None else 0
            # Some of the frame may vanish when neighbours join, so a little over is worth a try.
            joined = self.frame.further[chunk.record_kind] // 3 if chunk.record_id in records else 0
            room = paid + left + joined
            room = min(room, self.too_large.get(chunk.id, room + 1) - 1)
            choice = _larger(option, before, room)
            if choice is not None:
                additions.append(_Addition(selected(option.candidate, choice), choice.cost - paid, following))
                left -= choice.cost - paid
                records.add(chunk.record_id)
        return additions


def _larger(option: Option, before: Selected | None, room: int) -> Choice | None:
    """The largest variant of a candidate that costs at most `room`; None when it is worth no more than the one before."""
    value = before.choice.value if before is not None else 0.0
    if value >= 1.0 or option.least > room:
        return None
    better = [choice for choice in option.choices if choice.value > value and choice.cost <= room]
    return better[-1] if better else None
