"""The verbs of sources and tasks, as agents call them: each says who asks, and answers nobody else."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from daypack import Daypack
from daypack.doors.sources.options import Kind, Scope
from daypack.doors.sources.types import SourceKind, SourceScope
from daypack.errors import InputError, NotFound
from daypack.surfaces.toolsets import verbs
from daypack.verbs.table import Access, Answer, Verb

VERBS = verbs("sources")


@pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.name)
def test_every_verb_says_who_asks_and_in_which_session(verb: Verb) -> None:
    found = {one.name: one for one in verb.parameters}
    assert (found["user_id"].default, found["session_id"].default) == ("", "")
    assert "door" not in found
    assert "who" not in found


def test_the_ceiling_of_each_verb_is_what_it_does() -> None:
    by_access = {access: {verb.name for verb in VERBS.values() if verb.access is access} for access in Access}
    assert by_access[Access.READ] == {
        "retrieve_context",
        "assemble_context",
        "prepare_context",
        "explain_selection",
        "prepare_task_envelope",
        "get_preferences",
        "get_source",
        "list_sources",
        "source_stats",
    }
    assert by_access[Access.WRITE] == {
        "store_source",
        "ingest_source",
        "upsert_source",
        "update_preference",
        "reset_preferences",
    }
    assert by_access[Access.DANGEROUS] == {"delete_source", "prune_sources"}


def test_verbs_offer_every_kind_and_scope_of_a_record() -> None:
    assert get_args(Kind) == tuple(SourceKind)
    assert get_args(Scope) == tuple(SourceScope)


def asked(dp: Daypack, verb: str, user: str, **given: object) -> str:
    found = VERBS[verb](dp, {"user_id": user, **given})
    return found.text + json.dumps(dict(found.details)) if isinstance(found, Answer) else json.dumps(found)


def test_an_answer_that_does_not_answer_is_called_weak(dp: Daypack) -> None:
    for key, text in (
        ("hours", "The tea house opens at nine and closes at six."),
        ("key", "The key of the house hangs behind the green door."),
        ("stock", "Green tea is ordered from Uji and arrives by post."),
    ):
        asked(dp, "upsert_source", "ana", source_key=key, text=text)
    for verb in ("retrieve_context", "assemble_context", "prepare_context", "explain_selection"):
        said = asked(dp, verb, "ana", query="Which horses of the house drink tea?")
        assert '"weak": true, "unknown": ["horses", "drink"]' in said, verb
        assert '"weak"' not in asked(dp, verb, "ana", query="when does the tea house open?"), verb


def test_what_one_user_keeps_no_verb_tells_another(dp: Daypack) -> None:
    done = json.loads(
        asked(
            dp,
            "upsert_source",
            "ana",
            source_key="berth",
            text="The zeppelin is moored at berth nine.",
            scope="user",
        )
    )
    asked(dp, "update_preference", "ana", approved_text="Dear all, always name the zeppelin.")
    for name in (
        "retrieve_context",
        "assemble_context",
        "prepare_context",
        "explain_selection",
        "prepare_task_envelope",
    ):
        query = "draft a note on what is moored at berth nine"
        assert "zeppelin is moored" in asked(dp, name, "ana", query=query), name
        assert "zeppelin" not in asked(dp, name, "ben", query=query), name
    for name in ("list_sources", "source_stats", "get_preferences"):
        assert asked(dp, name, "ben") != asked(dp, name, "ana"), name
        assert "zeppelin" not in asked(dp, name, "ben"), name
    for name, given in (
        ("get_source", {"record_id": done["id"]}),
        ("delete_source", {"source_key": "berth", "scope": "user"}),
    ):
        with pytest.raises(NotFound):
            asked(dp, name, "ben", **given)
    assert json.loads(asked(dp, "prune_sources", "ben", max_records=1)) == {
        "pruned_records": 0,
        "receipts": [],
    }
    assert json.loads(asked(dp, "source_stats", "ana"))["record_count"] == 2


def test_a_preference_is_learned_or_set_but_not_both(dp: Daypack) -> None:
    for given in ({}, {"approved_text": "Dear all", "name": "formality"}):
        with pytest.raises(InputError, match="give either an approved_text to learn from, or the name"):
            asked(dp, "update_preference", "ana", **given)
    asked(dp, "update_preference", "ana", name="brevity", value="high", workflow="reply")
    assert json.loads(asked(dp, "get_preferences", "ana", workflow="reply"))["levels"] == {"brevity": "high"}
    assert json.loads(asked(dp, "get_preferences", "ana"))["levels"] == {}
    assert json.loads(asked(dp, "reset_preferences", "ana"))["removed"] == 1
