"""A replica answers questions and says how old its answers may be; when the primary dies it takes over, and nothing is lost."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

import support
import team_server
from daypack import Daypack
from daypack.errors import StoreError
from daypack.shapes.wording import notes
from daypack.types.servers import OnlyAReplica, StoreConflict
from daypack.verbs import Access, Verb
from team_server import Pair


@pytest.fixture
def pair() -> Iterator[Pair]:
    if reason := team_server.why_not():
        pytest.skip(reason)
    with team_server.replicated({"max_standby_streaming_delay": "0"}) as both:
        yield both


def replay(pair: Pair, *, paused: bool) -> None:
    """Stop or continue the replica's replay."""
    with psycopg.connect(pair.replica.url, autocommit=True) as db:
        db.execute(f"SELECT pg_wal_replay_{'pause' if paused else 'resume'}()")


def _until(holds: Callable[[], object]) -> None:
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within a minute")


def opened(url: str, root: Path) -> Daypack:
    return Daypack.open(url, root=root, settings=support.WORDS)


def values(daypack: Daypack) -> list[str]:
    return [memory.value for memory in daypack.memories.list().memories]


def test_a_replica_answers_as_its_primary_and_refuses_writes(pair: Pair, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Harbour\n\nThe harbour opens at seven.\n")
    with opened(pair.primary.url, tmp_path) as primary:
        primary.files.add(tmp_path)
        primary.memories.remember("kettle", "is red")
        primary.embed()
        with opened(pair.replica.url, tmp_path) as replica:
            for question in ("harbour", "kettle"):
                assert replica.pack(question, budget=300).text == primary.pack(question, budget=300).text
            # the primary writes now and then by itself, and the replica is behind for a moment
            _until(lambda: replica.pack("kettle", budget=300).stats.degraded == ())
            _until(lambda: any("a replica, up to date" in check.detail for check in replica.doctor()))
            with pytest.raises(OnlyAReplica, match="write to its primary"):
                replica.memories.remember("kettle", "is blue")
            assert team_server.PASSWORD not in str(OnlyAReplica(replica.engine.store.name))


def test_an_answer_says_how_old_it_may_be_when_the_replica_lags(pair: Pair, tmp_path: Path) -> None:
    with opened(pair.primary.url, tmp_path) as primary, opened(pair.replica.url, tmp_path) as replica:
        primary.memories.remember("kettle", "is red")
        primary.embed()
        _until(lambda: replica.search("kettle").stats.degraded == ())
        replay(pair, paused=True)
        with primary.engine.store.writing(durable=False) as db:  # which waits for no replica
            db.execute("UPDATE memory SET recalls = 7")
        _until(lambda: replica.engine.store.lag())
        pack = replica.pack("kettle", budget=300)
        (said,) = pack.stats.degraded
        assert "read from a replica that is at most" in said and "s behind" in said
        assert f"Degraded: {said}." in notes(pack)
        (doubt,) = [check for check in replica.doctor() if check.name == "server"]
        assert "a replica, at most" in doubt.detail
        replay(pair, paused=False)
        _until(lambda: replica.search("kettle").stats.degraded == ())


def test_a_replica_whose_primary_is_gone_grows_older(pair: Pair, tmp_path: Path) -> None:
    with opened(pair.primary.url, tmp_path) as primary:
        primary.memories.remember("kettle", "is red")
    with opened(pair.replica.url, tmp_path) as replica:
        pair.primary.stop(signal.SIGKILL)
        _until(lambda: replica.engine.store.lag())
        first = replica.engine.store.lag()
        assert first is not None and 0 < first < 3600
        _until(lambda: (replica.engine.store.lag() or 0) > first)
        assert values(replica) == ["is red"]


def test_a_read_that_the_replica_ends_in_favour_of_a_change_is_made_again(pair: Pair, tmp_path: Path) -> None:
    with opened(pair.primary.url, tmp_path) as primary, opened(pair.replica.url, tmp_path) as replica:
        primary.memories.remember("kettle", "is red")
        tries = []

        def count(daypack: Daypack) -> int:
            """Count the memories, while the primary rewrites their table the first time."""
            with daypack.engine.store.reading() as db:
                found: int = db.execute("SELECT count(*) FROM memory").get
                tries.append(found)
                if len(tries) == 1:
                    primary.engine.store.purge()
                    db.execute("SELECT count(*) FROM memory").fetchone()
            return found

        assert Verb("count", "core", Access.READ, count, "count").answer(replica, {}) == 1
        assert len(tries) == 2
        tries.clear()
        with pytest.raises(StoreConflict, match="run it again"):
            Verb("count", "core", Access.WRITE, count, "count").answer(replica, {})


@pytest.mark.slow
def test_no_acknowledged_write_is_lost_when_the_primary_is_killed_and_the_replica_promoted(
    pair: Pair, tmp_path: Path
) -> None:
    acknowledged: dict[int, list[str]] = {number: [] for number in range(4)}
    ends = threading.Event()

    def write(number: int) -> None:
        with opened(pair.url, tmp_path) as daypack:
            count = 0
            while not ends.is_set():
                key = f"{number}/{count}"
                try:
                    daypack.memories.remember(key, f"value {key}")
                except StoreError:  # as a client does: the same once more
                    time.sleep(0.05)
                    continue
                acknowledged[number].append(key)
                count += 1

    with opened(pair.primary.url, tmp_path) as daypack:
        daypack.memories.remember("before", "the storm")
    with opened(pair.replica.url, tmp_path) as reader:
        writers = [threading.Thread(target=write, args=(number,)) for number in acknowledged]
        for writer in writers:
            writer.start()
        try:
            _until(lambda: min(map(len, acknowledged.values())) >= 5)
            pair.fail_over()
            before = {number: len(keys) for number, keys in acknowledged.items()}
            _until(lambda: all(len(keys) >= before[number] + 5 for number, keys in acknowledged.items()))
        finally:
            ends.set()
            for writer in writers:
                writer.join()
        reader.memories.remember("after", "the storm")  # over the session that was a replica's
        with opened(pair.url, tmp_path) as daypack:
            there = {
                key: daypack.memories.recall(key).value for keys in acknowledged.values() for key in keys
            }
            assert there == {key: f"value {key}" for key in there}
            assert (
                daypack.memories.recall("before").value
                == daypack.memories.recall("after").value
                == "the storm"
            )

            assert support.ills(daypack) == []
