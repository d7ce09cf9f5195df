"""A filter on documents as a condition in SQL on the table `document AS d`.

Field indexes answer as much as possible. An index on a path holds, for every document, each value at the
path, each element of an array there, and a mark for a path without a value: with kind and value in columns
that SQLite compares as `values.order_key` does. So most conditions are answered by their entries alone,
exactly. The others (objects and arrays as operands, expressions, sizes) are left to `predicate`, as the SQL
function `document_matches`, over the documents that the indexes let through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from daypack.doors.documents import table
from daypack.doors.documents.filters.language import (
    And,
    Compare,
    Comparison,
    Exists,
    HasType,
    In,
    Negated,
    Node,
    Or,
    parse_filter,
)
from daypack.doors.documents.filters.predicate import Predicate, predicate
from daypack.doors.documents.model.entries import MISSING_RANK, entry_of, is_exact_entry
from daypack.doors.documents.model.values import KINDS, ValueKind, cleaned
from daypack.doors.documents.table import DOOR, CollectionRow, FieldIndex
from daypack.filters.tree import Where
from daypack.ports import Connection
from daypack.shapes.strict_json import canonical

_SQL = {
    Comparison.EQ: "=",
    Comparison.GT: ">",
    Comparison.GTE: ">=",
    Comparison.LT: "<",
    Comparison.LTE: "<=",
}
RECORD_FIELDS = (
    "uri", "title", "kind", "door", "language", "author", "session", "scope", "trust", "time", "tags", "metadata",
)  # fmt: skip
_RECORD = (
    "json_object("
    + ", ".join(
        f"'{name}', " + (f"json({name})" if name in ("tags", "metadata") else name) for name in RECORD_FIELDS
    )
    + ")"
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Documents that contain all matches; `exact`: nothing else. `paths` are the indexes used."""

    condition: str
    parameters: tuple[Any, ...]
    exact: bool
    paths: tuple[str, ...]


class ParsedFilter(NamedTuple):
    """A filter as its caller wrote it, and its tree."""

    data: Mapping[str, Any]
    node: Node

    def where(self, db: Connection, collection: CollectionRow) -> tuple[str, tuple[Any, ...], Bounds | None]:
        """(condition on `document AS d`, parameters, the bounds that indexes give)."""
        return _where(self.node, self.data, table.indexes(db, collection))

    def led(
        self, db: Connection, collection: CollectionRow
    ) -> tuple[tuple[int, int, Any] | None, str, tuple[Any, ...]]:
        """(the equality that leads to the documents, condition, parameters); else as `where`."""
        indexes = table.indexes(db, collection)
        lead, rest = equality(self.node, _by_path(indexes)) or (None, self.node)
        where, parameters, _ = _where(rest, self.data, indexes)
        return lead, where, parameters


def parsed_filter(data: Mapping[str, Any]) -> ParsedFilter:
    """The filter with its tree. Raises FilterError."""
    return ParsedFilter(data, parse_filter(data))


def _where(
    node: Node, data: Mapping[str, Any], indexes: Sequence[FieldIndex]
) -> tuple[str, tuple[Any, ...], Bounds | None]:
    indexed = bounds(node, _by_path(indexes))
    if indexed is not None and indexed.exact:
        return indexed.condition, indexed.parameters, indexed
    test = "document_matches(?, d.body)"
    text = canonical(plain(data))
    if indexed is None:
        return test, (text,), None
    return f"{indexed.condition} AND {test}", (*indexed.parameters, text), indexed


