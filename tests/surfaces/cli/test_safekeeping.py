"""Backups at the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest

from daypack import Daypack
from daypack.index.schema import VERSION
from daypack.surfaces.cli.main import main
from support import daypack, project


def shop(folder: Path) -> Path:
    """A project with a store that remembers one fact."""
    root = project(folder / "shop", {"tea.md": "# Tea\n\nThe kettle boils.\n"})
    daypack("add", ".", cwd=root)
    daypack("remember", "owner", "Ana", cwd=root)
    return root


def test_a_backup_is_listed_verified_restored_and_undone(tmp_path: Path) -> None:
    root = shop(tmp_path)
    assert daypack("backup", "../b", cwd=root).stdout.startswith("backup of 2")
    daypack("remember", "owner", "Ben", cwd=root)
    said = json.loads(daypack("backup", "../b", "--keep", "5", "--json", cwd=root).stdout)
    assert said["new_blocks"] >= 1
    assert said["origin"] == str(root / ".daypack")
    listed = json.loads(daypack("restore", "../b", "--list", "--json", cwd=root).stdout)["backups"]
    assert len(listed) == 2
    assert len(daypack("restore", "../b", "--list", cwd=root).stdout.splitlines()) == 2
    assert "is whole" in daypack("restore", "../b", "--verify", cwd=root).stdout
    assert daypack("restore", "../b", "--at", "2001-01-01", cwd=root, status=3).stderr.count("\n") == 1
    done = daypack("restore", "../b", cwd=root)
    assert done.stdout.startswith("restored the backup of 2")
    assert "undoes this" in done.stderr
    assert daypack("recall", "owner", cwd=root).stdout.startswith("Ben")
    assert "restored" in daypack("restore", ".daypack/backup", cwd=root).stdout


def test_a_backup_of_a_day_is_found_by_its_day_and_by_its_time(tmp_path: Path) -> None:
    root = shop(tmp_path)
    daypack("backup", "../b", cwd=root)
    listed = daypack("restore", "../b", "--list", cwd=root).stdout.partition("  ")[0]
    for at in ("today", listed.partition(" ")[0], listed):
        assert listed in daypack("restore", "../b", "--verify", "--at", at, cwd=root).stdout
    assert daypack("restore", "../b", "--verify", "--at", "yesterday", cwd=root, status=3)


def test_a_store_that_is_gone_or_empty_is_restored(tmp_path: Path) -> None:
    root = shop(tmp_path)
    daypack("backup", "../b", cwd=root)
    for ruin in ("gone", "empty"):
        file = root / ".daypack" / "daypack.db"
        file.unlink() if ruin == "gone" else file.write_bytes(b"")
        done = daypack("restore", "../b", cwd=root)
        assert ("is kept in its folder as aside/" in done.stderr) == (ruin == "empty")
        assert "Ana" in daypack("recall", "owner", cwd=root).stdout


def test_the_backup_of_an_upgrade_leads_back_from_a_newer_version(tmp_path: Path) -> None:
    """The restore was refused, because this program cannot read the store that it replaces."""
    root = shop(tmp_path)
    daypack("backup", ".daypack/backup", cwd=root)
    daypack("remember", "owner", "Ben", cwd=root)
    with apsw.Connection(str(root / ".daypack" / "daypack.db")) as db:
        db.pragma("user_version", VERSION + 1)
    db.close()
    assert "restore an earlier backup" in daypack("recall", "owner", cwd=root, status=3).stderr
    assert "is kept in its folder as aside/" in daypack("restore", ".daypack/backup", cwd=root).stderr
    assert daypack("recall", "owner", cwd=root).stdout == "Ana\n"


def test_a_backup_in_the_project_is_not_indexed(tmp_path: Path) -> None:
    root = shop(tmp_path)
    daypack("backup", "b", cwd=root)
    daypack("add", ".", cwd=root)
    assert json.loads(daypack("status", "--json", cwd=root).stdout)["records"] == 2


def test_wrong_arguments_are_said_in_one_line(tmp_path: Path) -> None:
    root = shop(tmp_path)
    for words, status in (
        (("backup", "b", "--keep", "0"), 2), (("backup",), 2), (("restore",), 2), (("restore", "nothing"), 3),
        (("backup", "/proc/b"), 3), (("restore", "../b", "--at", "soon-ish"), 2),
    ):  # fmt: skip
        assert daypack(*words, cwd=root, status=status).stderr.count("\n") == 1, words


def test_an_export_makes_the_same_store_elsewhere(tmp_path: Path) -> None:
    root = shop(tmp_path)
    lines = daypack("export", cwd=root).stdout
    assert "exported" in daypack("export", "../all.jsonl", cwd=root).stdout
    assert (tmp_path / "all.jsonl").read_text() == lines
    assert "rows" in daypack("import", "../all.jsonl", "--store", "../new", cwd=root).stdout
    assert "Ana" in daypack("recall", "owner", "--store", "../new", cwd=root).stdout
    said = daypack("import", "-", "--store", "../piped", "--json", cwd=root, input=lines.encode()).stdout
    assert json.loads(said)["rows"]["memory"] == 1
    assert daypack("export", "--store", "../piped", cwd=root).stdout == lines
    for words, status in (
        (("import", "nothing"), 2), (("import", "../all.jsonl"), 3), (("import", "tea.md", "--store", "../t"), 2), (("export", "/no/where"), 2),
    ):  # fmt: skip
        assert daypack(*words, cwd=root, status=status).stderr.count("\n") == 1, words


@pytest.mark.parametrize(
    ("words", "method", "kept"),
    [
        (("export", "lines.jsonl"), "export_file", "the export is not complete"),
        (("--store", "new", "import", "lines.jsonl"), "import_lines", "nothing was imported"),
        (("restore", "copies"), "restore", "nothing was restored"),
    ],
)
def test_an_interrupted_copy_says_that_it_begins_again(
    tmp_path: Path, words: tuple[str, ...], method: str, kept: str, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    root = shop(tmp_path)
    (root / "lines.jsonl").touch()
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.chdir(root)
        patch.setattr(Daypack, method, interrupted)
        main(words)
    assert ended.value.code == 130
    said = capfd.readouterr().err.strip()
    assert said == f"daypack: interrupted; {kept}; the same command starts from the beginning"
