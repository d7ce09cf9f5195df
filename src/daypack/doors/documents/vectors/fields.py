"""Vectors of a field of documents: kept current by `vsync`, searched by `vsearch`.

The baseline, hashed words, needs no vector: its cosines are computed from the texts in double precision. With
a model, a field is embedded first.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from daypack.doors.documents import table
from daypack.doors.documents.filters.language import And
from daypack.doors.documents.filters.sql import ParsedFilter, parsed_filter
from daypack.doors.documents.model.results import Hit, Staleness, Synced, VectorAnswer
from daypack.doors.documents.model.values import Value, at_path
from daypack.doors.documents.table import CollectionRow, DocumentRow
from daypack.doors.documents.vectors import table as vector_table
from daypack.doors.documents.vectors.table import CHANGED, NO_TEXT, FieldView, VectorField
from daypack.embed import hashing
from daypack.embed.quantize import quantize
from daypack.engine.embedding import Embedding
from daypack.engine.engine import Engine
from daypack.engine.limits import check_limits
from daypack.errors import InputError
from daypack.index import erasing
from daypack.index import vectors as vector_index
from daypack.index.store import Store
from daypack.ports import Connection, Progress
from daypack.rank.top_k import kth_value, top_k
from daypack.text.checks import check_count
from daypack.text.storable import text_hash
from daypack.types.arrays import Ints

HASHING = "hashing"
EMBED_BATCH = 64
PAGE = 2_000  # documents that are read together
KEPT_FILTERS = 8


class FieldQuery(NamedTuple):
    """A question to one field of a collection; `filter` says which documents count."""

    collection: str
    field: str
    query: str
    filter: Mapping[str, Any]
    embedder: str | None  # None: the embedder of the field, at first hashing


class Nearest(NamedTuple):
    """Documents with their cosines, nearest first; `stale` ones have no current vector and were not compared."""

    ids: list[int]
    scores: list[float]
    embedder: str
    stale: int


class _KeptView(NamedTuple):
    """Vectors of a field in one state of the store, and the ids of documents that were written since they were made."""

    state: tuple[int, int]
    model: str
    view: FieldView
    stale: Ints  # (documents,)


class FieldVectors:
    """Models, matrices and passing documents, kept between searches; each of one state of the store."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._models: dict[str, Embedding] = {}
        self._engines: dict[str, Engine] = {}
        self._views: dict[int, _KeptView] = {}
        self._allowed: dict[tuple[int, int, str], Ints] = {}

    def model(self, name: str) -> Embedding:
        """The embedder of a name. Raises ConfigError and ModelError."""
        if name == self.engine.settings.embedder:
            return self.engine.embedding
        if name not in self._models:
            self._models[name] = Embedding(self.engine.store, replace(self.engine.settings, embedder=name))
        return self._models[name]

    def engine_with(self, name: str) -> Engine:
        """The engine on this store that ranks by the vectors of an embedder."""
        ours = self.engine
        if name == ours.settings.embedder:
            return ours
        if name not in self._engines:
            self._engines[name] = ours.beside(ours.store, replace(ours.settings, embedder=name))
        return self._engines[name]

    def view(
        self, db: Connection, collection: CollectionRow, field: VectorField, dim: int
    ) -> tuple[FieldView, Ints]:
        """(vectors, ids of documents that were written since they were made)."""
        state = self.engine.store.sequences()
        kept = self._views.get(field.id)
        if kept is None or (kept.state, kept.model) != (state, field.model):
            view = FieldView.load(db, field, dim)
            stale = np.asarray(vector_table.not_current(db, collection, field), dtype=np.int64)
            self._views[field.id] = kept = _KeptView(state, field.model, view, stale)
        return kept.view, kept.stale

    def allowed(self, db: Connection, collection: CollectionRow, wanted: ParsedFilter) -> Ints | None:
        """Ids of the matching documents, rising; None for a filter that every document matches."""
        if wanted.node == And(()):
            return None
        sequence, _ = self.engine.store.sequences()
        where, parameters, _ = wanted.where(db, collection)
        key = (sequence, collection.id, json.dumps([where, [repr(item) for item in parameters]]))
        if key not in self._allowed:
            while len(self._allowed) >= KEPT_FILTERS:
                del self._allowed[next(iter(self._allowed))]
            self._allowed[key] = np.asarray(
                sorted(table.select_ids(db, collection, where, parameters)), dtype=np.int64
            )
        return self._allowed[key]


