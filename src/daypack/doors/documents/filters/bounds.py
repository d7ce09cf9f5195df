"""The part of a filter that field indexes answer, as a condition in SQL on the table `document AS d`.

An index on a path holds, of every document, each value at the path, each element of an array there, and a
mark where nothing stands: with kind and value in columns that SQLite compares as `values.order_key` does. So
most conditions are answered by their entries alone, exactly; the others (objects and arrays as operands,
expressions, sizes) are left to `predicate`, over what the rest lets through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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
)
from daypack.doors.documents.model.values import MISSING_RANK, Kind, entry_of, is_exact_entry

_SQL = {
    Comparison.EQ: "=",
    Comparison.GT: ">",
    Comparison.GTE: ">=",
    Comparison.LT: "<",
    Comparison.LTE: "<=",
}
_RANKS = {
    "number": Kind.NUMBER, "string": Kind.STRING, "object": Kind.OBJECT, "array": Kind.ARRAY, "binData": Kind.BINARY, "objectId": Kind.OBJECT_ID,
    "bool": Kind.BOOLEAN, "date": Kind.DATE, "null": Kind.NULL,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bounds:
    """Documents among which all that match are.

    `exact`: they are those that match. `paths` are the indexes that say so.
    """

    condition: str
    parameters: tuple[Any, ...]
    exact: bool
    paths: tuple[str, ...]


class Index(NamedTuple):
    """`multi`: a document may have more than one entry, and two conditions may hold of two of them."""

    id: int
    multi: bool


def bounds(node: Node, indexes: Mapping[str, Index]) -> Bounds | None:
    """What indexes (by path) say of a filter; None when they say nothing."""
    match node:
        case And(parts):
            return _all(parts, indexes)
        case Or(parts):
            return _any(parts, indexes)
        case Negated(part):
            found = bounds(part, indexes)
            if found is None or not found.exact:
                return None
            return Bounds(f"NOT {found.condition}", found.parameters, True, found.paths)
        case Compare(path, comparison, text) if path in indexes:
            return _compared(path, indexes[path].id, comparison, json.loads(text))
        case In(path, texts) if path in indexes:
            return _in(path, indexes[path].id, [json.loads(text) for text in texts])
        case Exists(path) if path in indexes:
            return _entries(path, indexes[path].id, "rank >= 0")
        case HasType(path, types) if path in indexes and all(name in _RANKS for name in types):
            return _entries(
                path, indexes[path].id, f"rank IN ({', '.join(str(int(_RANKS[name])) for name in types)})"
            )
    return None


def _entries(path: str, index_id: int, condition: str, parameters: Sequence[Any] = ()) -> Bounds:
    return Bounds(
        f"d.id IN (SELECT document_id FROM document_entry WHERE index_id = ? AND {condition})",
        (index_id, *parameters),
        True,
        (path,),
    )


def _compared(path: str, index_id: int, comparison: Comparison, operand: Any) -> Bounds | None:
    if operand is None:
        if comparison in (Comparison.GT, Comparison.LT):
            return Bounds("0", (), True, (path,))
        return _entries(path, index_id, f"rank IN ({MISSING_RANK}, {int(Kind.NULL)})")
    if not is_exact_entry(operand):
        return None
    rank, value = entry_of(operand)
    return _entries(path, index_id, f"rank = ? AND value {_SQL[comparison]} ?", (int(rank), value))


def equality(node: Node, indexes: Mapping[str, Index]) -> tuple[tuple[int, int, Any], Node] | None:
    """((index, rank, value) of an equality that whatever passes must fulfil, the rest of the filter); None
    where there is none.
    """
    match node:
        case Compare(path, Comparison.EQ, text) if (
            path in indexes and text != "null" and is_exact_entry(operand := json.loads(text))
        ):
            rank, value = entry_of(operand)
            return (indexes[path].id, int(rank), value), And(())
        case And(parts):
            for number, part in enumerate(parts):
                if not isinstance(part, And) and (found := equality(part, indexes)) is not None:
                    return found[0], And((*parts[:number], *parts[number + 1 :]))
    return None


def _in(path: str, index_id: int, operands: Sequence[Any]) -> Bounds | None:
    if not all(map(is_exact_entry, operands)):
        return None
    conditions, parameters = [], []
    by_rank: dict[int, list[Any]] = {}
    for operand in operands:
        rank, value = entry_of(operand)
        by_rank.setdefault(int(rank), []).append(value)
    if by_rank.pop(int(Kind.NULL), None):
        conditions.append(f"rank IN ({MISSING_RANK}, {int(Kind.NULL)})")
    for rank, values in by_rank.items():
        if rank == Kind.BINARY:
            conditions.append(f"(rank = ? AND value IN ({', '.join('?' * len(values))}))")
            parameters += [rank, *values]
        else:  # any number of them: variables are limited
            conditions.append("(rank = ? AND value IN (SELECT value FROM json_each(?)))")
            parameters += [rank, json.dumps(values)]
    if not conditions:
        return Bounds("0", (), True, (path,))
    return _entries(path, index_id, f"({' OR '.join(conditions)})", parameters)


def _range(part: Node, indexes: Mapping[str, Index]) -> tuple[str, int, str, Any] | None:
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


def _all(parts: Sequence[Node], indexes: Mapping[str, Index]) -> Bounds | None:
    """Conditions together. Both sides of a range are one look at the index, where a document has a single
    value there.
    """
    sides: dict[tuple[str, int], list[tuple[str, Any]]] = {}
    found: list[Bounds | None] = []
    for part in _flat(parts):
        side = _range(part, indexes)
        if side is None:
            found.append(bounds(part, indexes))
        else:
            sides.setdefault(side[:2], []).append(side[2:])
    for (path, rank), limits in sides.items():
        condition = " AND ".join(["rank = ?", *(f"value {sign} ?" for sign, _ in limits)])
        found.append(_entries(path, indexes[path].id, condition, (rank, *(value for _, value in limits))))
    known = [part for part in found if part is not None]
    if not known:
        return None if parts else Bounds("1", (), True, ())
    return _joined(known, " AND ", exact=len(known) == len(found) and all(part.exact for part in known))


def _flat(parts: Sequence[Node]) -> Iterator[Node]:
    for part in parts:
        if isinstance(part, And):
            yield from _flat(part.parts)
        else:
            yield part


def _any(parts: Sequence[Node], indexes: Mapping[str, Index]) -> Bounds | None:
    if not parts:
        return Bounds("0", (), True, ())
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
