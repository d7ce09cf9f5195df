"""The pages of a database file, with what its write-ahead log has committed."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import NamedTuple, Self

PAGE = 4096  # bytes, where the header does not say
_WAL_HEADER, _FRAME_HEADER = 32, 24
_LOCK_BYTE = 1 << 30  # the page that holds this byte of a file is never used


class Header(NamedTuple):
    """The fields of the first 100 bytes that a reader needs; 0 where they make no sense."""

    page_size: int
    usable: int
    pages: int
    freelist: int
    version: int

    @classmethod
    def read(cls, head: bytes) -> Self:
        head = head[:100].ljust(100, b"\0")
        (size,) = struct.unpack_from(">H", head, 16)
        size = 65_536 if size == 1 else size
        if size < 512 or size & (size - 1):
            size = PAGE
        reserved = head[20] if head[20] <= 64 else 0
        pages, freelist = struct.unpack_from(">II", head, 28)
        (version,) = struct.unpack_from(">I", head, 60)
        return cls(size, size - reserved, pages, freelist, version)


class Image:
    """Pages by number, from 1. `broken_frames` counts frames of the log behind one that does not follow."""

    def __init__(self, content: bytes | mmap.mmap, newer: dict[int, bytes], broken_frames: int) -> None:
        self._content, self._newer = content, newer
        self.broken_frames = broken_frames
        self.header = Header.read(newer.get(1) or content[:100])
        self.size = max(-(-len(content) // self.header.page_size), max(newer, default=0))
        lock_page = _LOCK_BYTE // self.header.page_size + 1
        self.numbers = [number for number in range(1, self.size + 1) if number != lock_page]

    @classmethod
    def open(cls, file: Path) -> Self:
        """The image of a database file and the log beside it."""
        with file.open("rb") as stream:
            content: bytes | mmap.mmap = b""
            if file.stat().st_size:
                content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        log = file.with_name(f"{file.name}-wal")
        newer, broken = committed(log.read_bytes()) if log.exists() else ({}, 0)
        return cls(content, newer, broken)

    def page(self, number: int) -> bytes:
        """A page; b"" for one that the file does not hold in full."""
        if number in self._newer:
            return self._newer[number]
        size = self.header.page_size
        found = self._content[(number - 1) * size : number * size] if number > 0 else b""
        return found if len(found) == size else b""


def committed(log: bytes) -> tuple[dict[int, bytes], int]:
    """The newest committed content of each page in a write-ahead log, and the number of further frames that a damaged one
    cuts off from it, 0 unless one of those ends a transaction: a process that is killed leaves the begin of one.
    """
    if len(log) < _WAL_HEADER:
        return {}, 0
    magic, _, size, _, salt, other_salt, first, second = struct.unpack_from(">8I", log)
    order = ">" if magic == 0x377F0683 else "<"
    if magic not in (0x377F0682, 0x377F0683) or not 512 <= size <= 65_536:
        return {}, 0
    sums = _checksum(log[:24], (0, 0), order)
    if sums != (first, second):
        return {}, 0
    pages: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    step = _FRAME_HEADER + size
    at, intact, broken, ended = _WAL_HEADER, True, 0, False
    while at + step <= len(log):
        number, total, *rest = struct.unpack_from(">6I", log, at)
        if tuple(rest[:2]) != (salt, other_salt):
            break
        if intact:
            content = log[at + _FRAME_HEADER : at + step]
            sums = _checksum(content, _checksum(log[at : at + 8], sums, order), order)
            intact = sums == tuple(rest[2:])
        if intact:
            waiting[number] = content
            if total:  # the last frame of a transaction
                pages |= waiting
                waiting = {}
        else:
            broken += 1
            ended = ended or total > 0
        at += step
    return pages, broken if ended else 0


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFF_FFFF
        second = (second + odd + first) & 0xFFFF_FFFF
    return first, second
