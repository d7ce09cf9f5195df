"""The file of a fold: a header of one page, then arrays, each from the beginning of a page.

An array has room for more rows than it holds. They take no place on the disk; a process that maps the file privately writes the
tail of the store there, so the two are one array without a copy of the first.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from daypack.index.postings.columns import COLUMNS
from daypack.types.arrays import Array

MAGIC = b"Daypack fold\n"
FORMAT = 1
_PAGE = 4096
_LEAST_ROOM = 1 << 16  # rows

Arrays = Mapping[str, Array]


class Part(NamedTuple):
    """One array of a file: its name, where it begins, in bytes, and its shape."""

    name: str
    offset: int
    shape: tuple[int, ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        found: np.dtype[Any] = np.dtype(_KINDS[self.name])
        return found

    @property
    def size(self) -> int:
        return int(np.prod(self.shape)) * self.dtype.itemsize


_KINDS: dict[str, Any] = {
    "columns": COLUMNS,
    "flags": "u1",
    "bodies": "<u4",  # lengths of the body, which every common word reads
    "records": "<i8",
    "groups": "<i8",
    "sections": "<i8",
    "scales": "<f4",
    "codes": "i1",
    "signs": "<u8",
}


class Layout(NamedTuple):
    """The parts of a file of `rows` rows, which has room for `capacity`."""

    generation: str
    rows: int
    capacity: int
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        return max(part.offset + part.size for part in self.parts)

    def header(self) -> bytes:
        said = {"format": FORMAT, **self._asdict(), "parts": [[*part] for part in self.parts]}
        return (MAGIC + json.dumps(said).encode()).ljust(_PAGE, b"\n")


def planned(generation: str, rows: int, runs: Mapping[str, int], dim: int) -> Layout:
    """The layout of a fold of so many rows and runs, with vectors of `dim` components where that is not 0."""
    capacity = rows + max(_LEAST_ROOM, rows // 8)
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("columns", "flags", "bodies"), (capacity,))
    shapes |= {name: (3, count) for name, count in runs.items()}
    if dim:
        shapes |= {"scales": (capacity,), "codes": (capacity, dim), "signs": (-(-dim // 64), capacity)}
    parts, at = [], _PAGE
    for name, shape in shapes.items():
        parts.append(Part(name, at, shape))
        at += -(-parts[-1].size // _PAGE) * _PAGE
    return Layout(generation, rows, capacity, tuple(parts))


def read_layout(path: Path) -> Layout | None:
    """The layout that a file says it has; None where it says none of this format. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(_PAGE)
        size = os.fstat(file.fileno()).st_size
    try:
        said = json.loads(head.removeprefix(MAGIC)) if head.startswith(MAGIC) else {}
        if said.get("format") != FORMAT:
            return None
        parts = tuple(Part(name, offset, tuple(shape)) for name, offset, shape in said["parts"])
        found = Layout(said["generation"], said["rows"], said["capacity"], parts)
        return found if found.size <= size and found.rows <= found.capacity else None
    except (ValueError, LookupError, TypeError):
        return None


def mapped(path: Path, layout: Layout) -> Arrays:
    """The arrays of a file, with all of their room, private to this process: what is written stays in its memory. Read as a
    whole where the file system maps no files. Raises OSError.
    """
    with path.open("rb") as file:
        try:
            content: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        except (OSError, ValueError):
            content = bytearray(file.read())
    return {
        part.name: np.frombuffer(
            content, part.dtype, count=int(np.prod(part.shape)), offset=part.offset
        ).reshape(part.shape)
        for part in layout.parts
    }
