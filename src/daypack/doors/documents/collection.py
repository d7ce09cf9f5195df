"""`Collection`: the verbs on the documents of one collection."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any, TypeAlias

from daypack.doors.documents import marks, plans, table
from daypack.doors.documents.context import pack_context
from daypack.doors.documents.filters.sql import ParsedFilter, parsed_filter
from daypack.doors.documents.filters.subjects import predicates
from daypack.doors.documents.loading import checked_path, named_documents, storable_path, write_documents
from daypack.doors.documents.model.identity import key_of, keys_meant
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
from daypack.doors.documents.model.values import LARGEST_INT, Value, cleaned
from daypack.doors.documents.model.views import parse_projection, parse_sort, sort_key
from daypack.doors.documents.schema import hint_on_condition, hint_on_fields, hint_on_filter, types_of
from daypack.doors.documents.table import DOOR, CollectionRow, DocumentRow
from daypack.doors.documents.vectors import fields
from daypack.doors.documents.vectors import table as vector_table
from daypack.engine.engine import Engine
from daypack.errors import InputError, NotFound
from daypack.guard.arguments import checked
from daypack.index import erasing
from daypack.index.postings import lexical as lexical_index
from daypack.ports import Connection, Progress
from daypack.shapes.strict_json import canonical
from daypack.text.checks import check_count, check_text
from daypack.types import Packing, Tokenizer, Trust

_Documents: TypeAlias = "list[Value]"
PAGE = 1_000  # documents that a loop reads in one transaction


@checked
class Collection:
    """One collection. Reading a missing one raises NoCollection, which names the one that was perhaps meant."""

    def __init__(
        self, engine: Engine, name: str, vectors: fields.FieldVectors, new_id: Callable[[], Value]
    ) -> None:
        self.name = name
        self._engine = engine
        self._vectors = vectors
        self._new_id = new_id

    def __repr__(self) -> str:
        return f"<Collection {self.name!r}>"

    def __len__(self) -> int:
        return self.count()

    def __iter__(self) -> Iterator[Value]:
        return self.each()

    @contextmanager
    def _reading(self) -> Iterator[tuple[Connection, CollectionRow]]:
        with self._engine.translating_damage(), self._engine.store.reading() as db:
            yield db, table.existing_collection(db, self.name)

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, CollectionRow]]:
        with self._engine.translating_damage(), self._engine.store.writing() as db:
            yield db, table.existing_collection(db, self.name)

    # ------------------------------------------------------------ write

    def insert(
        self,
        documents: Mapping[str, Any] | Iterable[Mapping[str, Any] | tuple[Any, str]],
        *,
        progress: Progress | None = None,
    ) -> Inserted:
        """Add documents; one without an _id gets an ObjectId. Each 10,000 documents, or 32 MB, are one transaction.

        Raises DuplicateId and BadDocument, whose `written` is the number of documents that stay: those of the
        transactions before. A pair (document, name) gives the document's name in errors.
        """
        return self._write(documents, "insert", progress)

    def load(
        self,
        documents: Mapping[str, Any] | Iterable[Mapping[str, Any] | tuple[Any, str] | str],
        *,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> Inserted:
        """Add documents, lines of JSON as `dump` gives them, or pairs (document, its name in errors), in transactions
        of 10,000.

        Documents that are stored unchanged stay. With `replace` others with their _id are replaced; without
        it they raise DuplicateId.
        """
        return self._write(documents, "replace" if replace else "load", progress)

    def _write(
        self,
        documents: Mapping[str, Any] | Iterable[Mapping[str, Any] | tuple[Any, str] | str],
        mode: str,
        progress: Progress | None,
    ) -> Inserted:
        items = [documents] if isinstance(documents, Mapping) else documents
        if isinstance(items, (str, bytes)) or not isinstance(items, Iterable):
            check_text("documents", items, "a document or a list of documents")
            raise InputError("documents is a text; give a mapping, or json.loads(text)")
        named = named_documents(items, lines=mode != "insert")
        return write_documents(
            self._engine, self.name, named, new_id=self._new_id, mode=mode, progress=progress
        )

    def delete(self, filter: Mapping[str, Any]) -> int:
        """Erase every matching document, from the index, vectors and plans too; returns their number."""
        wanted = parsed_filter(filter)
        with self._writing() as (db, collection):
            where, parameters, _ = wanted.where(db, collection)
            rows = list(table.select(db, collection, where, parameters))
            hashes = vector_table.hashes_of(db, [row.id for row in rows])
            table.delete(db, table.indexes(db, collection), rows, now=self._engine.clock())
            erasing.drop_orphans(db, hashes)
            self._engine.store.remove_records(db, DOOR, self.name, [row.key for row in rows])
            if rows:
                lexical_index.scrub(db)
                self._engine.store.owe_purge(db)
        if rows:
            self._engine.store.purge()
        return len(rows)

    def index(self, *paths: str) -> list[str]:
        """Index paths, for present and future documents; returns those that were not indexed before."""
        checked = [storable_path(path) for path in paths]
        with self._writing() as (db, collection):
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
        """The matching documents, in the order of insertion or of `sort`, as plain JSON data, from one state of
        the store.
        """
        with self._engine.translating_damage(), self._engine.store.reading():
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
        """`find`, one after the other. A loop sees the documents that match when it begins, each as it is when its
        page of 1,000 is read; those that were deleted meanwhile are left out. With `sort` all are read when it begins.
        Between two documents any other call may be made, writes too.
        """
        wanted = _optional(filter)
        shown_fields = parse_projection(projection) if projection is not None else None
        order = parse_sort(sort) or None if sort is not None else None
        check_count("limit", limit)
        check_count("skip", skip)
        limit, skip = limit if limit is None else min(limit, LARGEST_INT), min(skip, LARGEST_INT)
        documents: Iterable[Value] = (
            (json.loads(row.body) for row in self._rows(wanted, limit, skip))
            if order is None
            else self._ordered(wanted, sort_key(order), limit, skip)
        )
        for document in documents:
            yield shown_fields.of(document) if shown_fields is not None else document

    def _rows(self, wanted: ParsedFilter, limit: int | None = None, skip: int = 0) -> Iterator[DocumentRow]:
        """The matching rows, read a page at a time: a transaction that is open between two of them would fail every
        write that a loop makes.
        """
        with self._reading() as (db, collection):
            lead, where, parameters = wanted.led(db, collection)
            most = -1 if limit is None else limit
            ids = table.select_ids(db, collection, where, parameters, limit=most, skip=skip, lead=lead)
        for start in range(0, len(ids), PAGE):
            with self._engine.translating_damage(), self._engine.store.reading() as db:
                rows = table.of_ids(db, collection, ids[start : start + PAGE])
            yield from rows

    def _ordered(
        self, wanted: ParsedFilter, key: Callable[[Value], Any], limit: int | None, skip: int
    ) -> _Documents:
        """The matching documents in the order of a key, of one state of the store."""
        with self._reading() as (db, collection):
            lead, where, parameters = wanted.led(db, collection)
            rows = table.select(db, collection, where, parameters, lead=lead)
            found = (json.loads(row.body) for row in rows)
            most = sorted(found, key=key) if limit is None else heapq.nsmallest(limit + skip, found, key=key)
        return most[skip:]

    def count(self, filter: Mapping[str, Any] | None = None) -> int:
        """The number of matching documents."""
        wanted = _optional(filter)
        with self._reading() as (db, collection):
            where, parameters, _ = wanted.where(db, collection)
            return table.count_where(db, collection, where, parameters)

    def get(self, identity: Any, *, as_written: bool = False) -> Value:
        """The document of an _id. A text is that string, or, where no document has it, 24 hex digits or JSON as a person
        writes them; with `as_written` these come first. Raises NotFound.
        """
        keys = keys_meant(identity) if isinstance(identity, str) else [key_of(cleaned(identity))]
        if isinstance(identity, str) and not as_written:
            keys.insert(0, keys.pop())  # the string, which comes last
        with self._reading() as (db, collection):
            for key in keys:
                row = table.find(db, collection, key)
                if row is not None:
                    return json.loads(row.body)
        raise NotFound(
            f"no document of {self.name} has the _id {identity if isinstance(identity, str) else canonical(cleaned(identity))}",
            f"`daypack docs find {self.name}` lists its documents",
        )

    def dump(self, *, one_state: bool = False) -> Iterator[str]:
        """Every document as a line of canonical JSON, in the order of insertion; `load` takes them. A loop sees
        the documents as one over `each` does, or with `one_state` as they are when it begins; then finish or close it
        before writing.
        """
        with self._reading() if one_state else nullcontext():
            yield from (row.body for row in self._rows(_optional(None)))

    def untrusted(
        self, filter: Mapping[str, Any] | None = None, *, shown: Iterable[Value] | None = None
    ) -> _Documents:
        """The _ids of the matching documents that hold a text for which no person vouches; with `shown` only of
        those. From then on its reader counts as having seen them.
        """
        among = None if shown is None else {canonical(one) for one in shown}
        with self._reading() as (db, collection):
            if not marks.any_marked(db):
                return []
            where, parameters, _ = _optional(filter).where(db, collection)
            rows = table.select(db, collection, f"({where}) AND {marks.MARKED}", parameters)
            every = (json.loads(row.body)["_id"] for row in rows)
            found = [one for one in every if among is None or canonical(one) in among]
        self._engine.writer.show([Trust.UNTRUSTED] if found else ())
        return found

    # ------------------------------------------------------------ explain

    def explain(self, filter: Mapping[str, Any] | None = None) -> Explained:
        """The way a filter is answered, and the number of documents that it examines."""
        wanted = _optional(filter)
        with self._reading() as (db, collection):
            where, parameters, found = wanted.where(db, collection)
            total = examined = table.count(db, collection)
            strategy, indexes = "scan", found.paths if found is not None else ()
            if found is not None and indexes:
                strategy = "index" if found.exact else "index, then filter"
                examined = table.count_where(db, collection, found.condition, found.parameters)
            matched = (
                examined if strategy == "index" else table.count_where(db, collection, where, parameters)
            )
        return Explained(strategy, indexes, total, examined, matched, where)

    def diagnose(self, filter: Mapping[str, Any]) -> list[PredicateCount]:
        """The number of documents that each condition of a filter matches by itself, and a hint where it
        matches none.
        """
        data = parsed_filter(filter).data
        counts = []
        with self._reading() as (db, collection):
            for path, alone in predicates(data):
                where, parameters, _ = parsed_filter(alone).where(db, collection)
                matched = table.count_where(db, collection, where, parameters)
                hint = ""
                if not matched:
                    field = next(iter(alone))
                    hint = hint_on_condition(db, [collection], alone)
                    types = "" if hint else types_of(db, collection, field)
                    hint = hint or (f"{field} exists, as {types}" if types else f"no document has {field}")
                counts.append(PredicateCount(path, alone, matched, hint))
        return counts

    def misspelt(self, filter: Mapping[str, Any] | None, *fields: str) -> str:
        """A sentence on the likely slip of a filter that matches nothing, or on a field that no document has; or ""."""
        with self._reading() as (db, collection):
            return hint_on_fields(db, [collection], fields) or hint_on_filter(db, [collection], filter or {})

    # ------------------------------------------------------------ vectors and context

    def vsync(self, field: str, *, embedder: str | None = None, progress: Progress | None = None) -> Synced:
        """Make the vectors of a field current: of new or changed texts, or of all for another embedder. An
        interrupt keeps finished vectors.
        """
        return fields.vsync(self._vectors, self.name, storable_path(field), embedder, progress)

    def vstale(self, field: str, *, embedder: str | None = None) -> Staleness:
        """The vectors of a field that are not current, by reason."""
        return fields.vstale(self._vectors, self.name, checked_path(field), embedder)

    def vsearch(
        self,
        field: str,
        query: str,
        *,
        limit: int = 10,
        filter: Mapping[str, Any] | None = None,
        embedder: str | None = None,
    ) -> VectorAnswer:
        """The documents whose field is nearest to a query by cosine, of those that match the filter.

        Exact: each is compared.
        """
        question = fields.FieldQuery(
            self.name, checked_path(field), query, {} if filter is None else filter, embedder
        )
        return fields.vsearch(self._vectors, question, limit)

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

        By default whole texts in the order of their cosine, by the embedder that `vsearch` takes, up to the
        first that does not fit. With packing `auto` the common index ranks parts of the texts by words and meaning, and the
        packer fills the budget.
        """
        question = fields.FieldQuery(
            self.name, checked_path(field), query, {} if filter is None else filter, embedder
        )
        return pack_context(self._vectors, question, budget=budget, packing=packing, tokenizer=tokenizer)

    # ------------------------------------------------------------ plans

    def plan_update(
        self, filter: Mapping[str, Any], update: Mapping[str, Any], *, expires_seconds: float = plans.EXPIRES
    ) -> Planned:
        """The effect of an update, kept as a plan until it expires; nothing else is written."""
        token = self._new_id()["$oid"]
        return plans.plan_update(
            self._engine, self.name, filter, update, token=token, expires_seconds=expires_seconds
        )

    def apply(self, token: str) -> Applied:
        """The same as the door's `apply`."""
        return plans.apply(self._engine, token)

    def rollback(self, change_id: str, *, force: bool = False) -> Applied:
        """The same as the door's `rollback`."""
        return plans.rollback(self._engine, change_id, force=force)


def _optional(filter: Mapping[str, Any] | None) -> ParsedFilter:
    """The filter with its tree; every document matches None. Raises FilterError."""
    return parsed_filter({} if filter is None else filter)
