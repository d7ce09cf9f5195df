"""The fields of a collection as a sample of its documents shows them, and hints on misspelt ones."""

from __future__ import annotations

import contextlib
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from daypack.doors.documents import table
from daypack.doors.documents.filters.language import OPERATORS, Compare, In, near, parse_filter
from daypack.doors.documents.filters.sql import parsed_filter
from daypack.doors.documents.filters.subjects import fields_of, operands, predicates
from daypack.doors.documents.model.values import MISSING, Value, at_path, cleaned
from daypack.doors.documents.model.views import FieldFacts, schema_of, type_name
from daypack.doors.documents.table import CollectionRow
from daypack.errors import BadDocument
from daypack.ports import Connection
from daypack.shapes.strict_json import canonical

MOST_SAMPLED = 10_000  # documents that a schema is inferred from
MOST_FIELDS = 500  # fields that a description lists
MOST_NAMES = 50_000  # fields among which a misspelt one is looked for
LONGEST_NAME = 100  # characters of a text that a misspelt one may have meant


def describe_collection(db: Connection, collection: CollectionRow) -> dict[str, Any]:
    """A collection's number of documents, its fields with types and presence ratio, and its first document."""
    sampled, facts = _schema(db, collection, MOST_FIELDS)
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


def hint_on_fields(
    db: Connection, collections: Sequence[CollectionRow], paths: Sequence[str], others: Sequence[str] = ()
) -> str:
    """A sentence on the first path that no document has, with the one that was perhaps meant, also among `others`; or ""."""
    missing = next((path for path in paths if not _matches(db, collections, {path: {"$exists": True}})), None)
    if missing is None or not any(table.count(db, collection) for collection in collections):
        return ""
    names = [*others]
    for collection in collections:
        names += _paths(_schema(db, collection, MOST_NAMES)[1])
    likely = near(_without_positions(missing), names)
    of = f" of {collections[0].name}" if len(collections) == 1 else ""
    problem = f"no document{of} has the field {missing!r}"
    return f"{problem}; did you mean {likely!r}?" if likely else problem


def hint_on_condition(
    db: Connection,
    collections: Sequence[CollectionRow],
    condition: Mapping[str, Any],
    others: Sequence[str] = (),
) -> str:
    """The likely slip in a condition on one field that matches no document: no such field, values of another type, or
    a text that differs a little from one there; or "". `others` are the fields of records that it may match instead.
    """
    node = parse_filter(condition)
    fields = [*fields_of(node)]
    if {path.split(".")[0] for path in fields} & {*others} or _matches(db, collections, condition):
        return ""
    if hint := hint_on_fields(db, collections, fields, others):
        return hint
    path, wanted = next(iter(condition)), operands(node)
    if wanted is None:
        return ""
    types: set[str] = set()
    texts: set[str] = set()
    for value in _values(db, collections, path):
        types.add(type_name(value))
        if type(value) is str and len(value) <= LONGEST_NAME:
            texts.add(value)
    names = {type_name(value) for value in wanted}
    if types and not _families(names) & _families(types):
        return f"the values of {path} are of type {_listed(types)}, not {_listed(names)}{_instead(wanted, types)}"
    for value in wanted:
        if type(value) is str and isinstance(node, (In, Compare)) and (likely := _near_text(value, texts)):
            return f"no document has {canonical(value)} in {path}; did you mean {canonical(likely)}?"
    return ""


def hint_on_filter(
    db: Connection,
    collections: Sequence[CollectionRow],
    filter: Mapping[str, Any],
    others: Sequence[str] = (),
) -> str:
    """The likely slip of a filter that matches nothing, in the first of its conditions that seems to have one; or ""."""
    hints = (hint_on_condition(db, collections, alone, others) for _, alone in predicates(filter))
    return next((hint for hint in hints if hint), "")


def types_of(db: Connection, collection: CollectionRow, path: str) -> str:
    """The types of the values at a path and of the elements of arrays there."""
    return _listed({type_name(value) for value in _values(db, [collection], path)})


def _matches(db: Connection, collections: Sequence[CollectionRow], condition: Mapping[str, Any]) -> bool:
    wanted = parsed_filter(condition)
    for collection in collections:
        where, parameters, _ = wanted.where(db, collection)
        if any(True for _ in table.select(db, collection, where, parameters, limit=1)):
            return True
    return False


def _values(db: Connection, collections: Sequence[CollectionRow], path: str) -> Iterator[Value]:
    """The values at a path, and the elements of arrays there, of the documents that a schema is inferred from."""
    steps = path.split(".")
    for row in (
        row for collection in collections for row in table.select(db, collection, limit=MOST_SAMPLED)
    ):
        for value in at_path(json.loads(row.body), steps):
            if value is not MISSING:
                yield value
                if type(value) is list:
                    yield from value


def _families(names: set[str]) -> set[str]:
    """Types as comparisons see them: all numbers are one."""
    return {"number" if name in ("long", "double") else name for name in names}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _instead(wanted: Sequence[Value], types: set[str]) -> str:
    """The spelling that was perhaps meant: a date, or operators with their sign."""
    operand = wanted[0]
    if type(operand) is str and "date" in types:
        with contextlib.suppress(BadDocument):
            cleaned({"$date": operand})
            return f"; write {canonical({'$date': operand})}"
    if type(operand) is dict and operand and all(f"${name}" in OPERATORS for name in operand):
        return f"; did you mean {canonical({f'${name}': item for name, item in operand.items()})}?"
    return ""


def _near_text(text: str, known: set[str]) -> str | None:
    folded = _folded(text)
    same = min((other for other in known if _folded(other) == folded), default=None)
    return same if same is not None else near(text, sorted(known))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _schema(db: Connection, collection: CollectionRow, most: int) -> tuple[int, dict[str, FieldFacts]]:
    rows = table.select(db, collection, limit=MOST_SAMPLED)
    return schema_of((json.loads(row.body) for row in rows), most)


def _paths(facts: Mapping[str, FieldFacts]) -> list[str]:
    return list(dict.fromkeys(name.replace("[]", "") for name in facts))


def _without_positions(path: str) -> str:
    return ".".join(step for step in path.split(".") if not step.isdigit())
