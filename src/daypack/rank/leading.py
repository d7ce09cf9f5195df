"""Leading: the chunks with the highest scores by words, found without scoring every chunk that holds a word of the query.

A term adds at most weight * idf * (k1 + 1) to a score, which is little for a common term. So terms are read from the
rarest on, until the rest together cannot lift a chunk that holds none of those read to the best. Then only the chunks
found so far are looked up in the postings of the rest (MaxScore: Turtle & Flood, Information Processing & Management 1995).

The score to beat is known early: after each term, the leaders so far are looked up in all postings. From then on a common
term brings in only chunks that it and the rest can still lift to that score. The final scores are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from daypack.rank.bm25 import Bm25, LexicalScores, MatchedTerm, highest_gain
from daypack.rank.membership import distinct
from daypack.rank.top_k import best_positions, crowds, kth_value
from daypack.rank.views import TermPostings
from daypack.types.arrays import Bools, Float64s, Floats, Ints

EQUAL = np.ones(256, dtype=np.float32)
"""A prior that holds back nothing."""

FEW_POSTINGS = 16_384  # of a term: scoring so few is as fast as finding out whether it is necessary
_MARGIN = 1e-4  # of a score: sums of four-byte numbers depend on their order
# Share of the highest gain of the rest that the leaders' scores must exceed, before it pays to check whether the rest can
# be left unread.
_HOPEFUL = 0.4
_FEW = 4_096  # chunks: when a filter passes no more, every one is scored
_NARROW = 8  # when a filter passes less than one chunk of so many, the postings outside are dropped first
_LOOKED_UP = 32  # chunks are looked up one by one in a term with so many times more postings
_SORTED = 16  # postings are sorted when the store has so many times more chunks


class Leading(NamedTuple):
    """The chunks that may be among the best of a query: positions, rising, with their BM25F."""

    positions: Ints
    unit: Floats
    best_coverage: float  # the largest share of the query's idf mass that one chunk holds
    holds_enough: bool  # one chunk holds as many terms as were asked for


class _Gained(NamedTuple):
    """Chunks, by rising positions, with the sum of the gains of the terms that were read."""

    positions: Ints
    gains: Floats


class _Bounds(NamedTuple):
    """Lower bounds, which scored chunks are known to reach."""

    least: float = 0.0  # of the score of the last of the `depth` best
    mass: float = 0.0  # of the highest idf mass of a chunk
    held: float = 0.0  # of the highest number of terms in a chunk


def best_by_words(
    bm25: Bm25, scores: LexicalScores, mask: Bools, prior: Floats, depth: int, *, enough: int = 0
) -> tuple[Leading, Ints]:
    """(the leading chunks, the positions of the best `depth` of them by score and prior); arguments as for `leading`."""
    for leaders in (depth, 0):
        lead = leading(bm25, scores, mask, prior, depth=leaders, enough=enough)
        values = lead.unit * prior[bm25.view.flags[lead.positions]]
        if len(values) < depth or not len(crowds(values, depth)):
            break
    return lead, best_positions(values, lead.positions, depth, bm25.view.numbers_of)


def leading(
    bm25: Bm25, scores: LexicalScores, mask: Bools, prior: Floats, *, depth: int, enough: int
) -> Leading:
    """The chunks inside the mask that may be among the `depth` best by BM25F times prior; with a depth of 0 all that hold
    a term. `prior`, float32 (256,), is at most 1 and indexed by flags; `enough` is the number of terms for `holds_enough`.
    """
    passing = np.count_nonzero(mask)
    if passing * _NARROW < len(mask):
        where = np.flatnonzero(mask)
        if passing <= _FEW:
            unit, reached = _scored_in_full(bm25, scores, where)
            return Leading(where[unit > 0], unit[unit > 0], _share(reached, scores), reached.held >= enough)
        scores = scores._replace(terms=tuple(_inside(term, mask, where) for term in scores.terms))
    terms: Sequence[MatchedTerm] = sorted(scores.terms, key=_idf_mass, reverse=True)
    gained, rest, reached = _read_rarest(bm25, scores, terms, mask, prior, depth)
    reached = reached._replace(
        mass=_highest_of(terms, mask, _idf_mass, reached.mass, 0),
        held=_highest_of(terms, mask, _one_term, reached.held, enough),
    )
    contenders = _contenders(bm25, gained, rest, prior, depth, reached.least)
    unit = bm25.unit(scores, contenders)
    return Leading(contenders[unit > 0], unit[unit > 0], _share(reached, scores), reached.held >= enough)


def _share(reached: _Bounds, scores: LexicalScores) -> float:
    return float(np.float32(reached.mass / scores.mass)) if scores.mass else 0.0


def _scored_in_full(bm25: Bm25, scores: LexicalScores, where: Ints) -> tuple[Floats, _Bounds]:
    """(BM25F of chunks over all terms, the bounds that they reach without `least`)."""
    tf = bm25.frequencies(scores.terms, where)
    mass, counts = np.zeros(len(where)), np.zeros(len(where))
    rows = sorted(zip(scores.terms, tf > 0, strict=True), key=lambda row: _idf_mass(row[0]), reverse=True)
    for term, row in rows:  # in this order, as elsewhere: the last bit of a sum depends on it
        mass += _idf_mass(term) * row
        counts += row
    reached = _Bounds(0.0, float(mass.max(initial=0)), float(counts.max(initial=0)))
    return bm25.summed(scores.terms, where, tf), reached


def _inside(term: MatchedTerm, mask: Bools, where: Ints) -> MatchedTerm:
    """The term with only its postings inside a mask, whose positions are `where`."""
    positions, tf = term.postings
    if len(where) * _LOOKED_UP < len(positions):
        rows, occurs = term.postings.rows_at(where)
        return term._replace(postings=TermPostings(where[occurs], tf.take(rows[occurs], axis=0)))
    rows = np.flatnonzero(mask.take(positions))
    return term._replace(postings=TermPostings(positions.take(rows), tf.take(rows, axis=0)))


def _idf_mass(term: MatchedTerm) -> float:
    return term.weight * term.idf


def _one_term(_: MatchedTerm) -> float:
    return 1.0


def _read_rarest(
    bm25: Bm25, scores: LexicalScores, terms: Sequence[MatchedTerm], mask: Bools, prior: Floats, depth: int
) -> tuple[_Gained, Sequence[MatchedTerm], _Bounds]:
    """(the chunks that may lead and hold one of the rarest terms, the terms that were not read, the bounds reached).

    No chunk that holds none of the rarest terms can lead.
    """
    gains = np.zeros(len(mask), dtype=np.float32)
    reached = _Bounds()
    seeds: Ints = np.empty(0, dtype=np.int64)  # the leaders so far
    parts: list[Ints] = []  # chunks that gained, by term
    floor = 0.0  # the lowest score of the `depth` best seeds
    rest = terms
    while rest:
        where = rest[0].postings.positions
        more = sum(map(highest_gain, rest))
        is_common = depth > 0 and len(where) > FEW_POSTINGS
        if is_common and floor > _HOPEFUL * more:
            reached = _bounds_of(bm25, scores, seeds, prior, depth)
            if more < reached.least:
                break
        gained = bm25.relative_gain(rest[0]) * np.float32(highest_gain(rest[0]))
        gained += gains.take(where)
        rest = rest[1:]
        if is_common:
            # The others cannot lead, whatever the rest of the terms adds.
            hopeful = np.flatnonzero(gained >= reached.least - sum(map(highest_gain, rest)))
            where, gained = where.take(hopeful), gained.take(hopeful)
        gains[where] = gained
        parts.append(where)
        if depth:  # only a chunk that gained can become a leader
            new = where[gained >= floor] if floor else where
            seeds = _leaders(bm25, gains, np.concatenate([seeds, new[mask[new]]]), prior, depth)
            floor = _least(gains.take(seeds) * prior[bm25.view.flags[seeds]], depth)
    # The prior of a chunk is 1 at most, so one with less than this cannot lead.
    bound = reached.least - sum(map(highest_gain, rest))
    where = _together(parts, len(mask), lambda where: gains.take(where) >= bound)
    where = where[mask[where]]
    return _Gained(where, gains.take(where)), rest, reached


def _leaders(bm25: Bm25, gains: Floats, where: Ints, prior: Floats, count: int) -> Ints:
    """The positions with the highest gains times prior, rising and distinct; at least `count` where there are so many."""
    if len(where) > 2 * count:  # each may be given twice
        values = gains.take(where) * prior[bm25.view.flags[where]]
        where = where[values >= kth_value(values, 2 * count)][: 4 * count]
    return distinct(where)


def _bounds_of(bm25: Bm25, scores: LexicalScores, seeds: Ints, prior: Floats, depth: int) -> _Bounds:
    """The bounds that the seeds reach when all terms are read."""
    unit, reached = _scored_in_full(bm25, scores, seeds)
    return reached._replace(least=_least(unit * prior[bm25.view.flags[seeds]], depth) * (1 - _MARGIN))


def _together(positions: Sequence[Ints], chunks: int, keep: Callable[[Ints], Bools]) -> Ints:
    """The positions of several terms for which `keep` is true, rising and distinct."""
    parts = [where[keep(where)] for where in positions]
    if len(parts) == 1:
        return parts[0]
    if sum(map(len, parts)) * _SORTED > chunks:
        inside = np.zeros(chunks, dtype=bool)
        for part in parts:
            inside[part] = True
        return np.flatnonzero(inside)
    return distinct(np.concatenate([np.empty(0, dtype=np.int64), *parts]))


def _least(scores: Floats, depth: int) -> float:
    """The lowest of the `depth` best scores; 0 for fewer scores."""
    return float(kth_value(scores, depth)) if 0 < depth <= len(scores) else 0.0


def _contenders(
    bm25: Bm25, gained: _Gained, rest: Sequence[MatchedTerm], prior: Floats, depth: int, reached: float
) -> Ints:
    """Positions of the chunks that are still among the candidates for the `depth` best after the rest of the terms is read.

    `reached` is a score that each of the best is known to reach.
    """
    positions, gains = gained.positions, gained.gains
    if not depth:
        return positions
    priors = prior[bm25.view.flags[positions]]
    more = sum(map(highest_gain, rest))
    for term in [*rest, None]:
        least = max(reached, _least(gains * priors, depth) * (1 - _MARGIN))
        keep = (gains + np.float32(more)) * priors >= least
        positions, gains, priors = positions[keep], gains[keep], priors[keep]
        if term is not None:
            gains = gains + bm25.gain_at(term, positions)
            more -= highest_gain(term)
    return positions


def _highest_of(
    terms: Sequence[MatchedTerm],
    mask: Bools,
    worth: Callable[[MatchedTerm], float],
    reached: float,
    enough: float,
) -> float:
    """The result of `_highest` over all chunks inside the mask, one of which is known to have the sum `reached`."""
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
    positions: Ints,
    sums: Float64s,
    rest: Sequence[MatchedTerm],
    worth: Callable[[MatchedTerm], float],
    enough: float,
) -> float:
    """The highest sum of `worth` over the terms of one chunk; `sums` are over the terms that were read.

    With `enough`, the result is exact only about whether it reaches `enough`.
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
