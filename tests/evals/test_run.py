"""The harness from end to end: a folder in, one line and one file out."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tiny_sets import write, write_trees

from daypack import Daypack
from daypack.errors import ConfigError
from evals.__main__ import main
from evals.quality.results import read_lines
from evals.quality.systems import systems
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


def run(folder: Path, options: str, *more: str) -> None:
    main(["run", str(folder), *options.split(), *more])


def answered(folder: Path, system: str, out: Path) -> list[dict[str, Any]]:
    """The lines of a system on a set, with vectors of words and packs of 100 tokens."""
    run(folder, f"--system {system} --embedder hashing --vectors all --budgets 100", "--out", str(out))
    return read_lines(out)


def evals(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "evals", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env=environment(PYTHONPATH=f"{ROOT / 'tests' / 'offline'}:{ROOT / 'src'}"),
    )
    assert done.stderr == ""
    return done.stdout


def test_a_run_prints_its_measures_and_writes_a_line_for_every_query(tmp_path: Path) -> None:
    folder = write(tmp_path / "teatime", DOCUMENTS, QUERIES, packed=True)
    out = tmp_path / "results.jsonl"
    printed = evals(
        "run",
        str(folder),
        "--system",
        "daypack",
        "--vectors",
        "none",
        "--budgets",
        "60,200",
        "--out",
        str(out),
    )
    assert printed.startswith("teatime ")
    assert "daypack-none" in printed
    assert "3 of 4 queries" in printed
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
    rows = [line.split()[1] for line in printed.splitlines() if line.startswith("teatime")]
    assert rows == ["bm25", "daypack-none"]
    assert "frame tokens an item" in printed.splitlines()[-1]
    assert "content share" in printed.splitlines()[-1]


def test_only_documents_of_the_scope_are_found(tmp_path: Path) -> None:
    documents = [
        {"id": f"{scope}-milk", "text": "Milk is kept in the cold room.", "scope": scope}
        for scope in ("a", "b")
    ]
    folder = write(
        tmp_path / "scoped",
        documents,
        [{"id": "q", "text": "where is milk kept?", "scope": "b", "evidence": ["b-milk"]}],
    )
    for system in installed():
        [line] = answered(folder, system, tmp_path / f"{system}.jsonl")
        assert (
            {item["doc_id"] for item in line["ranked"]}
            == {item["doc_id"] for item in line["packs"]["100"]}
            == {"b-milk"}
        ), system


def test_a_measure_of_a_run_is_the_mean_over_the_queries_that_have_an_answer(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", DOCUMENTS, QUERIES)
    run(folder, "--system daypack --vectors none --budgets 200", "--results", str(tmp_path / "out"))
    found = json.loads((tmp_path / "out" / "d" / "daypack-none.json").read_text())
    assert (found["queries"], found["scored"]) == (4, 3)
    assert {
        name: found["measures"][name]["mean"] for name in ("nDCG@10", "R@10", "R@100", "RR", "ER@200")
    } == dict.fromkeys(("nDCG@10", "R@10", "R@100", "RR", "ER@200"), 0.6667)
    assert found["measures"]["Over@200"]["mean"] == 0
    assert found["measures"]["Cites@200"]["mean"] == 1
    assert 0 < found["measures"]["Fill@200"]["mean"] <= 1
    assert 0 < found["measures"]["Content@200"]["mean"] < 1
    assert 0 < found["measures"]["Frame@200"]["mean"] < 30


def test_a_set_in_which_nothing_has_an_answer_has_no_means(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ended in a division by zero."""
    folder = write(tmp_path / "d", DOCUMENTS, [QUERIES[-1]])
    run(folder, "--system bm25", "--results", str(tmp_path / "out"))
    assert "no query has an answer  0 of 1 queries" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "d" / "bm25.json").read_text())["measures"] == {}


def test_what_a_run_was_made_with_names_no_place(tmp_path: Path) -> None:
    run(write(tmp_path / "d", DOCUMENTS, QUERIES), "--system bm25", "--results", str(tmp_path / "out"))
    kept = (tmp_path / "out" / "d" / "bm25.json").read_text()
    assert json.loads(kept)["made_with"].keys() == {"commit", "python", "packages", "machine"}
    assert json.loads(kept)["made_with"]["machine"].keys() == {"system", "architecture", "cpus"}
    assert str(tmp_path) not in kept
    assert str(ROOT) not in kept


def test_a_signal_can_be_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = [
        {"id": f"{who}-{n}", "text": "Milk is kept in the cold room.", "speaker": who}
        for n, who in enumerate(["Ann", "Bob"])
    ]
    folder = write(
        tmp_path / "d", notes, [{"id": "q", "text": "where does Bob keep the milk?", "evidence": ["Bob-1"]}]
    )
    arguments = ["run", str(folder), "--system", "daypack", "--vectors", "none", "--budgets", ""]
    main(arguments)
    main([*arguments, "--without", "author", "--without", "coherence"])
    whole, less = capsys.readouterr().out.splitlines()
    assert "daypack-none " in whole
    assert "daypack-none-no-author-no-coherence " in less
    with pytest.raises(ConfigError, match="no signal 'luck'"):
        main([*arguments, "--without", "luck"])


