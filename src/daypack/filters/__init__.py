"""Filters: a small tree of conditions on records, decided before anything is ranked."""

from daypack.filters.sql import to_sql
from daypack.filters.tree import (
    All,
    AnyOf,
    Before,
    Filter,
    Glob,
    HoldsCode,
    Labelled,
    Not,
    OneOf,
    Since,
    Tagged,
    Where,
)

__all__ = [
    "All",
    "AnyOf",
    "Before",
    "Filter",
    "Glob",
    "HoldsCode",
    "Labelled",
    "Not",
    "OneOf",
    "Since",
    "Tagged",
    "Where",
    "to_sql",
]
