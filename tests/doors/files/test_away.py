"""An added folder or file that is away for a while is read again when it is back."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, daypack, environment

NOTE = "The ibex climbs the dam.\n"


def opened(folder: Path) -> Daypack:
    return Daypack.open(folder / ".daypack", settings=WORDS)


def stored(dp: Daypack) -> list[str]:
    """The files that a question finds, which looks at the disk first."""
    dp.files.refresh(dp.files.check())
    assert all(found.fresh for found in dp.files.check().values())
    return [file.uri for file in dp.files.listing()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("p/docs/s.md", "p/n.md", "ext/e.md", "p/.git/HEAD"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(NOTE)
    return tmp_path / "p"


@pytest.mark.parametrize("root", ["docs", "docs/s.md", "n.md", "../ext", "../ext/e.md"])
def test_a_root_that_was_away_is_read_when_it_is_back(folder: Path, root: str) -> None:
    place = folder / root
    with opened(folder) as dp:
        dp.files.add(place)
        before = stored(dp)
        assert before
        away = place.rename(folder / "away")
        assert stored(dp) == []
        assert stored(dp) == []
        away.rename(place)
        assert stored(dp) == before


def test_a_root_whose_parent_was_away_is_read_when_it_is_back(folder: Path) -> None:
    (folder / "docs" / "deep").mkdir()
    (folder / "docs" / "deep" / "t.md").write_text(NOTE)
    with opened(folder) as dp:
        dp.files.add(folder / "docs" / "deep")
        away = (folder / "docs").rename(folder / "away")
        assert stored(dp) == []
        away.rename(folder / "docs")
        assert stored(dp) == ["docs/deep/t.md"]


def test_a_file_that_was_away_is_read_when_a_folder_took_its_place(folder: Path) -> None:
    with opened(folder) as dp:
        dp.files.add(folder / "n.md")
        (folder / "n.md").unlink()
        assert stored(dp) == []
        (folder / "n.md").mkdir()
        (folder / "n.md" / "inner.md").write_text(NOTE)
        assert stored(dp) == ["n.md/inner.md"]


@pytest.mark.parametrize("replaced", [False, True], ids=["gone", "replaced"])
def test_a_process_whose_project_was_moved_removes_nothing(folder: Path, replaced: bool) -> None:
    with opened(folder) as dp:
        dp.files.add(folder)
        moved = folder.rename(folder.with_name("moved"))
        if replaced:
            folder.mkdir()
            (folder / "other.md").write_text("A walrus.\n")
        assert stored(dp) == ["docs/s.md", "n.md"]
        dp.files.refresh()
    with opened(moved) as dp:
        assert stored(dp) == ["docs/s.md", "n.md"]


@pytest.mark.parametrize("replaced", [False, True], ids=["gone", "replaced"])
@pytest.mark.parametrize("store", [".daypack", "docs/texts"])
def test_a_project_that_was_opened_through_a_link_keeps_its_texts_when_it_is_moved(
    folder: Path, store: str, replaced: bool
) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    with Daypack.open(link / store, root=link, settings=WORDS) as dp:
        dp.files.add(folder / "docs")
        moved = folder.rename(folder.with_name("moved"))
        if replaced:
            folder.mkdir()
            (folder / "other.md").write_text("A walrus.\n")
        assert stored(dp) == ["docs/s.md"]
        dp.files.refresh()
    with Daypack.open(moved / store, root=moved, settings=WORDS) as dp:
        assert stored(dp) == ["docs/s.md"]


def test_a_file_goes_with_the_next_look_when_only_the_link_to_its_project_is_gone(folder: Path) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    with opened(link) as dp:
        dp.files.add(folder)
        link.unlink()
        (folder / "n.md").unlink()
        assert stored(dp) == ["docs/s.md"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_folder_that_another_branch_does_not_have_is_found_again_after_the_way_back(tmp_path: Path) -> None:
    project = tmp_path / "p"
    (project / "docs").mkdir(parents=True)
    (project / "readme.md").write_text("A dam.\n")

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(
            ["git", *who, *arguments], cwd=project, check=True, capture_output=True, env=environment()
        )

    git("init", "-qb", "bare")
    git("add", "readme.md")
    git("commit", "-qm", "one")
    git("switch", "-qc", "full")
    (project / "docs" / "s.md").write_text(NOTE)
    git("add", "docs")
    git("commit", "-qm", "two")
    daypack("add", "docs", cwd=project)
    git("switch", "-q", "bare")
    daypack("search", "ibex", "--vectors", "none", cwd=project, status=None)
    git("switch", "-q", "full")
    assert "docs/s.md" in daypack("search", "ibex", "--vectors", "none", cwd=project).stdout
