"""Paths in a repository of several packages, whose files have the same names in each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from code_support import opened

from daypack import Daypack

LOAD = "export function load(name: string) {\n  return parse(name);\n}\n"
INDEX = "import { load } from './load';\n\nexport function start() {\n  return load('x');\n}\n"
FILES = {
    f"packages/{name}/src/{file}": text
    for name in ("api", "billing-service")
    for file, text in (("index.ts", INDEX), ("load.ts", LOAD))
}
TRACE = "Error: x\n ❯ src/load.ts:2:3\n ❯ src/index.ts:4:10\n"


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[Daypack]:
    with opened(tmp_path, FILES) as dp:
        yield dp


def _frames(dp: Daypack, trace: str) -> set[str]:
    """The files of the candidates that the trace names by a frame."""
    pack = dp.pack(trace, budget=2000, vectors="none", task="trace")
    return {
        one.chunk.uri for one in pack.candidates if any(part.signal == "frame" for part in one.contributions)
    }


def test_a_path_that_two_packages_have_is_credited_to_neither(packages: Daypack) -> None:
    assert _frames(packages, TRACE) == set()


def test_a_path_from_outside_the_project_is_that_of_the_file_whose_path_it_ends_with(tmp_path: Path) -> None:
    with opened(tmp_path, {**FILES, "load.ts": LOAD}) as dp:
        trace = "Error: x\n ❯ /home/me/packages/api/src/load.ts:2:3\n"
        assert _frames(dp, trace) == {"packages/api/src/load.ts"}
