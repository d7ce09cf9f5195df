"""Drafts of records, from the options of verbs and commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from daypack.doors.sources.types import SourceDraft, SourcePolicy
from daypack.text.checks import likely_or_all
from daypack.verbs.command import BadUsage

if TYPE_CHECKING:
    from daypack.doors.sources.options import Facts


def draft_of(
    facts: Facts,
    text: str,
    kind: str,
    scope: str,
    title: str,
    tags: Sequence[str] | None,
    structured_data: Any,
    user_id: str,
    session_id: str,
    source_key: str | None = None,
) -> SourceDraft:
    """A draft of the fields that each write takes, in the order of its parameters, and the options that are given. Raises BadUsage."""
    own = {
        "scope": scope, "title": title, "tags": tags, "structured_data": structured_data, "user_id": user_id, "session_id": session_id,
        "source_key": source_key,
    }  # fmt: skip
    given: dict[str, Any] = {name: value for name, value in {**own, **facts}.items() if value is not None}
    for name in ("metadata", "data_schema", "policy"):
        if not isinstance(given.get(name, {}), dict):
            raise BadUsage(f"--{name.replace('_', '-')} must be a JSON object")
    policy, known = {**given.pop("policy", {})}, SourcePolicy.__slots__
    if unknown := [name for name in policy if name not in known]:
        meant = likely_or_all(unknown[0], known, "it takes")
        raise BadUsage(f"--policy does not take {unknown[0]!r}; {meant}")
    if "remote_egress" in given:
        given["allow_remote_model_egress"] = given.pop("remote_egress")
    policy |= {name: given.pop(name) for name in known if name in given}
    for name in ("allowed_user_ids", "allowed_session_ids"):
        policy[name] = tuple(policy.get(name, ()))
    return SourceDraft(text=text, kind=kind, **given | {"policy": SourcePolicy(**policy)})
