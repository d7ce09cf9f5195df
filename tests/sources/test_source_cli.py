"""The commands as users type them, under both of their names."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from daypack.surfaces.cli.main import cli
from support import daypack

REFERENCE = """
store user_profile_note "Likes short notes about piers" --scope session --user-id u1 --session-id s1
ingest-source --text "Pier four: the board of governors approved the merger" --kind research_finding --scope user --source-key "pier_report_v1" --user-id u1
upsert-source pier_report_v1 --text "Pier four: the governors approved the merger in May" --kind research_finding --scope user --user-id u1
import-path ./data/ --kind research_finding --scope global --recursive --data-schema @schema.json
retrieve-context "governors of the pier" --user-id u1 --limit 6
assemble-context "draft a summary of the merger that the governors approved" --assembly-mode research --token-budget 2000 --user-id u1
prepare-context "summarize merger of pier four" --assembly-mode assistant --user-id u1
prepare-task-envelope "rewrite the note on the merger of pier four" --assembly-mode drafting --user-id u1
update-workflow-preference "Dear Ms Lind, in short: the merger stands. Kind regards" --workflow rewrite --user-id u1
prepare-task-envelope "rewrite the note on the merger of pier four" --user-id u1 --intent-data '{"constraints": ["two lines"]}' --intent-schema @schema.json
explain-selection "merger of pier four" --user-id u1
get @record
stats
list
prune
export-training
delete-source pier_report_v1 --scope user --user-id u1
"""


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "data" / "below").mkdir(parents=True)
    (tmp_path / "data" / "below" / "tides.md").write_text("High water at noon.\n")
    (tmp_path / "schema.json").write_text('{"schema_name": "tides"}')
    return tmp_path


def ask(cwd: Path, *arguments: str, status: int | None = 0) -> Any:
    return json.loads(daypack("source", *arguments, cwd=cwd, status=status).stdout)


def test_every_command_runs_under_the_names_of_context_stores(harbour: Path) -> None:
    answers: dict[str, Any] = {}
    for line in REFERENCE.strip().splitlines():
        arguments = shlex.split(line.replace("@record", answers["import-path"][0]["records"][0]["id"]) if "@record" in line else line)
        out = daypack("source", *arguments, cwd=harbour, status=None)
        assert out.returncode in (0, 1), out.stderr
        answers[arguments[0]] = [json.loads(found) for found in out.stdout.splitlines()]
    (stored,), (updated,) = answers["store"], answers["upsert-source"]
    assert (stored["action"], stored["record"]["content_class"]) == ("created", "normalized_memory")
    assert (updated["action"], updated["record"]["source_version"]) == ("updated", 2)
    assert updated["record"]["metadata"]["previous_record_id"] == answers["ingest-source"][0]["record"]["id"]
    assert answers["import-path"][0]["actions"] == {"created": 1}
    (found,) = answers["retrieve-context"]
    assert found["items"][0]["source_key"] == "pier_report_v1"
    assert {"score", "kind", "scope", "text", "record_id", "source_key"} <= found["items"][0].keys()
    (text,) = answers["assemble-context"]
    assert text["context_text"].startswith("## key_evidence\n\n1. research_finding, user, pier_report_v1, score ")
    assert text["token_count_estimate"] <= 2000
    assert answers["prepare-context"][0]["blocks"][0]["provenance"]["source_key"] == "pier_report_v1"
    assert answers["explain-selection"][0]["items"][0]["selected"]
    (envelope,) = answers["prepare-task-envelope"]
    assert envelope.keys() >= {
        "query_text", "workflow", "action", "output_type", "goal", "confidence", "target_type", "constraints", "source_references", "preferences",
        "context_summary", "output_contract",
    }  # fmt: skip
    assert (envelope["workflow"], envelope["constraints"]) == ("rewrite", [{"kind": "declared", "text": "two lines"}])
    assert envelope["preferences"]["levels"]["formality"] == "high"
    assert envelope["source_references"][0]["source_key"] == "pier_report_v1"
    assert answers["update-workflow-preference"][0]["changed"]
    assert (answers["get"][0]["text"], answers["get"][0]["source_status"]) == ("High water at noon.\n", "active")
    assert answers["stats"][0]["by_scope"] == {"global": 1}
    assert answers["prune"] == [{"pruned": []}]
    assert len(answers["export-training"]) == 1
    assert answers["delete-source"][0]["deleted"] == 2


def test_every_name_of_the_reference_is_a_command() -> None:
    assert {line.split()[0] for line in REFERENCE.strip().splitlines()} >= {
        "assemble-context", "delete-source", "export-training", "import-path", "ingest-source", "prepare-task-envelope", "retrieve-context", "store",
        "upsert-source", "update-workflow-preference", "get", "list", "prepare-context", "prune", "stats",
    }  # fmt: skip
    assert cli.commands["source"].get_command(click.Context(cli), "benchmark-jsonl")  # type: ignore[attr-defined]  # run by its own test


def test_records_and_items_have_the_names_that_programs_know(harbour: Path) -> None:
    done = ask(
        harbour, "ingest", "--scope", "user", "--structured-data", '{"title": "Pier", "berths": [4]}', "--source-key", "pier", "--summary", "A pier.",
    )  # fmt: skip
    assert done["record"].keys() >= {
        "id", "kind", "scope", "source_type", "content_class", "title", "text", "summary", "user_id", "session_id", "source_key", "source_version",
        "source_status", "external_id", "content_checksum", "source_updated_at", "deleted_at", "urls", "tags", "metadata", "structured_data",
        "data_schema", "structured_fields", "policy", "token_count_estimate", "created_at",
    }  # fmt: skip
    assert done["record"]["data_schema"].keys() == {"schema_name", "schema_mode", "root_type", "field_paths", "primary_text_paths"}
    assert done["record"]["structured_fields"][1] == {"path": "berths[0]", "value_text": "4", "value_type": "integer"}
    (item,) = ask(harbour, "retrieve", "pier berths")["items"]
    assert item.keys() >= {
        "record_id",
        "kind",
        "scope",
        "source_key",
        "title",
        "text",
        "summary",
        "score",
        "reason",
        "token_count_estimate",
    }
    text = ask(harbour, "assemble", "pier berths")
    assert text.keys() >= {
        "context_text",
        "token_count_estimate",
        "omitted_items",
        "truncated",
        "sections",
        "assembly_mode",
        "token_budget",
        "audit_id",
    }
    assert ask(harbour, "stats").keys() >= {"records_total", "by_kind", "by_scope", "by_source_type", "pruned_records_total"}


def test_preferences_are_set_shown_and_reset(harbour: Path) -> None:
    done = ask(harbour, "update-preference", "--set", "formality=low", "--set", "note=Name the berth.", "--workflow", "reply")
    assert done["preferences"]["levels"] == {"formality": "low"}
    shown = ask(harbour, "preferences", "--workflow", "reply")
    assert (shown["levels"], shown["notes"], shown["version"]) == ({"formality": "low"}, ["Name the berth."], 2)
    assert ask(harbour, "preferences")["levels"] == {}
    assert ask(harbour, "reset-preferences", "formality", "--workflow", "reply")["removed"] == 1
    assert ask(harbour, "preferences", "--workflow", "reply")["notes"] == ["Name the berth."]
    assert "has no =" in daypack("source", "update-preference", "--set", "formality", cwd=harbour, status=2).stderr
    assert "a text that was approved" in daypack("source", "update-preference", cwd=harbour, status=2).stderr


def test_short_names_are_what_help_lists(harbour: Path) -> None:
    out = daypack("source", "--help", cwd=harbour).stdout
    assert "retrieve " in out
    assert "retrieve-context" not in out


def test_policy_tags_and_metadata_have_flags(harbour: Path) -> None:
    done = ask(
        harbour, "ingest", "--text", "the crane is repaired", "--scope", "user", "--tag", "crane", "--metadata", '{"by": "lin"}', "--remote-egress",
        "--allow-user", "user", "--freshness-days", "3", "--url", "https://example.org/crane",
    )["record"]  # fmt: skip
    assert (done["tags"], done["metadata"], done["urls"]) == (["crane"], {"by": "lin"}, ["https://example.org/crane"])
    assert done["policy"] == {
        "confidentiality": "private", "freshness_days": 3.0, "retention_days": None, "allowed_user_ids": ["user"], "allowed_session_ids": [],
        "allow_local_model_egress": True, "allow_remote_model_egress": True,
    }  # fmt: skip
    assert ask(harbour, "retrieve", "crane", "--model-target", "hosted", "--tag", "crane")["items"]
    assert ask(harbour, "get", done["id"])["text"] == "the crane is repaired"
    entries = json.loads(daypack("audit", "list", cwd=harbour).stdout)["entries"]
    assert [entry["action"] for entry in entries] == ["retrieve", "create"]
    shown = json.loads(daypack("audit", "show", str(entries[0]["audit_id"]), cwd=harbour).stdout)
    assert shown["record_ids"] == [done["id"]]
    daypack("audit", "show", str(entries[0]["audit_id"]), "--user-id", "eve", cwd=harbour, status=1)


def test_what_is_wrong_ends_in_words(harbour: Path) -> None:
    assert "nothing to keep" in daypack("source", "ingest", cwd=harbour, status=2).stderr
    assert "this is no JSON" in daypack("source", "ingest", "--text", "x", "--metadata", "{", cwd=harbour, status=2).stderr
    assert "must be a JSON object" in daypack("source", "ingest", "--text", "x", "--metadata", "[]", cwd=harbour, status=2).stderr
    assert "nothing at the source nope" in daypack("source", "get", "nope", cwd=harbour, status=1).stderr
