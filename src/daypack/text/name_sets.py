"""Sets of names, written as a text of words."""

from __future__ import annotations

from functools import cache


@cache
def name_set(names: str) -> frozenset[str]:
    """The names of a text, between white space. It is kept, so a list that few questions need is split by the first of them."""
    return frozenset(names.split())
