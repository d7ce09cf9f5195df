"""The documents door: collections of JSON documents with MongoDB's filters, updates that are planned first,
and texts for a task.

    docs = dp.documents.collection("docs")
    docs.insert({"title": "Retries", "status": "published", "text": "Every attempt carries the same key."})
    docs.find({"status": "published"}, sort={"title": 1}, limit=10)
    docs.context("text", "how are refunds retried?", budget=500).to_json()

Documents are rows of their own (`daypack.doors.documents.table`), written and read with plain JSON data
(`daypack.doors.documents.model.values`). Their text follows into the common index, where `pack` and `search`
find it: before the next question, or by `catch_up` after a large load.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from daypack.doors.documents import plans as planning
from daypack.doors.documents import search as searching
from daypack.doors.documents import table
from daypack.doors.documents import vector_table as field_vectors
from daypack.doors.documents.filters.language import fields_of, near, parse_filter, predicates
from daypack.doors.documents.filters.sql import document_matches, led_by, plain, where_of
from daypack.doors.documents.model.identity import ObjectIds, keys_meant, shown
from daypack.doors.documents.model.incoming import Incoming, incoming, without_secrets
from daypack.doors.documents.model.results import (
    Applied,
    ContextPack,
    Explained,
    Inserted,
    Planned,
    PredicateCount,
    Staleness,
    Synced,
    VectorAnswer,
)
from daypack.doors.documents.model.values import Value, canonical, cleaned
from daypack.doors.documents.model.views import (
    FieldFacts,
    parse_projection,
    parse_sort,
    schema_of,
    sort_key,
    text_of,
    title_of,
)
from daypack.doors.documents.table import DOOR, Row
from daypack.engine.engine import Engine
from daypack.errors import (
    BadDocument,
    DuplicateId,
    FilterError,
    InputError,
    NoCollection,
    NotFound,
    StoreBusy,
    StoreReadOnly,
)
from daypack.filters.tree import Where
from daypack.guard.secrets import refuse_secret
from daypack.index import lexical as lexical_index
from daypack.index import vectors as vector_index
from daypack.types import Packing, Record, RecordKind, Tokenizer

if TYPE_CHECKING:
    import apsw

BATCH = 10_000  # documents of a transaction
BATCH_BYTES = 32 << 20
TEXT_BATCH = 1_000  # documents whose text is indexed in one transaction
FOLLOWED = 2_000  # documents whose text a question indexes by itself; more are said
MOST_IDS = 1_000
MOST_SAMPLED = 10_000  # documents that a schema is inferred from
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,119}")
RECORD_FIELDS = (
    "uri",
    "title",
    "kind",
    "door",
    "language",
    "author",
    "session",
    "scope",
    "trust",
    "time",
    "tags",
    "metadata",
)
_RECORD = (
    "json_object("
    + ", ".join(
        f"'{name}', " + (f"json({name})" if name in ("tags", "metadata") else name) for name in RECORD_FIELDS
    )
    + ")"
)
Progress = Callable[[int, int], None]
_Documents: TypeAlias = "list[Value]"


class DocumentsDoor:
    """The collections of a store."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.store = engine.store
        self.new_id = ObjectIds(engine.clock)
        self.vectors: searching.FieldVectors = searching.FieldVectors(engine)
        self.store.add_function("document_matches", document_matches)

    def collection(self, name: str) -> Collection:
        """A collection by its name; it is made by the first document."""
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InputError(
                f"{name!r} is no name of a collection; take letters, digits, '_', '-' and '.', at most 120"
            )
        return Collection(self, name)

    def create(self, name: str, *, indexes: Sequence[str] = ()) -> bool:
        """Make a collection with indexes on these paths; False when it was there."""
        self.collection(name)
        with self.engine.careful(), self.store.writing() as db:
            made = table.find_collection(db, name) is None
            row = self.made(db, name)
            for path in indexes:
                table.make_index(db, row, _stored_path(path))
        return made

    def made(self, db: apsw.Connection, name: str) -> table.Collection:
        """The collection of this name, made where there is none. Raises InputError for a new name that looks like a secret."""
        found = table.find_collection(db, name)
        if found is not None:
            return found
        refuse_secret("name of the collection", name)
        return table.make_collection(db, name, now=self.engine.clock())

    def names(self) -> list[str]:
        with self.store.reading() as db:
            return [collection.name for collection in table.collections(db)]

    def near(self, name: str, names: Sequence[str]) -> str | None:
        """The one of the names that was perhaps meant."""
        return near(name, names)

    def existing(self, db: apsw.Connection, name: str) -> table.Collection:
        """Raises NoCollection with the name that was perhaps meant."""
        found = table.find_collection(db, name)
        if found is None:
            names = [collection.name for collection in table.collections(db)]
            raise NoCollection(name, near(name, names), names)
        return found

    # ------------------------------------------------------------ text that follows

    def pending(self) -> int:
        """Documents whose text the common index does not have yet, or not as it is now."""
        with self.store.reading() as db:
            return table.count_pending(db)

    def catch_up(self, *, limit: int | None = None, progress: Progress | None = None) -> int:
        """Index the text of documents that were written; how many there were.

        An interrupt loses at most the last batch.
        """
        done = 0
        total = 0
        if progress is not None:
            total = self.pending() if limit is None else min(limit, self.pending())
        while limit is None or done < limit:
            with self.store.reading() as db:
                rows = table.pending(db, TEXT_BATCH if limit is None else min(TEXT_BATCH, limit - done))
            if not rows:
                break
            prepared = [
                self.engine.ingestion.prepared(record) if record.text.strip() else record
                for record in map(_record, rows)
            ]
            with self.store.writing() as db:
                now = table.by_ids(db, [row.id for _, row in rows])
                same = [n for n, (_, row) in enumerate(rows) if now.get(row.id) == row]
                self.engine.ingestion.put(
                    db, [item for n in same if not isinstance(item := prepared[n], Record)]
                )
                for n in same:
                    if isinstance(item := prepared[n], Record):
                        self.store.remove_records(db, DOOR, item.scope, [item.uid])
                table.note_indexed(db, [rows[n][1].id for n in same])
            done += len(rows)
            if progress is not None:
                progress(done, max(total, done))
        return done

    def follow(self) -> int:
        """Bring the text in step before a question, where that is little; how many documents it still lacks."""
        with self.store.reading() as db:
            if not table.any_pending(db):
                return 0
        # an answer from older text, said so, is worth more than none
        with contextlib.suppress(StoreBusy, StoreReadOnly):
            self.catch_up(limit=FOLLOWED)
        return self.pending()

    # ------------------------------------------------------------ plans

    def apply(self, token: str) -> Applied:
        """Write what was planned, in one transaction.

        Raises PlanConflict when a document changed since, NotFound, PlanSpent.
        """
        return planning.apply(self, token)

    def rollback(self, change_id: str, *, force: bool = False) -> Applied:
        """Restore the documents as they were before an apply.

        Raises PlanConflict when later changes would be lost, unless `force`.
        """
        return planning.rollback(self, change_id, force=force)

    def plans(self) -> list[dict[str, Any]]:
        """Every plan and change that is kept, newest first."""
        return planning.listed(self)

    # ------------------------------------------------------------ looking around

    def inspect(self) -> dict[str, Any]:
        """Collections with their sizes, indexes and embedded fields, and what is planned or waits."""
        with self.engine.careful(), self.store.reading() as db:
            found = [
                {
                    "name": collection.name,
                    "documents": table.count(db, collection),
                    "indexes": [index.path for index in table.indexes(db, collection)],
                    "vectors": [
                        {"field": path, "embedder": embedder, "documents": count}
                        for path, embedder, count in searching.fields(db, collection)
                    ],
                }
                for collection in table.collections(db)
            ]
            return {
                "collections": found,
                "plans": len(table.plans(db)),
                "textPending": table.count_pending(db),
            }

    def describe(self, name: str | None = None) -> list[dict[str, Any]]:
        """Of each collection, or one: how many documents, which fields with types and presence ratio, one
        sample.
        """
        with self.engine.careful(), self.store.reading() as db:
            chosen = table.collections(db) if name is None else [self.existing(db, name)]
            return [_description(db, collection) for collection in chosen]

    # ------------------------------------------------------------ for the common pack

    def condition(self, data: Mapping[str, Any], *, documents: bool, others: bool) -> Where:
        """A filter of the common pack: documents are judged by their fields, everything else by the fields of
        its record.

        Where there is no document to judge, a field that records do not have is refused with what was perhaps
        meant.
        """
        conditions: list[str] = []
        parameters: list[Any] = []
        with self.engine.careful(), self.store.reading() as db:
            collections = table.collections(db) if documents else []
            if others:
                node = parse_filter(data, fields=() if collections else RECORD_FIELDS)
                conditions.append(f"(door != '{DOOR}' AND document_matches(?, {_RECORD}))")
                parameters.append(canonical(plain(data)))
            else:
                node = parse_filter(data)
            for collection in collections:
                where, values, _ = where_of(node, data, table.indexes(db, collection))
                conditions.append(
                    f"(door = '{DOOR}' AND scope = ? AND uid IN (SELECT d.key FROM document AS d WHERE ({where}) AND d.collection_id = ?))"
                )
                parameters += [collection.name, *values, collection.id]
        return Where(f"({' OR '.join(conditions) or '0'})", tuple(parameters))


