"""Files and folders whose permissions change are noticed by the next question. Each command runs without root's rights."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support import command, environment, project

WITHOUT_RIGHTS = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]

if os.geteuid() != 0:
    WITHOUT_RIGHTS = []
pytestmark = pytest.mark.skipif(
    bool(WITHOUT_RIGHTS) and shutil.which("setpriv") is None, reason="root may read everything"
)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*WITHOUT_RIGHTS, *command(*words)], cwd=folder, env=environment(), capture_output=True, text=True
    )


def asked(folder: Path, *words: str) -> str:
    """The answer of a command, with its notes."""
    done = run(folder, *words)
    assert done.returncode in (0, 1), done.stderr  # 1: nothing relevant was found
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = project(
        tmp_path / "p",
        {"a.md": "The axolotl sleeps.\n", "u.md": "A badger digs.\n", "ud/h.md": "A heron waits.\n"},
    )
    (made / ".git").mkdir(exist_ok=True)
    return made


def test_a_question_is_answered_though_a_folder_became_unreadable(folder: Path) -> None:
    asked(folder, "add", ".")
    (folder / "ud").chmod(0)
    try:
        first = asked(folder, "pack", "axolotl")
        assert "axolotl sleeps" in first
        assert "ud/h.md cannot be read (permission denied), so the answer leaves it out" in first
        assert "heron waits" not in asked(folder, "pack", "heron")
        assert "every file is as indexed" in asked(folder, "status")
        (folder / "ud").chmod(0o755)
        assert "heron waits" in asked(folder, "pack", "heron")
    finally:
        (folder / "ud").chmod(0o755)


@pytest.mark.parametrize("words", ["add ud/h.md", "status ud/h.md", "source import ud/h.md"])
def test_a_file_in_a_folder_without_permission_is_not_said_to_be_missing(folder: Path, words: str) -> None:
    asked(folder, "add", ".")
    (folder / "ud").chmod(0)
    try:
        done = run(folder, *words.split())
        assert done.returncode == 2
        assert "ud/h.md cannot be resolved (Permission denied); check the permissions" in done.stderr
    finally:
        (folder / "ud").chmod(0o755)


def test_a_file_and_a_folder_that_become_readable_are_found_by_the_next_question(folder: Path) -> None:
    (folder / "u.md").chmod(0)
    (folder / "ud").chmod(0)
    try:
        asked(folder, "add", ".")
        assert "badger digs" not in asked(folder, "pack", "badger")
        (folder / "u.md").chmod(0o644)
        assert "1 file changed since; the next query reads it\n" in asked(folder, "status")
        assert "badger digs" in asked(folder, "pack", "badger")
    finally:
        (folder / "ud").chmod(0o755)
    assert "heron waits" in asked(folder, "pack", "heron")
    assert "every file is as indexed" in asked(folder, "status")
