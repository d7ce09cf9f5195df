"""Sets of names, written as a text of words."""

from __future__ import annotations


def name_set(names: str) -> frozenset[str]:
    """The names of a text, between white space."""
    return frozenset(names.split())