class Collection:
    """One collection. Reading one that does not exist raises NoCollection, which names what was perhaps
    meant.
    """

    def __init__(self, door: DocumentsDoor, name: str) -> None:
        self.door = door
        self.name = name
        self._store = door.store
        self._engine = door.engine

    # ------------------------------------------------------------ write

    def insert(
        self, documents: Mapping[str, Any] | Iterable[Mapping[str, Any]], *, progress: Progress | None = None
    ) -> Inserted:
        """Add documents; one without an _id gets an ObjectId. Raises DuplicateId and BadDocument, and then
        nothing of the batch is written: up to 10,000 documents are one transaction.
        """
        items = [documents] if isinstance(documents, Mapping) else documents
        return self.insert_named(
            ((item, f"document {number}") for number, item in enumerate(items, 1)), progress=progress
        )

    def insert_named(
        self, documents: Iterable[tuple[Any, str]], *, progress: Progress | None = None
    ) -> Inserted:
        """`insert` of (document, what it is called in an error)."""
        return self._written(documents, mode="insert", progress=progress)

    def load(
        self, documents: Iterable[tuple[Any, str]], *, replace: bool = False, progress: Progress | None = None
    ) -> Inserted:
        """Add (document, what it is called in an error) of a dump, in transactions of 10,000. Those that are
        there already, as they are, stay; with `replace` others of their _id are replaced, and without it they
        raise DuplicateId.
        """
        return self._written(documents, mode="replace" if replace else "load", progress=progress)

    def _written(self, items: Iterable[tuple[Any, str]], *, mode: str, progress: Progress | None) -> Inserted:
        inserted = replaced = unchanged = redactions = done = 0
        ids: list[Value] = []
        made = False
        stream = (incoming(item, self.door.new_id, where) for item, where in items)
        with self._engine.careful():
            for batch in _batches(stream):
                clean, count = without_secrets(batch)
                redactions += count
                with self._store.writing() as db:
                    collection = self.door.made(db, self.name)
                    made = True
                    new, changed, same = self._sorted_out(db, collection, clean, mode)
                    indexes = table.indexes(db, collection)
                    table.insert(db, collection, indexes, new)
                    for row, item in changed:
                        table.replace(db, indexes, row, item.body)
                inserted, replaced, unchanged = inserted + len(new), replaced + len(changed), unchanged + same
                ids += [item.value["_id"] for item in new[: MOST_IDS - len(ids)]]
                done += len(batch)
                if progress is not None:
                    progress(done, done)
            if not made:
                with self._store.writing() as db:
                    self.door.made(db, self.name)
        return Inserted(self.name, inserted, replaced, unchanged, redactions, tuple(ids))

    def _sorted_out(
        self, db: apsw.Connection, collection: table.Collection, batch: Sequence[Incoming], mode: str
    ) -> tuple[list[Incoming], list[tuple[Row, Incoming]], int]:
        """(new, to be replaced, how many are there as they are)."""
        by_key: dict[str, Incoming] = {}
        same = 0
        for item in batch:
            twin = by_key.get(item.key)
            if twin is not None and (mode == "insert" or (mode == "load" and twin.body != item.body)):
                raise DuplicateId(self.name, canonical(item.value["_id"]), " in what is being written")
            same += twin is not None
            by_key[item.key] = item
        taken = table.taken(db, collection, by_key)
        if taken and mode == "insert":
            raise DuplicateId(self.name, canonical(by_key[taken[0]].value["_id"]))
        changed = []
        for key in taken:
            item = by_key.pop(key)
            row = table.find(db, collection, key)
            assert row is not None
            if row.body == item.body:
                same += 1
            elif mode == "load":
                raise DuplicateId(self.name, canonical(item.value["_id"]), ", and it is another one")
            else:
                changed.append((row, item))
        return [*by_key.values()], changed, same

    def delete(self, filter: Mapping[str, Any]) -> int:
        """Remove every document that passes; how many there were."""
        node = parse_filter(filter)
        with self._engine.careful(), self._store.writing() as db:
            collection = self.door.existing(db, self.name)
            where, parameters, _ = where_of(node, filter, table.indexes(db, collection))
            rows = list(table.select(db, collection, where, parameters))
            hashes = field_vectors.hashes_of(db, [row.id for row in rows])
            table.delete(db, table.indexes(db, collection), rows)
            vector_index.drop_orphans(db, hashes)
            if self._store.remove_records(db, DOOR, self.name, [row.key for row in rows]):
                lexical_index.merge_segments(db)
        return len(rows)

    def index(self, *paths: str) -> list[str]:
        """Index paths, of the documents there are and of those to come; the paths that were not indexed
        before.
        """
        checked = [_stored_path(path) for path in paths]
        with self._engine.careful(), self._store.writing() as db:
            collection = self.door.existing(db, self.name)
            return [path for path in checked if table.make_index(db, collection, path)]

    # ------------------------------------------------------------ read

    def find(
        self,
        filter: Mapping[str, Any] | None = None,
        *,
        projection: Mapping[str, Any] | None = None,
        sort: Mapping[str, int] | None = None,
        limit: int | None = None,
        skip: int = 0,
    ) -> _Documents:
        """The documents that pass, in the order in which they came or in that of `sort`, as plain JSON data."""
        return list(self.each(filter, projection=projection, sort=sort, limit=limit, skip=skip))

    def each(
        self,
        filter: Mapping[str, Any] | None = None,
        *,
        projection: Mapping[str, Any] | None = None,
        sort: Mapping[str, int] | None = None,
        limit: int | None = None,
        skip: int = 0,
    ) -> Iterator[Value]:
        """`find`, one after the other, from one state of the store: finish or close the iterator before
        writing.
        """
        data = filter or {}
        node = parse_filter(data)
        shown_fields = parse_projection(projection) if projection is not None else None
        order = parse_sort(sort) if sort is not None else None
        if (limit is not None and limit < 0) or skip < 0:
            raise InputError("limit and skip are whole numbers from 0 on")
        with self._engine.careful(), self._store.reading() as db:
            collection = self.door.existing(db, self.name)
            lead, where, parameters = led_by(node, data, table.indexes(db, collection))
            if order is None:
                rows = table.select(
                    db,
                    collection,
                    where,
                    parameters,
                    limit=-1 if limit is None else limit,
                    skip=skip,
                    lead=lead,
                )
                documents: Iterable[Value] = (json.loads(row.body) for row in rows)
            else:
                found = (
                    json.loads(row.body) for row in table.select(db, collection, where, parameters, lead=lead)
                )
                key = sort_key(order)
                documents = (
                    sorted(found, key=key) if limit is None else heapq.nsmallest(limit + skip, found, key=key)
                )
                documents = islice(documents, skip, None)
            for document in documents:
                yield shown_fields.of(document) if shown_fields is not None else document

    def count(self, filter: Mapping[str, Any] | None = None) -> int:
        """How many documents pass."""
        data = filter or {}
        node = parse_filter(data)
        with self._engine.careful(), self._store.reading() as db:
            collection = self.door.existing(db, self.name)
            where, parameters, _ = where_of(node, data, table.indexes(db, collection))
            return table.count_where(db, collection, where, parameters)

    def get(self, identity: Any) -> Value:
        """The document of an _id: as JSON data, or as a person writes it on one line. Raises NotFound."""
        from daypack.doors.documents.model.identity import key_of

        keys = keys_meant(identity) if isinstance(identity, str) else [key_of(cleaned(identity))]
        with self._engine.careful(), self._store.reading() as db:
            collection = self.door.existing(db, self.name)
            for key in keys:
                row = table.find(db, collection, key)
                if row is not None:
                    return json.loads(row.body)
        raise NotFound(
            f"{self.name}/{identity if isinstance(identity, str) else canonical(cleaned(identity))}",
            "`daypack docs find` shows what there is",
        )

    def dump(self) -> Iterator[str]:
        """Every document as a line of canonical JSON, in the order in which they came; `load` takes them."""
        with self._engine.careful(), self._store.reading() as db:
            collection = self.door.existing(db, self.name)
            for row in table.select(db, collection, "1", ()):
                yield row.body

    # ------------------------------------------------------------ explain

    def explain(self, filter: Mapping[str, Any] | None = None) -> Explained:
        """How a filter is answered, and how many documents that looks at."""
        data = filter or {}
        node = parse_filter(data)
        with self._engine.careful(), self._store.reading() as db:
            collection = self.door.existing(db, self.name)
            where, parameters, found = where_of(node, data, table.indexes(db, collection))
            total = table.count(db, collection)
            by_index = found is not None and bool(found.paths)
            examined = (
                table.count_where(db, collection, found.condition, found.parameters)
                if found is not None and by_index
                else total
            )
            strategy = (
                ("index" if found.exact else "index, then filter")
                if found is not None and by_index
                else "scan"
            )
            matched = (
                examined if strategy == "index" else table.count_where(db, collection, where, parameters)
            )
        return Explained(strategy, found.paths if found is not None else (), total, examined, matched, where)

    def diagnose(self, filter: Mapping[str, Any]) -> list[PredicateCount]:
        """Of each condition of a filter: how many documents it lets through by itself, and where none, what
        is perhaps wrong with it.
        """
        parse_filter(filter)
        counts = []
        with self._engine.careful(), self._store.reading() as db:
            collection = self.door.existing(db, self.name)
            indexes = table.indexes(db, collection)
            for path, alone in predicates(filter):
                where, parameters, _ = where_of(parse_filter(alone), alone, indexes)
                matched = table.count_where(db, collection, where, parameters)
                counts.append(
                    PredicateCount(path, alone, matched, "" if matched else self._hint(db, collection, alone))
                )
        return counts

    def _hint(self, db: apsw.Connection, collection: table.Collection, alone: Mapping[str, Any]) -> str:
        path = next(iter(alone))
        _, facts = _schema(db, collection)
        by_path = {name.replace("[]", ""): fact for name, fact in facts.items()}
        plain = ".".join(step for step in path.split(".") if not step.isdigit())
        if plain not in by_path:
            found = near(plain, [*by_path])
            return f"no document has the field {path!r}" + (f"; did you mean {found!r}?" if found else "")
        types = {name for raw, fact in facts.items() if raw.replace("[]", "") == plain for name in fact.types}
        return f"{path} is there, as {', '.join(sorted(types))}"

    def misspelt(self, filter: Mapping[str, Any] | None, *fields: str) -> str:
        """A sentence on a path that no document has and that is nearly one that they have; "" when there is
        none.
        """
        paths = [*fields, *fields_of(parse_filter(filter or {}))]
        with self._engine.careful(), self._store.reading() as db:
            collection = self.door.existing(db, self.name)
            _, facts = _schema(db, collection)
        known = list(dict.fromkeys(name.replace("[]", "") for name in facts))
        for path in paths:
            plain = ".".join(step for step in path.split(".") if not step.isdigit())
            if plain and plain not in known and (found := near(plain, known)):
                return f"no document of {self.name} has the field {path!r}; did you mean {found!r}?"
        return ""

    # ------------------------------------------------------------ vectors and context

    def vsync(self, field: str, *, embedder: str | None = None, progress: Progress | None = None) -> Synced:
        """Make the vectors of a field current: of texts that are new or changed, or of all for another
        embedder. An interrupt keeps what is done.
        """
        return searching.vsync(self, _stored_path(field), embedder, progress)

    def vstale(self, field: str, *, embedder: str | None = None) -> Staleness:
        """Which vectors of a field are not current, and why."""
        return searching.vstale(self, _checked_path(field), embedder)

    def vsearch(
        self,
        field: str,
        query: str,
        *,
        limit: int = 10,
        filter: Mapping[str, Any] | None = None,
        embedder: str | None = None,
    ) -> VectorAnswer:
        """The documents whose field lies nearest to a query by cosine, of those that pass the filter.

        Exact: each is compared.
        """
        return searching.vsearch(
            self, _checked_path(field), query, limit=limit, filter=filter, embedder=embedder
        )

    def context(
        self,
        field: str,
        query: str,
        *,
        budget: int = 1000,
        filter: Mapping[str, Any] | None = None,
        embedder: str | None = None,
        packing: Packing | str = Packing.PREFIX,
        tokenizer: Tokenizer | str = Tokenizer.APPROX,
    ) -> ContextPack:
        """The most relevant texts of a field for a task, within a budget that counts the texts.

        By default whole texts in the order of their cosine by hashed words, up to the first that does not
        fit. With packing `auto` the common index ranks parts of the texts by words and meaning, and the
        packer fills the budget.
        """
        return searching.context(
            self,
            _checked_path(field),
            query,
            budget=budget,
            filter=filter,
            embedder=embedder,
            packing=packing,
            tokenizer=tokenizer,
        )

    # ------------------------------------------------------------ plans

    def plan_update(
        self,
        filter: Mapping[str, Any],
        update: Mapping[str, Any],
        *,
        expires_seconds: float = planning.EXPIRES,
    ) -> Planned:
        """What an update would do, kept as a plan until it expires; nothing else is written."""
        return planning.plan_update(self, filter, update, expires_seconds=expires_seconds)

    def apply(self, token: str) -> Applied:
        """The same as the door's `apply`."""
        return self.door.apply(token)

    def rollback(self, change_id: str, *, force: bool = False) -> Applied:
        """The same as the door's `rollback`."""
        return self.door.rollback(change_id, force=force)


