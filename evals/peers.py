"""Peers to compare with, each an index over pieces (evals/pieces.py), a ranking and a way to fill a pack.

bm25        Okapi BM25 (k1 1.2, b .75), English stems, stop words dropped, identifiers split; skip
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from daypack.analysis import STOP_WORDS
from evals.datasets import Collection, EvalQuery
from evals.pieces import Piece, pieces_of
from evals.systems import Answer, Options, Packed, System, cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]
    """One value a piece; what is not above zero was not found."""

_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def skip(ranked: Iterable[tuple[Piece, float]], budget: int) -> tuple[list[tuple[Piece, float]], int]:
    """Rank order; what does not fit is passed over."""
    taken, used = [], 0
    for piece, score in ranked:
        if used + piece.cost <= budget:
            taken.append((piece, score))
            used += piece.cost
    return taken, used


class Peer:
    """Ranks pieces by `score` and fills packs in that order."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self._scopes = np.asarray([piece.scope for piece in pieces])

    def scores(self, text: str) -> Scores:
        raise NotImplementedError

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        started = time.process_time()
        scores = self.scores(query.text)
        found = np.flatnonzero(scores > 0)
        if query.scope is not None:
            found = found[self._scopes[found] == query.scope]
        order = found[np.lexsort((found, -scores[found]))]
        ranked = [(self.pieces[i], float(scores[i])) for i in order.tolist()]
        ms = {"search": round(1000 * (time.process_time() - started), 3)}
        packs = {}
        for budget in budgets:
            taken, used = skip(ranked, budget)
            packs[budget] = Packed([piece.item(score) for piece, score in taken], used)
        return Answer(cut([piece.item(score) for piece, score in ranked]), packs, ms)

    def close(self) -> None:
        """Nothing is held open."""


class Bm25(Peer):
    """Plain BM25: the floor."""

    def __init__(self, collection: Collection, store: Path, options: Options) -> None:  # noqa: ARG002 (it keeps nothing and has no options)
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWord
        super().__init__(pieces_of(collection))
        lengths = []
        postings: dict[str, list[tuple[int, int]]] = {}
        for number, piece in enumerate(self.pieces):
            counts = Counter(self._terms(f"{piece.title} {piece.text}"))
            lengths.append(counts.total())
            for term, count in counts.items():
                postings.setdefault(term, []).append((number, count))
        self._postings = {term: np.asarray(found) for term, found in postings.items()}
        self._norm = 1.2 * (0.25 + 0.75 * np.asarray(lengths) / max(float(np.mean(lengths or [0])), 1))

    def _terms(self, text: str) -> Iterable[str]:
        for word in re.findall(r"\w+", text):
            for part in _PART.findall(word) or [word]:
                if (low := part.lower()) not in STOP_WORDS:
                    yield self._stem(low)

    def scores(self, text: str) -> Scores:
        scores = np.zeros(len(self.pieces))
        for term in self._terms(text):
            found = self._postings.get(term)
            if found is not None:
                where, tf = found[:, 0], found[:, 1]
                idf = np.log(1 + (len(self.pieces) - len(found) + 0.5) / (len(found) + 0.5))
                scores[where] += idf * tf * 2.2 / (tf + self._norm[where])
        return scores


PEERS: dict[str, Callable[[Collection, Path, Options], System]] = {"bm25": Bm25}
