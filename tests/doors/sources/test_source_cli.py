"""The commands as users type them, under both of their names."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from support import TESTS, daypack

REFERENCE = """
store user_profile_note "Likes short notes about piers" --scope session --user-id u1 --session-id s1
ingest-source --text "Pier four: the board of governors approved the merger" --kind research_finding --scope user --source-key "pier_report_v1" --user-id u1
upsert-source pier_report_v1 --text "Pier four: the governors approved the merger in May" --kind research_finding --scope user --user-id u1
upsert-source berths --structured-data '{"title": "Berths of pier four", "berths": [4]}' --kind research_finding --scope user
import-path ./data/ --kind research_finding --scope global --recursive --data-schema @schema.json
retrieve-context "governors of the pier" --user-id u1 --limit 6
retrieve-context "governors of the pier" --user-id u1 --limit 6 --ranking weighted
assemble-context "draft a summary of the merger that the governors approved" --assembly-mode research --token-budget 2000 --user-id u1
prepare-context "berths of pier four" --assembly-mode assistant
prepare-task-envelope "note on the berths of pier four" --assembly-mode drafting
update-workflow-preference "Dear Ms Lind, in short: the merger stands. Kind regards" --workflow rewrite --user-id u1
prepare-task-envelope "rewrite the note on the merger of pier four" --user-id u1 --intent-data '{"constraints": ["two lines"]}' --intent-schema @schema.json
explain-selection "merger of pier four" --user-id u1
get @record
stats
list
list --kind research_finding --scope global --limit 1
prune
export-training
export-training --output training.jsonl
benchmark-jsonl set.jsonl cases.json --data-root bench --output-dir results --suite-name run_01 --token-budget 2000 --embedding-backend local_hashing
delete-source pier_report_v1 --scope user --user-id u1
"""


def _names(text: str) -> set[str]:
    return set(text.split())


# What programs that know a context store look for in its answers, by name alone.
RECORD = _names(
    "id kind scope owner_scope source_type content_class title text summary user_id session_id source_id source_key source_version "
    "source_status external_id content_checksum source_updated_at source_last_synced_at deleted_at urls tags metadata "
    "structured_data data_schema structured_fields policy token_count_estimate created_at"
)
WHOLE = RECORD | {"lexical_tokens", "chunks"}
PART = {"chunk_id", "record_id", "chunk_index", "text", "token_count_estimate", "lexical_tokens"}
SCHEMA = {"schema_name", "schema_mode", "root_type", "field_paths", "primary_text_paths"}
FIELD = {"path", "value_text", "value_type"}
POLICY = _names(
    "confidentiality freshness_days retention_days allowed_user_ids allowed_session_ids allow_local_model_egress allow_remote_model_egress"
)
ITEM = _names(
    "record_id chunk_id kind scope source_type content_class source_key title text summary score semantic_score lexical_score "
    "keyword_bonus selection_reason token_count_estimate created_at"
)
BONUSES = {"metadata_bonus", "record_rank_bonus", "scope_priority_bonus", "age_decay_factor"}
RETRIEVED = {"query_text", "items", "total_candidates", "retrieval_strategy", "excluded_counts", "audit_id"}
ASSEMBLED = _names(
    "query_text context_text sections assembly_mode token_budget token_count_estimate omitted_items retrieval_strategy audit_id"
)
SECTION = {"name", "items", "token_count_estimate"}
BLOCK = {"name", "text", "provenance", "token_count_estimate"}
ORIGIN = {"record_id", "source_key", "source_version", "content_checksum"}
ENVELOPE = _names(
    "query_text workflow action output_type goal confidence target_type constraints source_references preferences context_summary "
    "output_contract audit_id"
)
STATS = _names(
    "record_count records_by_kind records_by_scope records_by_source_type records_by_content_class records_by_source_status "
    "pruned_records_total"
)
RESULT = _names(
    "suite_name runtime_seconds imported_records pruned_records_total total_cases retrieval_hits assembly_hits retrieval_hit_rate "
    "assembly_hit_rate cases"
)
CASE = {
    "name",
    "query_text",
    "retrieval_hit",
    "assembly_hit",
    "expected_source_keys",
    "retrieved_source_keys",
}
NOT_THERE = {"embedding", "semantic_terms"}  # of a record and of its parts; docs/how-to/sources.md says why


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    return made(tmp_path)


def made(folder: Path) -> Path:
    (folder / ".git").mkdir()
    (folder / "data" / "below").mkdir(parents=True)
    (folder / "data" / "below" / "tides.md").write_text("High water at noon.\n")
    (folder / "schema.json").write_text('{"schema_name": "tides"}')
    (folder / "set.jsonl").write_text(
        json.dumps(
            {
                "source_key": "weir:1",
                "text": "The weir at Osk was raised by 41 cm.",
                "kind": "research_finding",
            }
        )
    )
    case = {
        "name": "raised",
        "query_text": "weir at Osk",
        "expected_source_keys": ["weir:1"],
        "expected_terms": ["41 cm"],
        "token_budget": 300,
    }
    (folder / "cases.json").write_text(
        json.dumps({"cases": [case | {"expected_terms_scope": "assembled_context"}]})
    )
    return folder


def ask(cwd: Path, *arguments: str, status: int | None = 0) -> Any:
    return json.loads(daypack("source", *arguments, cwd=cwd, status=status).stdout)


Answers = dict[str, list[list[Any]]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What every line of the reference prints: command → the JSON objects of each time that it was run."""
    folder, found = made(tmp_path_factory.mktemp("harbour")), Answers()
    for line in REFERENCE.strip().splitlines():
        if "@record" in line:
            line = line.replace("@record", found["import-path"][0][0]["items"][0]["record_id"])
        arguments = shlex.split(line)
        out = daypack("source", *arguments, cwd=folder)
        found.setdefault(arguments[0], []).append(
            [json.loads(printed) for printed in out.stdout.splitlines()]
        )
    return found


