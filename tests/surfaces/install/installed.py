"""What the tests of `install` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Run = Callable[..., str]
"""Runs a command; returns all that it prints."""


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".local" not in path.parts
    }
