"""A folder that a checkout replaces, in roots of which one lies in the other."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.files import table as walks
from daypack.types import IngestIssue, SkipReason
from support import WORDS, project

TIDES = {"r/a.md": "The alpha.\n", "r/dd/x.md": "The delta.\n", "r/dd/deep/y.md": "The omega.\n"}


def by_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("now a file\n")


def by_nothing(folder: Path) -> None:
    shutil.rmtree(folder)


def by_a_link_to_itself(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(folder.name)


def by_a_link_to_its_new_place(folder: Path) -> None:
    folder.rename(folder.parent / "moved")
    folder.symlink_to("moved")


def by_a_link_that_leaves_the_project(folder: Path) -> None:
    outside = folder.parents[2] / "outside"
    folder.rename(outside)
    (outside / "x.md").write_text("The delta, elsewhere.\n")
    folder.symlink_to(outside)


@pytest.mark.parametrize(
    "replaced",
    [
        by_a_file,
        by_nothing,
        by_a_link_to_itself,
        by_a_link_to_its_new_place,
        by_a_link_that_leaves_the_project,
    ],
)
@pytest.mark.parametrize("roots", [(".", "r"), ("r/dd", "r"), ("r", "r/dd"), (".",)])
def test_the_files_of_a_folder_that_something_else_replaces_are_gone_at_the_next_look(
    tmp_path: Path, roots: tuple[str, ...], replaced: Callable[[Path], None]
) -> None:
    folder = project(tmp_path / "p", TIDES)
    with Daypack.open(folder / ".daypack", root=folder, settings=WORDS) as dp:
        dp.files.add(*(folder / root for root in roots))
        replaced(folder / "r/dd")
        dp.files.refresh(dp.files.check())
        stored = {uid for uid in dp.engine.store.stored("files") if uid.startswith("r/")}
        expected = {os.path.relpath(path, folder) for path in (folder / "r").rglob("*") if path.is_file()}
        assert stored == {uid for uid in expected if not uid.startswith("r/dd/")}
        assert all(found.fresh for found in dp.files.check().values())
        assert not [issue for issue in dp.files.skipped() if "no such file" in issue.detail]


def test_each_of_two_roots_keeps_the_reason_for_which_it_skipped_a_file(tmp_path: Path) -> None:
    folder = project(tmp_path / "p", {"r/a.md": "The alpha.\n"})
    (folder / "r/long.md").write_text("The tide turns at noon.\n" * 100)
    with Daypack.open(folder / ".daypack", root=folder, settings=WORDS) as dp:
        dp.files.add(folder, folder / "r")
        with dp.engine.store.writing() as db:
            for root in (".", "r"):
                issue = IngestIssue("r/long.md", SkipReason.UNREADABLE, f"seen from {root}")
                walks.note_walk(db, root, walks.folders(dp.engine.store, root), [issue], {})
        assert [issue.detail for issue in walks.skipped_of(dp.engine.store, ".")] == ["seen from ."]
        assert [issue.detail for issue in walks.skipped_of(dp.engine.store, "r")] == ["seen from r"]
        assert [issue.detail for issue in dp.files.skipped()] == ["seen from r"]
