"""The nodes of a filter. They are values: build them, compare them, nest them; `to_sql` gives them meaning.

All((OneOf("kind", ("code",)), Glob("src/**/*.py")))      code under src/ in Python
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

FIELDS = ("scope", "kind", "door", "language", "session", "author", "uri", "uid", "trust")
"""Record fields that `OneOf` may name."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """The field equals one of the values; no value matches nothing."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glob:
    """The record's uri matches: `*` within a folder, `**` across folders, `src/` all below it."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Since:
    """The record's time is known and at or after this one (Unix seconds)."""

    time: float


@dataclass(frozen=True, slots=True)
class Before:
    """The record's time is known and before this one (Unix seconds)."""

    time: float


@dataclass(frozen=True, slots=True)
class Tagged:
    """The record carries the tag."""

    tag: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """The record belongs to a label that holds this text, in any ASCII case."""

    part: str


@dataclass(frozen=True, slots=True)
class HoldsCode:
    """The record is code, or a text that may have code in it: an indented block, or the mark of a fence."""


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds; no part holds everywhere."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Some part holds; no part holds nowhere."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Filter


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on the table `record` that a door wrote for records of its own, with bound parameters."""

    condition: str
    parameters: tuple[Any, ...]


Filter: TypeAlias = OneOf | Glob | Since | Before | Tagged | Labelled | HoldsCode | All | AnyOf | Not | Where
