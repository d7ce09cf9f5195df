"""Other views of documents: some of their fields, their order, their schema, their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from typing import Any, NamedTuple

from daypack.doors.documents.model.values import (
    KINDS,
    MISSING,
    Value,
    ValueKind,
    at_path,
    is_signed,
    kind_of,
    order_key,
)
from daypack.errors import FilterError
from daypack.shapes.wording import minute

# ---------------------------------------------------------------- projection


@dataclass(frozen=True, slots=True)
class Projection:
    """The fields to show: the named ones, or all but those. `identity`: the whole _id is among them."""

    tree: Mapping[str, Any]  # name → subtree, or None for all below
    including: bool
    identity: bool

    def of(self, document: Value) -> Value:
        projected = _included(document, self.tree) if self.including else _excluded(document, self.tree)
        if self.identity and "_id" in document:
            return {
                "_id": document["_id"],
                **{name: value for name, value in projected.items() if name != "_id"},
            }
        if "_id" not in self.tree:
            projected.pop("_id", None)
        return projected


_ONE = "name one of the two"


def parse_projection(data: Any) -> Projection:
    """A projection from {"title": 1, "author.name": 1} or {"body": 0}; {} shows all. Raises FilterError."""
    if not isinstance(data, Mapping):
        raise FilterError("projection", 'takes an object, as {"title": 1} or {"body": 0}')
    modes: dict[bool, str] = {}
    identity = True
    tree: dict[str, Any] = {}
    for path, mode in data.items():
        where = f"projection.{path}"
        if mode not in (0, 1):
            raise FilterError(where, "takes 1 to show the field or 0 to leave it out")
        steps = str(path).split(".")
        if "" in steps or is_signed(str(path)):
            raise FilterError(where, "is not a path; write field or field.inner")
        if path == "_id":
            identity = bool(mode)
            continue
        if steps[0] == "_id" and "_id" in data:
            raise FilterError(where, "is a part of _id, which is named as well; name one of the two")
        modes.setdefault(bool(mode), where)
        if len(modes) > 1:
            raise FilterError(
                where, "fields are either shown or left out, not both in one projection; only _id may differ"
            )
        node = tree
        for step in steps[:-1]:
            node = node.setdefault(step, {})
            if node is None:
                raise FilterError(where, f"is a part of a field that is named as well; {_ONE}")
        if steps[-1] in node:
            raise FilterError(where, f"is named as well as one of its parts; {_ONE}")
        node[steps[-1]] = None
    including = True in modes or (not modes and identity and "_id" in data)
    return Projection(tree, including, identity and "_id" not in tree)


def _included(value: Value, tree: Mapping[str, Any]) -> Any:
    if type(value) is list:
        return [_included(item, tree) for item in value if type(item) in (dict, list)]
    if type(value) is not dict or kind_of(value) is not ValueKind.OBJECT:
        return MISSING
    included = {}
    for name, item in value.items():
        below = _below(tree, name)
        if below is not MISSING:
            inner = item if below is None else _included(item, below)
            if inner is not MISSING:
                included[name] = inner
    return included


def _excluded(value: Value, tree: Mapping[str, Any]) -> Any:
    if type(value) is list:
        return [_excluded(item, tree) for item in value]
    if type(value) is not dict or kind_of(value) is not ValueKind.OBJECT:
        return value
    fields = ((name, item, _below(tree, name)) for name, item in value.items())
    return {
        name: item if below is MISSING else _excluded(item, below)
        for name, item, below in fields
        if below is not None
    }


def _below(tree: Any, name: str) -> Any:
    """The subtree of a field, whose name may have dots; MISSING for one that is not named."""
    for step in name.split("."):
        if tree is None or step not in tree:
            return MISSING
        tree = tree[step]
    return tree


# ---------------------------------------------------------------- order


def parse_sort(data: Any) -> tuple[tuple[str, bool], ...]:
    """(path, descending) from {"year": -1, "title": 1}; {} keeps the order. Raises FilterError."""
    if not isinstance(data, Mapping):
        raise FilterError("sort", 'takes an object, as {"year": -1, "title": 1}')
    for path, direction in data.items():
        if direction not in (1, -1) or isinstance(direction, bool):
            raise FilterError(f"sort.{path}", "takes 1 for rising or -1 for falling")
        if "" in str(path).split(".") or is_signed(str(path)):
            raise FilterError(f"sort.{path}", "is not a path; write field or field.inner")
    return tuple((str(path), direction == -1) for path, direction in data.items())


def sort_key(spec: Sequence[tuple[str, bool]]) -> Any:
    """The key that sorts documents: an array counts as its least element in rising order and as its greatest
    in falling order.
    """
    steps = [(path.split("."), falling) for path, falling in spec]

    def keys(document: Value) -> list[Any]:
        return [_sort_value(document, path, falling=falling) for path, falling in steps]

    def compare(first: list[Any], second: list[Any]) -> int:
        for (_, falling), a, b in zip(steps, first, second, strict=True):
            if a != b:
                return -1 if (a < b) != falling else 1
        return 0

    ordered = cmp_to_key(compare)
    return lambda document: ordered(keys(document))


def _sort_value(document: Value, path: Sequence[str], *, falling: bool) -> tuple[int, Any]:
    keys = []
    for value in at_path(document, path):
        if value is MISSING:
            keys.append((0, 0))
        elif type(value) is list:
            # an empty array comes before everything
            keys += [order_key(item) for item in value] or [(-1, 0)]
        else:
            keys.append(order_key(value))
    return (max if falling else min)(keys, default=(0, 0))


# ---------------------------------------------------------------- schema


def type_name(value: Value) -> str:
    """The name of a value's type in `$type`."""
    match kind_of(value):
        case ValueKind.NUMBER:
            return "long" if type(value) is int else "double"
        case kind:
            return _NAMES[kind]


