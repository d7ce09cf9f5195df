"""Blocks of files, each stored once under the SHA-256 of its content: `blocks/3f/3f0a…`.

A block is written beside its place and renamed. Nothing is synced before `sync`: a block that a power cut tore is
found by its hash and written again, for `put` reads each block that it finds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from daypack.errors import BackupDamaged
from daypack.system import replacing, sync_path

SIZE = 64 << 10  # bytes; the last block of a file is shorter
HASH = re.compile("[0-9a-f]{64}")


class BlockFile(NamedTuple):
    """A file as the hashes of its blocks, in order."""

    path: str
    size: int
    sha256: str
    blocks: tuple[str, ...]


class BlockFolder:
    """The blocks in `folder`. `new` has the hashes of those that this object wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.new: list[str] = []
        self.new_bytes = 0

    def put_file(self, source: Path, name: str) -> BlockFile:
        """Store the blocks of a file; `name` becomes its path. Raises OSError."""
        whole, hashes, size = hashlib.sha256(), [], 0
        with source.open("rb") as stream:
            while block := stream.read(SIZE):
                whole.update(block)
                size += len(block)
                hashes.append(self.put(block))
        return BlockFile(name, size, whole.hexdigest(), tuple(hashes))

    def put(self, content: bytes) -> str:
        """The hash under which `content` is stored; a block there that differs from its hash is replaced."""
        name = hashlib.sha256(content).hexdigest()
        place = self._place(name)
        try:
            if place.read_bytes() == content:
                return name
        except FileNotFoundError:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(place, synced=False) as stream:
            stream.write(content)
        self.new.append(name)
        self.new_bytes += len(content)
        return name

    def sync(self) -> None:
        """Return once every block that this object wrote is on the disk."""
        for name in self.new:
            sync_path(self._place(name))
        for folder in {self._place(name).parent for name in self.new}:
            sync_path(folder)
        if self.new:
            sync_path(self.folder)

    def read_file(self, file: BlockFile) -> Iterator[bytes]:
        """The blocks of a file in order. Raises BackupDamaged for one that is missing or differs from its hash,
        and, behind the last, for a file that is not the one that was stored.
        """
        whole, size = hashlib.sha256(), 0
        for name in file.blocks:
            place = self._place(name)
            try:
                content = place.read_bytes()
            except OSError as error:
                raise BackupDamaged(str(place), error.strerror or "it cannot be read") from error
            if hashlib.sha256(content).hexdigest() != name:
                raise BackupDamaged(str(place), "its content differs from its hash")
            whole.update(content)
            size += len(content)
            yield content
        if (size, whole.hexdigest()) != (file.size, file.sha256):
            raise BackupDamaged(str(self.folder), f"{file.path} differs from its hash")

    def sweep(self, used: set[str]) -> int:
        """Remove all blocks but `used`, and what interrupted writes left; returns the number of blocks."""
        removed = 0
        for place in self.folder.glob("??/*"):
            if place.name not in used:
                place.unlink()
                removed += HASH.fullmatch(place.name) is not None
        return removed

    def _place(self, name: str) -> Path:
        return self.folder / name[:2] / name
