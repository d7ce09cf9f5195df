"""Plain data of nouns, for JSON: enums as their values, tuples as lists, times in ISO 8601.

    pick(version, "value version=token tags trust") | pick(version, "recorded_at valid_from", timestamp)

The JSON of a verb selects from its nouns: other names, another order, flattened parts, properties. Of some
fifty such functions two give the fields of a noun as they are, so a library of serialisation has little to do
here, and it costs every command that prints JSON its import: 45 ms of CPU for cattrs and 5 ms for its
first class, 18 ms for msgspec, where `memory list --json` takes 410 ms. Reading back is `json.loads` and the noun's
own constructor.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from daypack.types import Trust


def plain(value: Any) -> Any:
    """Data that `json.dumps` takes; a dataclass or NamedTuple becomes a dict of all its fields."""
    if isinstance(value, enum.Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    if isinstance(value, Sequence | Set):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def pick(noun: object, names: str, convert: Callable[[Any], Any] = plain) -> dict[str, Any]:
    """The named attributes of a noun, each through `convert`, in the order of `names`.

    A name is `attribute`, or `key=attribute` where the key differs; an attribute may be dotted. Raises
    AttributeError for an attribute that the noun lacks.
    """
    return {key: convert(read(noun)) for key, read in _readers(names)}


def pick_set(noun: object, names: str) -> dict[str, Any]:
    """Attributes as `pick` gives them, without the false ones: empty, zero or None."""
    return {key: plain(value) for key, read in _readers(names) if (value := read(noun))}


@lru_cache(maxsize=256)
def _readers(names: str) -> tuple[tuple[str, Callable[[object], Any]], ...]:
    pairs = [(key, attribute or key) for key, _, attribute in (name.partition("=") for name in names.split())]
    return tuple((key, attrgetter(attribute)) for key, attribute in pairs)


def timestamp(moment: float | None) -> str | None:
    """Unix seconds as ISO 8601 in UTC with milliseconds: 2026-10-05T09:12:00.000Z."""
    if moment is None:
        return None
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rounded(value: float | None) -> float | None:
    """A score or share with six decimals."""
    return None if value is None else round(value, 6)


def or_none(value: Any) -> Any:
    """The value, or None for an empty one."""
    return plain(value) or None


def trust_mark(trust: Trust) -> dict[str, str]:
    """The mark of a text that is not the user's own, beside its other facts."""
    return {} if trust is Trust.USER else {"trust": trust.value}
