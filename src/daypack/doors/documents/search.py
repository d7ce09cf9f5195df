"""Documents by the meaning of a field: vectors that are kept in step, nearest neighbours, and texts for a
task within a budget.

The baseline, hashed words and whole texts in the order of their cosine, needs no vector at all; what it
prints is computed from the texts in double precision. With a model, a field is embedded first (`vsync`).
Packing `auto` leaves the ranking to the common index and the packer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from daypack import tokens
from daypack.doors.documents import table
from daypack.doors.documents import vector_table as field_vectors
from daypack.doors.documents.filters.language import And, Node, parse_filter
from daypack.doors.documents.filters.sql import where_of
from daypack.doors.documents.model.results import (
    ContextChunk,
    ContextPack,
    Hit,
    Staleness,
    Synced,
    VectorAnswer,
)
from daypack.doors.documents.model.values import Value, at_path
from daypack.doors.documents.model.views import text_of
from daypack.doors.documents.table import DOOR, Row
from daypack.doors.documents.vector_table import CHANGED, NO_TEXT, Field, FieldView
from daypack.embed import hashing
from daypack.embed.quantize import quantize
from daypack.engine.embedding import Embedding
from daypack.engine.engine import Engine
from daypack.engine.ingest import CHUNK_TOKENIZER
from daypack.errors import BadBudget, InputError, member
from daypack.filters.tree import Where
from daypack.index import vectors as vector_index
from daypack.rank.top_k import highest, level
from daypack.settings import LARGEST_BUDGET
from daypack.text.storable import text_hash
from daypack.types import Budget, Candidate, Pack, Packing, Tokenizer

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from daypack.doors.documents.door import Collection

HASHING = "hashing"
EMBED_BATCH = 64
PAGE = 2_000  # documents that are looked at together
KEPT_FILTERS = 8
Progress = Callable[[int, int], None]


class Nearest(NamedTuple):
    """Documents with their cosines, nearest first; `stale` ones have no current vector and were not looked
    at.
    """

    ids: list[int]
    scores: list[float]
    embedder: str
    stale: int


class FieldVectors:
    """What stays in memory between two searches: models, matrices, and which documents pass a filter, each of
    one state of the store.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._models: dict[str, Embedding] = {}
        self._engines: dict[str, Engine] = {}
        self._views: dict[int, tuple[tuple[int, int], str, FieldView, NDArray[np.int64]]] = {}
        self._allowed: dict[tuple[int, int, str], NDArray[np.int64]] = {}

    def model(self, name: str) -> Embedding:
        """The embedder of a name. Raises ConfigError and ModelError."""
        if name == self._engine.settings.embedder:
            return self._engine.embedding
        if name not in self._models:
            self._models[name] = Embedding(self._engine.store, replace(self._engine.settings, embedder=name))
        return self._models[name]

    def engine(self, name: str) -> Engine:
        """The engine on this store that ranks by the vectors of an embedder."""
        ours = self._engine
        if name == ours.settings.embedder:
            return ours
        if name not in self._engines:
            self._engines[name] = Engine(
                ours.store, replace(ours.settings, embedder=name), clock=ours.clock, sight=ours.sight
            )
        return self._engines[name]

    def view(
        self, db: apsw.Connection, collection: table.Collection, field: Field, dim: int
    ) -> tuple[FieldView, NDArray[np.int64]]:
        """(vectors, ids of documents that were written since they were made)."""
        state = self._engine.store.sequences()
        kept = self._views.get(field.id)
        if kept is None or kept[:2] != (state, field.model):
            view = FieldView.load(db, field, dim)
            stale = np.asarray(field_vectors.not_current(db, collection, field), dtype=np.int64)
            self._views[field.id] = kept = (state, field.model, view, stale)
        return kept[2], kept[3]

    def allowed(
        self, db: apsw.Connection, collection: table.Collection, node: Node, data: Mapping[str, Any]
    ) -> NDArray[np.int64] | None:
        """Ids of the documents that pass, rising; None for a filter that every document passes."""
        if node == And(()):
            return None
        sequence, _ = self._engine.store.sequences()
        where, parameters, _ = where_of(node, data, table.indexes(db, collection))
        key = (sequence, collection.id, json.dumps([where, [repr(item) for item in parameters]]))
        if key not in self._allowed:
            while len(self._allowed) >= KEPT_FILTERS:
                del self._allowed[next(iter(self._allowed))]
            self._allowed[key] = np.asarray(
                sorted(table.select_ids(db, collection, where, parameters)), dtype=np.int64
            )
        return self._allowed[key]


