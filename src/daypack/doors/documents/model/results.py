"""Answers of the documents door, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from daypack.doors.documents.model.values import Value
from daypack.shapes.plain import pick
from daypack.shapes.strict_json import canonical
from daypack.types import EMPTY
from daypack.types.shown import ShownItems

MOST_IDS = 1_000  # of a write as JSON


@dataclass(frozen=True, slots=True, repr=False)
class Inserted:
    """The result of a write of documents. `ids` are the _ids of those that are new, `data` has the first 1,000."""

    collection: str
    inserted: int = 0
    replaced: int = 0
    unchanged: int = 0
    redactions: int = 0  # secrets replaced before anything was stored
    ids: tuple[Value, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        return pick(
            replace(self, ids=self.ids[:MOST_IDS]), "collection inserted replaced unchanged redactions ids"
        )

    def __repr__(self) -> str:
        ids = "".join(f"{one!r}, " for one in self.ids[:3]) + ("…" if len(self.ids) > 3 else "")
        counts = " ".join(f"{name}={getattr(self, name):,}" for name in ("inserted", "replaced", "unchanged"))
        return f"<Inserted collection={self.collection!r} {counts} ids=[{ids.removesuffix(', ')}]>"


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that a vector search found; `score` is the cosine."""

    id: Value
    score: float
    document: Value

    @property
    def data(self) -> dict[str, Any]:
        return {"id": self.id, "score": self.score, "document": self.document}


@dataclass(frozen=True, slots=True, repr=False)
class VectorAnswer(ShownItems[Hit], facts="hits embedder stale"):
    """Nearest documents, nearest first. `stale` documents have no current vector and were not compared. An answer is
    a sequence of hits, and prints a line of JSON for each.
    """

    hits: tuple[Hit, ...]
    embedder: str
    stale: int = 0

    def __str__(self) -> str:
        return "\n".join(canonical(hit.data) for hit in self.hits)


@dataclass(frozen=True, slots=True)
class ContextChunk:
    """A text of a context pack. `span` is its place in the field, None for the whole field."""

    id: Value
    score: float
    tokens: int
    text: str
    span: tuple[int, int] | None = None

    @property
    def data(self) -> dict[str, Any]:
        whole = {"id": self.id, "score": self.score, "tokens": self.tokens, "text": self.text}
        return whole if self.span is None else {**whole, "span": list(self.span)}


@dataclass(frozen=True, slots=True, repr=False)
class ContextPack(ShownItems[ContextChunk], facts="chunks query used budget"):
    """The most relevant texts of one field within a budget. `truncated`: the budget kept something out. A pack is a
    sequence of texts, and prints as its line of JSON.
    """

    query: str
    budget: int
    used: int
    truncated: bool
    chunks: tuple[ContextChunk, ...]
    facts: Mapping[str, Any] = field(default_factory=lambda: EMPTY)  # for --explain

    def __str__(self) -> str:
        return self.to_json()

    @property
    def data(self) -> dict[str, Any]:
        """The pack with sorted keys; those of a chunk stand in the order of its fields."""
        chunks = {
            "chunks": [chunk.data for chunk in self.chunks],
            "citations": [chunk.id for chunk in self.chunks],
        }
        return {
            **pick(self, "budgetTokens=budget"),
            **chunks,
            **pick(self, "query truncated usedTokens=used"),
        }

    def to_json(self) -> str:
        """One line of canonical JSON."""
        return canonical(self.data)


@dataclass(frozen=True, slots=True)
class Synced:
    """A vsync: the number of documents with a text in the field, and of those with a new vector."""

    collection: str
    field: str
    embedder: str
    documents: int
    embedded: int

    @property
    def data(self) -> dict[str, Any]:
        return pick(self, "collection field embedder documents embedded")


@dataclass(frozen=True, slots=True)
class Staleness:
    """Documents with a text in the field; those without a current vector, by reason, each once."""

    collection: str
    field: str
    embedder: str
    documents: int
    text_changed: int = 0
    other_model: int = 0
    never_embedded: int = 0

    @property
    def stale(self) -> int:
        return self.text_changed + self.other_model + self.never_embedded

    @property
    def data(self) -> dict[str, Any]:
        counts = (
            "documents stale textChanged=text_changed otherModel=other_model neverEmbedded=never_embedded"
        )
        return pick(self, f"collection field embedder {counts}")


@dataclass(frozen=True, slots=True)
class Planned:
    """A stored dry run: `token` applies it."""

    token: str
    matched: int
    changed: int
    sample: tuple[tuple[Value, Value], ...]  # (before, after)
    expires_at: float
    redactions: int = 0  # secrets replaced in the update and in the documents before anything was stored

    @property
    def data(self) -> dict[str, Any]:
        return {
            **pick(self, "token matched changed"),
            "expiresAt": {"$date": int(self.expires_at * 1000)},
            "sampleBeforeAfter": [{"before": before, "after": after} for before, after in self.sample],
        }


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of an apply or a rollback; `rollback` takes the `change_id`."""

    change_id: str
    collection: str
    documents: int
    state: str

    @property
    def data(self) -> dict[str, Any]:
        return pick(self, "changeId=change_id collection documents state")


@dataclass(frozen=True, slots=True)
class Explained:
    """The way a filter is answered: its indexes, and the numbers of documents that it examines and passes."""

    strategy: str  # index, index then filter, scan
    indexes: tuple[str, ...]
    documents: int
    examined: int
    matched: int
    sql: str

    @property
    def data(self) -> dict[str, Any]:
        return pick(self, "strategy indexes documents examined matched sql")


@dataclass(frozen=True, slots=True)
class PredicateCount:
    """The number of documents that one condition of a filter lets through by itself."""

    path: str
    filter: Mapping[str, Any]
    matched: int
    hint: str = ""

    @property
    def data(self) -> dict[str, Any]:
        facts = {"path": self.path, "filter": self.filter, "matched": self.matched}
        return {**facts, "hint": self.hint} if self.hint else facts
