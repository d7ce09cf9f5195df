"""A project and a home in which this process runs `install` and `uninstall`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from installed import Run

from daypack.surfaces.cli.main import main


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A project, in which this process stands, and its home. Servers are taken to work."""
    project, home = tmp_path / "project", tmp_path / "home"
    for folder in (project, home):
        folder.mkdir()
    (project / "pyproject.toml").touch()
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("daypack.surfaces.cli.installing.tools_of", lambda *_, **__: ["pack", "search"])
    return project, home


@pytest.fixture
def run(folders: tuple[Path, Path], capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process; returns all that it prints."""

    def run(arguments: list[str], status: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        sys.stderr.flush()
        said = "".join(capfd.readouterr())
        assert ended.value.code == status, said
        return said

    return run