def text_at(document: Value, steps: Sequence[str]) -> str | None:
    """The string at a path; None where there is none, or more than one."""
    found = at_path(document, steps)
    return found[0] if len(found) == 1 and type(found[0]) is str else None


def _digest(text: str) -> bytes:
    return bytes.fromhex(text_hash(text))


def fields(db: apsw.Connection, collection: table.Collection) -> list[tuple[str, str, int]]:
    """(path, embedder, embedded documents) of the fields that are synced."""
    return [
        (field.path, field.embedder, field_vectors.count_embedded(db, field))
        for field in field_vectors.fields(db, collection)
    ]


def _pages(db: apsw.Connection, collection: table.Collection) -> Iterator[list[Row]]:
    after = 0
    while rows := list(table.select(db, collection, "d.id > ?", (after,), limit=PAGE)):
        after = rows[-1].id
        yield rows


# ---------------------------------------------------------------- vsync, vstale


def vsync(collection: Collection, path: str, embedder: str | None, progress: Progress | None) -> Synced:
    door, store = collection.door, collection.door.store
    steps = path.split(".")
    with door.engine.careful():
        with store.reading() as db:
            row = door.existing(db, collection.name)
            known = field_vectors.find_field(db, row, path)
            total = table.count(db, row)
        name = embedder or (known.embedder if known is not None else HASHING)
        model = door.vectors.model(name).model
        with store.writing("vec_seq") as db:
            field = field_vectors.note_field(db, row, path, name, model.model_id)
        done = texts = embedded = after = 0
        while True:
            with store.reading() as db:
                rows = list(table.select(db, row, "d.id > ?", (after,), limit=PAGE))
                noted = field_vectors.hashes(db, field, [item.id for item in rows])
                found = {item.id: text_at(json.loads(item.body), steps) for item in rows}
                hashes = {
                    number: NO_TEXT if text is None else _digest(text) for number, text in found.items()
                }
                lacking = field_vectors.without_vector(
                    db, model.model_id, [*{hash_ for hash_ in hashes.values() if hash_}]
                )
            if not rows:
                break
            after = rows[-1].id
            texts += sum(text is not None for text in found.values())
            embedded += sum(
                hash_ in lacking or (bool(hash_) and noted.get(number) != hash_)
                for number, hash_ in hashes.items()
            )
            by_hash = {
                hashes[number]: text
                for number, text in found.items()
                if text is not None and hashes[number] in lacking
            }
            _keep(
                door.vectors.model(name),
                store,
                field,
                {n: h for n, h in hashes.items() if noted.get(n) != h},
                by_hash,
            )
            done += len(rows)
            if progress is not None:
                progress(done, max(total, done))
    return Synced(collection.name, path, name, texts, embedded)


def _keep(
    embedding: Embedding, store: Any, field: Field, changed: Mapping[int, bytes], texts: Mapping[bytes, str]
) -> None:
    """Note the hashes of documents and make the vectors of texts, each batch committed by itself."""
    model = embedding.model
    waiting = {number: hash_ for number, hash_ in changed.items() if hash_ in texts}
    at_once = [(number, hash_) for number, hash_ in changed.items() if hash_ not in texts]
    # of like length together, so that little of a batch is padding
    order = sorted(texts, key=lambda hash_: len(texts[hash_]))
    batches = [order[first : first + EMBED_BATCH] for first in range(0, len(order), EMBED_BATCH)] or [[]]
    for number, batch in enumerate(batches):
        scales, codes = (
            quantize(embedding.vectors_of([texts[hash_] for hash_ in batch]))
            if batch
            else (np.empty(0), np.empty((0, 0)))
        )
        here = set(batch)
        rows = [(document_id, hash_) for document_id, hash_ in waiting.items() if hash_ in here] + (
            at_once if number == 0 else []
        )
        with store.writing("vec_seq") as db:
            there = table.by_ids(db, [document_id for document_id, _ in rows])
            old = field_vectors.hashes(db, field, [document_id for document_id, _ in rows])
            field_vectors.note_hashes(
                db, field, ((document_id, hash_) for document_id, hash_ in rows if document_id in there)
            )
            vector_index.put_vectors(
                db,
                model.model_id,
                model.dim,
                ((hash_, float(scales[n]), codes[n].tobytes()) for n, hash_ in enumerate(batch)),
            )
            vector_index.drop_orphans(
                db, {hash_ for hash_ in old.values() if len(hash_) > 1} - {hash_ for _, hash_ in rows}
            )


