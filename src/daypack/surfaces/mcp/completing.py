"""Completions of the arguments of prompts and resource templates, for clients that offer them to people."""

from __future__ import annotations

from typing import Any

from daypack.surfaces.host import Host

MOST = 100  # the protocol's bound of an answer
BUDGETS = ("500", "800", "1000", "2000", "4000", "8000", "16000")


async def completion(
    host: Host, params: dict[str, Any], conversation: str, *, memories: bool
) -> dict[str, Any]:
    """The values of an argument that begin with its text; none for an argument that has no known values."""
    ref, argument = params["ref"], params["argument"]
    begun = str(argument["value"])
    values: list[str] = []
    match ref.get("uri") or ref["type"], argument["name"]:
        case "ref/prompt", "budget":
            values = [*BUDGETS]
        case "daypack://pack/{id}", "id":
            values = host.pack_ids()
        case "memory:{+key}", "key" if memories:
            from daypack.doors.memories.verbs import memory_index

            index = await host.run(lambda daypack, _: memory_index(daypack), conversation=conversation)
            values = [memory["key"] for memory in index["memories"]]
    found = [value for value in values if value.startswith(begun)]
    return {"completion": {"values": found[:MOST], "total": len(found), "hasMore": len(found) > MOST}}