def text_at(document: Value, steps: Sequence[str]) -> str | None:
    """The string at a path; None without one, or with several."""
    values = at_path(document, steps)
    return values[0] if len(values) == 1 and type(values[0]) is str else None


def _digest(text: str) -> bytes:
    return bytes.fromhex(text_hash(text))


# ---------------------------------------------------------------- vsync, vstale


def vsync(
    vectors: FieldVectors, name: str, path: str, embedder: str | None, progress: Progress | None
) -> Synced:
    """Make the vectors of a field of the collection `name` current, a page of documents at a time."""
    engine, store = vectors.engine, vectors.engine.store
    with engine.translating_damage():
        with store.reading() as db:
            collection = table.existing_collection(db, name)
            known = vector_table.find_field(db, collection, path)
            total = table.count(db, collection)
        embedder = embedder or (known.embedder if known is not None else HASHING)
        embedding = vectors.model(embedder)
        model_id = embedding.model.model_id
        with store.writing("vec_seq") as db:
            field = vector_table.note_field(db, collection, path, embedder, model_id)
        done = text_count = embedded = after = 0
        while True:
            with store.reading() as db:
                rows = table.page_after(db, collection, after, PAGE)
                page = _read_page(db, rows, field, path, model_id)
            if not rows:
                break
            after = rows[-1].id
            text_count += page.texts
            embedded += page.to_embed
            _keep(embedding, store, field, page.changed, page.lacking)
            done += len(rows)
            if progress is not None:
                progress(done, max(total, done))
    embedding.drop_former()
    return Synced(name, path, embedder, text_count, embedded)


class _Page(NamedTuple):
    """Some documents of a collection, with the texts of one field."""

    texts: int
    to_embed: int  # documents whose text is new, or has no vector
    changed: dict[int, bytes]  # id → hash of the text, where it is not the noted one
    lacking: dict[bytes, str]  # hash → text without a vector


def _read_page(
    db: Connection, rows: Sequence[DocumentRow], field: VectorField, path: str, model_id: str
) -> _Page:
    steps = path.split(".")
    noted = vector_table.hashes(db, field, [row.id for row in rows])
    texts = {row.id: text_at(json.loads(row.body), steps) for row in rows}
    hashes = {number: NO_TEXT if text is None else _digest(text) for number, text in texts.items()}
    lacking = vector_table.without_vector(db, model_id, [*{hash_ for hash_ in hashes.values() if hash_}])
    changed = {number: hash_ for number, hash_ in hashes.items() if noted.get(number) != hash_}
    return _Page(
        sum(text is not None for text in texts.values()),
        sum(hash_ in lacking or (bool(hash_) and number in changed) for number, hash_ in hashes.items()),
        changed,
        {
            hashes[number]: text
            for number, text in texts.items()
            if text is not None and hashes[number] in lacking
        },
    )


def _keep(
    embedding: Embedding,
    store: Store,
    field: VectorField,
    changed: Mapping[int, bytes],
    texts: Mapping[bytes, str],
) -> None:
    """Note the hashes of documents and make the vectors of texts, each batch committed by itself."""
    model = embedding.model
    waiting = {number: hash_ for number, hash_ in changed.items() if hash_ in texts}
    at_once = [(number, hash_) for number, hash_ in changed.items() if hash_ not in texts]
    # of similar length together, so that little of a batch is padding
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
            old = vector_table.hashes(db, field, [document_id for document_id, _ in rows])
            vector_table.note_hashes(
                db, field, ((document_id, hash_) for document_id, hash_ in rows if document_id in there)
            )
            vector_index.put_vectors(
                db,
                model.model_id,
                model.dim,
                ((hash_, float(scales[n]), codes[n].tobytes()) for n, hash_ in enumerate(batch)),
            )
            erasing.drop_orphans(
                db, {hash_ for hash_ in old.values() if len(hash_) > 1} - {hash_ for _, hash_ in rows}
            )