def records_where(
    data: Mapping[str, Any],
    collections: Sequence[tuple[CollectionRow, Sequence[FieldIndex]]],
    *,
    others: bool,
) -> Where:
    """The condition on records: those of documents by the fields of their document, with `others` every other
    record by its own fields.

    Without collections, paths must begin with a field of records. Raises FilterError.
    """
    node = parse_filter(data, fields=RECORD_FIELDS if others and not collections else ())
    conditions: list[str] = []
    parameters: list[Any] = []
    if others:
        conditions.append(f"(door != '{DOOR}' AND document_matches(?, {_RECORD}))")
        parameters.append(canonical(plain(data)))
    for collection, indexes in collections:
        condition, values = record_is_in(collection, *_where(node, data, indexes)[:2])
        conditions.append(f"({condition})")
        parameters += values
    return Where(f"({' OR '.join(conditions) or 'FALSE'})", tuple(parameters))


def record_is_in(
    collection: CollectionRow, where: str, parameters: Sequence[Any]
) -> tuple[str, tuple[Any, ...]]:
    """The condition that a record is the text of a matching document of the collection."""
    condition = (
        f"door = '{DOOR}' AND scope = ? AND uid IN"
        f" (SELECT d.key FROM document AS d WHERE ({where}) AND d.collection_id = ?)"
    )
    return condition, (collection.name, *parameters, collection.id)


def _by_path(indexes: Sequence[FieldIndex]) -> dict[str, FieldIndex]:
    return {index.path: index for index in indexes}


def plain(value: Any) -> Any:
    """A filter or update in the form that JSON can write: operands of the SDK may be dates and bytes."""
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return cleaned(value)


@lru_cache(maxsize=64)
def _test(text: str) -> Predicate:
    return predicate(parse_filter(json.loads(text)))


def document_matches(text: str, body: str) -> bool:
    """SQL's `document_matches(filter, body)`."""
    return _test(text)(json.loads(body))


# ---------------------------------------------------------------- the part that indexes answer


def bounds(node: Node, indexes: Mapping[str, FieldIndex]) -> Bounds | None:
    """The answer of indexes (by path) to a filter; None without one."""
    match node:
        case And(parts):
            return _all(parts, indexes)
        case Or(parts):
            return _any(parts, indexes)
        case Negated(part):
            inner = bounds(part, indexes)
            if inner is None or not inner.exact:
                return None
            return Bounds(f"NOT {inner.condition}", inner.parameters, True, inner.paths)
        case Compare(path, comparison, text) if path in indexes:
            return _compared(path, indexes[path].id, comparison, json.loads(text))
        case In(path, texts) if path in indexes:
            return _in(path, indexes[path].id, [json.loads(text) for text in texts])
        case Exists(path) if path in indexes:
            return _entries(path, indexes[path].id, "rank >= 0")
        case HasType(path, types) if path in indexes and all(name in KINDS for name in types):
            return _entries(
                path, indexes[path].id, f"rank IN ({', '.join(str(int(KINDS[name])) for name in types)})"
            )
    return None


def _entries(path: str, index_id: int, condition: str, parameters: Sequence[Any] = ()) -> Bounds:
    return Bounds(
        f"d.id IN (SELECT document_id FROM document_entry WHERE index_id = ? AND {condition})",
        (index_id, *parameters),
        not _has_number(path),
        (path,),
    )


def _has_number(path: str) -> bool:
    """True for a path that may name an element by its number. The entries of such an index only narrow: they hold the
    elements of an array that a number leads to, which no condition looks at.
    """
    return any(step.isdigit() for step in path.split("."))


def _compared(path: str, index_id: int, comparison: Comparison, operand: Any) -> Bounds | None:
    if operand is None:
        if comparison in (Comparison.GT, Comparison.LT):
            return Bounds("FALSE", (), True, (path,))
        return _entries(path, index_id, f"rank IN ({MISSING_RANK}, {int(ValueKind.NULL)})")
    if not is_exact_entry(operand):
        return None
    rank, value = entry_of(operand)
    return _entries(path, index_id, f"rank = ? AND value {_SQL[comparison]} ?", (int(rank), value))


