"""The cost of a question does not grow with the number of stored records, by the plans of its statements: each finds its rows by an
index.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from daypack import Daypack
from daypack.doors.files.roots import bounds_of
from daypack.engine.answers import MOST_LOGS, READ_TOGETHER, few_records
from daypack.engine.retrieval.scope import Scope
from daypack.errors import NotFound
from daypack.index.postings.lexical import postings
from daypack.rank.texts import introductions
from support import WORDS, project

FILES = {
    "README.md": "# Kettle\n\nKettle boils water for tea.\n\n## Install\n\nRun the installer of the kettle.\n",
    "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- The lid closes.\n\n## 2.0.0\n\n- The spout pours.\n",
    "docs/getting-started/first.md": "# First\n\nFill the kettle with water.\n",
    "docs/plan/kettle-architecture.rst": "Architecture\n============\n\nA kettle has a lid and a spout.\n",
    "changes/7.bugfix.md": "The lid of the kettle no longer falls.\n",
    "kettle.d/HISTORY": "Kettle 1.9\n\nThe handle of the kettle is longer.\n",
    "src/kettle.py": "def boil(water):\n    return water.hot\n",
    "kettle.gemspec": 'Gem::Specification.new do |it|\n  it.name = "kettle"\nend\n',
    "src/Kettle.csproj": "<Project>\n  <PropertyGroup />\n</Project>\n",
    "LICENSE": "Permission to boil is granted to all.\n",
    "src/main.py": "def main():\n    boil()\n",
    "src/gemspec.py": "def lid(kettle):\n    return kettle.lid\n",
}


def get_of_a_folder(daypack: Daypack) -> None:
    with pytest.raises(NotFound, match=r"docs/getting-started/first\.md"):
        daypack.get("docs/getting-started")


def test_names_that_are_alike_are_looked_for_once(tmp_path: Path) -> None:
    project(tmp_path, FILES)
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        db: Any = daypack.engine.store.db
        asked: list[str] = []

        def note(_cursor: object, statement: str, _values: object) -> bool:
            asked.append(statement)
            return True

        db.exec_trace = note
        with pytest.raises(NotFound, match=r"did you mean README\.md\?"):
            daypack.get("READNE.md")
        db.exec_trace = None
    assert sum("instr(lower(uri)" in statement for statement in asked) == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda daypack: daypack.search("how does the kettle boil?"),
        lambda daypack: daypack.search("what is this project about?"),
        lambda daypack: daypack.search("how do I install it?"),
        lambda daypack: daypack.search("what changed in the last release?"),
        lambda daypack: daypack.search("what will the next release bring?"),
        lambda daypack: daypack.search("which license is it under?"),
        lambda daypack: daypack.search("where is the entry point?"),
        lambda daypack: daypack.search("which version is this?"),
        lambda daypack: daypack.search("lid of the kettle", source="docs/**"),
        lambda daypack: daypack.pack("what does docs/plan/kettle-architecture.rst say?", budget=300),
        get_of_a_folder,
        lambda daypack: daypack.records.add([{"id": "lid", "text": "The lid of the kettle is open."}]),
    ],
)
def test_a_question_reads_no_table_from_end_to_end(tmp_path: Path, ask: Callable[[Daypack], object]) -> None:
    project(tmp_path, FILES)
    with Daypack.open(tmp_path / ".daypack", settings=replace(WORDS, refresh=False)) as daypack:
        daypack.files.add(tmp_path)
        daypack.records.add([{"id": "lid", "text": "The lid of the kettle is shut."}])
        daypack.embed()
        db: Any = daypack.engine.store.db
        asked: dict[str, Any] = {}

        def note(_cursor: object, statement: str, values: Any) -> bool:
            asked.setdefault(statement, values)
            return True

        db.exec_trace = note
        ask(daypack)
        db.exec_trace = None
        scans = {
            (statement, step)
            for statement, values in asked.items()
            if statement.lstrip().startswith(("SELECT", "DELETE")) and not statement.endswith("LIMIT 1")
            for *_, step in db.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            if step.split()[:2]
            in (["SCAN", "record"], ["SCAN", "r"], ["SCAN", "chunk"], ["SCAN", "c"], ["SCAN", "vec"])
        }
    assert len(asked) > 3
    assert scans == set()


def test_pages_are_found_by_the_words_of_their_paths(tmp_path: Path) -> None:
    project(tmp_path, FILES)
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        daypack.memories.remember("docs/readme", "The readme of the kettle is short.")
        store = daypack.engine.store
        with store.reading() as db:
            snapshot = daypack.engine.snapshots.current(vectors=False)
            view = snapshot.view
            scope = Scope(db, snapshot, view.alive, partial(postings, db, view), store.bodies)
            introducing = {*scope.pages_called(introductions.WORDS).values()}
            changes = {*scope.pages_called(["change", "changelog", "history"]).values()}
            manifests = {*scope.manifests_ending().values()}
            nowhere = scope._replace(mask=np.zeros_like(view.alive))
            assert nowhere.pages_called(["change"], ["LID"]) == {}
            assert nowhere.manifests_ending() == {}
    assert introducing == {
        "README.md",
        "LICENSE",
        "docs/getting-started/first.md",
        "docs/plan/kettle-architecture.rst",
    }
    assert changes == {"CHANGELOG.md", "changes/7.bugfix.md", "kettle.d/HISTORY"}
    assert manifests == {"kettle.gemspec", "src/Kettle.csproj"}


def test_adding_one_file_again_looks_up_no_other_file(tmp_path: Path) -> None:
    beside = {"src/kettle/lid.py": "def close(lid):\n    return lid.shut\n", "src/kettle-lid.md": "A lid.\n"}
    project(tmp_path, FILES | beside)
    with Daypack.open(tmp_path / ".daypack", settings=replace(WORDS, refresh=False)) as daypack:
        daypack.files.add(tmp_path)
        store = daypack.engine.store
        assert {*store.stored("files", *bounds_of("src/kettle.py"))} == {"src/kettle.py"}
        assert {*store.stored("files", *bounds_of("src/kettle"))} == {
            "src/kettle-lid.md",
            "src/kettle.py",
            "src/kettle/lid.py",
        }
        assert {*store.stored("files", *bounds_of("."))} == {*store.stored("files")}
        looked: list[int] = []
        stored = store.stored

        def counted(*arguments: str) -> Any:
            found = stored(*arguments)
            looked.append(len(found))
            return found

        store.stored = counted  # type: ignore[method-assign]
        (tmp_path / "src/kettle.py").write_text("def boil(water):\n    return water.hotter\n")
        report = daypack.files.add(tmp_path / "src/kettle.py")
        assert (report.updated, looked) == (1, [1])


class Counted:
    """Records by position; counts those that are read."""

    def __init__(self, of: Callable[[Any], Any]) -> None:
        self.read = 0
        self._of = of

    def __getitem__(self, positions: Any) -> Any:
        self.read += len(positions)
        return self._of(positions)


def test_a_filter_that_passes_many_records_reads_a_few_to_know_it() -> None:
    positions = np.arange(100 * READ_TOGETHER)
    many: Any = Counted(lambda positions: positions // 2)
    assert few_records(many, positions) == []
    assert many.read == READ_TOGETHER
    few: Any = Counted(lambda positions: positions // (10 * READ_TOGETHER))
    assert few_records(few, positions) == [*range(10)]
    assert few.read == len(positions)
    assert MOST_LOGS >= 10
