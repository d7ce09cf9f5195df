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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.rank.views import LexicalView, PostingsOf, TermPostings

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1 = 1.2
# body, name, path, context: docs/decisions/006-constants.md
FIELD_WEIGHTS = np.asarray([1.0, 2.0, 3.0, 0.5], dtype=np.float32)
# a path says a word once, however often it repeats it
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
    """BM25F of every chunk of a snapshot: `unit` is float32 (n,), `coverage` the share of the query's idf
    mass matched.
    """

    terms: tuple[MatchedTerm, ...]
    unknown: tuple[str, ...]  # query terms that the index does not have
    unit: NDArray[np.float32]
    coverage: NDArray[np.float32]

    def most_terms(self, mask: NDArray[np.bool_]) -> int:
        """The largest number of the query's terms that one chunk inside the mask holds."""
        held = np.zeros(len(mask), dtype=np.int64)
        for term in self.terms:
            held[term.postings.positions] += 1
        return int(held[mask].max(initial=0))


class Bm25:
    """Scores queries against one snapshot; the query-independent parts are computed once."""

    def __init__(self, view: LexicalView) -> None:
        self.view = view
        body = view.lengths
        self.living = int(view.alive.sum())
        averages = np.ones((2, body.shape[1] if len(body) else len(FIELD_WEIGHTS)), dtype=np.float32)
        for is_code in (0, 1):
            members = view.alive & (view.code == bool(is_code))
            if members.any():
                # whole numbers: exact in any order
                averages[is_code] = np.maximum(body[members].mean(axis=0, dtype=np.float64), 1.0)
        code = view.code.astype(np.int64)
        b = np.stack([B_PROSE, B_CODE])[code]
        self._averages = averages
        self._code = code
        self._b = b
        self._scale = (
            FIELD_WEIGHTS / (1 - b + b * body / averages[code])
            if len(body)
            else np.empty((0, len(FIELD_WEIGHTS)), dtype=np.float32)
        )
        self._body_scale: NDArray[np.float32] = np.ascontiguousarray(self._scale[:, 0])

    def score(
        self, terms: Mapping[str, float], postings_of: PostingsOf, mask: NDArray[np.bool_] | None = None
    ) -> LexicalScores:
        """BM25F of all chunks; chunks outside `mask` score zero, but count for the statistics."""
        unit = np.zeros(len(self.view), dtype=np.float32)
        coverage = np.zeros(len(self.view), dtype=np.float32)
        matched, unknown, mass = [], [], 0.0
        for term, weight in terms.items():
            postings = postings_of(term)
            frequency = len(postings.positions)
            idf = float(np.log1p((self.living - frequency + 0.5) / (frequency + 0.5)))
            mass += weight * idf
            if not frequency:
                unknown.append(term)
                continue
            # Most postings are of the body alone, and a common term of one column is scored three times as
            # fast.
            pseudo = postings.tf[:, 0] * self._body_scale[postings.positions]
            wider = np.flatnonzero(postings.tf.view("<u4")[:, 0] > 255)  # anything behind the first byte
            tf = np.minimum(postings.tf[wider], FIELD_CAPS).astype(np.float32)
            pseudo[wider] = np.einsum("ij,ij->i", tf, self._scale[postings.positions[wider]])
            unit[postings.positions] += (
                np.float32(weight * idf * (K1 + 1)) * pseudo / (pseudo + np.float32(K1))
            )
            coverage[postings.positions] += np.float32(weight * idf)
            matched.append(MatchedTerm(term, weight, idf, postings))
        if mask is not None:
            unit *= mask
            coverage *= mask
        if mass:
            coverage /= np.float32(mass)
        return LexicalScores(tuple(matched), tuple(unknown), unit, coverage)

    def context(self, scores: LexicalScores, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """BM25F of each position read together with its neighbours: body frequencies are summed over the
        three.
        """
        view = self.view
        before, after = view.previous[positions], view.following[positions]
        inner = (before != positions, after != positions)
        body = view.lengths[:, 0]
        length = body[positions] + np.where(inner[0], body[before], 0) + np.where(inner[1], body[after], 0)
        window = 1 + inner[0].astype(np.float32) + inner[1].astype(np.float32)
        b = self._b[positions, 0]
        scale = 1 / (1 - b + b * length / (self._averages[self._code[positions], 0] * window))
        total = np.zeros(len(positions), dtype=np.float32)
        around = np.concatenate([positions, before, after])
        for term in scores.terms:
            own, left, right = _tf_at(term.postings, around).reshape(3, len(positions), len(FIELD_WEIGHTS))
            near = left[:, 0] * inner[0] + right[:, 0] * inner[1]
            own_weighted = (np.minimum(own, FIELD_CAPS)[:, 1:] * self._scale[positions, 1:]).sum(axis=1)
            pseudo = (own[:, 0] + near) * scale + own_weighted
            total += np.float32(term.weight * term.idf * (K1 + 1)) * pseudo / (pseudo + np.float32(K1))
        return total

    def file(self, scores: LexicalScores, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """BM25 of the whole record that each position belongs to."""
        view = self.view
        records, index = np.unique(view.record_ids[positions], return_inverse=True)
        member = np.searchsorted(records, view.record_ids)
        member = np.where((member < len(records)) & view.alive, member, 0)
        inside = (
            (records[member] == view.record_ids) & view.alive
            if len(records)
            else np.zeros(len(view), dtype=bool)
        )
        lengths = np.bincount(member[inside], weights=view.lengths[inside, 0], minlength=len(records))
        average = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
        norm = 1 - B_CODE[0] + B_CODE[0] * lengths / average
        total = np.zeros(len(records))
        for term in scores.terms:
            held = inside[term.postings.positions]
            where = term.postings.positions[held]
            tf = np.bincount(member[where], weights=term.postings.tf[held, 0], minlength=len(records)) / norm
            total += term.weight * term.idf * (K1 + 1) * tf / (tf + K1)
        result: NDArray[np.float32] = total[index].astype(np.float32)
        return result


def _tf_at(postings: TermPostings, positions: NDArray[np.int64]) -> NDArray[np.float32]:
    """Frequencies (n, 4) of a term at positions; zero where it does not occur."""
    at = np.minimum(np.searchsorted(postings.positions, positions), len(postings.positions) - 1)
    found = postings.positions[at] == positions
    tf: NDArray[np.float32] = postings.tf[at].astype(np.float32) * found[:, None]
    return tf
