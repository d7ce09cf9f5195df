"""The weights of evidence for each task, and the candidates that they rank.

The chance that a chunk belongs to the answer is a logistic curve of the weighted sum of its numbers. The weights were
fitted on the first, third, … repository in `evals/quality/code/flow_cases.py` (docs/decisions/021-work-flows.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from daypack.doors.code.flows.evidence import Near, is_head
from daypack.rank.candidates import CALIBRATION_POWER
from daypack.types import Candidate, Contribution, Task

WEIGHTS: Mapping[Task, Mapping[str, float]] = {
    Task.IMPACT: {
        "words": 2.5, "rank": 1.8, "removed": 0.8, "removed_mass": 0.8, "kept_mass": 0.7, "says_name": 0.45, "calls": 0.4,
        "calls_few": 0.55, "called_here": 0.4, "pair": 0.8, "folder": 0.65, "test": 0.4, "front": 2.1, "own": -1.7,
    },
    Task.TESTS: {
        "words": 2.3, "rank": 1.2, "removed": 0.6, "removed_mass": 1.3, "added_mass": 1.0, "kept_mass": 0.5, "says_name": 0.9,
        "calls": 0.6, "calls_few": 0.7, "tests": 0.5, "pair": 1.3, "test": 3.3, "front": 2.0, "file": -0.8, "beside": -0.5, "long": 0.3,
    },
    Task.TRACE: {
        "words": 1.7, "rank": 2.1, "kept_mass": 0.5, "frame": 3.0, "called_here": 1.1, "called": 0.5, "file": 0.5, "beside": 0.3,
        "folder": -0.4, "test": -1.3, "page": -0.6, "front": 1.0, "long": 0.9,
    },
    Task.USES: {"words": 3.0, "rank": 1.0},
}  # fmt: skip
OF_NAMES: Mapping[str, float] = {
    "words": 1.0, "rank": 0.8, "kept_mass": 0.7, "says_name": 0.45, "own": 5.5, "calls": 2.5, "calls_few": 0.55, "extends": 2.5,
    "imports": 1.0, "called_here": 0.4, "pair": 0.8, "folder": 0.65,
}  # fmt: skip
"""The weights of `impact` for names: a diff holds its own lines, but of a name the definition comes first, then its calls, and last
the text with its words, of which a plain word has many."""
ABOVE = 5  # lines between text and a function that one excerpt would show together
LEAST, LEAST_OF_NAMES = 0.01, 0.001  # of the best chance: chunks below it are left out
START = {Task.IMPACT: -7.3, Task.TESTS: -10.6, Task.TRACE: -7.3, Task.USES: -4.0}


def weighed(task: Task, near: Sequence[Near], *, is_diff: bool = True) -> list[Candidate]:
    """The chunks as candidates, best first: the chance is their probability, and its root their score, as in other rankings. Names
    that are to change, and not a diff, have weights of their own.
    """
    of_names = task is Task.IMPACT and not is_diff
    weights = OF_NAMES if of_names else WEIGHTS[task]
    if task is Task.TRACE:
        near = _begun_at_frames(near)
    candidates = []
    for item in near:
        parts = {
            name: weights[name] * value for name, value in item.numbers.items() if name in weights and value
        }
        chance = 1 / (1 + math.exp(-START[task] - sum(parts.values())))
        candidates.append(candidate(item, chance, parts))
    best = max((item.probability for item in candidates), default=0.0)
    least = best * (LEAST_OF_NAMES if of_names else LEAST)
    return sorted(
        (
            item
            for item, one in zip(candidates, near, strict=True)
            if item.probability >= least or (task is Task.TRACE and _is_of_trace(one))
        ),
        key=lambda item: (-item.score, item.chunk.id),
    )


def _is_of_trace(near: Near) -> bool:
    """True for a function of a frame, and for what it calls."""
    return any(near.numbers.get(name) for name in ("frame", "called_here", "called"))


def _begun_at_frames(near: Sequence[Near]) -> list[Near]:
    """The chunks without those directly above the function of a frame: an excerpt of both would begin with other code."""
    frames = [one.chunk for one in near if one.numbers.get("frame")]
    begins: dict[str, list[int]] = {}
    for chunk in frames:
        begins.setdefault(chunk.uri, []).append(chunk.span.start_line)
    return [
        one
        for one in near
        if _is_of_trace(one)
        or not any(0 < first - one.chunk.span.end_line <= ABOVE for first in begins.get(one.chunk.uri, ()))
    ]


def tests_before_heads(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, in which the head of a file (imports and fixtures) changes places with the file's best test when it is
    ranked higher: a commit that changes tests changes the head of their file too, so a head represents the whole file.
    """
    moved = [*found]
    first: dict[str, int] = {}
    for place, one in enumerate(found):
        head = first.setdefault(one.chunk.uri, place)
        if head >= 0 and is_head(found[head].chunk) and not is_head(one.chunk):
            moved[head], moved[place] = _worth(one, found[head]), _worth(found[head], one)
            first[one.chunk.uri] = -1
        elif head >= 0 and not is_head(found[head].chunk):
            first[one.chunk.uri] = -1
    return moved


def _worth(own: Candidate, other: Candidate) -> Candidate:
    """The candidate `own` with the score and chance of `other`; its shares are scaled accordingly."""
    scale = other.score / own.score if own.score else 0.0
    shares = tuple(part._replace(share=part.share * scale) for part in own.contributions)
    return own._replace(score=other.score, probability=other.probability, contributions=shares)


def candidate(near: Near, chance: float, parts: Mapping[str, float]) -> Candidate:
    """A candidate with the chance as its probability, and shares in proportion to the parts."""
    score = chance ** (1 / CALIBRATION_POWER)
    total = sum(parts.values()) or 1.0
    shares = tuple(
        Contribution(name, near.numbers[name], score * part / total) for name, part in parts.items()
    )
    return Candidate(near.chunk, score, chance, shares)
