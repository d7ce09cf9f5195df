"""The chunks that lead a query by words, found without scoring every chunk that has one of them.

A word adds at most weight * idf * (k1 + 1) to a score, and little where it is common. So the words are read from the rarest on,
until the others together could not lift a chunk that has none of those read to the best; then only the chunks that
were found are looked up in the postings of the others (MaxScore: Turtle & Flood, Information Processing & Management 1995).
The score that the best reach is known early: after each word the few that lead so far are looked up in all postings. From then
on a common word brings in only the chunks that this word and the rest could still lift so far.
The scores of those that are left are exact. Where a filter passes few chunks, only their postings count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.rank.bm25 import Bm25, LexicalScores, MatchedTerm, most_of
from daypack.rank.membership import distinct
from daypack.rank.top_k import best_positions, crowds, kth_value
from daypack.rank.views import TermPostings

if TYPE_CHECKING:
    from numpy.typing import NDArray

EQUAL = np.ones(256, dtype=np.float32)
"""A prior that holds back nothing."""

FEW_POSTINGS = 16_384  # of a term: scoring them takes no longer than to find out whether that is needed
_MARGIN = 1e-4  # of a score: sums of four-byte numbers depend on their order
# of the most that the other terms add: leaders with less will hardly do without these terms
_HOPEFUL = 0.4
_FEW = 4_096  # chunks that pass a filter: all are looked up in all postings
_NARROW = 8  # a filter that passes one chunk of so many: postings outside are left out first
_LOOKED_UP = 32  # chunks are looked up in the postings of a term where they are fewer than these, over this
_SORTED = 16  # postings are sorted where they are fewer than the chunks, over this


class Leading(NamedTuple):
    """The chunks that may be among the best of a query: positions, rising, with their BM25F."""

    positions: NDArray[np.int64]
    unit: NDArray[np.float32]
    best_coverage: float  # the largest share of the query's idf mass that one chunk holds
    holds_enough: bool  # one chunk holds as many terms as were asked for


class _Gained(NamedTuple):
    """Chunks with the sum of the gains of the terms that were read; positions rise."""

    positions: NDArray[np.int64]
    gains: NDArray[np.float32]


class _Bounds(NamedTuple):
    """Lower bounds that chunks are known to reach: the score of the last of the `depth` best, the highest idf mass and the highest
    number of terms in a chunk.
    """

    least: float = 0.0
    mass: float = 0.0
    held: float = 0.0


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
    passing = np.count_nonzero(mask)
    if passing * _NARROW < len(mask):
        where = np.flatnonzero(mask)
        if passing <= _FEW:
            unit, reached = _scored_in_full(bm25, scores, where)
            return Leading(where[unit > 0], unit[unit > 0], _share(reached, scores), reached.held >= enough)
        scores = scores._replace(terms=tuple(_inside(term, mask, where) for term in scores.terms))
    terms: Sequence[MatchedTerm] = sorted(scores.terms, key=_idf_mass, reverse=True)
    found, rest, reached = _read_rarest(bm25, scores, terms, mask, prior, depth)
    reached = reached._replace(
        mass=_highest_of(terms, mask, _idf_mass, reached.mass, 0),
        held=_highest_of(terms, mask, _one_term, reached.held, enough),
    )
    kept = _contenders(bm25, found, rest, prior, depth, reached.least)
    unit = bm25.unit(scores, kept)
    return Leading(kept[unit > 0], unit[unit > 0], _share(reached, scores), reached.held >= enough)


def _share(reached: _Bounds, scores: LexicalScores) -> float:
    return float(np.float32(reached.mass / scores.mass)) if scores.mass else 0.0


def _scored_in_full(
    bm25: Bm25, scores: LexicalScores, where: NDArray[np.int64]
) -> tuple[NDArray[np.float32], _Bounds]:
    """BM25F of chunks, and the values that they reach but for the least, when all terms are read."""
    tf = bm25.frequencies(scores.terms, where)
    mass, held = np.zeros(len(where)), np.zeros(len(where))
    rows = sorted(zip(scores.terms, tf > 0, strict=True), key=lambda row: _idf_mass(row[0]), reverse=True)
    for term, row in rows:  # in this order, as elsewhere: the last bit of a sum depends on it
        mass += _idf_mass(term) * row
        held += row
    reached = _Bounds(0.0, float(mass.max(initial=0)), float(held.max(initial=0)))
    return bm25.summed(scores.terms, where, tf), reached


def _inside(term: MatchedTerm, mask: NDArray[np.bool_], where: NDArray[np.int64]) -> MatchedTerm:
    """A term with its postings inside a mask, which holds the positions `where`."""
    positions, tf = term.postings
    if len(where) * _LOOKED_UP < len(positions):
        rows, held = term.postings.rows_at(where)
        return term._replace(postings=TermPostings(where[held], tf.take(rows[held], axis=0)))
    rows = np.flatnonzero(mask.take(positions))
    return term._replace(postings=TermPostings(positions.take(rows), tf.take(rows, axis=0)))


def _idf_mass(term: MatchedTerm) -> float:
    return term.weight * term.idf


def _one_term(_: MatchedTerm) -> float:
    return 1.0


def _read_rarest(
    bm25: Bm25,
    scores: LexicalScores,
    terms: Sequence[MatchedTerm],
    mask: NDArray[np.bool_],
    prior: NDArray[np.float32],
    depth: int,
) -> tuple[_Gained, Sequence[MatchedTerm], _Bounds]:
    """(the chunks that may lead of those that hold one of the rarest terms, the other terms, values that chunks reach): chunks
    that hold none of the rarest matter nowhere.
    """
    gains = np.zeros(len(mask), dtype=np.float32)
    reached = _Bounds()
    seeds: NDArray[np.int64] = np.empty(0, dtype=np.int64)  # chunks that lead so far
    parts: list[NDArray[np.int64]] = []  # chunks that gained
    floor = 0.0  # the score that `depth` seeds have
    rest = terms
    while rest:
        where = rest[0].postings.positions
        more = sum(map(most_of, rest))
        is_common = depth > 0 and len(where) > FEW_POSTINGS
        if is_common and floor > _HOPEFUL * more:
            reached = _bounds_of(bm25, scores, seeds, prior, depth)
            if more < reached.least:
                break
        gained = bm25.share_of(rest[0]) * np.float32(most_of(rest[0]))
        gained += gains.take(where)
        rest = rest[1:]
        if is_common:
            # The others cannot lead, whatever the rest of the terms adds.
            hopeful = np.flatnonzero(gained >= reached.least - sum(map(most_of, rest)))
            where, gained = where.take(hopeful), gained.take(hopeful)
        gains[where] = gained
        parts.append(where)
        if depth:  # a chunk that gained nothing leads no more than before
            new = where[gained >= floor] if floor else where
            seeds = _leaders(bm25, gains, np.concatenate([seeds, new[mask[new]]]), prior, depth)
            floor = _least(gains.take(seeds) * prior[bm25.view.flags[seeds]], depth)
    # The prior of a chunk is 1 at most, so one with less than this cannot lead.
    bound = reached.least - sum(map(most_of, rest))
    where = _together(parts, len(mask), lambda where: gains.take(where) >= bound)
    where = where[mask[where]]
    return _Gained(where, gains.take(where)), rest, reached


def _leaders(
    bm25: Bm25, gains: NDArray[np.float32], where: NDArray[np.int64], prior: NDArray[np.float32], count: int
) -> NDArray[np.int64]:
    """Some of the positions that lead by their gains, at least `count` where there are as many: rising, each once."""
    if len(where) > 2 * count:  # each may be given twice
        values = gains.take(where) * prior[bm25.view.flags[where]]
        where = where[values >= kth_value(values, 2 * count)][: 4 * count]
    return distinct(where)


def _bounds_of(
    bm25: Bm25, scores: LexicalScores, seeds: NDArray[np.int64], prior: NDArray[np.float32], depth: int
) -> _Bounds:
    """The values that the seeds reach when all terms are read."""
    unit, reached = _scored_in_full(bm25, scores, seeds)
    return reached._replace(least=_least(unit * prior[bm25.view.flags[seeds]], depth) * (1 - _MARGIN))


def _together(
    positions: Sequence[NDArray[np.int64]],
    chunks: int,
    keep: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
) -> NDArray[np.int64]:
    """The positions of several terms that are worth keeping, rising, each once."""
    parts = [where[keep(where)] for where in positions]
    if len(parts) == 1:
        return parts[0]
    if sum(map(len, parts)) * _SORTED > chunks:
        found = np.zeros(chunks, dtype=bool)
        for part in parts:
            found[part] = True
        return np.flatnonzero(found)
    return distinct(np.concatenate([np.empty(0, dtype=np.int64), *parts]))


def _least(scores: NDArray[np.float32], depth: int) -> float:
    """A score that each of the `depth` best reaches."""
    return float(kth_value(scores, depth)) if 0 < depth <= len(scores) else 0.0


def _contenders(
    bm25: Bm25,
    found: _Gained,
    rest: Sequence[MatchedTerm],
    prior: NDArray[np.float32],
    depth: int,
    reached: float,
) -> NDArray[np.int64]:
    """Positions of the chunks that may be among the `depth` best, which reach a known score, once the rest of the terms are read."""
    positions, gains = found.positions, found.gains
    if not depth:
        return positions
    priors = prior[bm25.view.flags[positions]]
    more = sum(map(most_of, rest))
    for term in [*rest, None]:
        least = max(reached, _least(gains * priors, depth) * (1 - _MARGIN))
        keep = (gains + np.float32(more)) * priors >= least
        positions, gains, priors = positions[keep], gains[keep], priors[keep]
        if term is not None:
            gains = gains + bm25.gain_at(term, positions)
            more -= most_of(term)
    return positions


def _highest_of(
    terms: Sequence[MatchedTerm],
    mask: NDArray[np.bool_],
    worth: Callable[[MatchedTerm], float],
    reached: float,
    enough: float,
) -> float:
    """The result of `_highest` over all chunks inside the mask, one of which is known to reach a sum."""
    more = sum(map(worth, terms))
    if 0 < enough <= reached or reached >= more:
        return reached
    least = max(reached, enough)
    read = 0  # terms: a chunk that holds none of these stays below
    while read < len(terms) and more * (1 + 1e-9) >= least:
        more -= worth(terms[read])
        read += 1
    positions = [term.postings.positions for term in terms[:read]]
    sums = np.zeros(len(mask))
    for term, where in zip(terms, positions, strict=False):
        sums[where] += worth(term)
    least -= more * (1 + 1e-9)
    where = _together(positions, len(mask), lambda where: sums.take(where) >= least)
    where = where[mask[where]]
    return max(reached, _highest(where, sums.take(where), terms[read:], worth, enough))


def _highest(
    positions: NDArray[np.int64],
    sums: NDArray[np.float64],
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
