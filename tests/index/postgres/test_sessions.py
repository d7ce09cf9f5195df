"""Sessions have limits, a process keeps a bounded number of them, and what one thread holds no other closes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

import support
from daypack import Daypack
from daypack.errors import StoreBusy
from daypack.index.postgres import database
from daypack.index.postgres.sessions import Kept
from daypack.types.servers import StoreSlow

STORES = 6


def opened(url: str, root: Path) -> Daypack:
    return Daypack.open(url, root=root, settings=support.WORDS)


def setting(daypack: Daypack, name: str) -> str:
    found: str = daypack.engine.store.db.execute("SELECT current_setting(?)", (name,)).get
    return found


def sessions_of(daypack: Daypack) -> int:
    """The open sessions of this process, which gave itself a name of its own."""
    said = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = current_setting('application_name')"
    )
    found: int = daypack.engine.store.db.execute(said).get
    return found


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """A process that keeps two sessions."""
    kept = Kept(2)
    monkeypatch.setattr(database, "_KEPT", kept)
    return kept


@pytest.fixture
def stores(few: Kept, new_store: Callable[[], str], tmp_path: Path) -> Iterator[list[Daypack]]:
    """More stores than the process keeps sessions, which count themselves by their name."""
    name = f"application_name=ours_{tmp_path.name}"[:60]
    found = [opened(f"{new_store()}&{name}", tmp_path) for _ in range(STORES)]
    yield found
    for one in found:
        one.close()


def test_a_process_keeps_few_sessions_and_answers_for_many_stores(stores: list[Daypack]) -> None:
    for round_ in range(3):
        for number, one in enumerate(stores):
            one.memories.remember("round", f"{number} {round_}")
            assert sessions_of(one) <= 2
    for number, one in enumerate(stores):
        assert one.memories.recall("round").value == f"{number} 2"
        assert one.search("2").candidates


def test_a_session_in_use_is_not_closed_for_another(stores: list[Daypack]) -> None:
    first, *others = stores
    first.memories.remember("a", "before")
    with first.engine.store.writing() as db:
        db.execute("UPDATE memory SET recalls = 7")
        for one in others:
            one.memories.remember("b", "beside")
        db.execute("UPDATE memory SET recalls = recalls + 1")
    assert first.engine.store.db.execute("SELECT recalls FROM memory").get == 8


def test_threads_that_use_their_stores_by_turns_lose_no_write(stores: list[Daypack], tmp_path: Path) -> None:
    failed: list[BaseException] = []

    def write(url: str) -> None:
        try:
            with opened(url, tmp_path) as own:
                for count in range(15):
                    own.memories.remember(f"k/{count}", f"v{count}")
        except BaseException as error:
            failed.append(error)

    urls = [one.engine.store.place.url for one in stores]  # type: ignore[union-attr]
    writers = [threading.Thread(target=write, args=(url,)) for url in urls]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    assert [len(one.memories.list().memories) for one in stores] == [15] * STORES


def test_a_child_of_fork_leaves_the_sessions_of_its_parent_open(stores: list[Daypack]) -> None:
    for one in stores[:2]:
        one.memories.remember("a", "of the parent")
    pids = [one.engine.store.db.execute("SELECT pg_backend_pid()").get for one in stores[:2]]

    def work() -> None:
        for one in stores:
            one.memories.remember("b", "of the child")

    assert support.in_child(work) == 0
    assert [one.engine.store.db.execute("SELECT pg_backend_pid()").get for one in stores[:2]] == pids
    assert stores[0].memories.recall("b").value == "of the child"


def test_a_session_has_limits_which_the_url_may_change(new_store: Callable[[], str], tmp_path: Path) -> None:
    url = new_store()
    with opened(url, tmp_path) as usual:
        assert setting(usual, "statement_timeout") == "2min"
        assert setting(usual, "idle_in_transaction_session_timeout") == "5min"
    with opened(f"{url}&options=-c%20statement_timeout%3D7min", tmp_path) as patient:
        assert setting(patient, "statement_timeout") == "7min"
        assert setting(patient, "idle_in_transaction_session_timeout") == "5min"


def test_a_statement_that_takes_too_long_says_how_to_wait_longer(
    new_store: Callable[[], str], tmp_path: Path
) -> None:
    with opened(f"{new_store()}&options=-c%20statement_timeout%3D500", tmp_path) as hasty:
        hasty.memories.remember("a", "before")
        with pytest.raises(StoreSlow, match="statement_timeout"), hasty.engine.store.writing() as db:
            db.execute("UPDATE memory SET recalls = 7")
            db.execute("SELECT pg_sleep(30)")
        assert hasty.engine.store.db.execute("SELECT recalls FROM memory").get == 0
        assert not isinstance(StoreSlow("x"), StoreBusy)  # nobody swallows it as a passing state


@pytest.mark.parametrize("level", ["serializable", "repeatable read"])
def test_a_stricter_default_of_the_server_changes_no_write(
    new_store: Callable[[], str], tmp_path: Path, level: str
) -> None:
    url = new_store()
    option = f"&options=-c%20default_transaction_isolation%3D{level.replace(' ', '%5C%20')}"
    with opened(url + option, tmp_path) as first, opened(url + option, tmp_path) as second:
        assert setting(first, "transaction_isolation") == level
        first.memories.remember("a", "one")
        waiting = threading.Thread(target=lambda: second.memories.remember("a", "two"))
        with first.engine.store.writing() as db:
            waiting.start()
            while not db.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").get:
                pass
            db.execute("UPDATE memory SET recalls = 7")
            db.execute("UPDATE meta SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = 'seq'")
        waiting.join()
        assert first.memories.recall("a", touch=False).value == "two"


def test_the_lock_of_a_client_that_stands_still_is_given_back(
    new_store: Callable[[], str], tmp_path: Path
) -> None:
    url = new_store()
    with (
        opened(f"{url}&options=-c%20idle_in_transaction_session_timeout%3D300", tmp_path) as still,
        opened(url, tmp_path) as other,
    ):
        still.memories.remember("a", "before")
        with pytest.raises(Exception, match="idle"), still.engine.store.writing() as db:
            db.execute("UPDATE memory SET recalls = 7")
            other.memories.remember("b", "beside")  # which waits for the lock
            db.execute("UPDATE memory SET recalls = 8")
        assert still.memories.recall("b").value == "beside"
        assert still.engine.store.db.execute("SELECT max(recalls) FROM memory").get <= 1


def test_a_url_may_name_several_hosts(server_url: str, new_store: Callable[[], str], tmp_path: Path) -> None:
    url = new_store()
    port = psycopg.conninfo.conninfo_to_dict(server_url)["port"]
    with opened(url.replace(f":{port}/", f":9,127.0.0.1:{port}/"), tmp_path) as daypack:
        daypack.memories.remember("a", "found at the second")