def installed() -> list[str]:
    """Systems that run here."""
    return [name for name in systems() if name != "bm25s" or find_spec("bm25s")]


# ---------------------------------------------------------------- trees


def test_files_of_trees_are_found_by_every_system(tmp_path: Path) -> None:
    folder = write_trees(tmp_path)
    for system in installed():
        lines = {line["id"]: line for line in answered(folder, system, tmp_path / f"{system}.jsonl")}
        assert list(lines) == ["q1", "q2", "q3"]
        assert lines["q1"]["ranked"][0]["doc_id"] == "src/boil.py", system
        assert lines["q3"]["ranked"][0]["doc_id"] == "src/pour.py", system
        best = lines["q1"]["packs"]["100"][0]
        assert 1 <= best["start_line"] <= 3 <= best["end_line"] <= 6, system
        assert best.keys() == {"doc_id", "start_line", "end_line", "score"}


def test_one_store_serves_the_trees_of_a_repository(tmp_path: Path) -> None:
    """Each answer is that of its own tree, and what the trees share has its vectors already."""
    folder, stores = write_trees(tmp_path), tmp_path / "stores"
    options = "--system daypack --embedder hashing --vectors all --budgets 300"
    answers = []
    for _ in range(2):  # the second time the store holds the last tree, and goes back to the first
        run(folder, options, "--stores", str(stores), "--out", str(tmp_path / "out.jsonl"))
        answers.append(
            [
                {name: line[name] for name in ("ranked", "packs", "cites")}
                for line in read_lines(tmp_path / "out.jsonl")
            ]
        )
    assert answers[0] == answers[1]
    assert [path.name for path in stores.iterdir()] == ["tea__kettle"]
    with Daypack.open(stores / "tea__kettle", root=tmp_path) as dp:
        assert dp.get("src/boil.py").text.endswith("water.heat(96)\n")


# ---------------------------------------------------------------- two runs


def test_results_of_another_system_are_scored_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "d", DOCUMENTS, QUERIES)
    right, wrong = tmp_path / "right.jsonl", tmp_path / "wrong.jsonl"
    right.write_text(
        "".join(
            json.dumps({"id": q["id"], "ranked": q["evidence"], "packs": {"99": q["evidence"]}}) + "\n"
            for q in QUERIES
        )
    )
    wrong.write_text(json.dumps({"id": "q1", "ranked": ["cups"], "packs": {"99": []}}) + "\n")
    for path in (right, wrong):
        main(["score", str(folder), str(path), "--out", str(path.with_suffix(".measured"))])
    first, second = capsys.readouterr().out.splitlines()
    assert "RR 1.000" in first
    assert "ER@99 1.000" in first
    assert "RR 0.000" in second
    assert "3 of 4 queries" in second  # what was not answered counts zero
    main(["compare", str(right.with_suffix(".measured")), str(wrong.with_suffix(".measured"))])
    assert "RR           1.000 0.000  +1.000 [+1.000, +1.000]  p 0.000" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"right\.jsonl holds no measures; `python -m evals score FOLDER"):
        main(["compare", str(right), str(wrong)])


def test_what_choosing_among_settings_is_worth_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, values in {"default": [0.5] * 6, "other": [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]}.items():
        lines = [json.dumps({"id": f"q{n}", "measures": {"RR": value}}) for n, value in enumerate(values)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    paths = [str(tmp_path / "default.jsonl"), str(tmp_path / "other.jsonl")]
    main(["cross-validate", *paths, "--measure", "RR", "--folds", "3"])
    out = capsys.readouterr().out.splitlines()
    assert out[1].split()[0] == "other"
    assert out[1].endswith("chosen in 3 of 3 folds")
    assert out[2].split()[:3] == ["held", "out", "0.833"]
    assert out[3].split()[4] == "+0.333"
    with pytest.raises(SystemExit, match=r"default\.jsonl holds no nDCG@10"):
        main(["cross-validate", *paths])


@pytest.mark.slow
@pytest.mark.skipif(
    not HOTPOT.exists(), reason=f"the data set {HOTPOT} is not here; it is not part of the repository"
)
def test_questions_of_two_hops_are_answered_as_well_as_they_were(tmp_path: Path) -> None:
    """A smoke alarm: .762 when it was measured, by words alone."""
    run(HOTPOT, "--system daypack --vectors none", "--budgets", "", "--results", str(tmp_path))
    found = json.loads((tmp_path / "hotpot-100" / "daypack-none.json").read_text())
    assert found["measures"]["nDCG@10"]["mean"] >= 0.72
