"""JSON Schemas of the data that verbs answer with: the names at the top, for programs and strict clients."""

from __future__ import annotations

from typing import Any

_KINDS: dict[str, dict[str, Any]] = {
    "": {"type": ["string", "null"]}, "t": {"type": "string"}, "a": {"type": "array"}, "o": {"type": "object"}, "i": {"type": "integer"},
    "n": {"type": "number"}, "b": {"type": "boolean"}, "any": {},
}  # fmt: skip


def facts(names: str) -> dict[str, Any]:
    """The schema of an object: "key hits:a total:i note?" has a text or null, an array, a whole number
    and perhaps one more text or null; `:t` is a text that is never null.
    """
    parts = [part.partition(":")[::2] for part in names.split()]
    return {
        "type": "object",
        "properties": {name.removesuffix("?"): _KINDS[kind] for name, kind in parts},
        "required": [name for name, _ in parts if not name.endswith("?")],
    }
