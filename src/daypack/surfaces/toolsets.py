"""The table of verbs: the operations of the core and the doors, by name, with plain data.

    verb = verbs()["pack"]; verb(daypack, {"query": "how are refunds retried?"})

Verbs are imported when the table is needed: a command without verbs should not pay for the import.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from daypack.doors import registry
from daypack.errors import InputError
from daypack.verbs import Access, Verb

ALL, ON_DEMAND = "all", "groups"
"""Names for every toolset: listed at once, or for agents the core first and the others when they ask."""
_CORE = "daypack.surfaces.core_verbs"
_FIRST = ("core", "memory", "sources", "code", "knowledge")  # in the order that clients have always had


def toolsets() -> tuple[str, ...]:
    """The names of all toolsets, in the order of the table."""
    return tuple(_modules())


def verbs(*names: str) -> dict[str, Verb]:
    """The verbs of these toolsets, or of all, in the order of the table. A verb that several offer is listed
    once.

    Raises InputError for an unknown toolset.
    """
    modules, doors = _modules(), registry.door_names()
    for name in names:
        if name not in modules:
            raise InputError(
                f"{name!r} is not a toolset; choose from {', '.join([*modules, ON_DEMAND, ALL])}"
            )
    found: dict[str, Verb] = {}
    for name, of_toolset in modules.items():
        if not names or name in names:
            for verb in _rows(of_toolset, doors):
                found.setdefault(verb.name, verb)
    return found


def offered(names: Sequence[str], ceiling: Access, *, shared: bool = False) -> dict[str, Verb]:
    """The verbs that a server offers under a ceiling; the toolsets "all" and "groups" are every one.

    In a `shared` store some verbs take more. Raises InputError.
    """
    chosen = () if {ALL, ON_DEMAND} & {*names} else tuple(names) or ("core",)
    return {
        name: verb.in_shared_store() if shared else verb
        for name, verb in verbs(*chosen).items()
        if ceiling.allows(verb.access)
    }


def _modules() -> dict[str, tuple[str, ...]]:
    """The modules of each toolset: those of the doors that name it, first the one with the toolset's name."""
    found: dict[str, tuple[str, ...]] = {"core": (_CORE,)}
    for door in sorted(registry.doors(), key=lambda door: door.name != door.toolset):
        if door.verbs:
            found[door.toolset] = (*found.get(door.toolset, ()), door.verbs)
    return {name: found[name] for name in (*_FIRST, *(name for name in found if name not in _FIRST))}


@cache
def _rows(modules: tuple[str, ...], doors: tuple[str, ...]) -> tuple[Verb, ...]:  # noqa: ARG001
    """The verbs of a toolset, made again when a door is added: schemas list the names of doors. Verbs of
    several doors are in the order of their rights.
    """
    found = [replace(verb) for name in modules for verb in importlib.import_module(name).VERBS]
    return tuple(found if len(modules) == 1 else sorted(found, key=lambda verb: [*Access].index(verb.access)))
