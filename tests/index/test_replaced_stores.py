"""A store that is deleted or replaced while a process has it open takes no writes that would be lost."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import StoreReplaced
from daypack.ports import Progress
from daypack.surfaces.host import Host
from daypack.surfaces.workers import Worker, Workers
from daypack.verbs import Access
from support import WORDS, daypack, in_child


def opened(folder: Path) -> Daypack:
    return Daypack.open(folder / ".daypack", settings=WORDS)


def remember(host: Host, key: str) -> None:
    answer = asyncio.run(host.call("remember", {"key": key, "value": f"the value of {key}"}))
    assert isinstance(answer, dict)
    assert answer["written"]


def keys(folder: Path) -> list[str]:
    with opened(folder) as dp:
        return sorted(memory.key for memory in dp.memories.list())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    with opened(tmp_path / "p") as dp:
        dp.memories.remember("first", "the value of first")
    return tmp_path / "p"


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:
    found = Host(lambda: opened(folder), toolsets=["all"], ceiling=Access.DANGEROUS, embeds=False)
    yield found
    found.close()


def test_a_write_into_a_deleted_store_says_that_it_is_gone(folder: Path) -> None:
    with opened(folder) as dp:
        shutil.rmtree(folder / ".daypack")
        with pytest.raises(
            StoreReplaced,
            match="replaced after it was opened; run the command again; a program that has it open opens it again",
        ):
            dp.memories.remember("second", "lost")
        with pytest.raises(StoreReplaced):
            dp.pack("first", budget=100)
    assert not (folder / ".daypack").exists()


def test_a_write_into_a_store_that_a_copy_replaced_says_that_it_is_gone(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / ".daypack", tmp_path / "copy")
    with opened(folder) as dp:
        dp.memories.remember("second", "the value of second")
        shutil.rmtree(folder / ".daypack")
        shutil.copytree(tmp_path / "copy", folder / ".daypack")
        with pytest.raises(StoreReplaced):
            dp.memories.remember("third", "lost")
        with opened(folder) as again:
            again.memories.remember("fourth", "the value of fourth")
    assert keys(folder) == ["first", "fourth"]


def test_a_server_writes_into_the_store_that_took_the_place_of_the_first(folder: Path, host: Host) -> None:
    remember(host, "second")
    shutil.rmtree(folder / ".daypack")
    (folder / "a.md").write_text("The axolotl eats 3 worms.\n")
    daypack("add", ".", cwd=folder)
    remember(host, "third")
    assert keys(folder) == ["third"]
    found = asyncio.run(host.call("pack", {"query": "what does the axolotl eat?", "budget": 100}))
    assert "3 worms" in str(found)


def test_a_server_makes_a_store_anew_where_it_was_deleted(folder: Path, host: Host) -> None:
    remember(host, "second")
    shutil.rmtree(folder / ".daypack")
    remember(host, "third")
    assert keys(folder) == ["third"]


def test_a_server_writes_on_into_the_store_of_a_project_that_was_moved(folder: Path, host: Host) -> None:
    remember(host, "second")
    moved = folder.rename(folder.with_name("moved"))
    remember(host, "third")
    assert "the value of third" in daypack("recall", "third", cwd=moved).stdout
    assert not folder.exists()


def test_a_server_writes_on_into_a_store_that_a_backup_was_restored_to(folder: Path, host: Host) -> None:
    daypack("backup", "../b", cwd=folder)
    remember(host, "second")
    daypack("restore", "../b", cwd=folder)
    remember(host, "third")
    assert keys(folder) == ["first", "third"]


def test_a_team_server_writes_into_the_store_that_took_the_place_of_the_first(folder: Path) -> None:
    workers = Workers(lambda: opened(folder))

    def remembered(key: str) -> list[str]:
        def work(worker: Worker, _: Progress) -> list[str]:
            memories = worker.seen_by("ann", notes_use=True).memories
            memories.remember(key, f"the value of {key}")
            return [memory.key for memory in memories.list()]

        return asyncio.run(workers.run(work, reads=False))

    assert "second" in remembered("second")
    shutil.rmtree(folder / ".daypack")
    assert remembered("third") == ["third"]
    workers.close()


def test_a_child_of_fork_writes_into_the_same_store(folder: Path) -> None:
    with opened(folder) as dp:
        assert in_child(lambda: dp.memories.remember("child", "the value of child")) == 0
        dp.memories.remember("parent", "the value of parent")
    assert keys(folder) == ["child", "first", "parent"]
