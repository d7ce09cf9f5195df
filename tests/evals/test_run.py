"""The harness from end to end: a folder in, one line and one file out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from evals.__main__ import run
from evals.datasets import load
from tiny_sets import write

from support import environment

ROOT = Path(__file__).resolve().parents[2]
HOTPOT = ROOT.parent / "shared" / "evals" / "hotpot-100"

DOCUMENTS = [
    {"id": "kettle", "title": "Kettles", "text": "A kettle boils water in three minutes."},
    {"id": "milk", "title": "Milk", "text": "Milk is kept in the cold room."},
    {"id": "tea", "title": "Tea", "text": "Tea is poured when the water has boiled."},
    {"id": "cups", "title": "Cups", "text": "There are twelve cups of porcelain."},
]
QUERIES = [
    {"id": "q1", "text": "where is milk kept?", "evidence": ["milk"]},
    {"id": "q2", "text": "how many porcelain cups?", "evidence": ["cups"]},
    {"id": "q3", "text": "xylophone", "evidence": ["tea"]},  # nothing can be found: counts zero
    {"id": "q4", "text": "what is the price of gold?", "evidence": []},  # no answer: in no mean
]


def evals(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "evals", *arguments], cwd=ROOT, capture_output=True, text=True, check=True, env=environment(PYTHONPATH=str(ROOT / "tests" / "offline"))
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def test_a_run_prints_its_measures_and_writes_a_line_for_every_query(tmp_path: Path) -> None:
    folder = write(tmp_path / "teatime", DOCUMENTS, QUERIES, packed=True)
    out = tmp_path / "results.jsonl"
    printed = evals("run", str(folder), "--system", "daypack", "--vectors", "none", "--budgets", "60,200", "--out", str(out))
    assert printed.startswith("teatime ")
    assert "daypack --vectors none" in printed
    assert "3 queries" in printed
    assert "RR 0.667" in printed  # (1 + 1 + 0) / 3
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["id"] for line in lines] == ["q1", "q2", "q3", "q4"]
    assert lines[0]["ranked"][0]["doc_id"] == "milk"
    assert lines[1]["ranked"][0]["doc_id"] == "cups"
    assert lines[2]["ranked"] == []
    best = lines[0]["ranked"][0]
    assert best.keys() == {"doc_id", "start", "end", "score"}
    assert DOCUMENTS[1]["text"][best["start"] : best["end"]]
    assert lines[0]["packs"].keys() == {"60", "200"}
    assert lines[0]["packs"]["200"][0]["doc_id"] == "milk"


def test_both_systems_answer_by_default(tmp_path: Path) -> None:
    printed = evals("run", str(write(tmp_path / "teatime", DOCUMENTS, QUERIES)), "--vectors", "none")
    assert [line.split()[1] for line in printed.splitlines()] == ["bm25", "daypack"]


def test_only_documents_of_the_scope_are_found(tmp_path: Path) -> None:
    documents = [{"id": f"{scope}-milk", "text": "Milk is kept in the cold room.", "scope": scope} for scope in ("a", "b")]
    folder = write(tmp_path / "scoped", documents, [{"id": "q", "text": "where is milk kept?", "scope": "b", "evidence": ["b-milk"]}])
    for system in ("daypack", "bm25"):
        out = tmp_path / f"{system}.jsonl"
        options = {"vectors": "none", "packing": "auto", "embedder": "hashing"}
        means = run(load(folder), system, options, [], out, tmp_path / system)
        assert [item["doc_id"] for item in json.loads(out.read_text())["ranked"]] == ["b-milk"]
        assert means["RR"] == means["nDCG@10"] == 1


def test_a_measure_of_a_run_is_the_mean_over_the_queries_that_have_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {"vectors": "none", "packing": "auto", "embedder": "hashing"}
    means = run(load(write(tmp_path / "d", DOCUMENTS, QUERIES)), "daypack", options, [], None, tmp_path / "s")
    assert means == {name: pytest.approx(2 / 3) for name in ("nDCG@10", "R@10", "R@100", "RR")}
    assert capsys.readouterr().out.startswith("d ")


@pytest.mark.slow
@pytest.mark.skipif(not HOTPOT.exists(), reason=f"the data set {HOTPOT} is not here; it is not part of the repository")
def test_questions_of_two_hops_are_answered_as_well_as_they_were(tmp_path: Path) -> None:
    """A smoke alarm: .762 when it was measured, by words alone."""
    options = {"vectors": "none", "packing": "auto", "embedder": "hashing"}
    means = run(load(HOTPOT), "daypack", options, [], None, tmp_path / "s")
    assert means["nDCG@10"] >= 0.72
