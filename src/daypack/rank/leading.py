"""The chunks that lead a query by words, found without scoring every chunk that has one of them.

A word adds at most weight * idf * (k1 + 1) to a score, and little where it is common. So the words are read from the rarest on,
until the others together could not lift a chunk that has none of those read to the best; then only the chunks that
were found are looked up in the postings of the others (MaxScore: Turtle & Flood, Information Processing & Management 1995).
The scores of those that are left are exact. Where a filter passes few chunks, these are looked up in all postings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.rank.bm25 import K1, Bm25, LexicalScores, MatchedTerm
from daypack.rank.top_k import best_positions, crowds, kth_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

EQUAL = np.ones(256, dtype=np.float32)
"""A prior that holds back nothing."""

FEW_POSTINGS = 4096  # of a term: scoring them takes no longer than to find out whether that is needed
_MARGIN = 1e-4  # of a score: sums of four-byte numbers depend on their order


class Leading(NamedTuple):
    """The chunks that may be among the best of a query: positions, rising, with their BM25F."""

    positions: NDArray[np.int64]
    unit: NDArray[np.float32]
    best_coverage: float  # the largest share of the query's idf mass that one chunk holds
    holds_enough: bool  # one chunk holds as many terms as were asked for


class _Found(NamedTuple):
    """Chunks with sums over the terms that were read: positions, rising; the score, the idf mass and the number of the terms."""

    positions: NDArray[np.int64]
    gains: NDArray[np.float32]
    mass: NDArray[np.float64]
    held: NDArray[np.uint16]


def _unread(positions: NDArray[np.int64]) -> _Found:
    """Chunks before any term was read."""
    count = len(positions)
    return _Found(
        positions,
        np.zeros(count, dtype=np.float32),
        np.zeros(count, dtype=np.float64),
        np.zeros(count, dtype=np.uint16),
    )


def best_by_words(
    bm25: Bm25,
    scores: LexicalScores,
    mask: NDArray[np.bool_],
    prior: NDArray[np.float32],
    depth: int,
    *,
    enough: int = 0,
) -> tuple[Leading, NDArray[np.int64]]:
    """(the chunks that lead by words, positions of the best `depth` of them by score and prior); arguments as of `leading`."""
    for leaders in (depth, 0):
        lead = leading(bm25, scores, mask, prior, depth=leaders, enough=enough)
        values = lead.unit * prior[bm25.view.flags[lead.positions]]
        if len(values) < depth or not len(crowds(values, depth)):
            break
    return lead, lead.positions[best_positions(values, depth)]


def leading(
    bm25: Bm25,
    scores: LexicalScores,
    mask: NDArray[np.bool_],
    prior: NDArray[np.float32],
    *,
    depth: int,
    enough: int,
) -> Leading:
    """The chunks inside the mask that may be among the `depth` best by BM25F times the prior of their flags, float32
    (256,), at most 1; with a depth of 0 all that hold a term. `enough` is the number of terms for `holds_enough`.
    """
    terms: Sequence[MatchedTerm] = sorted(scores.terms, key=_mass, reverse=True)
    passing = np.count_nonzero(mask)
    if depth and passing * len(terms) < sum(len(term.postings.positions) for term in terms):
        found, rest = _unread(np.flatnonzero(mask)), terms
    else:
        found, rest = _rarest(bm25, terms, mask, prior, depth, enough)
    mass = _highest(found.positions, found.mass, rest, _mass, 0)
    held = _highest(found.positions, found.held, rest, lambda _: 1, enough)
    kept = _contenders(bm25, found, rest, prior, depth)
    unit = bm25.unit(scores, kept)
    coverage = float(np.float32(mass / scores.mass)) if scores.mass else 0.0
    return Leading(kept[unit > 0], unit[unit > 0], coverage, held >= enough)


def _mass(term: MatchedTerm) -> float:
    return term.weight * term.idf


def _most(term: MatchedTerm) -> float:
    """The most that a term adds to a score."""
    return _mass(term) * (K1 + 1)


def _rarest(
    bm25: Bm25,
    terms: Sequence[MatchedTerm],
    mask: NDArray[np.bool_],
    prior: NDArray[np.float32],
    depth: int,
    enough: int,
) -> tuple[_Found, Sequence[MatchedTerm]]:
    """(the chunks that hold one of the rarest terms, the other terms): chunks that hold none of those matter nowhere."""
    gains = np.zeros(len(mask), dtype=np.float32)
    mass = np.zeros(len(mask), dtype=np.float64)
    held = np.zeros(len(mask), dtype=np.uint16)

    def found() -> _Found:
        where = np.flatnonzero((held > 0) & mask)
        return _Found(where, gains.take(where), mass.take(where), held.take(where))

    for number, term in enumerate(terms):
        where = term.postings.positions
        rest = terms[number:]
        if depth and len(where) > FEW_POSTINGS and sum(map(_mass, rest)) < sum(map(_mass, terms[:number])):
            so_far = found()
            least = _least(so_far.gains * prior[bm25.view.flags[so_far.positions]], depth)
            if (
                sum(map(_most, rest)) < least * (1 - _MARGIN)
                and sum(map(_mass, rest)) < so_far.mass.max()
                and (len(rest) < enough or so_far.held.max() >= enough)
            ):
                return so_far, rest
        gains[where] += bm25.gain(term, where, term.postings.tf)
        mass[where] += _mass(term)
        held[where] += 1
    return found(), ()


def _least(scores: NDArray[np.float32], depth: int) -> float:
    """A score that each of the `depth` best reaches."""
    return float(kth_value(scores, depth)) if 0 < depth <= len(scores) else 0.0


def _contenders(
    bm25: Bm25, found: _Found, rest: Sequence[MatchedTerm], prior: NDArray[np.float32], depth: int
) -> NDArray[np.int64]:
    """Positions of the chunks that may be among the `depth` best once the rest of the terms are read."""
    positions, gains = found.positions, found.gains
    if not depth:
        return positions
    priors = prior[bm25.view.flags[positions]]
    more = sum(map(_most, rest))
    for term in [*rest, None]:
        least = _least(gains * priors, depth) * (1 - _MARGIN)
        keep = (gains + np.float32(more)) * priors >= least
        positions, gains, priors = positions[keep], gains[keep], priors[keep]
        if term is not None:
            gains = gains + bm25.gain_at(term, positions)
            more -= _most(term)
    return positions


def _highest(
    positions: NDArray[np.int64],
    sums: NDArray[np.float64] | NDArray[np.uint16],
    rest: Sequence[MatchedTerm],
    worth: Callable[[MatchedTerm], float],
    enough: float,
) -> float:
    """The highest sum over the terms of one chunk, each counted as it is worth; `sums` are over the terms that were read.

    With `enough`, the result is exact only in which side of it the sum lies on.
    """
    more = sum(map(worth, rest))
    for term in rest:
        best = sums.max(initial=0)
        if 0 < enough <= best:
            return float(best)
        keep = sums + more * (1 + 1e-9) >= max(best, enough)
        positions, sums = positions[keep], sums[keep]
        sums = sums + worth(term) * term.postings.rows_at(positions)[1]
        more -= worth(term)
    return float(sums.max(initial=0))
