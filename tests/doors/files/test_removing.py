"""A root leaves the store with its files, or not at all."""

from __future__ import annotations

import re
import shutil
import signal
from pathlib import Path

import click
import pytest

from daypack import Daypack
from daypack.errors import NotFound
from daypack.ports import FILES
from daypack.surfaces.cli.main import main
from support import WORDS, ills, killed_after, on_a_terminal, project
from support import daypack as run


def harbour(folder: Path) -> Path:
    return project(
        folder,
        {
            "docs/tide.md": "# Tide\n\nIt rises.\n",
            "docs/crane.md": "# Crane\n\nIt lifts.\n",
            "lib/winch.py": "W = 1\n",
        },
    )


def stored(daypack: Daypack) -> tuple[list[str], list[str]]:
    return daypack.files.roots(), sorted(daypack.engine.store.stored(FILES))


def test_a_removal_killed_anywhere_removes_the_root_with_its_files_or_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = harbour(tmp_path / "harbour")
    with Daypack.open(tmp_path / "first", root=root, settings=WORDS) as daypack:
        daypack.files.add(root / "docs", root / "lib")
        before = stored(daypack)
    folder = tmp_path / "store"

    def remove() -> None:
        with Daypack.open(folder, root=root, settings=WORDS) as daypack:
            daypack.files.remove("docs")

    seen = set()
    for point in range(10_000):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "first", folder)
        status = killed_after(point, remove, monkeypatch)
        with Daypack.open(folder, root=root, settings=WORDS) as daypack:
            left = stored(daypack)
            assert left in (before, (["lib"], ["lib/winch.py"])), point
            seen.add(left == before)
            assert not ills(daypack)
        if status == 0:
            break
        assert status == -signal.SIGKILL
    assert seen == {True, False}


def test_files_of_another_root_stay(tmp_path: Path) -> None:
    root = harbour(tmp_path)
    with Daypack.open(tmp_path / ".daypack", root=root, settings=WORDS) as daypack:
        daypack.files.add(root / "docs", root / "docs" / "tide.md", root / "lib")
        assert daypack.files.remove("docs") == 1
        assert stored(daypack) == (["docs/tide.md", "lib"], ["docs/tide.md", "lib/winch.py"])
        with pytest.raises(NotFound, match="'docs' was not added"):
            daypack.files.remove("docs")
        assert daypack.files.remove("docs/tide.md") == 1
        assert daypack.files.roots() == ["lib"]


@pytest.fixture
def added(tmp_path: Path) -> Path:
    """A folder with a store to which two folders were added."""
    root = harbour(tmp_path / "harbour")
    run("add", "docs", "lib", cwd=root)
    run("add", "-", "--name", "note", cwd=root, input=b"The gate is red.")
    return root


@pytest.mark.parametrize("name", ["docs", "./docs/", "../docs"])
def test_a_command_takes_an_added_folder_out_of_the_store_and_leaves_it_on_disk(
    added: Path, name: str
) -> None:
    here = added / "lib" if name.startswith("..") else added
    assert run("remove", name, "--yes", cwd=here).stdout == "removed docs: 2 files\n"
    assert "added      lib" in run("status", cwd=added).stdout
    assert (added / "docs" / "tide.md").exists()


def test_an_added_folder_that_was_deleted_from_disk_can_be_taken_out(added: Path) -> None:
    shutil.rmtree(added / "docs")
    assert run("remove", "docs", "note", "--yes", cwd=added).stdout.startswith(
        "removed 1 text\nremoved docs: "
    )
    assert "added      lib" in run("status", cwd=added).stdout


def test_a_folder_is_taken_out_only_after_a_yes(added: Path) -> None:
    asked = run("remove", "docs", cwd=added, input=b"n\n")
    assert asked.stdout == ""
    assert f"Take {added / 'docs'} out of the store? Files stay on disk." in asked.stderr
    assert "add --yes" in run("remove", "docs", cwd=added, status=2).stderr
    with Daypack.open(added / ".daypack", root=added, settings=WORDS) as daypack:
        assert daypack.files.roots() == ["docs", "lib"]
    assert run("remove", "docs", cwd=added, input=b"y\n").stdout == "removed docs: 2 files\n"