def test_every_command_runs_under_the_names_of_context_stores(answers: Answers) -> None:
    (((stored,),), ((updated,), (berths,))) = answers["store"], answers["upsert-source"]
    assert (stored["action"], stored["content_class"]) == ("created", "normalized_memory")
    assert (updated["action"], updated["source_version"]) == ("updated", 2)
    assert updated["metadata"]["previous_record_id"] == answers["ingest-source"][0][0]["id"]
    assert berths["structured_fields"][1] == {"path": "berths[0]", "value_text": "4", "value_type": "integer"}
    (imported,) = answers["import-path"][0]
    assert (imported["imported"], imported["skipped"], imported["actions"]) == (1, 0, {"created": 1})
    for (found,) in answers["retrieve-context"]:
        assert found["items"][0]["source_key"] == "pier_report_v1"
    ((text,),) = answers["assemble-context"]
    assert text["context_text"].startswith("## key_evidence\n\n[1 pier_report_v1]\n")
    assert text["token_count_estimate"] <= 2000
    assert answers["prepare-context"][0][0]["context_blocks"][0]["provenance"]["source_key"] == "berths"
    assert answers["explain-selection"][0][0]["items"][0]["selected"]
    (_, (envelope,)) = answers["prepare-task-envelope"]
    assert (envelope["workflow"], envelope["constraints"]) == (
        "rewrite",
        [{"kind": "declared", "text": "two lines"}],
    )
    assert envelope["preferences"]["levels"]["formality"] == "high"
    assert envelope["source_references"][0]["source_key"] == "pier_report_v1"
    assert answers["update-workflow-preference"][0][0]["changed"]
    ((got,),) = answers["get"]
    assert (got["text"], got["source_status"], got["lexical_tokens"]) == (
        "High water at noon.\n",
        "active",
        ["at", "high", "noon", "water"],
    )
    assert answers["stats"][0][0]["records_by_scope"] == {"global": 1, "user": 1}
    ((all_,), (one,)) = answers["list"]
    assert ([item["source_key"][:6] for item in all_["items"]], all_["total"]) == (["file:/", "berths"], 2)
    assert [item["scope"] for item in one["items"]] == ["global"]
    assert answers["prune"] == [[{"pruned_records": 0, "receipts": []}]]
    assert len(answers["export-training"][0]) == 2
    assert answers["export-training"][1] == [{"exported_records": 2, "training_path": "training.jsonl"}]
    ((result,),) = answers["benchmark-jsonl"]
    assert (result["suite_name"], result["retrieval_hit_rate"], result["assembly_hit_rate"]) == (
        "run_01",
        1.0,
        1.0,
    )
    ((deleted,),) = answers["delete-source"]
    assert (deleted["source_key"], deleted["source_status"], deleted["deleted"]) == (
        "pier_report_v1",
        "deleted",
        2,
    )


