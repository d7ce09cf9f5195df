"""Context packers of the field, rebuilt from their published formulas; none of their code is here.

    hash-prefix       OMGDB: a document is one piece; 256 buckets of FNV-1a hashes of its lower-case words, cosine; the pack is the
                      prefix of the ranking that fits. Tokens: ceil(characters / 4)
    blend-recency     Hive: the 50 nearest by vector, then .6 cosine + .3 share of the question's words + .1 x 2^(-age / 30 days);
                      what does not fit is passed over, a bullet's key and the header are paid for. Age counts from the newest item
    porter-trigram    context-mode: FTS5 with porter stems and with trigrams, titles five times, k 60 reciprocal ranks; then ordered
                      by words in the title, proximity where all words occur, and neighbouring pairs
    overlap-hash      Context Bucket: 900 characters that overlap by 120; .60 cosine of hashed words and 4-grams +
                      .25 overlap / sqrt(|question| |piece|) + .08 keyword bonus; near duplicates (Jaccard .82) go, what does not
                      fit is passed over, the first item is always taken

Where an original needs what is not here it gets the kinder stand-in: Hive the chunks and vectors of Daypack
instead of a cloud's; context-mode one result a piece instead of one a title and as many as are asked for
instead of two; for Context Bucket blanks are kept, and the constants that depend on record kinds, which the
sets do not have, are left out.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from daypack.text.analysis import STOP_WORDS
from evals.quality.answers import Answer, Options
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.daypack_system import DaypackSystem
from evals.quality.peers import RRF_K, WORD, Fts, Peer, Ranked, answered, arms_of
from evals.quality.pieces import Piece, pieces_of, wholes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from evals.quality.peers import Scores

HALF_LIFE_DAYS = 30
NEAREST = 50
FETCHED = 200


def fnv1a(word: str) -> int:
    """The 64-bit FNV-1a hash of a word's UTF-8 bytes."""
    found = 0xCBF29CE484222325
    for byte in word.encode():
        found = (found ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return found


def hashed(words: Iterable[str], dim: int) -> NDArray[np.float32]:
    """Counts of words by bucket, on the unit sphere; zeros without words."""
    vector = np.zeros(dim, dtype=np.float32)
    for word in words:
        vector[fnv1a(word) % dim] += 1
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector


def plain_tokens(text: str) -> int:
    return math.ceil(len(text) / 4)


# ---------------------------------------------------------------- OMGDB


class HashPrefix(Peer):
    def __init__(self, collection: Collection) -> None:
        super().__init__(wholes_of(collection))
        rows = [hashed(_alphanumeric(piece.text), 256) for piece in self.pieces]
        self._matrix = np.stack(rows) if rows else np.zeros((0, 256), dtype=np.float32)

    def scores(self, query: EvalQuery) -> Scores:
        cosine = self._matrix @ hashed(_alphanumeric(query.text), 256)
        # a document without a common word is ranked too, behind the others
        return cosine.astype(np.float64) + 1e-9

    @staticmethod
    def packer(ranked: Ranked, budget: int) -> tuple[Ranked, int]:
        """Stops at the first that does not fit."""
        used = 0
        for number, (piece, _) in enumerate(ranked):
            if used + plain_tokens(piece.text) > budget:
                return ranked[:number], used
            used += plain_tokens(piece.text)
        return ranked, used


def _alphanumeric(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


# ---------------------------------------------------------------- Hive


class BlendRecency:
    def __init__(self, collection: Collection, store: Path, options: Options) -> None:
        self._daypack = DaypackSystem(collection, store, options)
        self.size = self._daypack.size
        self._now = max((record["time"] for record in collection.records if "time" in record), default=0.0)

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        started = time.process_time()
        found = self._daypack.candidates(query)
        cosines = arms_of(found)["dense"]
        near = [row for row in np.lexsort((np.arange(len(found)), -cosines)).tolist() if cosines[row] > 0][
            :NEAREST
        ]
        asked = set(WORD.findall(query.text.lower()))
        ranked = []
        for row in near:
            piece = self._daypack.piece(found[row])
            words = set(WORD.findall(piece.text.lower()))
            age = 0.0 if piece.time is None else max(0.0, self._now - piece.time) / 86400
            keyword = len(asked & words) / max(len(asked), 1)
            ranked.append(
                (piece, 0.6 * float(cosines[row]) + 0.3 * keyword + 0.1 * 2 ** (-age / HALF_LIFE_DAYS))
            )
        ranked.sort(key=lambda pair: -pair[1])
        header = plain_tokens(f'## Context: "{query.text}" (999 memories, ~99999 tokens)') + 1

        def bullets(ranked: Ranked, budget: int) -> tuple[Ranked, int]:
            taken, used = [], header
            for piece, score in ranked:
                cost = plain_tokens(f"- **{piece.doc_id}**: {piece.text}") + 1
                if used + cost <= budget:
                    taken.append((piece, score))
                    used += cost
            return (taken, used) if taken else ([], 0)

        return answered(ranked, budgets, bullets, started)

    def close(self) -> None:
        self._daypack.close()


# ---------------------------------------------------------------- context-mode


class PorterTrigram(Peer):
    def __init__(self, collection: Collection) -> None:
        super().__init__(pieces_of(collection))
        self._code = collection.tree is not None
        self._tables = [Fts(self.pieces, "porter unicode61", 5.0), Fts(self.pieces, "trigram", 5.0)]

    def scores(self, query: EvalQuery) -> Scores:
        words = [word for word in WORD.findall(query.text.lower()) if word not in STOP_WORDS]
        fused: dict[int, float] = {}
        for table in self._tables:
            # As many as are read of it: a scope's share of what the whole table would give.
            allowed = (
                n
                for n, _ in table.best(words, -1)
                if query.scope is None or self.pieces[n].scope == query.scope
            )
            for rank, number in zip(range(1, FETCHED + 1), allowed, strict=False):
                fused[number] = fused.get(number, 0.0) + 1 / (RRF_K + rank)
        scores = np.zeros(len(self.pieces))
        for number, score in fused.items():
            # Reciprocal ranks only break ties: they are below .04, and boosts of another order.
            scores[number] = self._boost(self.pieces[number], words) + score / 1000
        return scores

    def _boost(self, piece: Piece, words: Sequence[str]) -> float:
        if not words:
            return 0.0
        title, text = piece.title.lower(), piece.text.lower()
        wanted = list(dict.fromkeys(words))
        boost = (0.6 if self._code else 0.3) * sum(word in title for word in wanted) / len(wanted)
        places = {word: [m.start() for m in re.finditer(re.escape(word), text)] for word in wanted}
        if all(places.values()):
            boost += 1 / (1 + _shortest_window(list(places.values())) / max(len(text), 1))
        pairs = list(pairwise(words))
        adjacent = sum(bool(re.search(rf"{re.escape(a)}\W+{re.escape(b)}", text)) for a, b in pairs)
        return boost + (0.5 * adjacent / len(pairs) if pairs else 0.0)

    def close(self) -> None:
        for table in self._tables:
            table.close()


def _shortest_window(places: Sequence[Sequence[int]]) -> int:
    """Length of the shortest stretch that holds one place of each list; every list is sorted and not empty."""
    events = sorted((place, word) for word, found in enumerate(places) for place in found)
    count, inside, first, best = [0] * len(places), 0, 0, events[-1][0] - events[0][0]
    for place, word in events:
        inside += count[word] == 0
        count[word] += 1
        while inside == len(places):
            best = min(best, place - events[first][0])
            count[events[first][1]] -= 1
            inside -= count[events[first][1]] == 0
            first += 1
    return best


# ---------------------------------------------------------------- Context Bucket

CHUNK, OVERLAP, JACCARD = 900, 120, 0.82


class OverlapHash(Peer):
    def __init__(self, collection: Collection) -> None:
        super().__init__([piece for whole in wholes_of(collection) for piece in _windows(whole)])
        self._words = [frozenset(_lexical(piece.text)) for piece in self.pieces]
        self._titles = [frozenset(_lexical(piece.title)) for piece in self.pieces]
        rows = [hashed(_semantic(words), 384) for words in self._words]
        self._matrix = np.stack(rows) if rows else np.zeros((0, 384), dtype=np.float32)

    def scores(self, query: EvalQuery) -> Scores:
        asked = frozenset(_lexical(query.text))
        scores = 0.60 * (self._matrix @ hashed(_semantic(asked), 384)).astype(np.float64)
        for number, words in enumerate(self._words):
            common = len(asked & words)
            if common:
                scores[number] += 0.25 * common / math.sqrt(len(asked) * len(words))
            bonus = (0.04 if asked & self._titles[number] else 0.0) + (
                0.01 if self.pieces[number].start == 0 else 0.0
            )
            scores[number] += 0.08 * bonus
        return scores

    @staticmethod
    def packer(ranked: Ranked, budget: int) -> tuple[Ranked, int]:
        """Without near duplicates; the first item is taken even when it does not fit, and what renders it
        costs nothing.
        """
        taken: Ranked = []
        kept: list[frozenset[str]] = []
        used = 0
        for piece, score in ranked:
            cost = plain_tokens(piece.text)
            if taken and used + cost > budget:
                continue
            words = frozenset(_lexical(piece.text))
            if any(len(words & other) >= JACCARD * len(words | other) for other in kept):
                continue
            taken.append((piece, score))
            kept.append(words)
            used += cost
        return taken, used


def _lexical(text: str) -> list[str]:
    return sorted(set(re.findall(r"[a-z0-9]{2,}", text.lower())))


def _semantic(words: Iterable[str]) -> list[str]:
    """Words and their stretches of four letters."""
    return [
        part for word in sorted(words) for part in (word, *(word[at : at + 4] for at in range(len(word) - 3)))
    ]


def _windows(whole: Piece) -> Iterable[Piece]:
    for start in range(0, max(len(whole.text) - OVERLAP, 1), CHUNK - OVERLAP):
        end = min(start + CHUNK, len(whole.text))
        piece = replace(whole, text=whole.text[start:end], start=start, end=end)
        if whole.end_line:
            first = 1 + whole.text.count("\n", 0, start)
            piece = replace(piece, start_line=first, end_line=first + piece.text.rstrip("\n").count("\n"))
        yield piece