def vstale(vectors: FieldVectors, name: str, path: str, embedder: str | None) -> Staleness:
    """The vectors of a field of the collection `name` that are not current, by reason."""
    engine = vectors.engine
    steps = path.split(".")
    with engine.translating_damage(), engine.store.reading() as db:
        collection = table.existing_collection(db, name)
        field = vector_table.find_field(db, collection, path)
        embedder = embedder or (field.embedder if field is not None else HASHING)
        model_id = vectors.model(embedder).model.model_id
        counts: Counter[str] = Counter()
        for rows in table.pages(db, collection, PAGE):
            noted = vector_table.hashes(db, field, [row.id for row in rows]) if field is not None else {}
            for row in rows:
                text = text_at(json.loads(row.body), steps)
                if text is None:
                    continue
                counts["documents"] += 1
                hash_ = noted.get(row.id)
                if hash_ in (None, NO_TEXT):
                    counts["never"] += 1
                elif hash_ == CHANGED or hash_ != _digest(text):
                    counts["changed"] += 1
                elif field is not None and (
                    field.model != model_id or vector_table.without_vector(db, model_id, [hash_])
                ):
                    counts["other"] += 1
    return Staleness(
        name,
        path,
        embedder,
        counts["documents"],
        text_changed=counts["changed"],
        other_model=counts["other"],
        never_embedded=counts["never"],
    )


# ---------------------------------------------------------------- nearest


def vsearch(vectors: FieldVectors, question: FieldQuery, limit: int) -> VectorAnswer:
    """The documents whose field is nearest to the query, at most `limit`. Raises InputError."""
    check_count("limit", limit)
    engine = vectors.engine
    check_limits(question.query)
    with engine.translating_damage(), engine.store.reading() as db:
        ranked = nearest(vectors, db, question, limit)
        rows = table.by_ids(db, ranked.ids)
        documents = {document_id: json.loads(row.body) for document_id, row in rows.items()}
    hits = tuple(
        Hit(documents[document_id]["_id"], score, documents[document_id])
        for document_id, score in zip(ranked.ids, ranked.scores, strict=True)
    )
    return VectorAnswer(hits, ranked.embedder, ranked.stale)


def nearest(vectors: FieldVectors, db: Connection, question: FieldQuery, limit: int) -> Nearest:
    """The documents nearest to the query, of those that match its filter, at most `limit`."""
    name, path, query, data, embedder = question
    wanted = parsed_filter(data)
    collection = table.existing_collection(db, name)
    field = vector_table.find_field(db, collection, path)
    embedder = embedder or (field.embedder if field is not None else HASHING)
    embedding = vectors.model(embedder)
    synced = field is not None and field.model == embedding.model.model_id
    if field is None or not synced:
        if embedder != HASHING:
            raise InputError(
                f"{path} of {name} is not embedded by {embedder}; run `daypack docs vsync {name} {path} --embedder {embedder}` first"
            )
        where, parameters, _ = wanted.where(db, collection)
        scored = _scored(table.select(db, collection, where, parameters), path, query)
        return Nearest(*_best(scored, limit), embedder, 0)
    view, stale = vectors.view(db, collection, field, embedding.model.dim)
    allowed = vectors.allowed(db, collection, wanted)
    if allowed is not None:
        stale = stale[np.isin(stale, allowed)]
    vector = embedding.question_vector(query)
    rows, cosines = view.similarities(vector, allowed)
    if embedder == HASHING:
        # The stored rows are roundings: each document that may be among the best by its bounds is scored
        # from the text.
        bound = 0.51 * view.scales[rows] * float(np.abs(vector).sum()) + 1e-6
        if limit < len(rows):
            rows = rows[cosines + bound >= kth_value(cosines - bound, max(1, limit))]
        ids = [*view.ids[rows].tolist(), *stale.tolist()]
        return Nearest(*_best(_scored(table.by_ids(db, ids).values(), path, query), limit), embedder, 0)
    best = top_k(cosines, np.arange(len(rows)), limit)
    return Nearest(view.ids[rows[best]].tolist(), cosines[best].tolist(), embedder, len(stale))


def _scored(rows: Iterable[DocumentRow], path: str, query: str) -> Iterator[tuple[int, float]]:
    steps = path.split(".")
    wanted = hashing.counts(query)
    for row in rows:
        text = text_at(json.loads(row.body), steps)
        if text is not None:
            yield row.id, hashing.similarity(wanted, hashing.counts(text))


def _best(scored: Iterator[tuple[int, float]], limit: int) -> tuple[list[int], list[float]]:
    """The best, ties in the order of insertion."""
    best = heapq.nsmallest(limit, scored, key=lambda item: (-item[1], item[0]))
    return [number for number, _ in best], [score for _, score in best]