def test_no_command_of_a_context_store_is_missing(answers: Answers) -> None:
    assert answers.keys() >= {
        "assemble-context",
        "benchmark-jsonl",
        "delete-source",
        "export-training",
        "get",
        "import-path",
        "ingest-source",
        "list",
        "prepare-context",
        "prepare-task-envelope",
        "prune",
        "retrieve-context",
        "stats",
        "store",
        "update-workflow-preference",
        "upsert-source",
    }


def test_answers_have_the_names_that_programs_know(answers: Answers) -> None:
    def first(command: str, number: int = 0) -> Any:
        return answers[command][number][0]

    for record in (first("store"), first("ingest-source"), first("upsert-source"), *first("list")["items"]):
        assert record.keys() >= RECORD
    for record in (first("get"), *answers["export-training"][0]):
        assert record.keys() >= WHOLE
        assert all(part.keys() >= PART for part in record["chunks"])
        assert record["policy"].keys() == POLICY
    berths = first("upsert-source", 1)
    assert berths["data_schema"].keys() == SCHEMA
    assert all(field.keys() == FIELD for field in berths["structured_fields"])
    for number in (0, 1):
        assert first("retrieve-context", number).keys() >= RETRIEVED
        assert all(item.keys() >= ITEM for item in first("retrieve-context", number)["items"])
    assert all(item["parts"].keys() > BONUSES for item in first("retrieve-context", 1)["items"])
    text = first("assemble-context")
    assert text.keys() >= ASSEMBLED
    assert all(section.keys() >= SECTION for section in text["sections"])
    assert all(item.keys() >= ITEM for section in text["sections"] for item in section["items"])
    prepared = first("prepare-context")
    assert prepared.keys() >= {"query_text", "context_blocks", "retrieval_strategy", "audit_id"}
    assert all(
        block.keys() >= BLOCK and block["provenance"].keys() >= ORIGIN for block in prepared["context_blocks"]
    )
    assert all(item.keys() >= ITEM for item in first("explain-selection")["items"])
    assert first("prepare-task-envelope").keys() >= ENVELOPE
    assert first("stats").keys() >= STATS
    assert first("import-path")["items"][0].keys() >= {"path", "source_key", "status", "reason", "record_id"}
    assert first("benchmark-jsonl").keys() >= RESULT
    assert all(case.keys() >= CASE for case in first("benchmark-jsonl")["cases"])


def test_a_name_that_is_not_there_is_left_out_for_a_reason_that_stands_in_the_page(answers: Answers) -> None:
    ((got,),) = answers["get"]
    assert not NOT_THERE & got.keys()
    page = (TESTS.parent / "docs" / "how-to" / "sources.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` of a record", page, re.MULTILINE)) == NOT_THERE


@pytest.mark.parametrize(
    "words",
    [
        "retrieve QUERY",
        "assemble QUERY",
        "prepare QUERY",
        "prepare-task-envelope QUERY",
        "preferences",
        "list",
    ],
)
def test_a_question_makes_no_store(tmp_path: Path, words: str) -> None:
    said = daypack("source", *words.replace("QUERY", "berths").split(), cwd=tmp_path, status=3).stderr
    assert "no store at" in said
    assert not any(tmp_path.iterdir())


