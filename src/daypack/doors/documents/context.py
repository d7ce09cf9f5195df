"""Context packs of documents: texts of one field for a task, within a token budget.

Packing `prefix` and `skip` take whole texts in the order of their cosine. Packing `auto` leaves the ranking to
the common index and the packer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from daypack import tokens
from daypack.doors.documents import indexing, table
from daypack.doors.documents.filters.sql import parsed_filter, record_is_in
from daypack.doors.documents.model.results import ContextChunk, ContextPack
from daypack.doors.documents.model.values import Value
from daypack.doors.documents.model.views import text_of
from daypack.doors.documents.vectors.fields import FieldQuery, FieldVectors, nearest, text_at
from daypack.engine.ingest import CHUNK_TOKENIZER
from daypack.engine.limits import check_limits
from daypack.engine.questions import Question
from daypack.filters.tree import Where
from daypack.pack.worth import worth_showing
from daypack.ports import Ladder
from daypack.text.checks import member
from daypack.types import Budget, Candidate, Pack, Packing, Tokenizer


def pack_context(
    vectors: FieldVectors,
    question: FieldQuery,
    *,
    budget: int,
    packing: Packing | str,
    tokenizer: Tokenizer | str,
) -> ContextPack:
    """The texts that answer the question. Raises BadBudget, FilterError and NoCollection."""
    chosen, counter = member(Packing, packing), member(Tokenizer, tokenizer)
    limit = Budget(budget, counter)
    check_limits(question.query, limit)
    if chosen is Packing.AUTO:
        return _packed(vectors, question, limit)
    return _whole_texts(vectors, question, limit, stop=chosen is Packing.PREFIX)


def _whole_texts(vectors: FieldVectors, question: FieldQuery, budget: Budget, *, stop: bool) -> ContextPack:
    """Whole texts in the order of their cosine, up to the first that does not fit, or skipping it."""
    engine = vectors.engine
    count = tokens.counter(budget.tokenizer)
    steps = question.field.split(".")
    chunks: list[ContextChunk] = []
    used = 0
    truncated = False
    with engine.translating_damage(), engine.store.reading() as db:
        # Only a few texts of a large collection can fit a budget; texts that cost nothing are searched
        # further on.
        depth = 4 * budget.limit + 256 if stop else 1 << 30
        ranked = nearest(vectors, db, question, depth)
        for document_id, score in zip(ranked.ids, ranked.scores, strict=True):
            document = json.loads(table.by_ids(db, [document_id])[document_id].body)
            text = text_at(document, steps)
            assert text is not None
            cost = count(text)
            if used + cost > budget.limit:
                truncated = True
                if stop:
                    break
                continue
            used += cost
            chunks.append(ContextChunk(document["_id"], score, cost, text))
    facts = {
        "embedder": ranked.embedder,
        "packing": "prefix" if stop else "skip",
        "tokenizer": budget.tokenizer.value,
        "stale": ranked.stale,
    }
    return _explained(ContextPack(question.query, budget.limit, used, truncated, tuple(chunks)), facts, count)


def _explained(pack: ContextPack, facts: Mapping[str, Any], count: Callable[[str], int]) -> ContextPack:
    return replace(pack, facts={**facts, "renderedTokens": count(pack.to_json())})


def _packed(vectors: FieldVectors, question: FieldQuery, budget: Budget) -> ContextPack:
    """Parts of texts, ranked by the common index and chosen by the packer."""
    engine = vectors.engine_with(question.embedder or vectors.engine.settings.embedder)
    store = engine.store
    count = tokens.counter(budget.tokenizer)
    waiting = indexing.index_before_question(vectors.engine)
    places: dict[int, tuple[Value, int]] = {}  # record → (_id, begin of the field in its text)
    with engine.translating_damage():
        with store.reading() as db:
            collection = table.existing_collection(db, question.collection)
            where, parameters, _ = parsed_filter(question.filter).where(db, collection)

        def in_field(candidates: list[Candidate]) -> list[Candidate]:
            ids = [candidate.chunk.record_id for candidate in candidates]
            bodies = table.bodies_of_records(store.db, collection, ids)
            cut = []
            for candidate, id_ in zip(candidates, ids, strict=True):
                if (part := _part(bodies.get(id_), question.field)) is None:
                    continue
                identity, text, start, end = part
                if (within := _cut_to_field(candidate, text, start, end)) is not None:
                    places[id_] = (identity, start)
                    cut.append(within)
            return [*worth_showing(cut)]

        pack = engine.pack(
            question.query,
            budget,
            Question(condition=Where(*record_is_in(collection, where, parameters)), revised=in_field),
            ladder=Ladder((_texts,), (_nothing,)),
        )
    chunks = _chunks_of(pack, places, count)
    excerpts = len(chunks)
    # joined, texts may count a little less than each for itself
    while chunks and sum(chunk.tokens for chunk in chunks) > budget.limit:
        chunks.pop()
    facts = {
        "embedder": engine.settings.embedder, "packing": "auto", "tokenizer": budget.tokenizer.value, "textPending": waiting,
        "emptyReason": pack.empty_reason.value if pack.empty_reason is not None else None, "degraded": list(pack.stats.degraded),
    }  # fmt: skip
    used = sum(chunk.tokens for chunk in chunks)
    truncated = pack.truncated or len(chunks) < excerpts
    packed = ContextPack(question.query, budget.limit, used, truncated, tuple(chunks))
    return _explained(packed, facts, count)


def _chunks_of(
    pack: Pack, places: Mapping[int, tuple[Value, int]], count: Callable[[str], int]
) -> list[ContextChunk]:
    """The excerpts of a pack, best first, with the _id of the document and the span within its field."""
    chunks = []
    for excerpt in sorted(pack.excerpts, key=lambda item: -item.score):
        own = excerpt.citation.chunk_ids
        identity, start = places[next(c.chunk.record_id for c in pack.candidates if c.chunk.id in own)]
        span = (excerpt.citation.span.start - start, excerpt.citation.span.end - start)
        tokens_used = count(excerpt.text)
        chunks.append(ContextChunk(identity, round(excerpt.score, 6), tokens_used, excerpt.text, span))
    return chunks


def _texts(pack: Pack) -> str:
    """The texts alone: all that a context pack's budget counts."""
    return "\n\n".join(excerpt.text for excerpt in pack.excerpts)


def _nothing(_: Pack) -> str:
    return ""


def _part(body: str | None, path: str) -> tuple[Value, str, int, int] | None:
    """(_id, text of the record, start, end) of the field in the searched form of a document."""
    if body is None:
        return None
    document = json.loads(body)
    searched = text_of(document)
    for part in searched.parts:
        if part.path == path:
            return document["_id"], searched.text, part.start, part.end
    return None


def _cut_to_field(candidate: Candidate, text: str, start: int, end: int) -> Candidate | None:
    """A candidate cut to the text of the field; None when its chunk holds no such text."""
    chunk = candidate.chunk
    first, last = max(chunk.span.start, start), min(chunk.span.end, end)
    # the document was written since its text was indexed
    if chunk.text != text[chunk.span.start : chunk.span.end]:
        return None
    body = text[first:last]
    first += len(body) - len(body.lstrip())
    body = body.strip()
    if not body:
        return None
    if body == chunk.text:
        return candidate
    line = chunk.span.start_line + text.count("\n", chunk.span.start, first)
    span = chunk.span._replace(
        start=first, end=first + len(body), start_line=line, end_line=line + body.count("\n")
    )
    count = tokens.counter(CHUNK_TOKENIZER)
    return candidate._replace(chunk=chunk._replace(span=span, text=body, tokens=count(body)))
