"""Systems under test: Daypack by its defaults, and plain BM25 beside it.

Each gives ranked parts of documents for a query, and packs for budgets where it packs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any, Protocol

from daypack import Daypack, Settings
from evals.datasets import Dataset, EvalQuery

DEPTH = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """Ranked items and packs, each item {"doc_id", "start", "end", "score"}."""

    ranked: list[dict[str, Any]]
    packs: dict[str, list[dict[str, Any]]]


class System(Protocol):
    name: str

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer: ...


class DaypackSystem:
    """The installed package by its defaults. `vectors` as on the command line."""

    def __init__(self, dataset: Dataset, store: Path, *, vectors: str, packing: str = "auto", embedder: str = "minilm") -> None:
        self.name = f"daypack --vectors {vectors}" + (f" --packing {packing}" if packing != "auto" else "")
        self._vectors, self._packing = vectors, packing
        self._daypack = Daypack.open(store, settings=Settings(embedder=embedder, lazy_seconds=None, refresh=False))
        self._daypack.records.add(dataset.records)
        if vectors == "all":
            self._daypack.embed()

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        narrow: dict[str, Any] = {} if query.scope is None else {"scope": query.scope}
        found = self._daypack.search(query.text, limit=DEPTH, vectors=self._vectors, **narrow)
        ranked = [
            {"doc_id": c.chunk.uri, "start": c.chunk.span.start, "end": c.chunk.span.end, "score": round(c.score, 6)}
            for c in found.candidates
        ]
        packs = {}
        for budget in budgets:
            pack = self._daypack.pack(query.text, budget=budget, tokenizer="approx", packing=self._packing, vectors=self._vectors, **narrow)
            packs[str(budget)] = [
                {"doc_id": e.citation.uri, "start": e.citation.span.start, "end": e.citation.span.end, "score": round(e.score, 6)}
                for e in pack.excerpts
            ]
        return Answer(ranked, packs)

    def close(self) -> None:
        self._daypack.close()


_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


class Bm25System:
    """Plain BM25 over whole documents (k1 1.2, b .75, English stemmer and stop words, identifiers split): the floor."""

    def __init__(self, dataset: Dataset) -> None:
        self.name = "bm25"
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWord
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._documents = [(record["id"], record.get("scope")) for record in dataset.records]
        self._lengths = []
        for number, record in enumerate(dataset.records):
            counts = Counter(self._terms(f"{record.get('title', '')} {record['text']}"))
            self._lengths.append(sum(counts.values()))
            for term, count in counts.items():
                self._postings[term].append((number, count))
        self._average = sum(self._lengths) / max(len(self._lengths), 1)

    def _terms(self, text: str) -> Iterable[str]:
        from daypack.analysis import STOP_WORDS

        for word in re.findall(r"\w+", text):
            for part in _PART.findall(word) or [word]:
                if (low := part.lower()) not in STOP_WORDS:
                    yield self._stem(low)

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:  # noqa: ARG002 (it does not pack)
        scores: dict[int, float] = defaultdict(float)
        for term in self._terms(query.text):
            found = self._postings.get(term, [])
            idf = log(1 + (len(self._documents) - len(found) + 0.5) / (len(found) + 0.5))
            for number, tf in found:
                scores[number] += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * self._lengths[number] / self._average))
        order = sorted((n for n in scores if query.scope is None or self._documents[n][1] == query.scope), key=lambda n: (-scores[n], n))
        return Answer([{"doc_id": self._documents[n][0], "score": scores[n]} for n in order[:DEPTH]], {})

    def close(self) -> None:
        self._postings.clear()


def open_system(name: str, dataset: Dataset, store: Path, options: Mapping[str, str]) -> DaypackSystem | Bm25System:
    """A system by name: daypack (options vectors, packing, embedder) or bm25. Raises KeyError for another name."""
    match name:
        case "daypack":
            return DaypackSystem(dataset, store, vectors=options["vectors"], packing=options["packing"], embedder=options["embedder"])
        case "bm25":
            return Bm25System(dataset)
        case _:
            raise KeyError(name)
