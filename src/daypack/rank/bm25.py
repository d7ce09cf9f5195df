"""BM25F on three views of one set of postings.

    unit       the chunk alone                                     finds the place
    context    the chunk with its neighbours in file or session    tells what the place is about
    file       the whole file as one unit                          for code

Per term: tf' = sum over fields of w_f * tf_f / (1 - b_f + b_f * len_f / avg_f); score = idf * tf' * (k1 + 1)
/ (tf' + k1); idf = ln(1 + (N - df + .5) / (df + .5)). Robertson, Zaragoza & Taylor, CIKM 2004; idf as in
Lucene. The context and file views use the unit's idf: a term is as rare as the units that hold it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from daypack.rank.membership import distinct
from daypack.rank.views import LexicalView, PostingsOf, TermPostings
from daypack.types.arrays import Floats, Ints, UInt32s

K1 = 1.2
# body, name, path, context: docs/decisions/006-constants.md
FIELD_WEIGHTS = np.asarray([1.0, 2.0, 3.0, 0.5], dtype=np.float32)
PATH = 2  # the field in which a word counts once, however often it is repeated
FIELD_CAPS = np.asarray([255, 255, 1, 255], dtype=np.uint8)
_BLOCK = 1 << 15  # chunks whose factors are computed together, in the cache of a core
B_CODE = np.asarray([0.6, 0.3, 0.0, 0.3], dtype=np.float32)
B_PROSE = np.asarray([0.75, 0.3, 0.0, 0.3], dtype=np.float32)
_B = np.stack([B_PROSE, B_CODE])


class MatchedTerm(NamedTuple):
    """One query term in one snapshot."""

    term: str
    weight: float
    idf: float
    postings: TermPostings


class LexicalScores(NamedTuple):
    """The terms of one query in one snapshot."""

    terms: tuple[MatchedTerm, ...]
    unknown: tuple[str, ...]  # query terms that the index does not have
    mass: float  # the sum of weight * idf over all of its terms, unknown ones too


class Bm25:
    """Scores queries against one snapshot; the query-independent parts are computed once."""

    def __init__(self, view: LexicalView) -> None:
        self.view = view
        self.living = view.living
        averages = np.ones((2, len(FIELD_WEIGHTS)), dtype=np.float32)
        for is_code, (size, sums) in enumerate(zip(*view.totals, strict=True)):
            if size:
                averages[is_code] = np.maximum(sums / size, 1.0)
        self._averages = averages

    def _scales(self, positions: Ints | slice) -> Floats:
        """The weight (n, 4) of one occurrence in each field, by the field's length."""
        code = self.view.code[positions].view(np.uint8)
        b = _B.take(code, axis=0)
        length = self.view.lengths[positions].astype(np.float32)
        length *= b
        length /= self._averages.take(code, axis=0)
        length += 1 - b
        scale: Floats = np.divide(FIELD_WEIGHTS, length, out=length)
        return scale

    @cached_property
    def _body_scale(self) -> Floats:
        scale = np.empty(len(self.view), dtype=np.float32)
        for first in range(0, len(scale), _BLOCK):
            part = slice(first, first + _BLOCK)
            code = self.view.code[part].view(np.uint8)
            b = _B[:, 0].take(code)
            length = self.view.bodies[part].astype(np.float32)
            length *= b
            length /= self._averages[:, 0].take(code)
            length += 1 - b
            np.divide(FIELD_WEIGHTS[0], length, out=scale[part])
        return scale

    def matched(self, terms: Mapping[str, float], postings_of: PostingsOf) -> LexicalScores:
        """The terms of a query, by their names and weights, with their postings."""
        matched, unknown, mass = [], [], 0.0
        for term, weight in terms.items():
            postings = postings_of(term)
            frequency = len(postings.positions)
            idf = float(np.log1p((self.living - frequency + 0.5) / (frequency + 0.5)))
            mass += weight * idf
            if frequency:
                matched.append(MatchedTerm(term, weight, idf, postings))
            else:
                unknown.append(term)
        return LexicalScores(tuple(matched), tuple(unknown), mass)

    def gain_of(self, term: MatchedTerm) -> Floats:
        """The gain of a term, which is its part of a score, at each of its positions."""
        positions, tf = term.postings
        return self._gain(np.float32(highest_gain(term)), positions, tf.view("<u4")[:, 0])

    def relative_gain(self, term: MatchedTerm) -> Floats:
        """The gain at each position of a term over its `highest_gain`. No question changes it, so it is kept with the postings."""
        return self.view.kept.share(
            term.term,
            term.postings,
            lambda: self._gain(np.float32(1), term.postings.positions, term.postings.tf.view("<u4")[:, 0]),
        )

    def _gain(self, most: Floats | np.float32, positions: Ints, tf: UInt32s) -> Floats:
        """The gains of terms whose highest gain is `most`; each number of `tf` holds the frequencies in the four fields."""
        # Most postings are of the body alone, and a common term of one column is scored three times as fast.
        pseudo = (tf & 255).astype(np.uint8) * self._body_scale.take(positions)
        wider = np.flatnonzero(tf > 255)  # anything behind the first byte
        if len(wider):
            capped = tf.take(wider).view(np.uint8).reshape(-1, len(FIELD_WEIGHTS)).astype(np.float32)
            np.minimum(capped[:, PATH], FIELD_CAPS[PATH], out=capped[:, PATH])
            pseudo[wider] = np.einsum("ij,ij->i", capped, self._scales(positions.take(wider)))
        gain: Floats = most * pseudo / (pseudo + np.float32(K1))
        return gain

    def gain_at(self, term: MatchedTerm, positions: Ints) -> Floats:
        """The gain of a term at any positions: 0 where it does not occur."""
        return self._gain(np.float32(highest_gain(term)), positions, _tf_at(term.postings, positions))

    def frequencies(self, terms: Sequence[MatchedTerm], positions: Ints) -> UInt32s:
        """The frequencies (terms, n) at any positions, those in the four fields as one number; 0 where a term does not occur."""
        tf = np.empty((len(terms), len(positions)), dtype="<u4")
        for row, term in zip(tf, terms, strict=True):
            row[:] = _tf_at(term.postings, positions)
        return tf

    def frequencies_around(self, terms: Sequence[MatchedTerm], positions: Ints) -> UInt32s:
        """The `frequencies` (terms, 3 n) at positions, then at their neighbours before and after them."""
        return self.frequencies(terms, np.concatenate([positions, *self.view.neighbours(positions)]))

    def summed(self, terms: Sequence[MatchedTerm], positions: Ints, tf: UInt32s) -> Floats:
        """BM25F of chunks by themselves, from the `frequencies` of the terms there, summed in the order of the terms."""
        unit = np.zeros(len(positions), dtype=np.float32)
        step = max(1, _BLOCK // max(1, len(positions)))  # terms that are scored together
        for first in range(0, len(terms), step):
            some = terms[first : first + step]
            most = np.asarray([highest_gain(term) for term in some], dtype=np.float32)
            here = tf[first : first + step].ravel()
            gains = self._gain(np.repeat(most, len(positions)), np.tile(positions, len(some)), here)
            for row in gains.reshape(len(some), -1):
                unit += row
        return unit

    def unit(self, scores: LexicalScores, positions: Ints) -> Floats:
        """BM25F of chunks by themselves, summed in the order of the query."""
        terms = scores.terms
        if len(positions) * len(terms) < sum(len(term.postings.positions) for term in terms):
            return self.summed(terms, positions, self.frequencies(terms, positions))
        unit = np.zeros(len(self.view), dtype=np.float32)
        for term in terms:
            unit[term.postings.positions] += self.gain_of(term)
        return unit[positions]

    def context(self, scores: LexicalScores, positions: Ints, tf: UInt32s) -> Floats:
        """BM25F of each chunk together with its neighbours: frequencies in the body are summed over the three. `tf` are
        the `frequencies_around` the positions.
        """
        view, n = self.view, len(positions)
        before, after = view.neighbours(positions)
        inner = (before != positions, after != positions)
        own_length, *near_lengths = (
            view.lengths[at, 0].astype(np.float32) for at in (positions, before, after)
        )
        length = own_length + np.where(inner[0], near_lengths[0], 0) + np.where(inner[1], near_lengths[1], 0)
        window = 1 + inner[0].astype(np.float32) + inner[1].astype(np.float32)
        code = view.code[positions].astype(np.int64)
        b = _B[code, 0]
        scale = 1 / (1 - b + b * length / (self._averages[code, 0] * window))
        wider_scale = self._scales(positions)[:, 1:]
        total = np.zeros(n, dtype=np.float32)
        step = max(1, _BLOCK // max(1, n))  # terms that are scored together
        for first in range(0, len(scores.terms), step):
            some = scores.terms[first : first + step]
            own, left, right = tf[first : first + step].reshape(len(some), 3, n).swapaxes(0, 1)
            near = (left & 255) * inner[0] + (right & 255) * inner[1]
            pseudo = ((own & 255) + near).astype(np.float32) * scale
            row, at = np.nonzero(own > 255)  # anything behind the first byte
            if len(row):
                wider = own[row, at].view(np.uint8).reshape(-1, len(FIELD_WEIGHTS))
                wider = np.minimum(wider, FIELD_CAPS)[:, 1:]
                pseudo[row, at] += (wider.astype(np.float32) * wider_scale[at]).sum(axis=1)
            most = np.asarray([highest_gain(term) for term in some], dtype=np.float32)
            for gain in most[:, None] * pseudo / (pseudo + np.float32(K1)):
                total += gain
        return total

    def file(self, scores: LexicalScores, positions: Ints) -> Floats:
        """BM25 of the whole record that each position belongs to."""
        view = self.view
        records = distinct(view.record_ids[positions])
        members, record = view.records.members(records)
        living = view.alive[members]
        members, record = members[living], record[living]
        lengths = np.bincount(record, weights=view.lengths[members, 0], minlength=len(records))
        average = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
        norm = 1 - B_CODE[0] + B_CODE[0] * lengths / average
        total = np.zeros(len(records))
        for term in scores.terms:
            rows, occurs = term.postings.rows_at(members)
            frequencies = term.postings.tf[rows[occurs], 0]
            tf = np.bincount(record[occurs], weights=frequencies, minlength=len(records)) / norm
            total += highest_gain(term) * tf / (tf + K1)
        index = np.searchsorted(records, view.record_ids[positions])
        result: Floats = total[index].astype(np.float32)
        return result


def highest_gain(term: MatchedTerm) -> float:
    """The upper bound of the gain of a term, which no frequency reaches."""
    return term.weight * term.idf * (K1 + 1)


def _tf_at(postings: TermPostings, positions: Ints) -> UInt32s:
    """The frequencies of a term at any positions, those in the four fields as one number; 0 where it does not occur."""
    if not len(postings.positions):
        return np.zeros(len(positions), dtype=np.uint32)
    rows, occurs = postings.rows_at(positions)
    tf: UInt32s = postings.tf.view("<u4")[:, 0].take(rows)
    tf *= occurs
    return tf