_NAMES = {kind: name for name, kind in KINDS.items()}


@dataclass(slots=True)
class FieldFacts:
    """The number of documents with a path, and its types. Elements of an array are under `path[]`."""

    present: int = 0  # documents
    types: Counter[str] = field(default_factory=Counter)


def schema_of(documents: Iterable[Value], most: int) -> tuple[int, dict[str, FieldFacts]]:
    """(number of documents examined, facts by path, in the order of their first appearance, of at most so many)."""
    facts: dict[str, FieldFacts] = {}
    total = 0
    for document in documents:
        total += 1
        seen: set[str] = set()
        _note(document, "", facts, seen, most)
    return total, facts


def _note(value: Value, path: str, facts: dict[str, FieldFacts], seen: set[str], most: int) -> None:
    if path:
        if path not in facts and len(facts) >= most:
            return
        fact = facts.setdefault(path, FieldFacts())
        fact.types[type_name(value)] += 1
        if path not in seen:
            seen.add(path)
            fact.present += 1
    if type(value) is list:
        for item in value:
            _note(item, f"{path}[]", facts, seen, most)
    elif type(value) is dict and kind_of(value) is ValueKind.OBJECT:
        for name, item in value.items():
            _note(item, f"{path}.{name}" if path else name, facts, seen, most)


# ---------------------------------------------------------------- text


class Part(NamedTuple):
    """The place of the string at a path in a document's text, verbatim."""

    path: str
    start: int
    end: int


class Text(NamedTuple):
    text: str
    parts: tuple[Part, ...]


LONG = 120  # characters from which a string is a paragraph of its own
MOST_NUMBERS = 32  # of an array in the text; more are a vector or a series, not for reading


def text_of(document: Value) -> Text:
    """A document in a form that people read: a line a field, long strings as paragraphs under their field.

    Bytes, the _id and the elements of long arrays of numbers are left out.
    """
    out: list[str] = []
    parts: list[Part] = []
    length = 0

    def put(text: str) -> None:
        nonlocal length
        out.append(text)
        length += len(text)

    def lay(value: Value, path: str) -> None:
        if path == "_id":
            return
        if type(value) is list and any(type(item) in (dict, list) for item in value):
            for number, item in enumerate(value):
                lay(item, f"{path}.{number}")
        elif type(value) is dict and kind_of(value) is ValueKind.OBJECT:
            for name, item in value.items():
                lay(item, f"{path}.{name}" if path else name)
        elif type(value) is str and (len(value) >= LONG or "\n" in value):
            put(f"\n{path}:\n\n")
            parts.append(Part(path, length, length + len(value)))
            put(f"{value}\n\n")
        elif value is not None:
            put(f"{path}: ")
            text = _listed(value) if type(value) is list else _plain(value)
            if type(value) is str:
                parts.append(Part(path, length, length + len(text)))
            put(f"{text}\n")

    lay(document, "")
    return Text("".join(out), tuple(parts))


def _listed(items: Sequence[Value]) -> str:
    if len(items) > MOST_NUMBERS and all(kind_of(item) is ValueKind.NUMBER for item in items):
        return f"({len(items):,} numbers)"
    return ", ".join(map(_plain, items))


def _plain(value: Value) -> str:
    match kind_of(value):
        case ValueKind.STRING:
            return str(value)
        case ValueKind.BOOLEAN:
            return "true" if value else "false"
        case ValueKind.OBJECT_ID:
            return str(value["$oid"])
        case ValueKind.DATE:
            return minute(value["$date"] / 1000) or str(value["$date"])
        case ValueKind.BINARY:
            return "(bytes)"
        case ValueKind.NULL:
            return "null"
    return str(value)


def title_of(document: Value) -> str:
    """The title that a document gives itself; "" without one."""
    for name in ("title", "name", "subject", "headline"):
        value = document.get(name)
        if type(value) is str and value.strip():
            return " ".join(value.split())[:200]
    return ""
