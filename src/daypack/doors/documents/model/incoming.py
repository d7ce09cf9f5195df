"""A document on its way in: checked, brought to its one form, without secrets, with an _id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from daypack.doors.documents.model.identity import key_of
from daypack.doors.documents.model.updates import OPERATORS
from daypack.doors.documents.model.values import Value, ValueKind, cleaned, kind_of, leaves
from daypack.errors import BadDocument
from daypack.guard.secrets import holds_secret, redact_json
from daypack.shapes.strict_json import canonical

LARGEST = 16 << 20  # bytes of canonical JSON, as MongoDB's documents


class Incoming(NamedTuple):
    key: str
    body: str
    value: Value


def incoming(item: Any, make_id: Callable[[], Value], where: str = "document") -> Incoming:
    """A document ready to be stored, apart from its secrets. Raises BadDocument."""
    if not isinstance(item, Mapping):
        raise BadDocument("", f"must be an object, not {_kind(item)}", where=where)
    try:
        value = cleaned(item)
        if kind_of(value) is not ValueKind.OBJECT:
            raise BadDocument("", "must be an object with fields of its own")
        if operator := next((name for name in OPERATORS if name in value), None):
            raise BadDocument("", f"has the field {operator!r}; `daypack docs plan-update` takes updates")
        if "_id" not in value:
            value = {"_id": make_id(), **value}
        elif next(iter(value)) != "_id":
            value = {"_id": value["_id"], **value}
        key = key_of(value["_id"])
        body = canonical(value)
        size = len(body.encode())
    except BadDocument as error:
        raise BadDocument(error.path, error.problem, where=where) from None
    except UnicodeEncodeError:
        raise BadDocument(
            _path_of_surrogate(value), "holds half a surrogate pair, which is not a character", where=where
        ) from None
    if size > LARGEST:
        raise BadDocument("", f"has {size:,} bytes; at most {LARGEST:,} are allowed; split it", where=where)
    return Incoming(key, body, value)


def _kind(item: Any) -> str:
    return {list: "an array", str: "a string", int: "a number", float: "a number", bool: "true or false"}.get(
        type(item), "null" if item is None else "that"
    )


def _path_of_surrogate(value: Value) -> str:
    for path, leaf in leaves(value):
        try:
            f"{path}{leaf}".encode()
        except UnicodeEncodeError:
            return path.encode("ascii", "backslashreplace").decode()
    return ""


def without_secrets(batch: Sequence[Incoming]) -> tuple[list[Incoming], int]:
    """Documents with their secrets replaced, and the number of secrets. Clean documents, the usual case, are
    checked together.
    """
    if not holds_secret([item.value for item in batch]):
        return list(batch), 0
    clean, total = [], 0
    for item in batch:
        value, count = redact_json(item.value)
        if count:
            if value.get("_id") != item.value["_id"]:
                raise BadDocument("_id", "holds a likely secret, and each _id is shown; give another one")
            try:
                value = cleaned(value)
                item = Incoming(item.key, canonical(value), value)
            except (ValueError, BadDocument):
                raise BadDocument(
                    "", "holds a likely secret where it cannot be replaced; take it out"
                ) from None
        clean.append(item)
        total += count
    return clean, total
