"""Versions as lines of JSON, in exports and in the files that a project shares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from daypack.doors.memories import rules
from daypack.doors.memories.types import MemoryVersion, Verdict
from daypack.errors import InputError
from daypack.guard.secrets import redact
from daypack.guard.trust import Writer
from daypack.shapes.plain import plain
from daypack.types import Trust

USE = ("key", "created_at", "accessed_at", "recalls")
"""The fields of the line of an export that says how a key was used."""


def version_to_line(key: str, version: MemoryVersion) -> str:
    """A version as one line of JSON; default values are left out."""
    usual = MemoryVersion(token="", value=None, recorded_at=0, valid_from=version.recorded_at)
    every_fact = {name: plain(getattr(version, name)) for name in MemoryVersion.__slots__}
    unusual = {name: fact for name, fact in every_fact.items() if fact != plain(getattr(usual, name))}
    facts = {**unusual, "key": key, "value": version.value, "recorded_at": version.recorded_at}
    facts["version"] = facts.pop("token", "")
    return to_line(facts)


def to_line(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, sort_keys=True)


def version_from_facts(facts: Mapping[str, Any], writer: Writer | None = None) -> tuple[str, MemoryVersion]:
    """(key, version) that a line states, its secrets redacted; `writer` bounds its trust. Raises InputError."""
    key = rules.check_key(facts.get("key"))
    value = facts.get("value")
    recorded = rules.check_moment("recorded_at", facts.get("recorded_at"))
    if recorded is None:
        raise InputError("recorded_at is missing")
    start = rules.check_moment("valid_from", facts.get("valid_from"))
    told = {
        name: rules.clean_label(name, facts.get(name, ""))
        for name in ("source", "author", "session", "parent")
    }
    try:
        trust = Trust(facts.get("trust", Trust.USER))
        verdict = Verdict(facts["verdict"]) if facts.get("verdict") else None
    except ValueError as error:
        raise InputError(str(error)) from None
    if writer is not None and writer.bound(trust) is not trust:
        trust, verdict = writer.bound(trust), None
    links = facts.get("links", [])
    if not isinstance(links, list) or not all(isinstance(link, str) for link in links):
        raise InputError("links must be a list of strings")
    version = MemoryVersion(
        token="",
        value=None if value is None else redact(rules.check_value(value)).text,
        recorded_at=recorded,
        valid_from=recorded if start is None else start,
        valid_to=rules.check_moment("valid_to", facts.get("valid_to")),
        expires_at=rules.check_moment("expires_at", facts.get("expires_at")),
        tags=rules.check_tags(facts.get("tags", ())),
        links=tuple(links),
        trust=trust,
        verdict=verdict,
        reviewed_at=rules.check_moment("reviewed_at", facts.get("reviewed_at")),
        **told,
    )
    return key, replace(version, token=rules.token_of(key, version))
