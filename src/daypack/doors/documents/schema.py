"""The fields of a collection as a sample of its documents shows them, and hints on misspelt ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from daypack.doors.documents import table
from daypack.doors.documents.filters.language import near
from daypack.doors.documents.model.views import FieldFacts, schema_of
from daypack.doors.documents.table import CollectionRow

if TYPE_CHECKING:
    from daypack.ports import Connection

MOST_SAMPLED = 10_000  # documents that a schema is inferred from


def describe_collection(db: Connection, collection: CollectionRow) -> dict[str, Any]:
    """A collection's number of documents, its fields with types and presence ratio, and its first document."""
    sampled, facts = _schema(db, collection)
    sample = next(iter(table.select(db, collection, limit=1)), None)
    return {
        "collection": collection.name,
        "documents": table.count(db, collection),
        "sampled": sampled,
        "fields": [
            {
                "path": path,
                "types": dict(fact.types.most_common()),
                "presence": round(fact.present / sampled, 4),
            }
            for path, fact in facts.items()
        ],
        "sample": json.loads(sample.body) if sample is not None else None,
    }


def hint_on_condition(db: Connection, collection: CollectionRow, condition: Mapping[str, Any]) -> str:
    """The likely reason why a condition on one field matches nothing: no such field, or other types."""
    path = next(iter(condition))
    _, facts = _schema(db, collection)
    plain = _without_positions(path)
    types = {name for raw, fact in facts.items() if raw.replace("[]", "") == plain for name in fact.types}
    if types:
        return f"{path} exists, as {', '.join(sorted(types))}"
    found = near(plain, _paths(facts))
    return f"no document has the field {path!r}" + (f"; did you mean {found!r}?" if found else "")


def hint_on_fields(db: Connection, collection: CollectionRow, paths: Sequence[str]) -> str:
    """A sentence on the first path that no document has but that resembles one that they have; or ""."""
    _, facts = _schema(db, collection)
    known = _paths(facts)
    for path in paths:
        plain = _without_positions(path)
        if plain and plain not in known and (found := near(plain, known)):
            return f"no document of {collection.name} has the field {path!r}; did you mean {found!r}?"
    return ""


def _schema(db: Connection, collection: CollectionRow) -> tuple[int, dict[str, FieldFacts]]:
    return schema_of(json.loads(row.body) for row in table.select(db, collection, limit=MOST_SAMPLED))


def _paths(facts: Mapping[str, FieldFacts]) -> list[str]:
    return list(dict.fromkeys(name.replace("[]", "") for name in facts))


def _without_positions(path: str) -> str:
    return ".".join(step for step in path.split(".") if not step.isdigit())