# ---------------------------------------------------------------- values


def _checked_path(path: str) -> str:
    if (
        not isinstance(path, str)
        or "\0" in path
        or any(not step or step.startswith("$") for step in path.split("."))
    ):
        raise FilterError(str(path), "is no path; write field or field.inner")
    return path


def _stored_path(path: str) -> str:
    """A path that the store keeps. Raises FilterError, and InputError where it looks like a secret."""
    refuse_secret("path", _checked_path(path))
    return path


def _batches(items: Iterable[Incoming]) -> Iterator[list[Incoming]]:
    batch: list[Incoming] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.body)
        if len(batch) == BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def uri_of(collection: str, document: Value) -> str:
    """What a citation shows of a document."""
    return f"docs:{collection}/{shown(document['_id'])}"


def _record(pending: tuple[str, Row]) -> Record:
    """The searched form of a document: its text, under its collection and _id."""
    collection, row = pending
    document = json.loads(row.body)
    return Record(
        uid=row.key,
        text=text_of(document).text,
        kind=RecordKind.DOCUMENT,
        door=DOOR,
        uri=uri_of(collection, document),
        title=title_of(document),
        language="markdown",
        scope=collection,
    )


def _schema(db: apsw.Connection, collection: table.Collection) -> tuple[int, dict[str, FieldFacts]]:
    return schema_of(
        json.loads(row.body) for row in table.select(db, collection, "1", (), limit=MOST_SAMPLED)
    )


