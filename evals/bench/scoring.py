"""Scores of the benchmark, beside plain BM25 and the best that any ranking could give."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from daypack.evaluate.benchmark import BenchCase, Judged
from daypack.evaluate.measures import mean
from daypack.evaluate.runs import Rate
from daypack.text.analysis import STOP_WORDS


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case with its answer.

    `ms` are CPU milliseconds of retrieval and of assembly; `stored` is whether an expected record is there at
    all.
    """

    suite: str
    case: BenchCase
    retrieved: tuple[str, ...]  # source keys, best first
    prefix: bool | None
    daypack: Judged
    bm25: Judged
    oracle: Judged
    tokens: int
    retrieve_ms: float
    assemble_ms: float


# ---------------------------------------------------------------- plain BM25


class PlainBm25:
    """Okapi BM25 (k1 1.2, b 0.75) with Snowball stems and without stop words, over whole texts: what most
    would try first.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWord
        self._counts = {key: Counter(self._terms(text)) for key, text in texts.items()}
        self._documents = Counter(term for counts in self._counts.values() for term in counts)
        lengths = {key: counts.total() for key, counts in self._counts.items()}
        average = mean([*lengths.values()]) or 1.0
        self._norms = {key: 1.2 * (0.25 + 0.75 * length / average) for key, length in lengths.items()}

    def _terms(self, text: str) -> Iterable[str]:
        for word in "".join(letter if letter.isalnum() else " " for letter in text.lower()).split():
            if word not in STOP_WORDS:
                yield self._stem(word)

    def ranked(self, query: str, limit: int) -> list[str]:
        """Keys of the texts that share a term with the query, best first; of equals the first key."""
        scores = self.scores(query)
        return sorted(scores, key=lambda key: (-scores[key], key))[:limit]

    def scores(self, query: str) -> dict[str, float]:
        """Key → score of the texts that share a term with the query."""
        scores: dict[str, float] = {}
        number = len(self._counts)
        for term in self._terms(query):
            if not (holding := self._documents[term]):
                continue
            idf = math.log(1 + (number - holding + 0.5) / (holding + 0.5))
            for key, counts in self._counts.items():
                if tf := counts[term]:
                    scores[key] = scores.get(key, 0.0) + idf * tf * 2.2 / (tf + self._norms[key])
        return scores


# ---------------------------------------------------------------- sums


@dataclass(frozen=True, slots=True)
class SystemSums:
    """One system over the cases of a tier. `keys` is the mean share of expected keys that were retrieved."""

    retrieval: Rate
    keys: float
    assembly: Rate


@dataclass(frozen=True, slots=True)
class TierSums:
    """A tier, or all of them. Milliseconds are of CPU: (median, 95th percentile)."""

    tier: str
    cases: int
    questions: int  # different ones
    daypack: SystemSums
    bm25: SystemSums
    oracle: SystemSums
    prefix: Rate
    tokens: float  # of an assembled text, in the mean
    retrieve_ms: tuple[float, float]
    assemble_ms: tuple[float, float]


def tier_sums(tier: str, outcomes: Sequence[Outcome]) -> TierSums:
    """`outcomes` must not be empty."""
    return TierSums(
        tier=tier,
        cases=len(outcomes),
        questions=len({(one.case.query, one.case.user, one.case.session) for one in outcomes}),
        daypack=_sums([one.daypack for one in outcomes]),
        bm25=_sums([one.bm25 for one in outcomes]),
        oracle=_sums([one.oracle for one in outcomes]),
        prefix=_rate([one.prefix for one in outcomes]),
        tokens=round(mean([one.tokens for one in outcomes]), 1),
        retrieve_ms=_times([one.retrieve_ms for one in outcomes]),
        assemble_ms=_times([one.assemble_ms for one in outcomes]),
    )


def by_tier(outcomes: Sequence[Outcome]) -> list[TierSums]:
    """The tiers in the order in which they were asked."""
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.case.tier, []).append(one)
    return [tier_sums(tier, found) for tier, found in groups.items()]


def _sums(found: Sequence[Judged]) -> SystemSums:
    return SystemSums(
        _rate([one.hit for one in found]),
        round(mean([one.share for one in found if one.share is not None]), 6),
        _rate([one.assembled for one in found]),
    )


def _rate(found: Sequence[bool | None]) -> Rate:
    judged = [one for one in found if one is not None]
    return Rate(sum(judged), len(judged))


def _times(found: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(found)
    return round(median(ordered), 2), round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 2)


def digest(outcomes: Sequence[Outcome]) -> str:
    """Hash of everything but times: two runs of one seed have the same."""
    lines = [
        [
            one.suite,
            one.case.name,
            one.case.query,
            one.retrieved,
            one.tokens,
            *((j.hit, j.share, j.assembled) for j in (one.daypack, one.bm25, one.oracle)),
        ]
        for one in outcomes
    ]
    return hashlib.sha256(json.dumps(lines).encode()).hexdigest()[:16]
