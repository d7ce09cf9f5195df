"""Answers of verbs are as their schemas describe them, down to the items of each list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from daypack import Daypack
from daypack.surfaces.http.jobs import JOBS
from daypack.surfaces.http.openapi import result_schema
from daypack.surfaces.toolsets import verbs
from daypack.verbs import Answer
from daypack.verbs.results import outline
from every_door import fill
from support import WORDS

SOURCE = {"user_id": "ana", "session_id": "s1"}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("pack", {"query": "green tea kettle", "budget": 400}),
    ("search", {"queries": ["kettle boils", "retry budget"]}),
    ("get", {"reference": "tea.md"}),
    ("status", {}),
    ("search_memories", {"query": "who likes oolong?"}),
    ("relate_memories", {"key": "user/tea"}),
    ("list_memories", {}),
    ("list_tags", {}),
    ("recall", {"key": "user/tea"}),
    ("recall", {"key": "gone"}),
    ("memory_history", {"key": "user/tea"}),
    ("memory_history", {"key": "gone"}),
    ("remember", {"key": "user/coffee", "value": "Ana likes green tea"}),
    ("remember_if_absent", {"key": "user/milk", "value": "Ana likes green tea now"}),
    ("redact_memory", {"key": "user/milk", "reason": "private"}),
    ("forget", {"key": "user/coffee"}),
    ("forget_all", {"tag": "tea"}),
    ("retrieve_context", {"query": "when does the ferry leave?", **SOURCE}),
    ("assemble_context", {"query": "when does the ferry leave?", **SOURCE}),
    ("prepare_context", {"query": "when does the ferry leave?", **SOURCE}),
    ("explain_selection", {"query": "when does the ferry leave?", "token_budget": 60, **SOURCE}),
    ("prepare_task_envelope", {"query": "write a short mail about the ferry", **SOURCE}),
    ("update_preference", {"name": "formality", "value": "high", "user_id": "ana"}),
    ("get_preferences", {"user_id": "ana"}),
    ("reset_preferences", {"user_id": "ana"}),
    ("store_source", {"kind": "research_finding", "text": "The quay is closed.", **SOURCE}),
    ("upsert_source", {"source_key": "quay", "text": "The quay is open.", **SOURCE}),
    ("list_sources", SOURCE),
    ("source_stats", SOURCE),
    ("prune_sources", {"max_records": 1, **SOURCE}),
    ("delete_source", {"source_key": "quay", **SOURCE}),
    ("code_pack", {"query": "boil the kettle"}),
    ("symbols", {}),
    ("related", {"reference": "boil"}),
    ("callers", {"reference": "boil"}),
    ("tests_for", {"reference": "boil"}),
    ("ctx_search", {"queries": ["retry budget"]}),
    ("ctx_stats", {}),
    ("ctx_index", {"source": "more notes", "content": "The kettle whistles."}),
    ("ctx_purge", {"confirm": True, "source": "more notes"}),
    ("context_pack", {"collection": "teas", "field": "name", "query": "sencha"}),
    ("vsearch", {"collection": "teas", "field": "name", "query": "sencha"}),
    ("find", {"collection": "teas"}),
    ("describe", {}),
    ("explain", {"collection": "indexed", "filter": {"year": 2001}}),
    ("diagnose", {"collection": "teas", "filter": {"yaer": 2001}}),
    ("insert", {"collection": "teas", "document": {"name": "Gyokuro"}}),
    ("plan_update", {"collection": "teas", "filter": {"_id": 1}, "update": {"$set": {"year": 2020}}}),
    ("delete", {"collection": "teas", "filter": {"_id": 2}}),
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    with Daypack.open(tmp_path_factory.mktemp("full") / ".daypack", settings=WORDS) as dp:
        fill(dp)
        for path in ("src/kettle_test.py", "src/cook.py"):
            (dp.root / path).write_text(
                "from kettle import boil\n\n\ndef test_boil():\n    assert boil(None)\n"
            )
        dp.documents.collection("teas").vsync("name")
        yield dp


def arrays(schema: Any) -> Iterator[Any]:
    if schema.get("type") == "array":
        yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from arrays(inner)


@pytest.mark.parametrize("verb", [*verbs().values(), *JOBS.values()], ids=lambda verb: verb.name)
def test_a_schema_names_the_items_of_every_array(verb: Any) -> None:
    assert all("items" in array for array in arrays(result_schema(verb)))


def test_answers_are_as_the_schemas_describe_them(store: Daypack) -> None:
    for name, arguments in CALLS:
        verb = verbs()[name]
        answer = verb(store, arguments)
        data = (
            {"name": name, "text": answer.text, "details": answer.details}
            if isinstance(answer, Answer)
            else answer
        )
        jsonschema.validate(data, result_schema(verb))
        if not isinstance(answer, Answer):
            jsonschema.validate(verb.for_agent(answer), outline(verb.result or {}))


def test_every_verb_that_answers_with_data_is_asked() -> None:
    asked = {name for name, _ in CALLS}
    left = {name for name, verb in verbs().items() if verb.result and name not in asked}
    assert left == {
        "restore_memory",
        "ingest_source",
        "get_source",
        "ctx_fetch_and_index",
        "apply",
        "rollback",
    }
