"""Means over questions with bootstrap intervals, paired differences, and the worth of choosing among
settings.

Questions are resampled 1,000 times with a fixed seed; an interval holds the middle 95 % of the resampled
means (percentiles).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from daypack.evaluate.measures import middle, resampled

SEED = 7
Setting = TypeVar("Setting", bound=Hashable)
Question = TypeVar("Question", bound=str)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` questions and its 95 % interval."""

    mean: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second over common questions. `p`: two-sided share of resampled means beyond zero."""

    estimate: Estimate
    p: float


def estimate(values: Sequence[float], *, seed: int = SEED) -> Estimate:
    """Mean and interval of the values of some questions; there must be one."""
    return Estimate(float(np.mean(values)), *middle(resampled(values, seed=seed)), len(values))


def difference(first: Mapping[Question, float], second: Mapping[Question, float]) -> Difference | None:
    """Paired over the keys that both have, None without any."""
    values = [first[question] - second[question] for question in first if question in second]
    if not values:
        return None
    means = resampled(values, seed=SEED)
    beyond = min(float((means <= 0).mean()), float((means >= 0).mean()))
    return Difference(estimate(values), min(1.0, 2 * beyond))


def best_setting(
    settings: Mapping[Setting, Mapping[Question, float]], questions: Sequence[Question]
) -> Setting:
    """The setting with the highest mean over these questions; of equally good ones the first."""
    return max(
        settings, key=lambda name: float(np.mean([settings[name][question] for question in questions]))
    )


@dataclass(frozen=True, slots=True)
class HeldOut(Generic[Setting, Question]):
    """Value of each question under the setting that was best on the other folds."""

    values: Mapping[Question, float]
    chosen: Mapping[Setting, int]  # setting → folds that chose it


def held_out(settings: Mapping[Setting, Mapping[Question, float]], folds: int) -> HeldOut[Setting, Question]:
    """Choose among settings (setting → question → value) by cross-validation over the questions that all
    settings have.

    Questions are dealt into folds in an order drawn with a fixed seed. The mean of the values is the worth of
    the choice on unseen questions. Raises ValueError without a fold to choose on and a fold to judge by.
    """
    questions = sorted(set.intersection(*(set(rows) for rows in settings.values()))) if settings else []
    if not 2 <= folds <= len(questions):
        raise ValueError(
            f"{folds} folds of {len(questions)} questions; at least two folds, and a question in each"
        )
    dealt = np.random.default_rng(SEED).permutation(len(questions)) % folds
    values: dict[Question, float] = {}
    chosen = dict.fromkeys(settings, 0)
    for fold in range(folds):
        best = best_setting(
            settings, [question for question, at in zip(questions, dealt, strict=True) if at != fold]
        )
        chosen[best] += 1
        values |= {
            question: settings[best][question]
            for question, at in zip(questions, dealt, strict=True)
            if at == fold
        }
    return HeldOut(values, chosen)
