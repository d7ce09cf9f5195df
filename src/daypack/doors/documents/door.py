"""`DocumentsDoor`: the collections of a store, their plans, and their part of the common pack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from daypack.doors.documents import indexing, plans, table, text_queue
from daypack.doors.documents.collection import Collection
from daypack.doors.documents.filters.language import near
from daypack.doors.documents.filters.sql import RECORD_FIELDS, document_matches, plain, records_where
from daypack.doors.documents.loading import ensure_collection, storable_path
from daypack.doors.documents.model.identity import ObjectIds
from daypack.doors.documents.model.results import Applied
from daypack.doors.documents.schema import describe_collection, hint_on_filter
from daypack.doors.documents.vectors import table as vector_table
from daypack.doors.documents.vectors.fields import FieldVectors
from daypack.engine.engine import Engine
from daypack.errors import InputError
from daypack.filters.tree import Where
from daypack.guard.arguments import checked
from daypack.ports import Progress
from daypack.text.checks import check_text

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,119}")


@checked
class DocumentsDoor:
    """The collections of a store."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.store = engine.store
        self.vectors = FieldVectors(engine)
        self._new_id = ObjectIds(engine.clock)
        self.store.add_function("document_matches", document_matches)

    def collection(self, name: str) -> Collection:
        """A collection by its name; the first document makes it. Raises InputError."""
        check_text("the name of the collection", name)
        if not _NAME.fullmatch(name):
            raise InputError(
                f"{name!r} is not a valid name of a collection; use letters, digits, '_', '-' and "
                f"'.', at most 120"
            )
        return Collection(self.engine, name, self.vectors, self._new_id)

    def create(self, name: str, *, indexes: Sequence[str] = ()) -> bool:
        """Make a collection with indexes on these paths; False when it exists already."""
        self.collection(name)
        with self.engine.translating_damage(), self.store.writing() as db:
            made = table.find_collection(db, name) is None
            row = ensure_collection(db, name, now=self.engine.clock())
            for path in indexes:
                table.make_index(db, row, storable_path(path))
        return made

    def names(self) -> list[str]:
        """The names of all collections, sorted."""
        with self.store.reading() as db:
            return [collection.name for collection in table.collections(db)]

    def similar_name(self, name: str) -> str | None:
        """The existing collection that a new name may misspell; None for an existing name."""
        names = self.names()
        return None if name in names else near(name, names)

    # ------------------------------------------------------------ text in the common index

    def pending(self) -> int:
        """Documents whose current text the common index does not have yet."""
        return indexing.count_pending(self.engine)

    def catch_up(self, *, limit: int | None = None, progress: Progress | None = None) -> int:
        """Index the text of at most `limit` written documents; returns their number.

        An interrupt loses at most the last batch.
        """
        return indexing.index_pending(self.engine, limit=limit, progress=progress)

    def follow(self) -> int:
        """Index pending text when it is little; returns the number of documents that still wait."""
        return indexing.index_before_question(self.engine)

    # ------------------------------------------------------------ plans

    def apply(self, token: str) -> Applied:
        """Write a planned update, in one transaction.

        Raises PlanConflict when a document changed since, NotFound, PlanSpent.
        """
        return plans.apply(self.engine, token)

    def rollback(self, change_id: str, *, force: bool = False) -> Applied:
        """Restore the documents as they were before an apply.

        Raises PlanConflict when later changes would be lost, unless `force`.
        """
        return plans.rollback(self.engine, change_id, force=force)

    def plans(self) -> list[dict[str, Any]]:
        """All plans and changes, newest first."""
        return plans.list_plans(self.engine)

    # ------------------------------------------------------------ overview

    def inspect(self) -> dict[str, Any]:
        """Collections with sizes, indexes and embedded fields; numbers of plans and of waiting documents."""
        with self.engine.translating_damage(), self.store.reading() as db:
            found = [
                {
                    "name": collection.name,
                    "documents": table.count(db, collection),
                    "indexes": [index.path for index in table.indexes(db, collection)],
                    "vectors": [
                        {
                            "field": field.path,
                            "embedder": field.embedder,
                            "documents": vector_table.count_embedded(db, field),
                        }
                        for field in vector_table.fields(db, collection)
                    ],
                }
                for collection in table.collections(db)
            ]
            return {"collections": found, "plans": len(table.plans(db)), "textPending": text_queue.length(db)}

    def describe(self, name: str | None = None) -> list[dict[str, Any]]:
        """Each collection, or one: its number of documents, its fields with types and frequency, and a
        sample. Raises NoCollection.
        """
        with self.engine.translating_damage(), self.store.reading() as db:
            chosen = table.collections(db) if name is None else [table.existing_collection(db, name)]
            return [describe_collection(db, collection) for collection in chosen]

    # ------------------------------------------------------------ for the common pack

    def condition(self, data: Mapping[str, Any], *, documents: bool, others: bool) -> Where:
        """A filter of the common pack: documents are judged by their fields, everything else by the fields of
        its record.

        In a store without documents, a field that records do not have is refused with the field that was
        perhaps meant.
        """
        with self.engine.translating_damage(), self.store.reading() as db:
            collections = table.collections(db) if documents else []
            indexes = [(collection, table.indexes(db, collection)) for collection in collections]
        return records_where(data, indexes, others=others)

    def slip(self, data: Mapping[str, Any], *, documents: bool, others: bool) -> str:
        """The likely slip of such a filter that nothing passes, as a clause; or ""."""
        with self.engine.translating_damage(), self.store.reading() as db:
            collections = table.collections(db) if documents else []
            fields = RECORD_FIELDS if others else ()
            return hint_on_filter(db, collections, plain(data), fields) if collections else ""
