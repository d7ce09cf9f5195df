"""A secret given to any verb that writes, in any of its parameters, is in no byte of the store afterwards."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.errors import DaypackError, NotFound
from daypack.surfaces.toolsets import verbs
from daypack.verbs import Access
from support import WORDS, files_of

CANARY = "ghp_Qm4Xt7Rk2Wv9Zp1Ls5Nd8Hc3Jf6Bg0AyEuIo"
CALLS: dict[str, dict[str, Any]] = {
    "insert": {"collection": "c", "document": {"a": 1}},
    "plan_update": {"collection": "c", "filter": {}, "update": {"$set": {"x": 1}}},
    "apply": {"token": "t"},
    "rollback": {"change_id": "t", "force": True},
    "delete": {"collection": "c", "filter": {"a": 2}},
    "ctx_index": {"source": "notes", "content": "the lock gate"},
    "ctx_batch_execute": {"commands": [{"label": "greeting", "command": "echo fine"}], "queries": ["gate"]},
    "ctx_purge": {"confirm": True, "source": "notes"},
    "remember": {"key": "k", "value": "v", "tags": ["t"], "source": "s"},
    "remember_if_absent": {"key": "k2", "value": "v", "tags": ["t"], "source": "s"},
    "restore_memory": {"key": "k", "version": "v"},
    "forget": {"key": "k"},
    "forget_all": {"tag": "t"},
    "redact_memory": {"key": "k", "reason": "because"},
    "store_source": {
        "kind": "evidence_summary",
        "text": "the lock gate",
        "tags": ["t"],
        "user_id": "u",
        "session_id": "s",
    },
    "ingest_source": {
        "text": "the lock gate",
        "source_key": "a",
        "title": "gates",
        "tags": ["t"],
        "structured_data": {"a": 1},
    },
    "upsert_source": {"source_key": "b", "text": "the lock gate", "title": "gates", "tags": ["t"]},
    "update_preference": {"approved_text": "short answers", "workflow": "reply"},
    "reset_preferences": {"name": "note", "workflow": "reply"},
    "delete_source": {"source_key": "b"},
    "prune_sources": {"max_records": 5, "user_id": "u"},
}
INSTEAD = {
    ("update_preference", parameter): {"workflow": "reply", "name": "note", "value": "short"}
    for parameter in ("name", "value")
}
NOT_CALLED = {"ctx_fetch_and_index"}  # what it stores comes from the network


def with_secret(value: Any) -> Any:
    """A value of the same kind, with the secret wherever a string may stand."""
    match value:
        case str():
            return CANARY
        case list():
            return [with_secret(item) for item in value]
        case dict():
            return {**{name: with_secret(item) for name, item in value.items()}, CANARY: CANARY}
    return value


def variants(name: str, parameter: str) -> list[Any]:
    given = CALLS[name].get(parameter, "")
    if name == "plan_update" and parameter == "update":
        return [{"$set": {"x": CANARY}}, {"$set": {CANARY: 1}}, {"$push": {"l": {"$each": [CANARY]}}}]
    if name == "ctx_batch_execute" and parameter == "commands":
        return [
            [{"label": "greeting", "command": f"echo {CANARY}"}],
            [{"label": CANARY, "command": "echo fine"}],
        ]
    return [with_secret(given), CANARY]


@pytest.mark.parametrize(
    "name",
    sorted(
        name for name, verb in verbs().items() if verb.access is not Access.READ and name not in NOT_CALLED
    ),
)
def test_no_byte_of_the_store_says_a_secret(name: str, tmp_path: Path) -> None:
    verb = verbs()[name]
    with Daypack.open(tmp_path / "s", settings=WORDS) as dp:
        dp.documents.collection("c").insert({"a": 1})
        if verb.access is Access.WRITE:
            with contextlib.suppress(NotFound):  # nothing is there to be forgotten
                verb(dp, CALLS[name])
        for parameter in (
            parameter.name for parameter in verb.parameters if parameter.name != "path"
        ):  # which store
            for value in variants(name, parameter):
                with contextlib.suppress(DaypackError):
                    found = verb(dp, {**INSTEAD.get((name, parameter), CALLS[name]), parameter: value})
                    if name == "plan_update":
                        verbs()["apply"](
                            dp, {"token": found.data["token"] if hasattr(found, "data") else found["token"]}
                        )
        dp.documents.catch_up()
        held = {
            file
            for file, (_, content) in files_of(tmp_path).items()
            if CANARY.encode() in content or CANARY in file
        }
    assert held == set()