def test_preferences_are_set_shown_and_reset(harbour: Path) -> None:
    done = ask(
        harbour,
        "update-preference",
        "--set",
        "formality=low",
        "--set",
        "note=Name the berth.",
        "--workflow",
        "reply",
    )
    assert done["preferences"]["levels"] == {"formality": "low"}
    shown = ask(harbour, "preferences", "--workflow", "reply")
    assert (shown["levels"], shown["notes"], shown["version"]) == (
        {"formality": "low"},
        ["Name the berth."],
        2,
    )
    assert ask(harbour, "preferences")["levels"] == {}
    assert ask(harbour, "reset-preferences", "formality", "--workflow", "reply")["removed"] == 1
    assert ask(harbour, "preferences", "--workflow", "reply")["notes"] == ["Name the berth."]
    assert (
        "has no ="
        in daypack("source", "update-preference", "--set", "formality", cwd=harbour, status=2).stderr
    )
    assert "an approved text" in daypack("source", "update-preference", cwd=harbour, status=2).stderr


def test_short_names_are_what_help_lists(harbour: Path) -> None:
    out = daypack("source", "--help", cwd=harbour).stdout
    assert "retrieve " in out
    assert "retrieve-context" not in out


def test_policy_tags_and_metadata_have_flags(harbour: Path) -> None:
    done = ask(
        harbour,
        "ingest",
        "--text",
        "the crane is repaired",
        "--scope",
        "user",
        "--tag",
        "crane",
        "--metadata",
        '{"by": "lin"}',
        "--remote-egress",
        "--allow-user",
        "user",
        "--freshness-days",
        "3",
        "--source",
        "https://example.org/crane",
    )
    assert (done["tags"], done["metadata"], done["urls"]) == (
        ["crane"],
        {"by": "lin"},
        ["https://example.org/crane"],
    )
    assert done["policy"] == {
        "confidentiality": "private",
        "freshness_days": 3.0,
        "retention_days": None,
        "allowed_user_ids": ["user"],
        "allowed_session_ids": [],
        "allow_local_model_egress": True,
        "allow_remote_model_egress": True,
    }
    assert ask(harbour, "retrieve", "crane", "--model-target", "hosted", "--tag", "crane")["items"]
    assert ask(harbour, "get", done["id"])["text"] == "the crane is repaired"
    entries = json.loads(daypack("audit", "list", cwd=harbour).stdout)["entries"]
    assert [entry["action"] for entry in entries] == ["retrieve", "create"]
    shown = json.loads(daypack("audit", "show", str(entries[0]["audit_id"]), cwd=harbour).stdout)
    assert shown["record_ids"] == [done["id"]]
    daypack("audit", "show", str(entries[0]["audit_id"]), "--owner", "eve", cwd=harbour, status=1)


def test_what_is_wrong_ends_in_words(harbour: Path) -> None:
    assert "empty" in daypack("source", "ingest", cwd=harbour, status=2).stderr
    assert (
        "--metadata, line 1 column 2: expecting property name"
        in daypack("source", "ingest", "--text", "x", "--metadata", "{", cwd=harbour, status=2).stderr
    )
    assert (
        "must be a JSON object"
        in daypack("source", "ingest", "--text", "x", "--metadata", "[]", cwd=harbour, status=2).stderr
    )
    assert "no source has the id 'nope'" in daypack("source", "get", "nope", cwd=harbour, status=1).stderr


def test_an_upsert_without_a_key_is_told_to_name_one_that_stays(harbour: Path) -> None:
    said = daypack("source", "upsert", "", "--text", "x", cwd=harbour, status=2).stderr
    assert "the source key is empty; give it a name that stays when the text changes" in said
    assert "source list" in daypack("source", "delete", "", cwd=harbour, status=2).stderr
