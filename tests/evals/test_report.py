"""The page: what was measured reaches the tables, and what stands in the README is what was measured."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tiny_sets import write

from evals.__main__ import main
from evals.quality.pages import markdown, results_markdown
from evals.quality.report import collected
from evals.quality.sets import SETS, Known
from evals.quality.tables import Report, ablation_table, interval_table, missed_table, pack_table, set_table

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs" / "evaluation" / "evaluation.json"

NOTES = [
    {"id": "milk", "title": "Milk", "text": "Milk is kept in the cold room.", "speaker": "Ann"},
    {"id": "tea", "title": "Tea", "text": "Tea is poured when the water has boiled.", "speaker": "Bob"},
    {"id": "cups", "title": "Cups", "text": "There are twelve cups of porcelain.", "speaker": "Ann"},
]
QUESTIONS = [
    {"id": "q1", "text": "where is milk kept?", "evidence": ["milk"], "category": "place"},
    {"id": "q2", "text": "how many porcelain cups?", "evidence": ["cups"], "category": "number"},
    {"id": "q3", "text": "xylophone", "evidence": ["tea"], "category": "number"},
    {"id": "q4", "text": "what is the price of gold?", "evidence": [], "category": "none"},
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems and one without a signal, run on a small set."""
    folder = tmp_path_factory.mktemp("report")
    teatime = write(folder / "teatime", NOTES, QUESTIONS)
    arguments = [
        "run",
        str(teatime),
        "--embedder",
        "hashing",
        "--vectors",
        "all",
        "--budgets",
        "40,1000",
        "--results",
        str(folder / "out"),
    ]
    main([*arguments, "--system", "daypack", "--system", "bm25"])
    main([*arguments, "--system", "daypack", "--without", "author"])
    # the reference is the packaged model, which is slower to load
    for path in (folder / "out" / "teatime").iterdir():
        renamed = path.with_name(path.name.replace("daypack-all-hashing", "daypack-all"))
        path.rename(renamed)
        if renamed.suffix == ".json":
            kept = json.loads(renamed.read_text())
            renamed.write_text(json.dumps({**kept, "system": renamed.stem}))
    return folder / "out"


def cell(table: Any, row: str, column: str) -> str:
    head, rows = table
    found: str = next(cells for cells in rows if cells[0] == row)[head.index(column)]
    return found


def test_a_table_has_a_row_for_each_system_and_what_was_aimed_at(results: Path) -> None:
    runs = collected(results)["runs"]
    table = set_table(runs, {"RR": 0.9})
    assert [row[0] for row in table[1]] == ["daypack-all", "bm25", "aimed at", "daypack-all − aim"]
    assert cell(table, "bm25", "RR") == "0.667"
    assert cell(table, "aimed at", "RR") == "0.90"
    assert cell(table, "daypack-all − aim", "RR") == "-0.233"
    assert cell(table, "aimed at", "ER@1000") == ""


def test_what_is_not_reached_is_said_with_what_was_tried(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = collected(results)
    assert missed_table(report) is None
    monkeypatch.setitem(
        SETS, "teatime", Known("Teatime", "", "", ("RR",), {"RR": 0.9, "R@10": 0.1}, "a warmer pot")
    )
    table = missed_table(report)
    assert table is not None
    [[title, measure, aim, reached, short, tried]] = table[1]
    assert (title, measure, aim, short, tried) == ("Teatime", "RR", "0.9", "0.2333", "a warmer pot")
    assert reached.startswith("0.6667 [")
    assert "## What is not reached" in markdown(report)


def test_differences_are_those_to_daypack(results: Path) -> None:
    table = interval_table(collected(results)["runs"], ["RR"])
    assert cell(table, "daypack-all", "RR − daypack-all") == ""
    assert cell(table, "bm25", "RR − daypack-all") == "+0.000 [+0.000, +0.000]"


def test_the_ablation_says_what_is_lost_without_a_signal(results: Path) -> None:
    table = ablation_table(collected(results))
    assert table is not None
    assert [row[0] for row in table[1]] == ["author"]
    assert set(table[1][0][1:]) == {"0"}  # no question here names an author


def test_nothing_was_left_out_is_no_table(results: Path) -> None:
    report = collected(results)
    report["runs"] = [run for run in report["runs"] if "-no-" not in run["system"]]
    assert ablation_table(report) is None


def test_packs_keep_their_promises(results: Path) -> None:
    [row] = pack_table(collected(results))[1]
    assert row[0] == "teatime"
    assert row[3:5] == ["0.0%", "100.0%"]
    assert row[5] == "6.0 / 6.0"  # tokens of a frame, by budget


def test_the_page_needs_nothing_else_and_is_drawn_anew_from_its_json(results: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed; requirements/evals.txt brings it")
    main(["report", str(results), "--out", str(tmp_path)])
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "evaluation.json",
        "index.md",
        "results.md",
        "index.html",
        "recall.svg",
        "categories.svg",
        "latency.svg",
    }
    page = (tmp_path / "index.html").read_text()
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"', re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL))
    assert page.count("<svg") == 3
    assert "teatime" in page
    assert str(results) not in page
    for name in ("recall", "categories", "latency"):
        ElementTree.fromstring((tmp_path / f"{name}.svg").read_text())
    before = {name: (tmp_path / name).read_text() for name in names}
    main(["report", "--out", str(tmp_path)])
    assert {name: (tmp_path / name).read_text() for name in names} == before


def test_a_plot_of_nothing_says_so(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed; requirements/evals.txt brings it")
    teatime = write(
        tmp_path / "teatime",
        NOTES,
        [{key: value for key, value in q.items() if key != "category"} for q in QUESTIONS],
    )
    main(["run", str(teatime), "--system", "bm25", "--budgets", "", "--results", str(tmp_path / "out")])
    main(["report", str(tmp_path / "out"), "--out", str(tmp_path / "page")])
    for name in ("recall", "categories"):
        assert "Nothing of this kind was measured." in (tmp_path / "page" / f"{name}.svg").read_text()


def test_a_report_of_nothing_says_what_to_do(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed; requirements/evals.txt brings it")
    with pytest.raises(SystemExit, match=r"`python -m evals report DIR` makes it"):
        main(["report", "--out", str(tmp_path)])


# ---------------------------------------------------------------- what is published


@pytest.mark.parametrize(("name", "written"), [("index.md", markdown), ("results.md", results_markdown)])
def test_the_markdown_says_what_was_measured(name: str, written: Callable[[Report], str]) -> None:
    assert (KEPT.parent / name).read_text(encoding="utf-8") == written(
        json.loads(KEPT.read_text(encoding="utf-8"))
    )
