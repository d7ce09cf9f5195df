"""Python's values as parameters for PostgreSQL, and its texts as Python's.

Two things that SQLite stores have no place in PostgreSQL. A text there cannot hold the character NUL, so NUL is written as
a character that no text uses, and that one, should a text use it, in two. And a column there has one type: the entries of field
indexes, numbers beside texts beside bytes, become bytes that compare as SQLite compares them.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from typing import Any

from daypack.index.postgres.dialect import ESCAPE, Kind, Translated
from daypack.index.sql import plain_number

_ESCAPED = re.compile(f"[\0{ESCAPE}]")
_WRITTEN = re.compile(f"{ESCAPE}([01])")


def escaped(text: str) -> str:
    if "\0" in text or ESCAPE in text:
        return _ESCAPED.sub(lambda found: ESCAPE + ("0" if found[0] == "\0" else "1"), text)
    return text


def unescaped(text: str) -> str:
    """The text that `escaped` was given."""
    if ESCAPE in text:
        return _WRITTEN.sub(lambda found: "\0" if found[1] == "0" else ESCAPE, text)
    return text


def bound(statement: Translated, values: Sequence[Any]) -> list[Any]:
    """The parameters of a statement in the order of $1, $2, …"""
    return [_BINDING[kind](values[index]) for index, kind in statement.places]


def plain(value: Any) -> Any:
    """A value that psycopg takes. A truth value is a number in SQLite; as a text without a type it is either here."""
    kind = type(value)
    if kind is str:
        return escaped(value)
    if kind in (int, float, bytes, type(None)):
        return value
    if kind is bool:
        return "1" if value else "0"
    if isinstance(value, str):
        return escaped(str.__str__(value))
    if isinstance(value, (memoryview, bytearray)):
        return bytes(value)
    if isinstance(value, int) or hasattr(value, "__index__"):
        return int(value)
    return float(value) if hasattr(value, "__float__") else value


def _listed(value: str) -> list[str | None]:
    """The texts of a list in JSON; lists and objects in it stay JSON."""
    return [_text(item) for item in json.loads(value)]


def _text(item: Any) -> str | None:
    if isinstance(item, str):
        return escaped(item)
    return None if item is None else json.dumps(item)


def comparable(value: Any) -> bytes:
    """A number, text or bytes as bytes that compare as the values do in SQLite: numbers, then texts, then bytes."""
    if isinstance(value, (int, float)):
        return b"\x01" + _number(value)
    if isinstance(value, str):
        return b"\x02" + value.encode("utf-8", "surrogatepass")
    return b"\x03" + bytes(value)


def _number(value: int | float) -> bytes:
    """Eight bytes of the nearest number of 64 bits, then the rest of a whole number that it rounds."""
    nearest = float(value)
    rest = int(value) - int(nearest) if isinstance(value, int) else 0
    (bits,) = struct.unpack(">Q", struct.pack(">d", nearest + 0.0))
    bits ^= 0xFFFF_FFFF_FFFF_FFFF if bits >> 63 else 1 << 63
    return struct.pack(">QQ", bits, rest + (1 << 63))


def original(data: bytes) -> int | float | str | bytes:
    """The value that `comparable` was given: 2 for 2.0, because equal numbers have equal bytes."""
    kind, rest = data[:1], data[1:]
    if kind == b"\x02":
        return rest.decode("utf-8", "surrogatepass")
    if kind == b"\x03":
        return rest
    bits, more = struct.unpack(">QQ", rest)
    bits ^= 1 << 63 if bits >> 63 else 0xFFFF_FFFF_FFFF_FFFF
    (number,) = struct.unpack(">d", struct.pack(">Q", bits))
    return plain_number(int(number) + more - (1 << 63) if float(number).is_integer() else float(number))


def pattern(value: str) -> str:
    """A regular expression of `filters.glob_regex` for PostgreSQL, which keeps no way back open: no group need be atomic."""
    return escaped(value).replace("(?>", "(?:")


_BINDING = {
    Kind.PLAIN: plain,
    Kind.LIST: _listed,
    Kind.COMPARABLE: comparable,
    Kind.COMPARABLES: lambda value: [comparable(item) for item in json.loads(value)],
    Kind.PATTERN: pattern,
}
