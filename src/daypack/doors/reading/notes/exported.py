"""Exported notes, as their readers give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Notes(NamedTuple):
    """The text of exported notes, and the title of a single one."""

    text: str
    title: str


def lines_of(facts: Mapping[str, str]) -> str:
    """A line `Name: value` for each fact with a value."""
    return "\n".join(f"{name}: {value}" for name, value in facts.items() if value)
