"""Systems under test: Daypack by its defaults; its peers are in evals/peers.py and evals/formulas.py.

A system indexes one collection and answers the queries that search it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from daypack import Daypack, Settings
from daypack.types import Candidate, SearchResult
from evals.datasets import Collection, EvalQuery
from evals.pieces import Piece

DEPTH = 100  # distinct documents of a ranking
POOL = 1000  # chunks asked for: more than any pool holds


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack: its items, the tokens it counts as rendered, citations that lead back to their text and all
    citations.
    """

    items: list[dict[str, Any]]
    used: int | None = None
    cites: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Ranked items, packs by budget, and CPU milliseconds by step."""

    ranked: list[dict[str, Any]]
    packs: dict[int, Packed] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)

    def line(self, query_id: str) -> dict[str, Any]:
        """One line of results."""
        line: dict[str, Any] = {
            "id": query_id,
            "ranked": self.ranked,
            "packs": {str(b): p.items for b, p in self.packs.items()},
        }
        if used := {str(b): p.used for b, p in self.packs.items() if p.used is not None}:
            line["used"] = used
        if cites := {str(b): list(p.cites) for b, p in self.packs.items() if p.cites is not None}:
            line["cites"] = cites
        return {**line, "ms": self.ms} if self.ms else line


class System(Protocol):
    """An index over one collection; `size` is the number of chunks or pieces in it."""

    @property
    def size(self) -> int: ...

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Options:
    """How Daypack is run. `vectors` and `packing` as on its command line."""

    vectors: str = "all"
    packing: str = "auto"
    embedder: str = "minilm"
    without: tuple[str, ...] = ()  # signals that ranking leaves out

    def label(self, system: str) -> str:
        """The system's name with what differs from the defaults."""
        if system not in WITH_VECTORS:
            return system
        parts = [system, self.vectors]
        parts += [self.packing] if self.packing != "auto" else []
        parts += [self.embedder] if self.embedder != "minilm" else []
        parts += [f"no-{signal}" for signal in self.without]
        return "-".join(parts)


class DaypackSystem:
    """The installed package by its defaults, budgets in tokens of ceil(characters / 4).

    A store that lies in `store` already is brought in step with the collection: equal texts keep their
    vectors, so one store serves all the trees of a repository, one after the other.
    """

    def __init__(self, collection: Collection, store: Path, options: Options) -> None:
        self._options, self._files = options, collection.tree is not None
        settings = Settings(
            embedder=options.embedder, lazy_seconds=None, refresh=False, without=options.without
        )
        root = collection.tree.folder if collection.tree is not None else None
        self._daypack = Daypack.open(store, root=root, settings=settings)
        if root is not None:
            self._daypack.files.add(root)
        else:
            self._daypack.records.add(collection.records)
        if options.vectors == "all":
            self._daypack.embed()
        self._resolved: dict[tuple[str, str, str], bool] = {}

    @property
    def size(self) -> int:
        return int(self._daypack.status()["chunks"])

    def answer(self, query: EvalQuery, budgets: Sequence[int]) -> Answer:
        narrow = _narrowed(query)
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
                packing=self._options.packing,
                vectors=self._options.vectors,
                **narrow,
            )
            ms[str(budget)] = since(started)
            items = [self._item(e.citation.uri, e.citation.span, e.score) for e in pack.excerpts]
            resolved = sum(
                self._resolves(e.citation.reference, e.citation.record_hash, e.text) for e in pack.excerpts
            )
            packs[budget] = Packed(items, pack.tokens_used, (resolved, len(items)))
        return Answer(ranked, packs, ms)

    def candidates(self, query: EvalQuery) -> Sequence[Candidate]:
        """Everything that a search ranks, best first."""
        return self._search(query).candidates

    def _search(self, query: EvalQuery) -> SearchResult:
        return self._daypack.search(query.text, limit=POOL, vectors=self._options.vectors, **_narrowed(query))

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
        """Whether a citation leads to a text that holds the excerpt, and is current."""
        key = (reference, record_hash, text)
        if key not in self._resolved:
            found = self._daypack.get(f"{reference}@{record_hash}")
            self._resolved[key] = found.state == "current" and text in found.text
        return self._resolved[key]

    def close(self) -> None:
        self._daypack.close()


def _narrowed(query: EvalQuery) -> dict[str, Any]:
    return {} if query.scope is None else {"scope": query.scope}


def since(started: float) -> float:
    """CPU milliseconds."""
    return round(1000 * (time.process_time() - started), 3)


def cut(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A ranking up to its document number DEPTH."""
    seen: set[str] = set()
    kept = []
    for item in items:
        if item["doc_id"] not in seen and len(seen) == DEPTH:
            continue
        seen.add(item["doc_id"])
        kept.append(item)
    return kept


def store_of(stores: Path, dataset: str, collection: Collection) -> Path:
    """Where the store of a collection lies: one for a set of records, one for all the trees of a repository."""
    return stores / (collection.tree.repository if collection.tree is not None else dataset)


def systems() -> dict[str, Callable[[Collection, Path, Options], System]]:
    """Every system by its name: how it is opened for a collection."""
    from evals import formulas, knowledge, peers  # they build on what is here

    def alone(peer: Callable[[Collection], System]) -> Callable[[Collection, Path, Options], System]:
        """A peer that keeps no store and has no options."""
        return lambda collection, _store, _options: peer(collection)

    def packing(how: str) -> Callable[[Collection, Path, Options], System]:
        return lambda collection, store, options: DaypackSystem(
            collection, store, replace(options, packing=how)
        )

    def fused(fusion: peers.Fusion) -> Callable[[Collection, Path, Options], System]:
        return lambda collection, store, options: peers.Fused(collection, store, options, fusion)

    return {
        "daypack": DaypackSystem,
        "knowledge": knowledge.Knowledge,
        "skip": packing("skip"),
        "prefix": packing("prefix"),
        "bm25": alone(peers.Bm25),
        "bm25-source": alone(lambda collection: peers.Bm25(collection, peers.of_source)),
        "bm25s": alone(peers.Bm25s),
        "fts5": alone(peers.Fts5),
        "dense": fused(peers.dense),
        "rrf": fused(peers.rrf),
        "hybrid": fused(peers.hybrid),
        "hash-prefix": alone(formulas.HashPrefix),
        "blend-recency": formulas.BlendRecency,
        "porter-trigram": alone(formulas.PorterTrigram),
        "overlap-hash": alone(formulas.OverlapHash),
    }


WITH_VECTORS = ("daypack", "knowledge", "skip", "prefix", "dense", "rrf", "hybrid", "blend-recency")
"""Systems that look at Daypack's options."""
