"""Retrieval arms of a store compared: the best one, and the cases in which the fused list falls below it.

    RR of an arm            mean of 1 / rank of the known item, 0 where the arm does not find it, with a 95 % bootstrap interval
    fused − best arm        paired over the questions, with the interval of the mean difference

The best arm of a row is chosen on the row's own questions, which flatters it: so a fused list that equals it
serves better than any arm chosen beforehand.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from daypack.evaluate.choosing import Estimate, estimate
from daypack.evaluate.known_items import Question, QuestionKind
from daypack.evaluate.measures import recall, reciprocal_rank
from daypack.types import VectorMode

FEWEST = 20  # questions that a verdict needs
CUTOFF = 10
HARDLY_FINDS = 0.5  # guess: R@10 of a model on its own texts; English ones have .9 and more


class Arm(enum.StrEnum):
    """A way to order the candidates of one query."""

    UNIT = "lexical unit"  # BM25F of the chunk alone
    CONTEXT = "lexical context"  # … read together with its neighbours
    DENSE = "dense"  # cosine of the vectors
    WORDS_ONLY = "fused, words only"  # the results of --vectors none
    FUSED = "fused"  # the results of a query


SINGLE = (Arm.UNIT, Arm.CONTEXT, Arm.DENSE)


class ArmVerdict(enum.StrEnum):
    """The fused list beside the best single arm."""

    ABOVE = "above"
    LEVEL = "level"  # the interval of the difference holds 0
    BELOW = "below"
    TOO_FEW = "too few"


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """One question, and the 1-based rank of its item in every arm; None where the arm does not have it."""

    question: Question
    ranks: Mapping[Arm, int | None]


@dataclass(frozen=True, slots=True)
class ArmRow:
    """The questions of one kind: of a kind of record, made in one way, or all questions."""

    group: str
    questions: int
    rr: Mapping[Arm, Estimate]
    recall: Mapping[Arm, float]  # R@10
    best: Arm  # the best single arm by RR
    difference: Estimate  # RR of the fused list minus RR of the best arm
    verdict: ArmVerdict


@dataclass(frozen=True)
class SelfCheck:
    """Verdict of known-item questions on one store. `turned_away` counts the questions without an answer."""

    asked: Sequence[RankedQuestion]
    seed: int
    items: int
    vectors: VectorMode
    vectors_missing: int
    chunks: int
    turned_away: int

    @cached_property
    def rows(self) -> tuple[ArmRow, ...]:
        """All questions, then those of each kind of record and way of asking."""
        groups = {"all": [*self.asked]}
        for item in self.asked:
            groups.setdefault(f"of {item.question.record_kind.value}", []).append(item)
        for kind in QuestionKind:
            groups[f"by {kind.value}"] = [item for item in self.asked if item.question.kind is kind]
        return tuple(_row(name, members, self.seed) for name, members in groups.items() if members)

    @property
    def suggestions(self) -> tuple[str, ...]:
        return tuple(_suggestions(self))

    @property
    def examples(self) -> tuple[Question, ...]:
        """The first question made in each way."""
        first = {item.question.kind: item.question for item in reversed(self.asked)}
        return tuple(first[kind] for kind in QuestionKind if kind in first)


def _values(questions: Iterable[RankedQuestion], arm: Arm) -> list[float]:
    return [reciprocal_rank(question.ranks[arm]) for question in questions]


def _row(group: str, questions: Sequence[RankedQuestion], seed: int) -> ArmRow:
    values = {arm: _values(questions, arm) for arm in Arm}
    rr = {arm: estimate(of_arm, seed=seed) for arm, of_arm in values.items()}
    best = max(SINGLE, key=lambda arm: rr[arm].mean)
    difference = estimate([a - b for a, b in zip(values[Arm.FUSED], values[best], strict=True)], seed=seed)
    return ArmRow(
        group,
        len(questions),
        rr,
        {arm: recall([question.ranks[arm] for question in questions], CUTOFF) for arm in Arm},
        best,
        difference,
        _verdict(difference),
    )


def _verdict(difference: Estimate) -> ArmVerdict:
    if difference.n < FEWEST:
        return ArmVerdict.TOO_FEW
    if difference.high < 0:
        return ArmVerdict.BELOW
    return ArmVerdict.ABOVE if difference.low > 0 else ArmVerdict.LEVEL


def _suggestions(check: SelfCheck) -> Iterator[str]:
    """Yield the changes that the figures suggest, each with its figures.

    Words are never preferred to vectors on this evidence: questions of the item's own words cannot know what
    a paraphrase needs. Only for a model that does not even find its own sentences do they suggest words.
    """
    if not check.rows:
        return
    everything, missing = check.rows[0], check.vectors_missing
    if check.vectors is VectorMode.NONE:
        yield "ask without --vectors none as well, to see what vectors add"
    elif missing:
        yield (
            f"make the missing vectors with `daypack add PATH --vectors all` and check again: {missing:,} of {check.chunks:,} chunks have none, "
            "so the dense arm was judged by less than it can do"
        )
    elif (
        everything.recall[Arm.DENSE] < HARDLY_FINDS <= everything.recall[Arm.UNIT]
        and everything.verdict is not ArmVerdict.TOO_FEW
    ):
        yield (
            f"try --vectors none, or another --embedder: the model has only {everything.recall[Arm.DENSE]:.0%} of its own texts among the first "
            f"{CUTOFF}, as happens with a language that it was not made for"
        ).replace("%", " %")
    if everything.verdict is ArmVerdict.TOO_FEW:
        yield f"ask for more: {everything.questions:,} questions say little; add texts, or raise --limit"
    below = [row for row in check.rows if row.verdict is ArmVerdict.BELOW]
    if below:
        yield (
            f"write a suite of real questions (`daypack eval run`) before changing anything: here {', '.join(row.group for row in below)} "
            "fall below their best arm, but questions of an item's own words cannot show what neighbours, sections and vectors are for"
        )