def _description(db: apsw.Connection, collection: table.Collection) -> dict[str, Any]:
    looked, facts = _schema(db, collection)
    sample = next(iter(table.select(db, collection, "1", (), limit=1)), None)
    return {
        "collection": collection.name,
        "documents": table.count(db, collection),
        "sampled": looked,
        "fields": [
            {
                "path": path,
                "types": dict(fact.types.most_common()),
                "presence": round(fact.present / looked, 4),
            }
            for path, fact in facts.items()
        ],
        "sample": json.loads(sample.body) if sample is not None else None,
    }


def read_lines(lines: Iterable[str], name: str) -> Iterator[tuple[Any, str]]:
    """(document, where it stands) of NDJSON: one document a line, blank lines left out.

    Raises BadJson with the line of the file.
    """
    from daypack.doors.documents.model.values import read_json
    from daypack.errors import BadJson

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield read_json(line.rstrip("\r\n"), what=name), f"{name}, line {number}: document"
        except BadJson as error:
            problem = str(error).partition(": ")[2]
            raise BadJson(name, number, error.column, problem) from None


def read_documents(text: str, name: str) -> Iterator[tuple[Any, str]]:
    """(document, where it stands) of one object, an array of them, or NDJSON.

    Raises BadJson and BadDocument.
    """
    from daypack.doors.documents.model.values import read_json
    from daypack.errors import BadJson

    try:
        found = read_json(text, what=name)
    except BadJson as error:
        # A second value behind a whole first line: lines, each a document.
        if "extra data" not in str(error):
            raise
        lines = text.split("\n")
        first = next(number for number, line in enumerate(lines) if line.strip())
        try:
            read_json(lines[first], what=name)
        except BadJson:
            raise error from None
        return read_lines(lines, name)
    if isinstance(found, list):
        return ((item, f"{name}[{number}]") for number, item in enumerate(found))
    if not isinstance(found, dict):
        raise BadDocument("", "must be an object, an array of objects, or one object a line", where=name)
    return iter([(found, name)])
