"""Peers to compare with. Each ranks the pieces of a collection (evals/quality/pieces.py) and fills packs in that
order.

    bm25     Okapi BM25 (k1 1.2, b .75) over title, author and text, English stems, stop words dropped, identifiers split: the floor
    bm25-source  the same over the source files of a tree alone, without tests, documentation, examples and scripts; the baseline that
                 is usually published for localisation, and told beforehand where not to look. Elsewhere it is bm25
    bm25s    the library of that name by its defaults (Lucene's BM25, k1 1.5, b .75), English stems and stop words
    fts5     SQLite's full-text search: porter stems, any word of the question, its bm25()
    dense    cosine alone             ┐ over Daypack's own pool, chunks and vectors, by what `search` says that each arm gave:
    rrf      reciprocal ranks, k 60   │ what differs is how the arms are put together, and the packer
    hybrid   min-max, half and half   ┘

Their packs keep rank order and pass over what does not fit; a piece costs ceil(characters / 4) + 8 tokens.
What the field's packers do by their own formulas is in evals/quality/formulas.py.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from daypack.text.analysis import STOP_WORDS
from evals.quality.answers import Answer, Options, Packed, cut, since
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.daypack_system import DaypackSystem
from evals.quality.pieces import Piece, pieces_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]
    """One value a piece; what is not above zero was not found."""

Ranked = list[tuple[Piece, float]]
Packer = Callable[[Ranked, int], tuple[Ranked, int]]
"""(ranked pieces, budget) → (what goes in, tokens used)."""

WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_SOURCE = (".py", ".pyx", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".go", ".rs", ".java", ".rb", ".c", ".h")
_ASIDE = re.compile(
    r"(^|/)(tests?|testing|testdata|integration-tests|docs?|examples?|benchmarks?|bench|scripts?|extra)/|(^|/)(test_|conftest|setup\.py)|[._-](test|spec)s?\.[a-z]+$"
)
RRF_K = 60


def skip(ranked: Ranked, budget: int) -> tuple[Ranked, int]:
    """Rank order; what does not fit is passed over."""
    taken, used = [], 0
    for piece, score in ranked:
        if used + piece.cost <= budget:
            taken.append((piece, score))
            used += piece.cost
    return taken, used


def answered(ranked: Ranked, budgets: Sequence[int], packer: Packer, started: float) -> Answer:
    """A ranking and its packs. `started` is the CPU time at which the question came."""
    ms = {"search": since(started)}
    packs = {}
    for budget in budgets:
        started = time.process_time()
        taken, used = packer(ranked, budget)
        ms[str(budget)] = round(ms["search"] + since(started), 3)
        packs[budget] = Packed([piece.item(score) for piece, score in taken], used)
    return Answer(cut([piece.item(score) for piece, score in ranked]), packs, ms)


class Peer:
    """An index that gives every piece a score."""

    packer: Packer = staticmethod(skip)

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self._scopes = np.asarray([piece.scope for piece in pieces])

    @property
    def size(self) -> int:
        return len(self.pieces)

    def scores(self, query: EvalQuery) -> Scores:
        raise NotImplementedError

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        started = time.process_time()
        scores = self.scores(query)
        found = np.flatnonzero(scores > 0)
        if query.scope is not None:
            found = found[self._scopes[found] == query.scope]
        order = found[np.lexsort((found, -scores[found]))]
        return answered(
            [(self.pieces[i], float(scores[i])) for i in order.tolist()], budgets, self.packer, started
        )

    def close(self) -> None:
        """Nothing is held open."""


# ---------------------------------------------------------------- words


class Bm25Baseline(Peer):
    def __init__(self, pieces: Sequence[Piece]) -> None:
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWord
        super().__init__(pieces)
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
        for word in WORD.findall(text):
            for part in _PART.findall(word) or [word]:
                if (low := part.lower()) not in STOP_WORDS:
                    yield self._stem(low)

    def scores(self, query: EvalQuery) -> Scores:
        scores = np.zeros(len(self.pieces))
        for term in self._terms(query.text):
            found = self._postings.get(term)
            if found is not None:
                where, tf = found[:, 0], found[:, 1]
                idf = np.log(1 + (len(self.pieces) - len(found) + 0.5) / (len(found) + 0.5))
                scores[where] += idf * tf * 2.2 / (tf + self._norm[where])
        return scores


class Bm25Peer(Bm25Baseline):
    def __init__(self, collection: Collection, wanted: Callable[[Piece], bool] = lambda _: True) -> None:
        super().__init__([piece for piece in pieces_of(collection) if wanted(piece)])


def of_source(piece: Piece) -> bool:
    """Tell whether a piece is of a record, or of a source file that is no test, example or script."""
    return not piece.end_line or (piece.doc_id.endswith(_SOURCE) and not _ASIDE.search(piece.doc_id))


class Bm25s(Peer):
    def __init__(self, collection: Collection) -> None:
        import Stemmer

        try:
            import bm25s
        except ImportError:
            raise SystemExit(
                "bm25s is not installed; `pip install -r requirements/bench.txt` brings it"
            ) from None

        super().__init__(pieces_of(collection))
        self._stemmer = Stemmer.Stemmer("english")
        self._tokenize = bm25s.tokenize
        self._index = bm25s.BM25()
        texts = [f"{piece.title} {piece.text}" for piece in self.pieces]
        self._index.index(
            self._tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False),
            show_progress=False,
        )

    def scores(self, query: EvalQuery) -> Scores:
        [words] = self._tokenize(
            [query.text], stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )
        known = [word for word in words if word in self._index.vocab_dict]
        return (
            np.asarray(self._index.get_scores(known), dtype=np.float64)
            if known
            else np.zeros(len(self.pieces))
        )


class Fts:
    """A table of SQLite's full-text search over pieces. `tokenize` as FTS5 wants it."""

    def __init__(self, pieces: Sequence[Piece], tokenize: str, title_weight: float = 1.0) -> None:
        import apsw

        self._db = apsw.Connection(":memory:")
        self._db.execute(f"CREATE VIRTUAL TABLE piece USING fts5(title, text, tokenize='{tokenize}')")
        self._db.executemany(
            "INSERT INTO piece(rowid, title, text) VALUES (?, ?, ?)",
            ((n, piece.title, piece.text) for n, piece in enumerate(pieces)),
        )
        self._rank = f"bm25(piece, {title_weight}, 1.0)"

    def best(self, words: Iterable[str], limit: int) -> list[tuple[int, float]]:
        """(number of a piece, score) for pieces with any of the words, best first."""
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        if not wanted:
            return []
        found = self._db.execute(
            f"SELECT rowid, -{self._rank} FROM piece WHERE piece MATCH ? ORDER BY {self._rank}, rowid LIMIT ?",
            (wanted, limit),
        )
        return [(int(number), float(score)) for number, score in found]

    def close(self) -> None:
        self._db.close()


