"""`python -m evals.bench` from sets to pages."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluate.pages_checked import checked
from support import environment

ROOT = Path(__file__).resolve().parents[2]
FEW = ("--series", "1", "--runs-per-series", "4")
# Records get vectors when they are written, whatever the questions use: hashing makes them in no time.
RUN = ("run", *FEW, "--vectors", "none", "--embedder", "hashing")


def bench(*arguments: str, cwd: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    offline = environment(PYTHONPATH=f"{ROOT / 'tests' / 'offline'}:{ROOT / 'src'}:{ROOT}")
    command = [sys.executable, "-m", "evals.bench", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=offline)
    assert done.returncode == status, done.stderr
    return done


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
    first = bench("generate", "--out", "one", *two, cwd=tmp_path).stdout
    assert "one/datasets/base_structured.jsonl: 205 records" in first
    assert "one/datasets/adversarial.jsonl: 1,450 records" in first
    bench("generate", "--out", "two", *two, cwd=tmp_path)
    found = digests(tmp_path / "one")
    assert found == digests(tmp_path / "two")
    assert len(found) == 2 * (3 + 4)
    bench("generate", "--out", "two", "--corpus", "base", "--seed", "7", *FEW, cwd=tmp_path)
    assert digests(tmp_path / "two")["datasets/base.jsonl"] != found["datasets/base.jsonl"]


@pytest.mark.slow
def test_a_run_asks_every_variant_and_writes_summaries_and_pages(tmp_path: Path) -> None:
    done = bench(*RUN, cwd=tmp_path)
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
    bench(*RUN, "--variant", "unstructured", "--out", "again", cwd=tmp_path)
    assert summary(tmp_path / "again" / "run_summary_unstructured.json")["digest"] == first["digest"]
    page = bench(
        "report", "benchmark/run_summary_structured.json", "again/run_summary_unstructured.json", cwd=tmp_path
    ).stdout
    assert "base_structured" in checked(page)


@pytest.mark.slow
def test_a_capacity_says_what_it_pruned_and_what_that_costs(tmp_path: Path) -> None:
    done = bench(*RUN, "--variant", "unstructured", "--max-records", "3", cwd=tmp_path)
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


def test_a_file_that_is_no_summary_ends_in_words(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"daypack_eval_run": 1}')
    assert "is no summary" in bench("report", "run.json", cwd=tmp_path, status=2).stderr
    assert "cannot be read" in bench("report", "none.json", cwd=tmp_path, status=2).stderr