@pytest.mark.parametrize("names", [("note",), ("docs", "note")])
def test_the_only_copy_of_a_text_is_erased_only_after_a_yes(added: Path, names: tuple[str, ...]) -> None:
    shown = on_a_terminal("remove", *names, cwd=added, at=b"[y/N]", typed=b"n\n")
    assert re.search(r"[Ee]rase the text 'note'.*\[y/N\]", shown, re.DOTALL)
    assert shown.endswith(" nothing was changed\r\n")
    assert run("get", "note", cwd=added).stdout == "The gate is red.\n"
    assert "removed 1 text" in on_a_terminal("remove", *names, cwd=added, at=b"[y/N]", typed=b"y\n")


def test_an_interrupt_at_a_question_changes_nothing_and_reports_that(
    added: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.chdir(added)
    monkeypatch.setenv("DAYPACK_EMBEDDER", "hashing")
    monkeypatch.setattr(click.termui, "visible_prompt_func", interrupted)
    with pytest.raises(SystemExit) as left:
        main(["remove", "docs"])
    assert left.value.code == 130
    assert "daypack: interrupted; nothing was changed\n" in capsys.readouterr().err
    assert "added      docs, lib" in run("status", cwd=added).stdout


def test_a_text_is_erased_without_a_question_where_nobody_answers(added: Path) -> None:
    assert run("remove", "note", cwd=added).stdout == "removed 1 text\n"


def test_nothing_is_asked_about_a_name_that_is_not_known(added: Path) -> None:
    assert "[y/N]" not in run("remove", "docs", "nope", cwd=added, status=1).stderr


def test_a_name_means_the_folder_beside_the_person_before_one_of_that_name_elsewhere(added: Path) -> None:
    project(added / "sub", {"docs/buoy.md": "# Buoy\n\nIt floats.\n", "lib/rope.md": "# Rope\n\nIt holds.\n"})
    run("add", "sub/docs", "sub/lib", cwd=added)
    run("remove", "lib", "--yes", cwd=added)
    sub = added / "sub"
    assert run("remove", "lib", "--yes", cwd=sub).stdout == "removed sub/lib: 1 file\n"
    said = run("remove", "docs", "--yes", cwd=sub, status=2).stderr
    assert f"{sub / 'docs'} as seen from here, {added / 'docs'} as `daypack status` lists it" in said
    assert "added      docs, sub/docs" in run("status", cwd=added).stdout
    shutil.rmtree(sub / "docs")
    assert run("remove", "./docs", "--yes", cwd=sub).stdout == "removed sub/docs: 1 file\n"
    assert run("remove", "docs", "--yes", cwd=sub).stdout == "removed docs: 2 files\n"


def test_a_text_that_has_the_name_of_an_added_folder_is_said_to_stay(added: Path) -> None:
    run("add", "-", "--name", "docs", cwd=added, input=b"The gate is blue.")
    run("add", "-", "--name", "./lib", cwd=added, input=b"The gate is green.")
    (added / "sub").mkdir()
    assert run("remove", "./lib", "--yes", cwd=added / "sub").stdout == "removed 1 text\n"
    first = run("remove", "docs", "--yes", cwd=added).stdout
    assert first == "removed docs: 2 files\nkept the text docs; the same command again removes it\n"
    assert run("remove", "docs", "--yes", cwd=added).stdout == "removed 1 text\n"


def test_a_name_that_was_not_added_removes_nothing_and_is_told_how_to_find_one(added: Path) -> None:
    said = run("remove", "docs", "nope", "--yes", cwd=added, status=1).stderr
    assert "added      docs, lib" in run("status", cwd=added).stdout
    run("remove", "", "--yes", cwd=added, status=1)
    assert "no text named 'nope'; `daypack remove` takes a folder or file that `daypack status` lists" in said
    assert "added      docs, lib" in run("status", cwd=added).stdout


def test_a_store_inside_the_added_folder_is_no_part_of_it(tmp_path: Path) -> None:
    root = harbour(tmp_path / "harbour")
    (root / "mystore").mkdir()
    for question in ("what does the crane do?", "what does the tide do?"):
        run("--store", "mystore", "add", ".", cwd=root)
        run("--store", "mystore", "pack", question, cwd=root)
        assert "every file is as indexed" in run("--store", "mystore", "status", cwd=root).stdout
    with Daypack.open(root / "mystore", root=root, settings=WORDS) as daypack:
        assert not any(one.startswith("mystore") for one in stored(daypack)[1])
        assert "the store itself" in [issue.detail for issue in daypack.files.skipped()]
        assert daypack.files.check()["."].fresh