def vstale(collection: Collection, path: str, embedder: str | None) -> Staleness:
    door, store = collection.door, collection.door.store
    steps = path.split(".")
    with door.engine.careful(), store.reading() as db:
        row = door.existing(db, collection.name)
        field = field_vectors.find_field(db, row, path)
        name = embedder or (field.embedder if field is not None else HASHING)
        model = door.vectors.model(name).model.model_id
        counts: Counter[str] = Counter()
        for rows in _pages(db, row):
            noted = field_vectors.hashes(db, field, [item.id for item in rows]) if field is not None else {}
            for item in rows:
                text = text_at(json.loads(item.body), steps)
                if text is None:
                    continue
                counts["documents"] += 1
                hash_ = noted.get(item.id)
                if hash_ in (None, NO_TEXT):
                    counts["never"] += 1
                elif hash_ == CHANGED or hash_ != _digest(text):
                    counts["changed"] += 1
                elif field is not None and (
                    field.model != model or field_vectors.without_vector(db, model, [hash_])
                ):
                    counts["other"] += 1
    return Staleness(
        collection.name,
        path,
        name,
        counts["documents"],
        text_changed=counts["changed"],
        other_model=counts["other"],
        never_embedded=counts["never"],
    )


# ---------------------------------------------------------------- nearest


def vsearch(
    collection: Collection,
    path: str,
    query: str,
    *,
    limit: int,
    filter: Mapping[str, Any] | None,
    embedder: str | None,
) -> VectorAnswer:
    if limit < 0:
        raise InputError(f"limit {limit} is negative; ask for 1 or more")
    door = collection.door
    door.engine.refuse(query)
    with door.engine.careful(), door.store.reading() as db:
        found = _nearest(collection, db, path, query, filter or {}, embedder, limit)
        rows = table.by_ids(db, found.ids)
        documents = {number: json.loads(row.body) for number, row in rows.items()}
    hits = tuple(
        Hit(documents[number]["_id"], score, documents[number])
        for number, score in zip(found.ids, found.scores, strict=True)
    )
    return VectorAnswer(hits, found.embedder, found.stale)


def _nearest(
    collection: Collection,
    db: apsw.Connection,
    path: str,
    query: str,
    data: Mapping[str, Any],
    embedder: str | None,
    limit: int,
) -> Nearest:
    door = collection.door
    node = parse_filter(data)
    row = door.existing(db, collection.name)
    field = field_vectors.find_field(db, row, path)
    name = embedder or (field.embedder if field is not None else HASHING)
    embedding = door.vectors.model(name)
    synced = field is not None and field.model == embedding.model.model_id
    if field is None or not synced:
        if name != HASHING:
            raise InputError(
                f"{path} of {collection.name} is not embedded by {name}; run `daypack docs vsync {collection.name} {path} --embedder {name}` first"
            )
        where, parameters, _ = where_of(node, data, table.indexes(db, row))
        scored = _scored(table.select(db, row, where, parameters), path, query)
        return Nearest(*_best(scored, limit), name, 0)
    view, stale = door.vectors.view(db, row, field, embedding.model.dim)
    allowed = door.vectors.allowed(db, row, node, data)
    if allowed is not None:
        stale = stale[np.isin(stale, allowed)]
    vector = embedding.vectors_of([query])[0]
    rows, cosines = view.similarities(vector, allowed)
    if name == HASHING:
        # The stored rows are roundings: whoever may be among the best by their bounds is scored from the
        # text.
        bound = 0.51 * view.scales[rows] * float(np.abs(vector).sum()) + 1e-6
        if limit < len(rows):
            rows = rows[cosines + bound >= level(cosines - bound, max(1, limit))]
        ids = [*view.ids[rows].tolist(), *stale.tolist()]
        return Nearest(*_best(_scored(table.by_ids(db, ids).values(), path, query), limit), name, 0)
    best = highest(cosines, np.arange(len(rows)), limit)
    return Nearest(view.ids[rows[best]].tolist(), cosines[best].tolist(), name, len(stale))


