"""Paths in a repository of several packages, whose files have the same names in each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from code_support import opened

from daypack import Daypack
from support import daypack, project

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


def _asked(dp: Daypack, folder: str) -> Daypack:
    """The same store for a caller who names paths from a folder below the root."""
    dp.engine.here = folder
    return dp


def test_a_path_is_that_of_the_package_in_which_it_was_asked(packages: Daypack) -> None:
    for name in ("api", "billing-service"):
        files = _frames(_asked(packages, f"packages/{name}"), TRACE)
        assert files == {f"packages/{name}/src/load.ts", f"packages/{name}/src/index.ts"}


def _touched(dp: Daypack, diff: str) -> set[str]:
    """The files that a diff is located in."""
    pack = dp.pack(diff, budget=2000, vectors="none", task="impact")
    return {
        one.chunk.uri for one in pack.candidates if any(part.signal == "own" for part in one.contributions)
    }


def _diff(path: str, old: str) -> str:
    return f"--- a/{path}\n+++ b/{path}\n@@ -1,3 +1,3 @@\n export function load(name: string) {{\n-{old}\n+  return read(name);\n }}\n"


def test_a_diff_relative_to_the_package_is_located_there(packages: Daypack) -> None:
    diff = _diff("src/load.ts", "  return parse(name);")
    assert _touched(_asked(packages, "packages/api"), diff) == {"packages/api/src/load.ts"}


def test_a_diff_from_the_top_of_the_tree_is_located_by_its_lines(tmp_path: Path) -> None:
    """`git diff` in a folder writes paths from the top, with --relative from the folder."""
    files = {**FILES, "src/load.ts": LOAD.replace("parse", "scanned")}
    with opened(tmp_path, files) as dp:
        _asked(dp, "packages/api")
        assert _touched(dp, _diff("src/load.ts", "  return scanned(name);")) == {"src/load.ts"}
        assert _touched(dp, _diff("src/load.ts", "  return parse(name);")) == {"packages/api/src/load.ts"}


def test_commands_take_paths_from_the_folder_in_which_they_run(tmp_path: Path) -> None:
    """As `get` and `status` do; a path from the root still means the same."""
    files = {
        **FILES,
        "packages/api/pages/load.md": "# How load works\n",
        "docs/load.md": "# How load works\n",
    }
    folder = project(tmp_path, files)
    daypack("add", ".", cwd=folder)
    here = folder / "packages/billing-service"

    def said(*words: str) -> str:
        return daypack(*words, cwd=here).stdout

    callers = said("code", "callers", "src/load.ts:load")
    assert "packages/billing-service/src/index.ts" in callers
    assert callers == said("code", "callers", "packages/billing-service/src/load.ts:1")
    assert "packages/api" in said("code", "callers", "../api/src/load.ts")
    assert "packages/api" in said("code", "callers", "packages/api/src/load.ts")
    assert "packages/api" not in said("code", "symbols", "load", "--path", "src")
    assert "packages/api" not in said("code", "pack", "load", "--path", ".")
    assert "[1 packages/billing-service/src/index.ts" in said("code", "uses", "src/load.ts:load")
    assert said("code", "map", "--focus", "src").index("billing-service") < said(
        "code", "map", "--focus", "src"
    ).index("packages/api")
    found = said("search", "load", "--path", "src/", "--vectors", "none")
    assert "billing-service" in found
    assert "packages/api" not in found
    assert "docs/load.md" in said("search", "load", "--path", "docs", "--vectors", "none")
    assert "docs/load.md" in said("search", "load", "--path", "*.md", "--vectors", "none")


TEST = "import {{ {name} }} from '../src/{file}';\n\ntest('it', () => {{\n  expect({name}('x')).toBe('x');\n}});\n"


def test_the_test_of_a_file_is_that_of_its_own_package(tmp_path: Path) -> None:
    files = dict(FILES)
    for package in ("api", "billing-service", "zone"):
        files[f"packages/{package}/src/index.ts"] = INDEX
        files[f"packages/{package}/test/index.test.ts"] = TEST.format(name="start", file="index")
        files[f"packages/{package}/test/load.test.ts"] = TEST.format(name="load", file="load")
    with opened(tmp_path, files) as dp:
        for package in ("api", "billing-service"):
            for file, line in (("index.ts", "  return load('x');"), ("load.ts", "  return parse(name);")):
                path = f"packages/{package}/src/{file}"
                diff = f"--- a/{path}\n+++ b/{path}\n@@ -2,1 +2,1 @@\n-{line}\n+  return '';\n"
                pack = dp.pack(diff, budget=2000, vectors="none", task="tests")
                paired = {
                    one.chunk.uri
                    for one in pack.candidates
                    if any(part.signal == "pair" for part in one.contributions)
                }
                assert paired == {f"packages/{package}/test/{file.replace('.ts', '.test.ts')}"}
