"""Rows of deleted chunks are overwritten in the file of a fold: a vector tells what a text was about."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from daypack.index.folded.layout import Layout
from daypack.index.postings.columns import COLUMNS
from daypack.system import AS_IS

_KEPT = ("chunk_id", "record_id", "flags")  # of a row's columns: the numbers under a tombstone


def overwrite(path: Path, layout: Layout, rows: Sequence[int]) -> None:
    """Put zeros into these rows of every array, and sync the file. Raises OSError."""
    descriptor = os.open(path, os.O_RDWR | AS_IS)
    try:
        for part in layout.parts:
            if part.name == "signs":
                words, capacity = part.shape
                for word in range(words):
                    _zeros(descriptor, part.offset + 8 * word * capacity, 8, rows)
            elif part.name == "columns":
                for row in rows:
                    _bare(descriptor, part.offset + row * COLUMNS.itemsize)
            elif part.name in {"bodies", "scales", "codes"}:
                width = part.size // part.shape[0]
                _zeros(descriptor, part.offset, width, rows)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _zeros(descriptor: int, offset: int, width: int, rows: Sequence[int]) -> None:
    for row in rows:
        _write(descriptor, bytes(width), offset + row * width)


def _bare(descriptor: int, offset: int) -> None:
    os.lseek(descriptor, offset, os.SEEK_SET)
    row = np.frombuffer(os.read(descriptor, COLUMNS.itemsize), dtype=COLUMNS).copy()
    for name in COLUMNS.names or ():
        if name not in _KEPT:
            row[name] = 0
    _write(descriptor, row.tobytes(), offset)


def _write(descriptor: int, data: bytes, offset: int) -> None:
    os.lseek(descriptor, offset, os.SEEK_SET)  # Windows has no pwrite
    os.write(descriptor, data)
