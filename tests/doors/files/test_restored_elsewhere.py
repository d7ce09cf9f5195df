"""A store that was restored or imported keeps its texts until somebody says where its files are."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support import daypack

MANY, FEW = 30, 5


@pytest.fixture(params=[MANY, FEW])
def ferries(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A project with a store, a backup and an export of it, and a private folder beside them."""
    project = tmp_path / "proj"
    project.mkdir()
    for number in range(request.param):
        (project / f"n{number}.md").write_text(f"# Note {number} about ferries\n")
    (tmp_path / "home" / "Documents").mkdir(parents=True)
    (tmp_path / "home" / "Documents" / "d.md").write_text("Diary: my walrus secret\n")
    daypack("add", ".", cwd=project)
    daypack("backup", "../bk", cwd=project)
    daypack("export", "../out.jsonl", cwd=project)
    return project


def restored(project: Path, store: str) -> None:
    daypack("restore", "../bk", "--store", store, cwd=project)


def imported(project: Path, store: str) -> None:
    daypack("import", "../out.jsonl", "--store", store, cwd=project)


def ask(question: str, folder: Path, *options: str) -> str:
    answer = daypack("search", question, "--vectors", "none", *options, cwd=folder, status=None)
    return answer.stdout + answer.stderr


def listed(folder: Path, *options: str) -> int:
    """The number of records."""
    return int(daypack("status", *options, cwd=folder).stdout.partition("records")[2].split()[0])


@pytest.mark.parametrize("copied", [restored, imported])
def test_a_copy_asked_in_another_folder_keeps_its_files_and_reads_no_others(
    ferries: Path, copied: Callable[[Path, str], None]
) -> None:
    home, files = ferries.parent / "home", listed(ferries)
    copied(ferries, "../copy")
    assert "about ferries" in ask("ferries", home, "--store", "../copy")
    assert "Diary" not in ask("walrus", home, "--store", "../copy")
    assert listed(home, "--store", "../copy") == files
    assert "cannot be checked" in daypack("status", "--store", "../copy", cwd=home).stdout


@pytest.mark.parametrize("copied", [restored, imported])
def test_a_copy_in_the_daypack_folder_of_another_project_keeps_its_files(
    ferries: Path, copied: Callable[[Path, str], None]
) -> None:
    home, files = ferries.parent / "home", listed(ferries)
    copied(ferries, "../home/.daypack")
    assert "about ferries" in ask("ferries", home)
    assert "Diary" not in ask("walrus", home)
    assert listed(home) == files


def test_a_restored_store_says_that_its_files_are_not_checked(ferries: Path) -> None:
    restored(ferries, "../copy")
    pack = daypack("pack", "ferries", "--vectors", "none", "--store", "../copy", cwd=ferries.parent / "home")
    assert "answered from the store alone" in pack.stderr
    assert "daypack add ." in pack.stderr


def test_a_store_restored_for_lost_files_keeps_their_texts(ferries: Path) -> None:
    for file in ferries.glob("*.md"):
        file.unlink()
    shutil.rmtree(ferries / ".daypack")
    restored(ferries, ".daypack")
    assert "about ferries" in ask("ferries", ferries)


def test_a_store_restored_over_the_original_reads_its_project_as_before(ferries: Path) -> None:
    restored(ferries, ".daypack")
    (ferries / "n1.md").unlink()
    (ferries / "new.md").write_text("# The walrus on the quay\n")
    assert "new.md" in ask("walrus", ferries)
    assert "n1.md" not in ask("note 1 about ferries", ferries)


def test_add_in_the_project_makes_a_restored_store_follow_it(ferries: Path) -> None:
    restored(ferries, "../copy")
    (ferries / "new.md").write_text("# The walrus on the quay\n")
    assert "new.md" not in ask("walrus", ferries, "--store", "../copy")
    daypack("add", ".", "--store", "../copy", cwd=ferries)
    (ferries / "n1.md").write_text("# A seal\n")
    assert "n1.md" in ask("seal", ferries.parent / "home", "--store", "../copy")


def test_a_store_moved_with_its_project_follows_it(ferries: Path) -> None:
    moved = ferries.rename(ferries.with_name("moved"))
    (moved / "n1.md").unlink()
    (moved / "new.md").write_text("# The walrus on the quay\n")
    assert "new.md" in ask("walrus", moved)
    assert "n1.md" not in ask("note 1 about ferries", moved)


def test_a_store_moved_without_its_project_keeps_its_files(ferries: Path) -> None:
    home = ferries.parent / "home"
    (ferries / ".daypack").rename(home / ".daypack")
    assert "about ferries" in ask("ferries", home)
    assert "Diary" not in ask("walrus", home)


def test_an_older_store_without_its_folder_keeps_its_files(ferries: Path) -> None:
    home = ferries.parent / "home"
    (ferries / ".daypack").rename(ferries.parent / "old-store")  # it never had the file `root`
    assert "about ferries" in ask("ferries", home, "--store", "../old-store")
    assert "Diary" not in ask("walrus", home, "--store", "../old-store")


def test_a_store_outside_whose_project_has_gone_keeps_its_files(ferries: Path) -> None:
    home = ferries.parent / "home"
    daypack("add", ".", "--store", "../beside", cwd=ferries)
    shutil.rmtree(ferries)
    assert "about ferries" in ask("ferries", home, "--store", "../beside")
    assert "Diary" not in ask("walrus", home, "--store", "../beside")


def test_add_in_another_folder_does_not_drop_what_a_restored_store_holds(ferries: Path) -> None:
    home = ferries.parent / "home"
    restored(ferries, "../copy")
    refused = daypack("add", ".", "--store", "../copy", cwd=home, status=2)
    assert "choose another --store, or erase them first with `daypack remove .`" in refused.stderr
    assert "about ferries" in ask("ferries", home, "--store", "../copy")
    daypack("remove", ".", "--yes", "--store", "../copy", cwd=home)
    daypack("add", ".", "--store", "../copy", cwd=home)
    assert "Diary" in ask("walrus", home, "--store", "../copy")


def test_reindex_of_a_restored_store_keeps_its_files(ferries: Path) -> None:
    home, files = ferries.parent / "home", listed(ferries)
    restored(ferries, "../copy")
    daypack("reindex", "--store", "../copy", cwd=home)
    assert listed(home, "--store", "../copy") == files


def in_a_copy_of_the_project(ferries: Path) -> Path:
    return Path(shutil.copytree(ferries, ferries.with_name("second")))


def restored_in_a_second_checkout(ferries: Path) -> Path:
    second = ferries.with_name("second")
    shutil.copytree(ferries, second, ignore=shutil.ignore_patterns(".daypack"))
    daypack("restore", "../bk", cwd=second)
    return second


@pytest.mark.parametrize("second_of", [in_a_copy_of_the_project, restored_in_a_second_checkout])
def test_a_second_project_beside_the_first_finds_its_new_files_and_obeys_its_ignore_file(
    ferries: Path, second_of: Callable[[Path], Path]
) -> None:
    second = second_of(ferries)
    (second / "n1.md").write_text("# A seal\n")
    assert "n1.md" in ask("seal", second)
    (second / "new.md").write_text("# The walrus on the quay\n")
    assert "files came or went" in daypack("status", cwd=second).stdout
    assert "new.md" in ask("walrus", second)
    (second / ".daypackignore").write_text("n2.md\n")
    assert "n2.md:" not in ask("note 2 about ferries", second)
    assert "every file is as indexed" in daypack("status", cwd=second).stdout
    assert "new.md" not in ask("walrus", ferries)