def _scored(rows: Any, path: str, query: str) -> Iterator[tuple[int, float]]:
    steps = path.split(".")
    asked = hashing.counts(query)
    for row in rows:
        text = text_at(json.loads(row.body), steps)
        if text is not None:
            yield row.id, hashing.similarity(asked, hashing.counts(text))


def _best(scored: Iterator[tuple[int, float]], limit: int) -> tuple[list[int], list[float]]:
    """The best, ties in the order in which the documents came."""
    import heapq

    best = heapq.nsmallest(limit, scored, key=lambda item: (-item[1], item[0]))
    return [number for number, _ in best], [score for _, score in best]


# ---------------------------------------------------------------- context


def context(
    collection: Collection,
    path: str,
    query: str,
    *,
    budget: int,
    filter: Mapping[str, Any] | None,
    embedder: str | None,
    packing: Packing | str,
    tokenizer: Tokenizer | str,
) -> ContextPack:
    chosen, counter = member(Packing, packing), member(Tokenizer, tokenizer)
    if isinstance(budget, bool) or not isinstance(budget, int) or not 0 <= budget <= LARGEST_BUDGET:
        raise BadBudget(budget, LARGEST_BUDGET)
    collection.door.engine.refuse(query)
    if chosen is Packing.AUTO:
        return _packed(collection, path, query, Budget(budget, counter), filter or {}, embedder)
    return _whole_texts(
        collection,
        path,
        query,
        Budget(budget, counter),
        filter or {},
        embedder or HASHING,
        stop=chosen is Packing.PREFIX,
    )


def _whole_texts(
    collection: Collection,
    path: str,
    query: str,
    budget: Budget,
    data: Mapping[str, Any],
    embedder: str,
    *,
    stop: bool,
) -> ContextPack:
    """Whole texts in the order of their cosine, up to the first that does not fit, or past it."""
    door = collection.door
    count = tokens.counter(budget.tokenizer)
    steps = path.split(".")
    chunks: list[ContextChunk] = []
    used = looked = 0
    truncated = False
    with door.engine.careful(), door.store.reading() as db:
        # A text costs a token or nothing, so few of a large collection can matter to a budget; those without
        # cost are looked for further on.
        depth = 4 * budget.limit + 256 if stop else 1 << 30
        found = _nearest(collection, db, path, query, data, embedder, depth)
        for number, score in zip(found.ids, found.scores, strict=True):
            document = json.loads(table.by_ids(db, [number])[number].body)
            text = text_at(document, steps)
            assert text is not None
            looked += 1
            cost = count(text)
            if used + cost > budget.limit:
                truncated = True
                if stop:
                    break
                continue
            used += cost
            chunks.append(ContextChunk(document["_id"], score, cost, text))
    facts = {
        "embedder": found.embedder,
        "packing": "prefix" if stop else "skip",
        "tokenizer": budget.tokenizer.value,
        "stale": found.stale,
    }
    return _explained(ContextPack(query, budget.limit, used, truncated, tuple(chunks)), facts, count)


def _explained(pack: ContextPack, facts: Mapping[str, Any], count: Callable[[str], int]) -> ContextPack:
    return replace(pack, facts={**facts, "renderedTokens": count(pack.to_json())})