class Fts5(Peer):
    def __init__(self, collection: Collection) -> None:
        super().__init__(pieces_of(collection))
        self._table = Fts(self.pieces, "porter unicode61")

    def scores(self, query: EvalQuery) -> Scores:
        scores = np.zeros(len(self.pieces))
        for number, score in self._table.best(WORD.findall(query.text), -1):
            # a word that more than half of the pieces hold scores nothing, and was found
            scores[number] = max(score, 1e-9)
        return scores

    def close(self) -> None:
        self._table.close()


# ---------------------------------------------------------------- arms


def arms_of(candidates: Sequence[Any]) -> dict[str, Scores]:
    """Score of each candidate by the lexical and by the dense arm, from its contributions; 0 where an arm gave
    none.
    """
    arms = {"bm25": np.zeros(len(candidates)), "dense": np.zeros(len(candidates))}
    for row, candidate in enumerate(candidates):
        for part in candidate.contributions:
            if part.signal in arms:
                arms[part.signal][row] = part.raw
    return arms


def dense(arms: Mapping[str, Scores]) -> Scores:
    return arms["dense"]


def rrf(arms: Mapping[str, Scores]) -> Scores:
    """Sum over arms of 1 / (60 + rank), rank from 1. Cormack, Clarke & Büttcher, SIGIR 2009."""
    fused = np.zeros(len(arms["bm25"]))
    for scores in arms.values():
        order = np.lexsort((np.arange(len(scores)), -scores))
        order = order[scores[order] > 0]
        fused[order] += 1 / (RRF_K + 1 + np.arange(len(order)))
    return fused


def hybrid(arms: Mapping[str, Scores]) -> Scores:
    """Half of each arm on a scale from the pool's least to its greatest value; where all are equal, what was
    found has all of it.
    """
    fused = np.zeros(len(arms["bm25"]))
    for scores in arms.values():
        spread = np.ptp(scores) if len(scores) else 0.0
        fused += (scores - scores.min()) / spread / 2 if spread else (scores > 0) / 2
    return fused


Fusion = Callable[[Mapping[str, "Scores"]], "Scores"]


class Fused:
    """Daypack's pool, ranked by another fusion of its arms."""

    def __init__(self, collection: Collection, store: Path, options: Options, fusion: Fusion) -> None:
        self._daypack = DaypackSystem(collection, store, options)
        self._fusion = fusion
        self.size = self._daypack.size

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        started = time.process_time()
        candidates = self._daypack.candidates(query)
        fused = self._fusion(arms_of(candidates))
        order = np.lexsort((np.arange(len(fused)), -fused))
        ranked = [
            (self._daypack.piece(candidates[row]), float(fused[row]))
            for row in order.tolist()
            if fused[row] > 0
        ]
        return answered(ranked, budgets, skip, started)

    def close(self) -> None:
        self._daypack.close()
