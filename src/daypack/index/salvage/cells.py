"""The rows on one page of a database, read by the file format; every length is checked before it is used."""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

Value: TypeAlias = "int | float | str | bytes | None"
_LONGEST = 1 << 30  # bytes of a payload
_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # of the serial types below 12


class Unreadable(Exception):
    """A page, a cell or a chain of pages that does not keep the format."""


class CellKind(enum.IntEnum):
    """The kind of a page, as its first byte says."""

    INDEX_INNER = 2
    TABLE_INNER = 5
    INDEX_LEAF = 10
    TABLE_LEAF = 13


class Cell(NamedTuple):
    """A row: its id (0 in an index and in a table without ids), its values, and the pages of its overflow."""

    rowid: int
    values: tuple[Value, ...]
    overflow: tuple[int, ...]


class Page(NamedTuple):
    """A page of a tree: the numbers of its children, its rows, and how many rows could not be read."""

    kind: CellKind
    children: tuple[int, ...]
    cells: tuple[Cell, ...]
    unreadable: int


def read_page(number: int, content: bytes, usable: int, page: Callable[[int], bytes]) -> Page:
    """The page of a tree; `page` gives those of overflows. Raises Unreadable when it is none."""
    start = 100 if number == 1 else 0
    if len(content) < start + 12 or content[start] not in (*CellKind,):
        raise Unreadable(f"page {number} belongs to no tree")
    kind = CellKind(content[start])
    count, begin = struct.unpack_from(">HH", content, start + 3)
    inner = kind in (CellKind.INDEX_INNER, CellKind.TABLE_INNER)
    array = start + (12 if inner else 8)
    # A cell takes at least two bytes for its pointer and three for itself.
    if count > (len(content) - array) // 5 or array + 2 * count > (begin or 65_536):
        raise Unreadable(f"page {number} has too many cells")
    children: list[int] = []
    cells: list[Cell] = []
    unreadable = 0
    for at in struct.unpack_from(f">{count}H", content, array):
        try:
            if not array + 2 * count <= at < usable:
                raise Unreadable("a cell lies outside its page")
            if inner:
                children.append(_number(content, at))
                at += 4
            if kind is not CellKind.TABLE_INNER:
                cells.append(_cell(kind, content, at, usable, page))
        except (Unreadable, struct.error, IndexError, ValueError):
            unreadable += 1
    if inner:
        children.append(_number(content, start + 8))
    return Page(kind, tuple(children), tuple(cells), unreadable)


def _number(content: bytes, at: int) -> int:
    (found,) = struct.unpack_from(">I", content, at)
    return int(found)


def _cell(kind: CellKind, content: bytes, at: int, usable: int, page: Callable[[int], bytes]) -> Cell:
    length, at = varint(content, at)
    if length > _LONGEST:
        raise Unreadable("a row is too long")
    rowid = 0
    if kind is CellKind.TABLE_LEAF:
        rowid, at = varint(content, at)
        rowid -= 1 << 64 if rowid >= 1 << 63 else 0
    most = usable - 35 if kind is CellKind.TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    local = length
    if length > most:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
    if at + local > usable:
        raise Unreadable("a row ends outside its page")
    payload, chain = content[at : at + local], []
    if length > local:
        following = _number(content, at + local)
        parts, missing = [payload], length - local
        while missing > 0:
            more = page(following)
            if not more or following in chain:
                raise Unreadable("an overflow page is missing")
            chain.append(following)
            parts.append(more[4 : 4 + min(missing, usable - 4)])
            missing -= usable - 4
            following = _number(more, 0)
        if following:
            raise Unreadable("an overflow goes on behind its end")
        payload = b"".join(parts)
    return Cell(rowid, tuple(values(payload)), tuple(chain))


def varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of 1 to 9 bytes, and the place behind it."""
    found = 0
    for length in range(8):
        byte = content[at + length]
        found = found << 7 | byte & 127
        if byte < 128:
            return found, at + length + 1
    return found << 8 | content[at + 8], at + 9


def values(payload: bytes) -> Iterator[Value]:
    """The columns of a row. Raises Unreadable."""
    end, at = varint(payload, 0)
    if not at <= end <= len(payload):
        raise Unreadable("the head of a row is too long")
    body = end
    while at < end:
        kind, at = varint(payload, at)
        size = (kind - 12) // 2 if kind >= 12 else _SIZES[kind]
        part = payload[body : body + size]
        if len(part) != size or kind in (10, 11):
            raise Unreadable("a value ends outside its row")
        body += size
        yield _value(kind, part)
    if at != end or body != len(payload):
        raise Unreadable("a row has another length than its head says")


def _value(kind: int, part: bytes) -> Value:
    if kind >= 12:
        return part.decode() if kind % 2 else part
    if kind == 0:
        return None
    if kind == 7:
        return float(struct.unpack(">d", part)[0])
    return kind - 8 if kind in (8, 9) else int.from_bytes(part, "big", signed=True)
