"""An opened store, as its doors receive it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from daypack.engine.engine import Engine
from daypack.types import SearchStats


class OpenStore(NamedTuple):
    """An opened store, as its doors receive it."""

    engine: Engine
    root: Path
    """The folder that uris of files are relative to."""
    home: Path
    """The folder of the project; `root` unless several projects share the store."""
    owner: str
    project: str
    shared: str
    """The folder of the project in a store that several share, "" in another."""
    notes_use: bool
    rules: Any
    """The rules by which folders are walked (`daypack.doors.reading.walk.WalkRules`)."""
    door: Callable[[str], Any]
    """The door of a name, opened at its first use."""
    refresh_if_stale: Callable[[bool | None], SearchStats]
    """Look for changed originals, as every query does first."""
