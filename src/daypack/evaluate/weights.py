"""Ranking weights for a user's own questions: a few factors of the defaults, chosen by cross-validation.

    every setting of a kind's weights      nDCG@10 of every case under it
    held out                               each case under the setting that was best on the folds without it
    chosen                                 the setting that is best on all cases; of equally good ones the nearest to the default

Weights are worth keeping when the 95 % interval of held out minus default, paired over the cases, lies above
0. The held-out value is the worth of the choice on unseen questions; the mean of the chosen setting itself
would flatter it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from daypack.evaluate.choosing import Estimate, best_setting, difference, estimate, held_out
from daypack.types.tuned_weights import WEIGHTS, ChunkKind, Evidence, Factors, Fitted, Interval

FEWEST = 20  # cases a kind: with fewer, an interval above 0 needs a gain that weights alone do not bring
# more: folds choose alike, and held-out values look surer than they are
# (docs/decisions/011-fitted-weights.md)
FOLDS = 3
CUTOFF = 10
_GRID: Mapping[str, tuple[float, ...]] = {
    "dense": (0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0),
    "context": (0.5, 1.0, 1.5),
    "coherence": (0.0, 0.5, 1.0, 1.5),
    "author": (1.0, 2.0),
    "name": (0.5, 1.0, 2.0),
    "file": (0.5, 1.0, 2.0),
}
Setting = tuple[tuple[str, float], ...]
"""Weights of one kind with their factors; those that stay at 1 are left out."""
DEFAULT: Setting = ()


def settings_of(kind: ChunkKind) -> list[Setting]:
    """Settings that are tried for a kind, the nearest to the default first."""
    names = WEIGHTS[kind]
    found = [
        tuple(zip(names, factors, strict=True))
        for factors in itertools.product(*(_GRID[name] for name in names))
    ]
    changed = [tuple((name, factor) for name, factor in setting if factor != 1) for setting in found]
    return sorted(changed, key=lambda setting: (sum(abs(factor - 1) for _, factor in setting), setting))


@dataclass(frozen=True, slots=True)
class KindFit:
    """Verdict of the cases on the weights of one kind. `evidence` is None with too few cases."""

    kind: ChunkKind
    expecting: int  # cases that expect a text of this kind
    factors: Mapping[str, float]  # the best on all cases; empty: the defaults are
    evidence: Evidence | None

    @property
    def helps(self) -> bool:
        return self.evidence is not None and bool(self.factors) and self.evidence.gain[1] > 0


@dataclass(frozen=True, slots=True)
class RankerFit:
    """A suite's verdict on every kind; `fitted` holds the weights to keep, None for the defaults."""

    suite: str
    cases: int  # cases that can judge a search
    kinds: tuple[KindFit, ...]
    fitted: Fitted | None


def chosen(kind: ChunkKind, expecting: int, values: Mapping[Setting, Mapping[str, float]]) -> KindFit:
    """The verdict from the values (setting → case → nDCG@10) of all settings, of which DEFAULT is one."""
    default, held = values[DEFAULT], held_out(values, FOLDS)
    gain = difference(held.values, default)
    assert gain is not None  # held_out refuses an empty table
    evidence = Evidence(
        len(default),
        _interval(estimate([*default.values()])),
        _interval(estimate([*held.values.values()])),
        _interval(gain.estimate),
    )
    return KindFit(kind, expecting, dict(best_setting(values, [*default])), evidence)


def _interval(found: Estimate) -> Interval:
    return round(found.mean, 6), round(found.low, 6), round(found.high, 6)


def factors_of(kinds: Sequence[KindFit]) -> Factors:
    """The weights of the kinds that gain from them."""
    return {one.kind: one.factors for one in kinds if one.helps}
