"""Entries of field indexes: values as two columns of SQLite that compare as `values.order_key` does."""

from __future__ import annotations

from collections.abc import Sequence

from daypack.doors.documents.model.values import MISSING, Value, ValueKind, at_path, kind_of, order_key

MISSING_RANK = -1
LONGEST_ENTRY = 1000  # characters of a string that an index holds


def entry_of(value: Value) -> tuple[int, int | float | str | bytes]:
    """A value as two columns that compare as `order_key`, without objects, arrays and long ends."""
    kind, key = order_key(value)
    match kind:
        case ValueKind.STRING:
            return kind, key[:LONGEST_ENTRY]
        case ValueKind.OBJECT | ValueKind.ARRAY:
            return kind, 0
        case ValueKind.BINARY:
            length, subtype, data = key
            return kind, length.to_bytes(8, "big") + bytes([subtype]) + data[:LONGEST_ENTRY]
    return kind, key


def is_exact_entry(value: Value) -> bool:
    """True for a value whose entry compares as the value itself does."""
    match kind_of(value):
        case ValueKind.OBJECT | ValueKind.ARRAY:
            return False
        case ValueKind.STRING:
            return len(value) < LONGEST_ENTRY
        case ValueKind.BINARY:
            return len(value["$binary"]["base64"]) < LONGEST_ENTRY
    return True


def entries_of(document: Value, path: Sequence[str]) -> set[tuple[int, int | float | str | bytes]]:
    """The entries of a document in an index on a path: values, array elements, a mark for none."""
    entries: set[tuple[int, int | float | str | bytes]] = set()
    for value in at_path(document, path):
        if value is MISSING:
            entries.add((MISSING_RANK, 0))
            continue
        entries.add(entry_of(value))
        if type(value) is list:
            entries.update(map(entry_of, value))
    return entries
