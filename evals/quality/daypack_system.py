"""Daypack by its defaults, as a system under test."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from daypack import Daypack, Settings
from daypack.text.checks import member
from daypack.tokens import counter
from daypack.types import Candidate, Packing, SearchResult, Tokenizer, VectorMode
from evals.quality.answers import DEPTH, Answer, Options, Packed, cut, since
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.measures import content_tokens
from evals.quality.pieces import Piece

POOL = 1000  # chunks asked for: more than any pool holds


class DaypackSystem:
    """The installed package by its defaults, budgets in tokens of ceil(characters / 4).

    A store that lies in `store` already is brought in step with the collection: equal texts keep their
    vectors, so one store serves all the trees of a repository, one after the other.
    """

    def __init__(self, collection: Collection, store: Path, options: Options) -> None:
        self._options, self._files = options, collection.tree is not None
        settings = Settings(embedder=options.embedder, refresh=False, without=options.without)
        root = collection.tree.folder if collection.tree is not None else None
        self._daypack = Daypack.open(store, root=root, settings=settings)
        if root is not None:
            self._daypack.files.add(root)
        else:
            self._daypack.records.add(collection.records)
        if options.vectors == "all":
            self._daypack.embed()
        self._resolved: dict[tuple[str, str, str], bool] = {}
        self._o200k = counter(Tokenizer.O200K)

    @property
    def size(self) -> int:
        return int(self._daypack.status()["chunks"])

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        filters = filter_arguments(query)
        ms: dict[str, float] = {}
        started = time.process_time()
        found = self._search(query)
        ms["search"] = since(started)
        if self._files:
            ranked = [{"doc_id": file.uri, "score": round(file.score, 6)} for file in found.files[:DEPTH]]
        else:
            ranked = cut([self._item(c.chunk.uri, c.chunk.span, c.score) for c in found.candidates])
        packs = {}
        for budget in budgets:
            started = time.process_time()
            pack = self._daypack.pack(
                query.text,
                budget=budget,
                tokenizer="approx",
                packing=member(Packing, self._options.packing),
                vectors=member(VectorMode, self._options.vectors),
                history=query.history,
                **filters,
            )
            ms[str(budget)] = since(started)
            items = [self._item(e.citation.uri, e.citation.span, e.score) for e in pack.excerpts]
            resolved = sum(
                self._resolves(e.citation.reference, e.citation.record_hash, e.text) for e in pack.excerpts
            )
            content = content_tokens(pack.text, [e.text for e in pack.excerpts], self._o200k)
            packs[budget] = Packed(items, pack.tokens_used, (resolved, len(items)), content)
        return Answer(ranked, packs, ms)

    def candidates(self, query: EvalQuery) -> Sequence[Candidate]:
        """Everything that a search ranks, best first."""
        return self._search(query).candidates

    def _search(self, query: EvalQuery) -> SearchResult:
        return self._daypack.search(
            query.text,
            limit=POOL,
            vectors=member(VectorMode, self._options.vectors),
            history=query.history,
            **filter_arguments(query),
        )

    def piece(self, candidate: Candidate) -> Piece:
        """A candidate's chunk as peers know it."""
        chunk = candidate.chunk
        lines = {"start_line": chunk.span.start_line, "end_line": chunk.span.end_line} if self._files else {}
        return Piece(
            chunk.uri,
            chunk.title,
            chunk.text,
            chunk.span.start,
            chunk.span.end,
            scope=chunk.scope,
            time=chunk.time,
            **lines,
        )

    def _item(self, document: str, span: Any, score: float) -> dict[str, Any]:
        where = (
            {"start_line": span.start_line, "end_line": span.end_line}
            if self._files
            else {"start": span.start, "end": span.end}
        )
        return {"doc_id": document, **where, "score": round(score, 6)}

    def _resolves(self, reference: str, record_hash: str, text: str) -> bool:
        """Tell whether a citation leads to a text that holds the excerpt, and is current."""
        key = (reference, record_hash, text)
        if key not in self._resolved:
            found = self._daypack.get(f"{reference}@{record_hash}")
            self._resolved[key] = found.state == "current" and text in found.text
        return self._resolved[key]

    def close(self) -> None:
        self._daypack.close()


def filter_arguments(query: EvalQuery) -> dict[str, Any]:
    """The arguments that hold a search to the scope of a query."""
    return {} if query.scope is None else {"scope": query.scope}


def store_of(stores: Path, dataset: str, collection: Collection) -> Path:
    """Folder of the store of a collection: one for a set of records, one for all the trees of a repository."""
    return stores / (collection.tree.repository if collection.tree is not None else dataset)
