"""`daypack eval bench` and `daypack source benchmark-jsonl` as a user runs them, from sets to pages."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluate.pages_checked import checked
from support import daypack, environment

FEW = ("--series", "1", "--runs-per-series", "4")
# Records get vectors when they are written, whatever the questions use: hashing makes them in no time.
RUN = ("eval", "bench", "run", *FEW, "--vectors", "none", "--embedder", "hashing")


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def summary(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def test_equal_seeds_write_equal_files_and_each_is_what_its_line_says(tmp_path: Path) -> None:
    two = (*FEW, "--corpus", "base", "--corpus", "adversarial")
    first = daypack("eval", "bench", "generate", "--out", "one", *two, cwd=tmp_path).stdout
    assert "one/datasets/base_structured.jsonl: 205 records" in first
    assert "one/datasets/adversarial.jsonl: 1,450 records" in first
    daypack("eval", "bench", "generate", "--out", "two", *two, cwd=tmp_path)
    found = digests(tmp_path / "one")
    assert found == digests(tmp_path / "two")
    assert len(found) == 2 * (3 + 4)
    daypack(
        "eval", "bench", "generate", "--out", "two", "--corpus", "base", "--seed", "7", *FEW, cwd=tmp_path
    )
    assert digests(tmp_path / "two")["datasets/base.jsonl"] != found["datasets/base.jsonl"]


@pytest.mark.slow
def test_a_run_asks_every_variant_and_writes_summaries_and_pages(tmp_path: Path) -> None:
    done = daypack(*RUN, cwd=tmp_path)
    assert "base_structured: 205 records" in done.stdout and "base_unstructured: 205 records" in done.stdout
    assert done.stderr == ""
    out = tmp_path / "benchmark"
    assert {path.name for path in out.iterdir()} == {
        "run_summary_structured.json",
        "run_summary_unstructured.json",
        "report_structured.html",
        "report_unstructured.html",
        "comparison.html",
    }
    for name in ("report_structured.html", "comparison.html"):
        text = (out / name).read_text(encoding="utf-8")
        checked(text)
        assert text.count('<svg class="plot"') == 3
    first = summary(out / "run_summary_unstructured.json")
    assert [tier["tier"] for tier in first["tiers"]] == ["trivial", "easy", "medium", "hard"]
    assert first["tiers"][0]["daypack"]["retrieval"]["hits"] == first["tiers"][0]["cases"]
    assert first["total"]["oracle"]["retrieval"] == {
        "hits": first["total"]["cases"],
        "judged": first["total"]["cases"],
    }
    assert first["runs"][0]["suite_name"] == "series_a_run_01"
    daypack(*RUN, "--variant", "unstructured", "--out", "again", cwd=tmp_path)
    assert summary(tmp_path / "again" / "run_summary_unstructured.json")["digest"] == first["digest"]
    page = daypack(
        "eval",
        "bench",
        "report",
        "benchmark/run_summary_structured.json",
        "again/run_summary_unstructured.json",
        cwd=tmp_path,
    ).stdout
    assert "base_structured" in checked(page)


@pytest.mark.slow
def test_a_capacity_says_what_it_pruned_and_what_that_costs(tmp_path: Path) -> None:
    done = daypack(*RUN, "--variant", "unstructured", "--max-records", "3", cwd=tmp_path)
    found = summary(tmp_path / "benchmark" / "run_summary_unstructured_3.json")
    conditions, total = found["conditions"], found["total"]
    assert conditions["records"] == 205
    assert 0 < conditions["pruned"] < 205
    assert f"{conditions['pruned']} pruned (capacity 3)" in done.stdout
    assert found["runs"][0]["pruned_records_total"] == conditions["pruned"]
    assert total["daypack"]["retrieval"]["hits"] <= total["oracle"]["retrieval"]["hits"] < total["cases"]
    assert any(not row["stored"] for row in found["misses"])
    assert "not stored" in checked(
        (tmp_path / "benchmark" / "report_unstructured_3.html").read_text(encoding="utf-8")
    )


def test_one_suite_from_files_is_judged_in_a_store_that_stays(tmp_path: Path) -> None:
    """Counted by hand: the first case finds its key and its term, the second asks another user's record."""
    rows = [
        {
            "source_key": "weir:0001",
            "text": "The weir at Osk was raised by 41 cm.",
            "kind": "research_finding",
            "scope": "user",
            "user_id": "u_01",
        },
        {
            "source_key": "weir:0002",
            "text": "The lock at Dorn is shut.",
            "scope": "user",
            "user_id": "u_02",
            "structured_data": {"shut_since": "May"},
        },
        {"source_key": "weir:0003", "text": "", "kind": "research_finding"},
    ]
    cases = [
        {"name": "raised", "query_text": "weir at Osk", "expected_source_keys": ["weir:0001"], "expected_terms": ["41 cm"], "user_id": "u_01"},
        {"name": "other", "query_text": "lock at Dorn", "expected_source_keys": ["weir:0002"], "expected_terms": ["Dorn"], "user_id": "u_01", "token_budget": 300},
    ]  # fmt: skip
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "cases.json").write_text(json.dumps({"cases": cases}))
    command = (
        "source", "benchmark-jsonl", "set.jsonl", "cases.json", "--store", "store", "--out", "out", "--name", "weirs", "--budget",
        "2000", "--embedding-backend", "local_hashing",
    )  # fmt: skip
    result = json.loads(daypack(*command, cwd=tmp_path).stdout)
    assert (result["suite_name"], result["imported_records"], result["total_cases"]) == ("weirs", 2, 2)
    assert [row["source_key"] for row in result["skipped_records"]] == ["weir:0003"]
    assert (result["retrieval_hits"], result["assembly_hits"], result["retrieval_hit_rate"]) == (1, 1, 0.5)
    assert [case["retrieved_source_keys"] for case in result["cases"]] == [["weir:0001"], []]
    assert json.loads((tmp_path / "out" / "benchmark-result.json").read_text()) == result
    checked((tmp_path / "out" / "benchmark-report.html").read_text(encoding="utf-8"))
    assert json.loads(daypack(*command, cwd=tmp_path).stdout)["imported_records"] == 2
    listed = json.loads(
        daypack(
            "source", "list", "--owner", "u_01", "--status", "all", "--store", "store", cwd=tmp_path
        ).stdout
    )
    assert [record["source_version"] for record in listed["items"]] == [1]


