"""A store outside the project answers the same from every working folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import daypack


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A project, and a folder beside it that nobody asked to index."""
    project, beside = tmp_path / "pier", tmp_path / "private"
    for folder, text in ((project, "The lease of pier four ends in May."), (beside, "Nobody may read this.")):
        folder.mkdir()
        (folder / "notes.md").write_text(text)
        (folder / f"{folder.name}.md").write_text(text)
    return project, beside


def test_a_question_from_another_folder_keeps_the_files_and_reads_no_others(
    folders: tuple[Path, Path],
) -> None:
    project, beside = folders
    store = str(project.parent / "store")
    assert daypack("add", ".", "--store", store, cwd=project).returncode == 0
    found = daypack("search", "lease of pier four", "--store", store, "--vectors", "none", cwd=beside)
    assert "pier.md" in found.stdout
    ask = ("search", "nobody may read this", "--store", store, "--vectors", "none")
    read = daypack(*ask, cwd=beside, status=None)
    assert "private.md" not in read.stdout


def test_a_second_folder_in_such_a_store_stands_beside_the_first(folders: tuple[Path, Path]) -> None:
    project, beside = folders
    store = str(project.parent / "store")
    daypack("add", ".", "--store", store, cwd=project)
    daypack("add", ".", "--store", store, cwd=beside)
    both = daypack("search", "lease pier nobody read", "--store", store, "--vectors", "none", cwd=beside)
    assert "pier.md" in both.stdout
    assert "private.md" in both.stdout


def test_after_the_project_has_gone_the_working_folder_counts_again(folders: tuple[Path, Path]) -> None:
    project, _ = folders
    store = str(project.parent / "store")
    daypack("add", ".", "--store", store, cwd=project)
    moved = project.rename(project.with_name("quay"))
    found = daypack("search", "lease of pier four", "--store", store, "--vectors", "none", cwd=moved)
    assert "pier.md" in found.stdout