def _packed(
    collection: Collection,
    path: str,
    query: str,
    budget: Budget,
    data: Mapping[str, Any],
    embedder: str | None,
) -> ContextPack:
    """Parts of texts as the common index ranks and the packer chooses them."""
    door = collection.door
    engine = door.vectors.engine(embedder or door.engine.settings.embedder)
    count = tokens.counter(budget.tokenizer)
    waiting = door.follow()
    places: dict[int, tuple[Value, int]] = {}  # record → (_id, where the field begins in its text)
    with engine.careful():
        with door.store.reading() as db:
            row = door.existing(db, collection.name)
            where, parameters, _ = where_of(parse_filter(data), data, table.indexes(db, row))

        def in_field(candidates: list[Candidate]) -> list[Candidate]:
            records = _documents_of(
                door.store.db, row, [candidate.chunk.record_id for candidate in candidates]
            )
            kept = []
            for candidate in candidates:
                part = _part(records.get(candidate.chunk.record_id), path)
                if part is None:
                    continue
                identity, text, start, end = part
                chunk = _narrowed(candidate, text, start, end)
                if chunk is not None:
                    places[candidate.chunk.record_id] = (identity, start)
                    kept.append(chunk)
            return kept

        condition = Where(
            "door = ? AND scope = ? AND uid IN (SELECT d.key FROM document AS d WHERE ("
            + where
            + ") AND d.collection_id = ?)",
            (DOOR, collection.name, *parameters, row.id),
        )
        pack = engine.pack(
            query,
            budget,
            packing=Packing.AUTO,
            condition=condition,
            revised=in_field,
            ladder=(_texts, _nothing),
        )
    chunks = []
    for excerpt in sorted(pack.excerpts, key=lambda item: -item.score):
        record_id = next(
            candidate.chunk.record_id
            for candidate in pack.candidates
            if candidate.chunk.id in excerpt.citation.chunk_ids
        )
        identity, start = places[record_id]
        span = (excerpt.citation.span.start - start, excerpt.citation.span.end - start)
        chunks.append(
            ContextChunk(identity, round(excerpt.score, 6), count(excerpt.text), excerpt.text, span)
        )
    dropped = False
    # joined, texts may count a little less than each for itself
    while chunks and sum(chunk.tokens for chunk in chunks) > budget.limit:
        chunks.pop()
        dropped = True
    facts = {
        "embedder": engine.settings.embedder, "packing": "auto", "tokenizer": budget.tokenizer.value, "textPending": waiting,
        "emptyReason": pack.empty_reason.value if pack.empty_reason is not None else None, "degraded": list(pack.stats.degraded),
    }  # fmt: skip
    found = ContextPack(
        query, budget.limit, sum(chunk.tokens for chunk in chunks), pack.truncated or dropped, tuple(chunks)
    )
    return _explained(found, facts, count)


def _texts(pack: Pack) -> str:
    """The texts and nothing else: all that a context pack's budget counts."""
    return "\n\n".join(excerpt.text for excerpt in pack.excerpts)


def _nothing(_: Pack) -> str:
    return ""


def _documents_of(
    db: apsw.Connection, collection: table.Collection, record_ids: Sequence[int]
) -> dict[int, str]:
    """Record → the body of its document."""
    rows = db.execute(
        "SELECT r.id, d.body FROM json_each(?) AS w JOIN record AS r ON r.id = w.value JOIN document AS d ON d.collection_id = ? AND d.key = r.uid",
        (json.dumps([*record_ids]), collection.id),
    )
    return dict(rows)


def _part(body: str | None, path: str) -> tuple[Value, str, int, int] | None:
    """(_id, text of the record, start, end) of the field in the searched form of a document."""
    if body is None:
        return None
    document = json.loads(body)
    laid = text_of(document)
    found = next((part for part in laid.parts if part.path == path), None)
    return (document["_id"], laid.text, found.start, found.end) if found is not None else None


def _narrowed(candidate: Candidate, text: str, start: int, end: int) -> Candidate | None:
    """A candidate whose chunk holds nothing but the field; None when none of it is."""
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
    span = replace(
        chunk.span, start=first, end=first + len(body), start_line=line, end_line=line + body.count("\n")
    )
    count = tokens.counter(CHUNK_TOKENIZER)
    return replace(candidate, chunk=replace(chunk, span=span, text=body, tokens=count(body)))
