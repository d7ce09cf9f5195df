"""JSON Schemas of the data that verbs answer with, for programs and strict clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]
_KINDS: dict[str, Schema] = {
    "": {"type": ["string", "null"]}, "t": {"type": "string"}, "o": {"type": "object"}, "i": {"type": "integer"},
    "n": {"type": "number"}, "b": {"type": "boolean"}, "any": {},
}  # fmt: skip


def facts(names: str, **members: Schema) -> dict[str, Any]:
    """The schema of an object: "key total:i hits:[hit] tags:[t] last:hit? note?" has a text or null, a whole number, arrays of a
    member and of texts, a member or null, and perhaps one more text or null; `:t` is a text that is never null.
    """
    parts = [part.partition(":")[::2] for part in names.split()]
    return {
        "type": "object",
        "properties": {name.removesuffix("?"): _of(kind, members) for name, kind in parts},
        "required": [name for name, _ in parts if not name.endswith("?")],
    }


def _of(kind: str, members: Mapping[str, Schema]) -> dict[str, Any]:
    if kind.startswith("["):
        return {"type": "array", "items": _of(kind[1:-1], members)}
    if kind.endswith("?"):
        schema = _of(kind[:-1], members)
        return {**schema, "type": [schema["type"], "null"]}
    return dict(members[kind] if kind in members else _KINDS[kind])


def outline(schema: Schema) -> dict[str, Any]:
    """The names at the top of a schema: agents, who pay for each token of it, receive objects without the fields that say nothing."""
    properties = schema.get("properties", {})
    kinds = {name: {"type": one["type"]} if "type" in one else {} for name, one in properties.items()}
    return {**schema, **({"properties": kinds} if kinds else {})}


ISSUE = facts("uri:t reason:t detail:t")
