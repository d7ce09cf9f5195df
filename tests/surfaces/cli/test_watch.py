"""`daypack add --watch`: the store follows the disk until somebody ends it, however many watch and whoever
asks meanwhile.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import team_server
from support import command, daypack, environment, project

PATIENCE = 60  # seconds, on a machine that does much else
WITHOUT_THE_EXTRA = "import sys; sys.modules['watchfiles'] = None; import daypack.__main__ as it; it.main()"
HARBOUR = {"harbour.md": "# Harbour\n\nThe lighthouse is painted every spring.\n"}


class Watcher:
    """A process that watches, and the lines that it printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.Queue[str] = queue.Queue()
        assert process.stdout is not None
        threading.Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _read(self, stream: Iterator[str]) -> None:
        for line in stream:
            self._lines.put(line)

    def report(self) -> dict[str, int]:
        """What is told next."""
        found: dict[str, int] = json.loads(self._lines.get(timeout=PATIENCE))
        return found

    def watches(self) -> None:
        """Waits for the line that says so."""
        assert self.process.stderr is not None
        assert "watching" in self.process.stderr.readline()

    def end(self, by: signal.Signals = signal.SIGINT) -> str:
        """Its last words; fails when it ends as something that was killed."""
        self.process.send_signal(by)
        assert self.process.wait(timeout=PATIENCE) == 0
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        assert "Traceback" not in said
        return said