@pytest.mark.parametrize(
    ("dataset", "cases", "message"),
    [
        ("", '{"cases": []}', "holds no record"),
        ("[1]\n", "{}", "line 1"),
        ('{"source_key": "a", "text": "b"}\n', '{"cases": [{"name": "a"}]}', "case 1"),
        ('{"text": "b"}\n', "{}", "source_key"),
    ],
)
def test_files_that_are_no_set_or_no_cases_end_in_words(
    tmp_path: Path, dataset: str, cases: str, message: str
) -> None:
    (tmp_path / "set.jsonl").write_text(dataset)
    (tmp_path / "cases.json").write_text(cases)
    done = daypack(
        "source",
        "benchmark-jsonl",
        "set.jsonl",
        "cases.json",
        "--store",
        "store",
        "--out",
        "out",
        cwd=tmp_path,
        status=2,
    )
    assert message in done.stderr
    assert not (tmp_path / "store").exists()


def test_a_file_that_is_no_summary_ends_in_words(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"daypack_eval_run": 1}')
    assert "is no summary" in daypack("eval", "bench", "report", "run.json", cwd=tmp_path, status=2).stderr
    assert "cannot be read" in daypack("eval", "bench", "report", "none.json", cwd=tmp_path, status=2).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("eval", "bench", "generate"),
        ("eval", "bench", "run"),
        ("eval", "bench", "report", "run.json"),
        ("source", "benchmark-jsonl", "set.jsonl", "cases.json", "--store", "store", "--out", "out"),
    ],
)
def test_where_only_the_package_is_installed_the_commands_say_what_to_install(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        without = "import sys; sys.modules['evals'] = None; from daypack.__main__ import main; main()"
        command = [sys.executable, "-c", without, *words]
        return subprocess.run(
            command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
        )

    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the benchmark of sources, which is not installed; run `pip install ./evals`" in done.stderr
    assert "Traceback" not in done.stderr
    assert [*tmp_path.iterdir()] == []
    assert "Usage: " in run(*words, "--help").stdout
