"""What was deleted leaves the tables of a server at once, or later, and nobody is told otherwise meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

import support
from daypack import Daypack


def opened(url: str, folder: Path) -> Daypack:
    return Daypack.open(url, root=folder, settings=support.WORDS)


@contextmanager
def an_old_state(url: str, statement: str = "SELECT 1 FROM pg_class") -> Iterator[None]:
    """A session that reads one state of the database, as `pg_dump` does."""
    with psycopg.connect(url.partition("?")[0]) as db:
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        db.execute(statement.encode())
        yield


@pytest.fixture
def url(tmp_path: Path, new_store: Callable[[], str]) -> str:
    made = new_store()
    with opened(made, tmp_path) as dp:
        dp.memories.remember("release/day", "Thursday")
    return made


def test_a_forgotten_memory_that_a_dump_still_reads_is_said_to_be_kept_and_goes_later(
    url: str, tmp_path: Path
) -> None:
    with opened(url, tmp_path) as dp:
        with an_old_state(url):
            assert not dp.memories.forget("release/day").log_emptied
            dp.memories.list()
            assert dp.engine.store.owes_purge()
        dp.memories.list()
        assert not dp.engine.store.owes_purge()


def test_a_forgotten_memory_whose_table_is_being_read_goes_later(url: str, tmp_path: Path) -> None:
    table = f'"{url.partition("schema=")[2]}".memory_version'
    with opened(url, tmp_path) as dp:
        with an_old_state(url, f"SELECT 1 FROM {table}"):
            assert not dp.memories.forget("release/day").log_emptied
        dp.memories.list()
        assert not dp.engine.store.owes_purge()


def test_a_purge_does_not_settle_for_what_another_deletes_meanwhile(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(url, tmp_path) as first, opened(url, tmp_path) as second:
        second.memories.remember("release/hour", "nine")
        monkeypatch.setattr(second.engine.store, "purge", lambda **_: False)
        store: Any = first.engine.store
        said = store._said

        def interrupted(statement: str) -> None:
            if "sent_item" in statement:
                monkeypatch.setattr(store, "_said", said)
                second.memories.forget("release/hour")
            said(statement)

        monkeypatch.setattr(store, "_said", interrupted)
        first.memories.forget("release/day")
        assert store.owes_purge()