@contextmanager
def watching(folder: Path, root: str = ".", *, extra: bool = True, **variables: str) -> Iterator[Watcher]:
    program = command() if extra else [sys.executable, "-c", WITHOUT_THE_EXTRA]
    with subprocess.Popen(
        [*program, "add", root, "--watch", "--json"],
        cwd=folder,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        watcher = Watcher(process)
        try:
            yield watcher
        finally:
            process.kill()


def found(folder: Path, word: str) -> list[str]:
    """What a search without a look at the disk of its own finds."""
    done = daypack("search", word, "--no-refresh", "--vectors", "none", "--json", cwd=folder, status=None)
    return [result["reference"] for result in json.loads(done.stdout)["results"]]


@pytest.mark.parametrize("extra", [True, False], ids=["by events", "by looks"])
def test_what_is_written_renamed_and_deleted_is_followed(tmp_path: Path, extra: bool) -> None:
    if extra:
        pytest.importorskip("watchfiles")
    folder = project(tmp_path / "port", HARBOUR)
    with watching(folder, extra=extra) as watcher:
        assert watcher.report()["added"] == 1
        watcher.watches()
        (folder / "crane.md").write_text("# Crane\n\nThe gantry was greased.\n")
        assert watcher.report()["added"] == 1
        assert found(folder, "gantry")
        os.rename(folder / "crane.md", folder / "winch.md")
        moved = watcher.report()
        assert (moved["added"], moved["removed"]) == (1, 1)
        (folder / "winch.md").unlink()
        assert watcher.report()["removed"] == 1
        assert not found(folder, "gantry")
        assert "stopped watching" in watcher.end()


@pytest.mark.parametrize("extra", [True, False], ids=["by events", "by looks"])
@pytest.mark.parametrize("root", ["docs", "docs/harbour.md"])
def test_a_root_that_is_away_for_a_while_is_followed_again_when_it_is_back(
    tmp_path: Path, root: str, extra: bool
) -> None:
    if extra:
        pytest.importorskip("watchfiles")
    folder = project(tmp_path / "port", {"docs/harbour.md": HARBOUR["harbour.md"]})
    with watching(folder, root, extra=extra) as watcher:
        assert watcher.report()["added"] == 1
        watcher.watches()
        away = (folder / root).rename(folder / "away")
        assert watcher.report()["removed"] == 1
        away.rename(folder / root)
        assert watcher.report()["added"] == 1
        assert found(folder, "lighthouse")
        (folder / "docs" / "harbour.md").write_text("# Harbour\n\nThe gantry was greased.\n")
        assert watcher.report()["updated"] == 1
        watcher.end()


def test_a_watch_of_a_project_that_is_moved_says_so_and_removes_nothing(tmp_path: Path) -> None:
    folder = project(tmp_path / "port", HARBOUR)
    with watching(folder) as watcher:
        assert watcher.report()["added"] == 1
        watcher.watches()
        moved = folder.rename(tmp_path / "moved")
        assert watcher.process.stderr is not None
        said = watcher.process.stderr.readline()
        assert f"the watched folder {folder} was moved or deleted; the store keeps its texts" in said
        assert watcher.process.wait(timeout=PATIENCE) == 1
    assert found(moved, "lighthouse")


def test_a_watch_goes_on_when_the_server_of_the_store_was_away(tmp_path: Path) -> None:
    if reason := team_server.why_not():
        pytest.skip(reason)
    folder = project(tmp_path / "port", HARBOUR)
    with team_server.alone() as server, watching(folder, extra=False, DAYPACK_STORE=server.url) as watcher:
        assert watcher.report()["added"] == 1
        watcher.watches()
        server.stop()
        (folder / "crane.md").write_text("# Crane\n\nThe gantry was greased.\n")
        assert watcher.process.stderr is not None
        said = watcher.process.stderr.readline()
        assert "does not answer" in said
        assert "still watching, every look tries again" in said
        time.sleep(5)  # several looks
        server.start()
        assert watcher.report()["added"] == 1
        assert "does not answer" not in watcher.end()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_switch_of_branches_is_followed(tmp_path: Path) -> None:
    folder = project(
        tmp_path / "port",
        {"crane.py": "def lift_gently(load):\n    return load\n", ".gitignore": ".daypack\n"},
    )

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(
            ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, env=environment()
        )

    git("init", "-qb", "main")
    git("add", ".")
    git("commit", "-qm", "one")
    with watching(folder) as watcher:
        watcher.report()
        watcher.watches()
        git("switch", "-qc", "fast")
        (folder / "crane.py").write_text("def lift_at_once(load):\n    return load + 1\n")
        watcher.report()
        git("commit", "-qam", "two")
        git("switch", "-q", "main")
        assert watcher.report()["updated"] == 1
        for name, count in (("lift_gently", 1), ("lift_at_once", 0)):
            done = daypack("code", "symbols", name, "--no-refresh", cwd=folder, status=None)
            assert done.stdout.count(name) == count, done.stdout
        state = json.loads(
            daypack("code", "pack", "lift_gently", "--no-refresh", "--vectors", "none", cwd=folder).stdout
        )["meta"]["index_state"]
        assert (state["project_watermark"]["git"]["branch"], state["stale"]) == ("main", False)
        watcher.end()


def test_a_burst_of_writes_is_told_in_few_reports(tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    folder = project(tmp_path / "port", HARBOUR)
    with watching(folder) as watcher:
        watcher.report()
        watcher.watches()
        # Stopped meanwhile, so that the burst is one on a slow machine too.
        watcher.process.send_signal(signal.SIGSTOP)
        for number in range(200):
            (folder / f"berth_{number}.md").write_text(f"# Berth {number}\n")
        watcher.process.send_signal(signal.SIGCONT)
        reports: list[dict[str, int]] = []
        while sum(report["added"] for report in reports) < 200:
            reports.append(watcher.report())
        assert len(reports) < 20
        watcher.end(signal.SIGTERM)


def test_several_watchers_and_questions_share_a_store(tmp_path: Path) -> None:
    folder = project(tmp_path / "port", HARBOUR)
    with watching(folder) as one, watching(folder) as other:
        for watcher in (one, other):
            watcher.report()
            watcher.watches()
        for number in range(5):
            (folder / f"tide_{number}.md").write_text(f"# Tide {number}\n\nHigh water number {number}.\n")
            assert "tide" in daypack("pack", "high water", "--vectors", "none", cwd=folder).stdout
        last = folder / "last.md"
        last.write_text("# Last\n\nThe foghorn sounded.\n")
        assert daypack("search", "foghorn", "--vectors", "none", cwd=folder).stdout
        one.end()
        other.end()
    daypack("check", "--deep", cwd=folder)


@pytest.mark.parametrize("arguments", [("-",), (".", "--label", "port"), ("https://example.org/",)])
def test_only_files_and_folders_are_watched(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = daypack("add", *arguments, "--watch", cwd=project(tmp_path / "port", HARBOUR), status=2)
    assert "--watch follows files and folders" in done.stderr


def test_the_watch_is_announced_when_all_that_it_needs_is_imported(tmp_path: Path) -> None:
    """An interrupt that meets an import leaves its file open, and Python warns of that."""
    pytest.importorskip("watchfiles")
    folder = project(tmp_path / "port", HARBOUR)
    with subprocess.Popen(
        command("add", ".", "--watch", "--json"), cwd=folder, env=environment(PYTHONPROFILEIMPORTTIME="1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            while "Ctrl-C" not in (line := process.stderr.readline()):
                assert line, "it ended before it watched"
            process.stdout.readline()
            (folder / "crane.md").write_text("# Crane\n\nThe gantry was greased.\n")
            assert json.loads(process.stdout.readline())["added"] == 1
            process.send_signal(signal.SIGINT)
            said = process.stderr.read()
        finally:
            process.kill()
    assert "stopped watching" in said
    assert "watch" not in said.partition("stopped watching")[0]
