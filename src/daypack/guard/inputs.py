"""Files and streams that a person names: checked for their kind and size before they are read.

A device gives bytes for ever and a pipe may, so neither kind nor size is taken on trust.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from daypack.errors import InputError
from daypack.guard.fences import one_line
from daypack.system import path_named

LARGEST = 256 << 20  # bytes of a file or a stream that is read as a whole
LONGEST_LINE = 128 << 20  # bytes; the largest document has 16 MiB, and JSON may write a byte as six
LONGEST_PATH, LONGEST_NAME = 4096, 255  # bytes of a path, and of a name in it


class NotReadable(InputError, code="not_readable"):
    """A file or stream cannot be read, or holds more than is read."""

    def __init__(self, name: str, why: str) -> None:
        self.why = why
        super().__init__(f"{one_line(name)} cannot be read ({why}); name a text file, or pipe the text in")


def checked_path(text: str) -> str:
    """A path as it was written. Raises InputError for a text that no system takes as a path."""
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError(
            f"the path {one_line(text, 80)} holds half a character; write its name again"
        ) from None
    if b"\0" in data:
        raise InputError(f"the path {one_line(text, 80)} holds a NUL byte; no file can have this name")
    if len(data) > LONGEST_PATH or max(map(len, data.split(os.fsencode(os.sep)))) > LONGEST_NAME:
        raise InputError(f"the path {one_line(text, 80)} is too long for a file; check the name")
    return text


@contextmanager
def opened(path: Path | str) -> Iterator[BinaryIO]:
    """A file or pipe to read bytes from. Raises NotReadable for folders, devices and files that cannot be
    opened."""
    name = checked_path(os.fspath(path))
    try:
        stream = path_named(name).open("rb")
    except OSError as error:
        raise NotReadable(name, error.strerror or str(error)) from None
    with stream:
        mode = os.fstat(stream.fileno()).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise NotReadable(name, "it is a device or a socket, not a file")
        yield stream


def read_file(path: Path | str, *, most: int = LARGEST) -> bytes:
    """The bytes of a file. Raises NotReadable, also for a file of more than `most` bytes, before it is read."""
    with opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise NotReadable(os.fspath(path), f"it has {size:,} bytes; at most {most:,} are read")
        return read_stream(stream, os.fspath(path), most=most)


def read_stream(stream: BinaryIO, name: str = "stdin", *, most: int = LARGEST) -> bytes:
    """The bytes of a stream to its end. Raises NotReadable at more than `most` bytes."""
    try:
        data = stream.read(most + 1)
    except OSError as error:
        raise NotReadable(name, error.strerror or str(error)) from None
    if len(data) > most:
        raise NotReadable(name, f"it has more than {most:,} bytes")
    return data


def lines_of(stream: BinaryIO, name: str = "stdin", *, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a stream, with their ends. Raises NotReadable for a line of more than `longest` bytes."""
    while line := stream.readline(longest + 1):
        if len(line) > longest:
            raise NotReadable(name, f"it has a line of more than {longest:,} bytes")
        yield line
