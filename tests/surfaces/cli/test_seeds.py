"""Commands and variables of the tools that Daypack replaces: accepted, with the name that they have here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack.surfaces.cli.seeds import adopt_variables
from support import daypack, project

FIRST = '{"_id": 1, "text": "database search and indexing", "status": "published"}'
SECOND = '{"_id": 2, "text": "database search", "status": "draft"}'


def test_documents_may_be_asked_with_the_store_first(tmp_path: Path) -> None:
    done = daypack("docs", "insert", "app.omgdb", "docs", f"[{FIRST}, {SECOND}]", cwd=tmp_path)
    assert done.stderr.splitlines()[0].endswith("`daypack docs insert … --store app.omgdb`")
    ours = daypack("docs", "context", "docs", "text", "database search", "--store", "app.omgdb", cwd=tmp_path)
    theirs = daypack(
        "docs", "context", "app.omgdb", "docs", "text", "database search", "--budget", "1000", cwd=tmp_path
    )
    assert theirs.stdout == ours.stdout
    assert theirs.stderr.count("\n") == 1
    assert ours.stderr == ""
    assert json.loads(theirs.stdout)["citations"] == [2, 1]
    for words in (("find", "app.omgdb", "docs"), ("find", "app.omgdb", "docs", '{"status": "draft"}')):
        assert "database search" in daypack("docs", *words, cwd=tmp_path).stdout
    daypack("docs", "context", "a", "docs", "text", "two", "many", cwd=tmp_path, status=2)


def test_context_pack_is_the_pack_of_code(tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", {"cart.py": "def total(items):\n    return sum(items)\n"})
    done = daypack("context-pack", "total", "--max-chars", "5000", "--json", cwd=folder)
    assert json.loads(done.stdout)["data"]["items"][0]["symbol"] == "total"
    assert done.stderr == "daypack: `daypack context-pack` is `daypack code pack`\n"


def test_commands_of_a_context_bucket_say_what_they_are_called(tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", {"a.md": "tea"})
    done = daypack("source", "upsert-source", "lease", "--text", "It ends in May.", cwd=folder)
    assert done.stderr == "daypack: `daypack source upsert-source` is `daypack source upsert`\n"


def test_variables_of_a_shared_store(tmp_path: Path) -> None:
    one = project(tmp_path / "one", {"a.md": "The pump is blue."})
    env = {"CONTEXT_MODE_PROJECT_DIR": str(tmp_path / "shared")}
    (tmp_path / "shared").mkdir()
    done = daypack("search", "pump", cwd=one, env=env)
    assert "a.md" in done.stdout
    assert done.stderr == "daypack: CONTEXT_MODE_PROJECT_DIR is called DAYPACK_PROJECT_DIR here\n"
    assert (tmp_path / "shared" / ".daypack" / "daypack.db").exists()
    assert daypack("--quiet", "search", "pump", cwd=one, env=env).stderr == ""


def test_variables_of_a_context_bucket(tmp_path: Path) -> None:
    env = {"CONTEXT_BUCKET_ROOT": "bucket", "CONTEXT_BUCKET_QUERY_TOP_K": "1"}
    for key in ("a", "b"):
        daypack("source", "upsert", key, "--text", f"The lease {key} ends.", cwd=tmp_path, env=env)
    assert (tmp_path / "bucket" / "daypack.db").exists()
    done = daypack("source", "retrieve", "lease", "--vectors", "none", cwd=tmp_path, env=env)
    assert len(json.loads(done.stdout)["items"]) == 1
    assert done.stderr.splitlines() == [
        "daypack: CONTEXT_BUCKET_QUERY_TOP_K is called DAYPACK_QUERY_TOP_K here",
        "daypack: CONTEXT_BUCKET_ROOT is called DAYPACK_STORE here",
    ]


@pytest.mark.parametrize(
    ("name", "value", "ours"),
    [
        ("CONTEXT_BUCKET_EMBEDDING_BACKEND", "onnx_minilm", ("DAYPACK_EMBEDDER", "minilm")),
        ("CONTEXT_BUCKET_EMBEDDING_BACKEND", "local_hashing", ("DAYPACK_EMBEDDER", "hashing")),
        ("CONTEXT_BUCKET_RETENTION_DAYS", "45", ("DAYPACK_RETENTION_DAYS", "45")),
        ("CONTEXT_MODE_PROJECT_DIR", "/srv", ("DAYPACK_PROJECT_DIR", "/srv")),
    ],
)
def test_ours_win_and_theirs_are_read_as_ours(name: str, value: str, ours: tuple[str, str]) -> None:
    variables = {name: value}
    assert [*adopt_variables(variables)] == [f"{name} is called {ours[0]} here"]
    assert variables[ours[0]] == ours[1]
    variables = {name: value, ours[0]: "mine"}
    assert [*adopt_variables(variables)] == []
    assert variables[ours[0]] == "mine"
