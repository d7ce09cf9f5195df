"""The _id of a document: its making, its key in the store, and its form in citations."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from daypack.doors.documents.model.values import OBJECT_ID, Value, ValueKind, cleaned, kind_of
from daypack.errors import BadDocument, BadJson
from daypack.shapes.strict_json import canonical, read_json
from daypack.text.storable import storable


class ObjectIds:
    """New ObjectIds: seconds, five random bytes of this process, a counter. They rise with the clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pid = -1
        self._process = ""
        self._count = 0

    def __call__(self) -> Value:
        if self._pid != os.getpid():  # a forked child must not continue its parent's numbers
            self._pid = os.getpid()
            self._process = os.urandom(5).hex()
            self._count = int.from_bytes(os.urandom(3), "big")
        self._count = (self._count + 1) & 0xFFFFFF
        return {"$oid": f"{int(self._clock()) & 0xFFFFFFFF:08x}{self._process}{self._count:06x}"}


def key_of(identity: Value) -> str:
    """The key of an _id in the store: equal where MongoDB treats the ids as equal, so 1 and 1.0 are one."""
    match kind_of(identity):
        case ValueKind.OBJECT_ID:
            return str(identity["$oid"])
        case ValueKind.ARRAY:
            raise BadDocument("_id", "is an array, which an _id cannot be")
        case ValueKind.NUMBER if (
            type(identity) is float and identity.is_integer() and abs(identity) < 1 << 63
        ):
            return canonical(int(identity))
        case ValueKind.OBJECT:
            return canonical(_integral(identity))
    return canonical(identity)


def _integral(value: Value) -> Value:
    if type(value) is list:
        return [_integral(item) for item in value]
    if type(value) is dict:
        return {name: _integral(item) for name, item in value.items()}
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 1 << 63 else value


def keys_meant(text: str) -> list[str]:
    """The keys that an _id may mean, likeliest first: an ObjectId, a JSON value, or the text."""
    text = storable(text)
    meant = [text.lower()] if OBJECT_ID.fullmatch(text) else []
    with contextlib.suppress(BadJson, BadDocument):
        meant.append(storable(key_of(cleaned(read_json(text)))))
    meant.append(canonical(text))
    return list(dict.fromkeys(meant))


def shown(identity: Value) -> str:
    """An _id in a citation: hex digits, a string as it is, anything else as JSON."""
    match kind_of(identity):
        case ValueKind.OBJECT_ID:
            return str(identity["$oid"])
        case ValueKind.STRING:
            return "".join(
                letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in identity
            )
    return canonical(identity)
