"""The installed doors, and those that a program adds.

To install a door, give it a folder here with an `entry` module, and add its name to INSTALLED.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from daypack.engine.doors import Door

if TYPE_CHECKING:
    from daypack.settings.configuration import Setting
    from daypack.settings.context import ProjectContext

INSTALLED = ("files", "records", "memories", "sessions", "knowledge", "code", "documents", "sources")
_added: list[Door] = []


def doors() -> tuple[Door, ...]:
    """All doors, installed ones first."""
    return (*_installed(), *_added)


@cache
def _installed() -> tuple[Door, ...]:
    return tuple(importlib.import_module(f"daypack.doors.{name}.entry").DOOR for name in INSTALLED)


def register(door: Door) -> None:
    """Add a door for stores that are opened from now on. Raises ValueError for a name that is taken."""
    if door.name in door_names():
        raise ValueError(f"a door {door.name!r} is registered already")
    _added.append(door)


def unregister(name: str) -> None:
    """Remove a door that `register` added."""
    _added[:] = [door for door in _added if door.name != name]


def settings() -> tuple[Setting, ...]:
    """The settings of the core and of all doors."""
    from daypack.settings.configuration import SETTINGS

    return (*SETTINGS, *(one for door in doors() if door.settings is not None for one in door.settings()))


def context_of(folder: Path, variables: Mapping[str, str]) -> ProjectContext:
    """The store and the configuration that hold in a folder, for every surface: command line, servers, SDK."""
    from daypack.settings.context import ProjectContext

    return ProjectContext(folder, variables, Path.home(), settings())


def door_names() -> tuple[str, ...]:
    """The names that `--in` takes."""
    return tuple(door.name for door in doors())
