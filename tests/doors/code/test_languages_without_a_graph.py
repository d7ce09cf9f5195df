"""Languages whose relations are not read: their definitions are listed all the same, and a question for relations says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, daypack, project

FILES = {
    "main.tf": 'variable "region" {\n  default = "eu"\n}\n\nresource "aws_s3_bucket" "ferry_logs" {\n  bucket = "ferry-logs"\n}\n',
    "Makefile": "build: deps\n\tgo build ./...\n\ndeps:\n\tgo mod download\n",
    "ferry.proto": 'syntax = "proto3";\n\nmessage Trip {\n  int32 seats = 2;\n}\n',
    "tools.ps1": "function Get-FerryTime {\n    return 6\n}\n",
    "style.css": ".ferry { color: red }\n",
    "trip.py": "class Trip:\n    def seats(self):\n        return 2\n",
}


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    found = project(tmp_path / "harbour", FILES)
    daypack("add", ".", cwd=found)
    return found


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("ferry_logs", 'main.tf:5-7  resource "aws_s3_bucket" "ferry_logs"'),
        ("aws_s3_bucket.ferry_logs", 'main.tf:5-7  resource "aws_s3_bucket" "ferry_logs"'),
        ("build", "Makefile:1-2  build: deps"),
        ("get-ferry", "tools.ps1:1-3  function Get-FerryTime"),
        ("trip", "ferry.proto:3-5  message Trip\ntrip.py:1-3  class Trip"),
    ],
)
def test_definitions_of_every_language_are_listed(harbour: Path, name: str, listed: str) -> None:
    assert daypack("code", "symbols", name, cwd=harbour).stdout == f"{listed}\n"


def test_a_path_and_a_kind_narrow_them_too(harbour: Path) -> None:
    assert daypack("code", "symbols", "--path", "Makefile", cwd=harbour).stdout.count("\n") == 2
    assert daypack("code", "symbols", "seats", "--kind", "class", cwd=harbour, status=1).stdout == ""
    found = json.loads(daypack("code", "symbols", "Trip", "--json", cwd=harbour).stdout)["data"]["symbols"]
    assert {row["file"] for row in found} == {"ferry.proto", "trip.py"}


@pytest.mark.parametrize(
    ("reference", "place"),
    [("main.tf", "main.tf"), ("main.tf:6", "main.tf:6"), ("ferry_logs", "main.tf:5-7")],
)
def test_a_question_for_relations_that_are_not_read_says_so(
    harbour: Path, reference: str, place: str
) -> None:
    """It said that no symbol has this name."""
    for verb in ("callers", "related", "tests-for"):
        said = daypack("code", verb, reference, cwd=harbour, status=1).stderr
        assert f"no relations of {reference!r} are known: calls and uses in its language are not read" in said
        assert f"`daypack get {place}` shows the text" in said


def test_a_long_definition_is_one_row(tmp_path: Path) -> None:
    lines = "".join(f"    Write-Output 'line {n} of a long function of many words'\n" for n in range(400))
    (tmp_path / "long.ps1").write_text(f"function Get-Long {{\n{lines}}}\n")
    with Daypack.open(tmp_path / ".daypack", settings=WORDS, root=tmp_path) as dp:
        dp.files.add(tmp_path)
        (row,) = dp.code.symbols("long")
    assert (row.line, row.end_line) == (1, 402)
