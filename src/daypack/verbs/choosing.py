"""The verb that answers a task in a user's own words, chosen by examples.

People ask for a tool by what they are about to do, in words that no description of a line foresees: "that was wrong, put the old prices
back". So each verb has tasks like that (`Verb.tasks`), and a new task is compared with them and with the sentences of the description:

    text     (2 words + static table + encoder) / 4, each a cosine; words are stems, and rare ones count more
    verb     the mean of its five nearest texts, so that one chance likeness does not choose

Words and table score everything, and choose eight verbs whose texts the encoder reads as well: a tenth of a second instead of one. Stop words
count here: "who", "why" and "where" tell tools apart. Five did best when each task was left out in turn; words count twice by half of a labelled table (`evals/README.md`).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

import numpy as np

from daypack.embed import open_embedder, open_static
from daypack.errors import ModelError
from daypack.ports import Embedder, StaticTable
from daypack.text.analysis import terms
from daypack.types.arrays import Floats, Vectors
from daypack.verbs.table import Verb

NEAREST = 5  # texts of a verb that make its score
READ = 8  # verbs whose texts the encoder reads
WORDS = 2.0  # the share of words, where that of each model is 1


class Chooser:
    """Verbs by name, to choose from. Without an encoder and a table, words alone choose."""

    def __init__(
        self, verbs: Mapping[str, Verb], encoder: Embedder | None, table: StaticTable | None
    ) -> None:
        self._names = [*verbs]
        owned = [(at, text) for at, verb in enumerate(verbs.values()) for text in texts_of(verb)]
        self._owners = np.array([at for at, _ in owned], dtype=np.int64)
        self._texts = [text for _, text in owned]
        self._encoder, self._table = encoder, table
        self._read: dict[int, Vectors] = {}  # the encoder's vectors of a verb's texts

    @classmethod
    def packaged(cls, verbs: Mapping[str, Verb]) -> Chooser:
        """A chooser with the models that come with Daypack, whatever the store's own model is: nothing is sent away."""
        return cls(verbs, open_embedder(), open_static())

    def ranked(self, task: str, among: Container[str] | None = None) -> list[str]:
        """Verbs for a task, best first: `READ` at most, none for a task without words. `among` names those that may be chosen;
        the others still tell how rare a word is.
        """
        may = [at for at, name in enumerate(self._names) if among is None or name in among]
        if not may or not terms(task):
            return []
        words = self._words.nearness(task)
        best = self._leading(words, may)
        if self._encoder is not None and self._table is not None:
            with suppress(ModelError):  # a damaged model: words alone still answer
                table = self._table_rows @ self._table.embed([task])[0]
                leading = self._leading((WORDS * words + table) / (WORDS + 1), may)
                vector, read = self._encoder.embed([task])[0], np.zeros_like(words)
                for at in leading:
                    read[self._owners == at] = self._vectors(at) @ vector
                best = self._leading((WORDS * words + table + read) / (WORDS + 2), leading)
        return [self._names[at] for at in best]

    @cached_property
    def _words(self) -> WordRows:
        return WordRows(self._texts)

    @cached_property
    def _table_rows(self) -> Vectors:
        assert self._table is not None
        return self._table.embed(self._texts)

    def _vectors(self, at: int) -> Vectors:
        if at not in self._read:
            assert self._encoder is not None
            own = [self._texts[one] for one in np.flatnonzero(self._owners == at)]
            self._read[at] = self._encoder.embed(own)
        return self._read[at]

    def _leading(self, scores: Floats, may: Sequence[int]) -> list[int]:
        """The positions of the best verbs, best first; of equal ones the first."""
        means = {at: _mean_of_best(scores[self._owners == at]) for at in may}
        return sorted(means, key=lambda at: -means[at])[:READ]


class WordRows:
    """The stems of texts, weighted by their rarity, as rows of length one."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(text)) for text in texts]
        held = Counter(term for count in counts for term in count)
        self._rarity = {term: math.log(1 + len(texts) / texts_with) for term, texts_with in held.items()}
        self._size = len(texts)
        self._rows: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for row, count in enumerate(counts):
            for term, weight in self._weighted(count).items():
                self._rows[term].append((row, weight))

    def nearness(self, text: str) -> Floats:
        """The cosine of a text and each row."""
        found = np.zeros(self._size, dtype=np.float32)
        for term, weight in self._weighted(Counter(terms(text))).items():
            for row, other in self._rows.get(term, ()):
                found[row] += weight * other
        return found

    def _weighted(self, count: Mapping[str, int]) -> dict[str, float]:
        new = math.log(1 + self._size)
        weights = {term: times * self._rarity.get(term, new) for term, times in count.items()}
        length = math.hypot(*weights.values()) or 1.0
        return {term: weight / length for term, weight in weights.items()}


def texts_of(verb: Verb) -> Iterable[str]:
    """The sentences of a verb's description, and its tasks."""
    return (*re.split(r"(?<=[.;:]) ", verb.about.replace("`", "")), *verb.tasks)


def _mean_of_best(scores: Floats) -> float:
    return float(np.mean(np.sort(scores)[-NEAREST:])) if len(scores) else 0.0