def equality(node: Node, indexes: Mapping[str, FieldIndex]) -> tuple[tuple[int, int, Any], Node] | None:
    """((index, rank, value) of an equality that every match must fulfil, the rest of the filter); or None."""
    match node:
        case Compare(path, Comparison.EQ, text) if (
            path in indexes
            and text != "null"
            and not _has_number(path)
            and is_exact_entry(operand := json.loads(text))
        ):
            rank, value = entry_of(operand)
            return (indexes[path].id, int(rank), value), And(())
        case And(parts):
            for number, part in enumerate(parts):
                if not isinstance(part, And) and (inner := equality(part, indexes)) is not None:
                    return inner[0], And((*parts[:number], *parts[number + 1 :]))
    return None


def _in(path: str, index_id: int, operands: Sequence[Any]) -> Bounds | None:
    if not all(map(is_exact_entry, operands)):
        return None
    conditions, parameters = [], []
    by_rank: dict[int, list[Any]] = {}
    for operand in operands:
        rank, value = entry_of(operand)
        by_rank.setdefault(int(rank), []).append(value)
    if by_rank.pop(int(ValueKind.NULL), None):
        conditions.append(f"rank IN ({MISSING_RANK}, {int(ValueKind.NULL)})")
    for rank, values in by_rank.items():
        if rank == ValueKind.BINARY:
            conditions.append(f"(rank = ? AND value IN ({', '.join('?' * len(values))}))")
            parameters += [rank, *values]
        else:  # too many for variables, which SQLite limits
            conditions.append("(rank = ? AND value IN (SELECT value FROM json_each(?)))")
            parameters += [rank, json.dumps(values)]
    if not conditions:
        return Bounds("FALSE", (), True, (path,))
    return _entries(path, index_id, f"({' OR '.join(conditions)})", parameters)


def _range(part: Node, indexes: Mapping[str, FieldIndex]) -> tuple[str, int, str, Any] | None:
    """(path, rank, comparison in SQL, value) of one side of a range on an index of single values."""
    match part:
        case Compare(path, comparison, text) if (
            comparison is not Comparison.EQ and path in indexes and not indexes[path].multi
        ):
            operand = json.loads(text)
            if operand is not None and is_exact_entry(operand):
                rank, value = entry_of(operand)
                return path, int(rank), _SQL[comparison], value
    return None


def _all(parts: Sequence[Node], indexes: Mapping[str, FieldIndex]) -> Bounds | None:
    """Conditions together; a range is one lookup in the index where documents have a single value."""
    sides: dict[tuple[str, int], list[tuple[str, Any]]] = {}
    conditions: list[Bounds | None] = []
    for part in _flat(parts):
        side = _range(part, indexes)
        if side is None:
            conditions.append(bounds(part, indexes))
        else:
            sides.setdefault(side[:2], []).append(side[2:])
    for (path, rank), limits in sides.items():
        condition = " AND ".join(["rank = ?", *(f"value {sign} ?" for sign, _ in limits)])
        conditions.append(
            _entries(path, indexes[path].id, condition, (rank, *(value for _, value in limits)))
        )
    known = [part for part in conditions if part is not None]
    if not known:
        return None if parts else Bounds("TRUE", (), True, ())
    return _joined(known, " AND ", exact=len(known) == len(conditions) and all(part.exact for part in known))


def _flat(parts: Sequence[Node]) -> Iterator[Node]:
    for part in parts:
        if isinstance(part, And):
            yield from _flat(part.parts)
        else:
            yield part


def _any(parts: Sequence[Node], indexes: Mapping[str, FieldIndex]) -> Bounds | None:
    if not parts:
        return Bounds("FALSE", (), True, ())
    known = [part for each in parts if (part := bounds(each, indexes)) is not None]
    return (
        _joined(known, " OR ", exact=all(part.exact for part in known)) if len(known) == len(parts) else None
    )


def _joined(parts: Sequence[Bounds], word: str, *, exact: bool) -> Bounds:
    return Bounds(
        f"({word.join(part.condition for part in parts)})",
        tuple(value for part in parts for value in part.parameters),
        exact,
        tuple(dict.fromkeys(path for part in parts for path in part.paths)),
    )
