"""BM25F on three views of one set of postings.

    unit       the chunk alone                                     finds
    context    the chunk with its neighbours in file or session    says what it is about
    file       the whole file as one unit                          for code

Per term: tf' = sum over fields of w_f * tf_f / (1 - b_f + b_f * len_f / avg_f); score = idf * tf' * (k1 + 1)
/ (tf' + k1); idf = ln(1 + (N - df + .5) / (df + .5)). Robertson, Zaragoza & Taylor, CIKM 2004; idf as in
Lucene. The context and file views use the unit's idf: a term is as rare as the units that hold it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.rank.membership import distinct
from daypack.rank.views import LexicalView, PostingsOf, TermPostings

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1 = 1.2
# body, name, path, context: docs/decisions/006-constants.md
FIELD_WEIGHTS = np.asarray([1.0, 2.0, 3.0, 0.5], dtype=np.float32)
# a path says a word once, however often it repeats it
PATH = 2
FIELD_CAPS = np.asarray([255, 255, 1, 255], dtype=np.uint8)
B_CODE = np.asarray([0.6, 0.3, 0.0, 0.3], dtype=np.float32)
B_PROSE = np.asarray([0.75, 0.3, 0.0, 0.3], dtype=np.float32)


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
        lengths = view.lengths
        averages = np.ones((2, len(FIELD_WEIGHTS)), dtype=np.float32)
        kind = np.where(view.alive, view.code, 2)
        sizes = np.bincount(kind, minlength=3)
        for field in range(len(FIELD_WEIGHTS)):
            sums = np.bincount(
                kind, weights=lengths[:, field], minlength=3
            )  # whole numbers: exact in any order
            for is_code in (0, 1):
                if sizes[is_code]:
                    averages[is_code, field] = max(sums[is_code] / sizes[is_code], 1.0)
        self._averages = averages

    @cached_property
    def _scale(self) -> NDArray[np.float32]:
        """The factors (n, 4) of the frequencies in each field."""
        view = self.view
        scale = np.empty((len(view), len(FIELD_WEIGHTS)), dtype=np.float32)
        for field, weight in enumerate(FIELD_WEIGHTS):
            length = view.lengths[:, field].astype(np.float32)
            b = np.where(view.code, B_CODE[field], B_PROSE[field])
            average = np.where(view.code, self._averages[1, field], self._averages[0, field])
            np.divide(weight, 1 - b + b * length / average, out=scale[:, field])
        return scale

    @cached_property
    def _body_scale(self) -> NDArray[np.float32]:
        return np.ascontiguousarray(self._scale[:, 0])

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

    def gain(
        self, term: MatchedTerm, positions: NDArray[np.int64], tf: NDArray[np.uint8]
    ) -> NDArray[np.float32]:
        """The score that a term adds at positions, by its frequencies (n, 4) there."""
        # Most postings are of the body alone, and a common term of one column is scored three times as fast.
        pseudo = tf[:, 0] * self._body_scale.take(positions)
        wider = np.flatnonzero(tf.view("<u4")[:, 0] > 255)  # anything behind the first byte
        if len(wider):
            capped = tf.take(wider, axis=0).astype(np.float32)
            np.minimum(capped[:, PATH], FIELD_CAPS[PATH], out=capped[:, PATH])
            scale = self._scale.take(positions.take(wider), axis=0)
            pseudo[wider] = np.einsum("ij,ij->i", capped, scale)
        gain: NDArray[np.float32] = (
            np.float32(term.weight * term.idf * (K1 + 1)) * pseudo / (pseudo + np.float32(K1))
        )
        return gain

    def gain_at(self, term: MatchedTerm, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """The score that a term adds at any positions: 0 where it does not occur."""
        rows, found = term.postings.rows_at(positions)
        gains = np.zeros(len(positions), dtype=np.float32)
        gains[found] = self.gain(term, positions[found], term.postings.tf[rows[found]])
        return gains

    def unit(self, scores: LexicalScores, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """BM25F of chunks by themselves, summed in the order of the query."""
        if len(positions) * len(scores.terms) < sum(len(term.postings.positions) for term in scores.terms):
            unit = np.zeros(len(positions), dtype=np.float32)
            for term in scores.terms:
                unit += self.gain_at(term, positions)
            return unit
        unit = np.zeros(len(self.view), dtype=np.float32)
        for term in scores.terms:
            unit[term.postings.positions] += self.gain(term, *term.postings)
        return unit[positions]

    def context(self, scores: LexicalScores, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """BM25F of each position read together with its neighbours: body frequencies are summed over the
        three.
        """
        view = self.view
        before, after = view.neighbours(positions)
        inner = (before != positions, after != positions)
        own_length, *near_lengths = (
            view.lengths[at, 0].astype(np.float32) for at in (positions, before, after)
        )
        length = own_length + np.where(inner[0], near_lengths[0], 0) + np.where(inner[1], near_lengths[1], 0)
        window = 1 + inner[0].astype(np.float32) + inner[1].astype(np.float32)
        code = view.code[positions].astype(np.int64)
        b = np.stack([B_PROSE, B_CODE])[code, 0]
        scale = 1 / (1 - b + b * length / (self._averages[code, 0] * window))
        wider_scale = self._scale[positions, 1:]
        total = np.zeros(len(positions), dtype=np.float32)
        around = np.concatenate([positions, before, after])
        for term in scores.terms:
            own, left, right = _tf_at(term.postings, around).reshape(3, len(positions), len(FIELD_WEIGHTS))
            near = left[:, 0] * inner[0] + right[:, 0] * inner[1]
            own_weighted = (np.minimum(own, FIELD_CAPS)[:, 1:] * wider_scale).sum(axis=1)
            pseudo = (own[:, 0] + near) * scale + own_weighted
            total += np.float32(term.weight * term.idf * (K1 + 1)) * pseudo / (pseudo + np.float32(K1))
        return total

    def file(self, scores: LexicalScores, positions: NDArray[np.int64]) -> NDArray[np.float32]:
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
            rows, found = term.postings.rows_at(members)
            frequencies = term.postings.tf[rows[found], 0]
            tf = np.bincount(record[found], weights=frequencies, minlength=len(records)) / norm
            total += term.weight * term.idf * (K1 + 1) * tf / (tf + K1)
        index = np.searchsorted(records, view.record_ids[positions])
        result: NDArray[np.float32] = total[index].astype(np.float32)
        return result


def _tf_at(postings: TermPostings, positions: NDArray[np.int64]) -> NDArray[np.float32]:
    """Frequencies (n, 4) of a term at positions; zero where it does not occur."""
    rows, found = postings.rows_at(positions)
    tf: NDArray[np.float32] = postings.tf[rows].astype(np.float32) * found[:, None]
    return tf
