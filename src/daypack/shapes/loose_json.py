"""JSON of other programs, whose forms may change: each function gives an empty value for one of another type than is expected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def parsed(text: str | bytes, otherwise: Any) -> Any:
    """The value of a JSON text; `otherwise` for another text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def objects_of(value: Any) -> list[Mapping[str, Any]]:
    """The objects in a list, without its other items."""
    return [item for item in list_of(value) if isinstance(item, dict)]
