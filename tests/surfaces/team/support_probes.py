"""Calls that reach for the texts of others: every verb of a team, with every argument that could name another person or project."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from daypack.surfaces.team.seats import offered_to_team
from daypack.verbs import Access

CANARY = "quokkaria"
"""A word that only private texts of ana, and texts of a project that ben has no part in, hold; probes ask for it."""
MARK = re.compile(r"zq([a-z]+)q([a-z]+)q\d+")
"""The project and the owner of a text that `marked` wrote. No probe has one, so one in an answer is no echo."""
TEAM_VERBS = offered_to_team(("all",), Access.DANGEROUS)

PRIVATE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("remember", {"key": "diary/day", "value": f"the {CANARY} sleeps at noon", "tags": [CANARY]}),
    ("remember_if_absent", {"key": "diary/night", "value": f"a {CANARY} wakes at night"}),
    ("store_source", {"kind": "user_profile_note", "text": f"likes {CANARY} stew", "scope": "user"}),
    ("store_source", {"kind": "decision_outcome", "text": f"{CANARY} it is", "session_id": "s1"}),
    ("upsert_source", {"source_key": f"{CANARY}-key", "text": f"a {CANARY} fact", "scope": "user"}),
    (
        "ingest_source",
        {"text": f"{CANARY} research", "scope": "session", "session_id": "s1", "title": CANARY},
    ),
    ("update_preference", {"workflow": "reply", "name": "note", "value": f"write about a {CANARY}"}),
)
"""Writes of ana in the project pay that are hers alone."""
OTHER_PROJECT: tuple[tuple[str, dict[str, Any]], ...] = (
    *PRIVATE,
    ("remember", {"key": "plan", "value": f"ship the {CANARY}", "shared": True}),
    ("insert", {"collection": CANARY, "document": {"_id": 1, "name": CANARY, "text": f"a {CANARY} leaps"}}),
    ("ctx_index", {"source": f"{CANARY}-notes", "content": f"all about the {CANARY}"}),
    ("ingest_source", {"text": f"global {CANARY}", "scope": "global", "source_key": f"{CANARY}-global"}),
)
"""Writes in a project that ben is no member of."""


def probes(name: str) -> list[dict[str, Any]]:
    """Calls of a verb that reach for the canary: by every argument at once, and with every identity-like one."""
    reach = {
        "query": CANARY, "queries": [CANARY], "topic": CANARY, "key": "diary/day", "tag": CANARY, "reference": "memory:diary/day",
        "record_id": "1", "source_key": f"{CANARY}-key", "collection": CANARY, "filter": {}, "field": "text", "name": CANARY,
        "text": CANARY, "source": f"{CANARY}-notes", "kind": "user_profile_note", "session_id": "s1", "session": "s1", "token": "t",
        "change_id": "t", "update": {"$set": {"x": 1}}, "document": {"_id": 2}, "value": "mine", "version": "v", "reason": "r",
        "content": "mine", "confirm": True, "workflow": "reply", "max_records": 1, "dry_run": True,
    }  # fmt: skip
    if name in ("update_preference", "store_source", "ingest_source", "upsert_source"):
        reach |= {"text": "mine", "name": "note"}
    verb = TEAM_VERBS[name]
    own = {one.name: reach[one.name] for one in verb.parameters if one.name in reach}
    if name == "ctx_purge":
        own = {"confirm": True, "sessionId": "s1"}
    calls = [own]
    calls += [{**own, "session_id": session} for session in ("s1", "") if "session_id" in own]
    calls += [
        {**own, "scope": scope}
        for scope in ("user", "global", "session")
        if "scope" in {p.name for p in verb.parameters}
    ]
    calls += [{**own, name: value} for name, value in IMPOSTURES]
    return calls


IMPOSTURES = [
    *((name, "ana") for name in ("user_id", "user", "owner", "as", "person", "author")),
    ("project", "ship"), ("path", "../ship"), ("path", "/etc/passwd"), ("store", "../ship"), ("scope", "ana\x1f"),
]  # fmt: skip


def marked(arguments: Mapping[str, Any], project: str, owner: str, number: int) -> dict[str, Any]:
    """The arguments of a write with a mark in each text."""

    def text(name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: text(key, one) for key, one in value.items()}
        if name in ("value", "text", "title", "content") and isinstance(value, str):
            return f"{value} zq{project}q{owner}q{number}"
        return value

    return {name: text(name, value) for name, value in arguments.items()}
