"""Clients and servers that die: what was acknowledged is there, and the rest is undone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import support
import team_server
from daypack import Daypack
from daypack.errors import StoreError

NOTES = 60


@pytest.fixture
def own_server() -> Iterator[team_server.Server]:
    """A server that the test may kill."""
    if reason := team_server.why_not():
        pytest.skip(reason)
    with team_server.alone({"synchronous_commit": "on", "fsync": "on", "full_page_writes": "on"}) as server:
        yield server


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for number in range(NOTES):
        (folder / f"note-{number:03}.md").write_text(f"# Note {number}\n\n" + f"The word {number}th. " * 40)
    return folder


def opened(store: str, root: Path) -> Daypack:
    return Daypack.open(store, root=root, settings=support.WORDS)


def started(project: Path, store: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "daypack", *arguments],
        cwd=project,
        env={**support.environment(), "DAYPACK_STORE": store, "HOME": os.fspath(project.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def damages(daypack: Daypack) -> list[str]:
    return [f"{one.name}: {one.detail}" for one in daypack.check(deep=True) if one.verdict.value == "damage"]


def waiting_on_a_lock(store: str) -> int:
    import psycopg

    said = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with psycopg.connect(store.partition("?")[0], autocommit=True) as db:
        found = db.execute(said).fetchone()
    assert found is not None
    return int(found[0])


def test_a_client_that_is_killed_while_it_adds_leaves_the_store_whole(
    project: Path, new_store: Callable[[], str]
) -> None:
    store = new_store()
    with opened(store, project) as daypack:
        daypack.memories.remember("a", "before")
        with daypack.engine.store.writing():  # the client waits inside its `add`, and dies there
            adding = started(project, store, "add", ".")
            for _ in range(600):
                if waiting_on_a_lock(store):
                    break
                time.sleep(0.05)
            adding.kill()
            assert adding.wait(20) == -signal.SIGKILL
        assert adding.stderr is not None
        adding.stderr.close()
        assert damages(daypack) == []
        assert daypack.files.add(project).added == NOTES
        assert daypack.engine.store.counts()["record"] == NOTES + 1
        assert damages(daypack) == []


@pytest.mark.parametrize("statements", [1, 5, 20, 80])
def test_a_writer_that_is_killed_inside_its_transaction_is_undone(
    project: Path, new_store: Callable[[], str], statements: int
) -> None:
    store = new_store()
    with opened(store, project) as daypack:
        daypack.memories.remember("a", "before")
        before = daypack.engine.store.counts()

    def work() -> None:
        with opened(store, project) as daypack:
            left = [statements]
            execute = daypack.engine.store.db.execute

            def counted(*given: object) -> object:
                left[0] -= 1
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                return execute(*given)  # type: ignore[arg-type]

            with daypack.engine.store.writing() as db:
                db.execute = counted  # type: ignore[method-assign]
                for number in range(200):
                    db.execute("INSERT INTO tomb VALUES (?)", (number,))

    assert support.in_child(work) == -signal.SIGKILL
    with opened(store, project) as daypack:
        assert daypack.engine.store.counts() == before
        daypack.memories.remember("b", "after")
        assert damages(daypack) == []


def test_what_was_acknowledged_outlives_a_crash_of_the_server(
    project: Path, own_server: team_server.Server
) -> None:
    with opened(own_server.url, project) as daypack:
        daypack.files.add(project)
        daypack.memories.remember("a", "acknowledged")
        own_server.stop(signal.SIGKILL)
        with pytest.raises(StoreError, match="does not answer") as failed:
            daypack.memories.remember("b", "lost")
        assert team_server.PASSWORD not in str(failed.value)
        own_server.start()
        assert [memory.value for memory in daypack.memories.list().memories] == ["acknowledged"]
        daypack.memories.remember("b", "after")
        assert daypack.search("17th").candidates
        assert damages(daypack) == []


def test_two_processes_that_add_the_same_files_at_once_store_each_once(
    project: Path, new_store: Callable[[], str]
) -> None:
    store = new_store()
    for one in [started(project, store, "add", ".") for _ in range(2)]:
        _, said = one.communicate(timeout=120)
        assert one.returncode == 0, said
    with opened(store, project) as daypack:
        assert daypack.engine.store.counts()["record"] == NOTES
        assert damages(daypack) == []
