"""A root leaves the store with its files, or not at all."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import NotFound
from daypack.ports import FILES
from support import WORDS, ills, killed_after, project


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
