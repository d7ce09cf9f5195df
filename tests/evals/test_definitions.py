"""Definitions that come first, as `python -m evals definitions` counts it."""

from __future__ import annotations

from pathlib import Path

from evals.quality.code.definitions import first_definitions, report
from support import project

FILES = {
    "src/harbour.py": "def open_gate(tide):\n    return tide\n\n\ndef double(x):\n    return x\n",
    "src/dock.py": "import enum\n\n\nclass Berth(enum.Enum):\n    NORTH_WALL = 1\n\n\ndef double(x):\n    return x + x\n",
    "tests/test_dock.py": "def check_the_dock():\n    pass\n",
}


def test_names_are_those_that_one_definition_alone_has_outside_of_tests(tmp_path: Path) -> None:
    found = first_definitions(project(tmp_path / "port", FILES), names=10)
    assert (found.asked, found.missed) == (3, ())  # open_gate, Berth, NORTH_WALL
    assert report([found]) == "port: 3 of 3 definitions come first"
