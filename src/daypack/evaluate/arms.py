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

from daypack.evaluate.known_items import Question, QuestionKind
from daypack.evaluate.measures import mean, middle, recall, reciprocal_rank, resampled
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
class Mean:
    """A mean with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ArmRow:
    """The questions of one kind: of a kind of record, made in one way, or all questions."""

    group: str
    questions: int
    rr: Mapping[Arm, Mean]
    recall: Mapping[Arm, float]  # R@10
    best: Arm  # the best single arm by RR
    difference: Mean  # RR of the fused list minus RR of the best arm
    verdict: ArmVerdict


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """Verdict of known-item questions on one store. `turned_away` counts the questions without an answer."""

    seed: int
    items: int
    rows: tuple[ArmRow, ...]
    vectors: VectorMode
    vectors_missing: int
    chunks: int
    turned_away: int
    suggestions: tuple[str, ...]
    examples: tuple[Question, ...]


def checked(
    questions: Sequence[RankedQuestion],
    *,
    seed: int,
    items: int,
    vectors: VectorMode,
    vectors_missing: int,
    chunks: int,
    turned_away: int,
) -> SelfCheck:
    """The rows over all questions, by kind of record and way of asking, and the suggestions."""
    groups: dict[str, list[RankedQuestion]] = {"all": list(questions)} if questions else {}
    for item in questions:
        groups.setdefault(f"of {item.question.record_kind.value}", []).append(item)
    for kind in QuestionKind:
        groups[f"by {kind.value}"] = [item for item in questions if item.question.kind is kind]
    rows = tuple(_row(name, members, seed) for name, members in groups.items() if members)
    examples = {item.question.kind: item.question for item in reversed(questions)}
    return SelfCheck(
        seed=seed,
        items=items,
        rows=rows,
        vectors=vectors,
        vectors_missing=vectors_missing,
        chunks=chunks,
        turned_away=turned_away,
        suggestions=tuple(_suggestions(rows, vectors, vectors_missing, chunks)),
        examples=tuple(examples[kind] for kind in QuestionKind if kind in examples),
    )


def _values(questions: Iterable[RankedQuestion], arm: Arm) -> list[float]:
    return [reciprocal_rank(question.ranks[arm]) for question in questions]


def _mean(values: Sequence[float], seed: int) -> Mean:
    return Mean(mean(values), *middle(resampled(values, seed=seed)))


def _difference(questions: Sequence[RankedQuestion], arm: Arm, other: Arm, seed: int) -> Mean:
    return _mean(
        [a - b for a, b in zip(_values(questions, arm), _values(questions, other), strict=True)], seed
    )


def _row(group: str, questions: Sequence[RankedQuestion], seed: int) -> ArmRow:
    rr = {arm: _mean(_values(questions, arm), seed) for arm in Arm}
    best = max(SINGLE, key=lambda arm: rr[arm].value)
    difference = _difference(questions, Arm.FUSED, best, seed)
    if len(questions) < FEWEST:
        verdict = ArmVerdict.TOO_FEW
    else:
        verdict = (
            ArmVerdict.BELOW
            if difference.high < 0
            else ArmVerdict.ABOVE
            if difference.low > 0
            else ArmVerdict.LEVEL
        )
    return ArmRow(
        group,
        len(questions),
        rr,
        {arm: recall([question.ranks[arm] for question in questions], CUTOFF) for arm in Arm},
        best,
        difference,
        verdict,
    )


def _suggestions(rows: Sequence[ArmRow], vectors: VectorMode, missing: int, chunks: int) -> Iterator[str]:
    """Yield the changes that the figures suggest, each with its figures.

    Words are never preferred to vectors on this evidence: questions of the item's own words cannot know what
    a paraphrase needs. Only for a model that does not even find its own sentences do they suggest words.
    """
    if not rows:
        return
    everything = rows[0]
    if vectors is VectorMode.NONE:
        yield "ask without --vectors none as well, to see what vectors add"
    elif missing:
        yield (
            f"make the missing vectors with `daypack add PATH --vectors all` and check again: {missing:,} of {chunks:,} chunks have none, "
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
    below = [row for row in rows if row.verdict is ArmVerdict.BELOW]
    if below:
        yield (
            f"write a suite of real questions (`daypack eval run`) before changing anything: here {', '.join(row.group for row in below)} "
            "fall below their best arm, but questions of an item's own words cannot show what neighbours, sections and vectors are for"
        )
