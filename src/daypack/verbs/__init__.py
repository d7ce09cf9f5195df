"""The table of verbs: what the engine and the doors can do, by name, with plain data.

    verb = verbs()["pack"]; verb(daypack, {"query": "how are refunds retried?"})

Toolsets are imported when the table is asked for: a command that needs none of them should not pay for them.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache

from daypack.errors import InputError
from daypack.verbs.table import Access, Answer, Verb, access_of

__all__ = ["TOOLSETS", "Access", "Answer", "Verb", "access_of", "offered", "verbs"]

TOOLSETS = {
    "core": "daypack.verbs.core",
    "memory": "daypack.doors.memories.verbs",
    "sources": "daypack.doors.sources.verbs",
    "code": "daypack.doors.code.verbs",
    "knowledge": "daypack.doors.knowledge.verbs",
    "docs": "daypack.doors.documents.verbs",
}


def verbs(*toolsets: str) -> dict[str, Verb]:
    """The verbs of these toolsets, or of all, in the order of the table. A verb that several offer is there
    once.

    Raises InputError for a toolset that there is not.
    """
    for name in toolsets:
        if name not in TOOLSETS:
            raise InputError(f"{name!r} is no toolset; choose from {', '.join([*TOOLSETS, 'all'])}")
    found: dict[str, Verb] = {}
    for name in TOOLSETS:
        if not toolsets or name in toolsets:
            for verb in _rows(name):
                found.setdefault(verb.name, verb)
    return found


def offered(toolsets: Sequence[str], ceiling: Access, *, shared: bool = False) -> dict[str, Verb]:
    """What a server offers under a ceiling; the toolset "all" is every one.

    In a `shared` store some verbs take more. Raises InputError.
    """
    chosen = () if "all" in toolsets else tuple(toolsets) or ("core",)
    return {
        name: verb.in_shared_store() if shared else verb
        for name, verb in verbs(*chosen).items()
        if ceiling.allows(verb.access)
    }


@cache
def _rows(toolset: str) -> tuple[Verb, ...]:
    rows: tuple[Verb, ...] = importlib.import_module(TOOLSETS[toolset]).VERBS
    return rows
