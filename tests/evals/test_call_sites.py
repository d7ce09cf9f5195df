"""Labelled calls, as `python -m evals relations --calls` counts them."""

from __future__ import annotations

from pathlib import Path

from evals.quality.code.call_sites import measured, read_sites, report
from evals.quality.code.edges import FOLDER
from support import project

FILES = {
    "src/Port.java": "package a;\nclass Port {\n  void berth(Crane crane, Object other) {\n    crane.lift();\n    other.lift();\n    moor();\n  }\n  void moor() {}\n}\n",
    "src/Crane.java": "package a;\nclass Crane {\n  void lift() {}\n}\n",
}
LABELS = "language java\nrepository https://example.org/port\ncommit 1\n\nfile src/Port.java\n4 lift src/Crane.java\n5 lift -\n6 moor src/Crane.java\n"


def test_a_claim_is_right_wrong_or_missing(tmp_path: Path) -> None:
    (tmp_path / "labels.txt").write_text(LABELS)
    head, sites = read_sites(tmp_path / "labels.txt")
    assert (head["language"], len(sites)) == ("java", 3)
    found = measured("port", project(tmp_path / "port", FILES), sites)
    lines = [[site.line for site in sites] for sites in (found.wrong, found.missed)]
    assert (found.right, lines) == (1, [[6], [6]])
    assert "wrong  src/Port.java:6 moor → src/Crane.java" in report([found])


def test_every_file_of_labels_can_be_read_and_has_enough_edges() -> None:
    edges = {}
    for path in sorted((FOLDER / "calls").glob("*.txt")):
        head, sites = read_sites(path)
        assert {"language", "repository", "commit"} == head.keys()
        assert len({(site.file, site.line, site.name) for site in sites}) == len(sites)
        edges[head["language"]] = sum(bool(site.targets) for site in sites)
    assert edges.pop("c") + edges.pop("cpp") >= 60
    assert all(count >= 60 for count in edges.values())
