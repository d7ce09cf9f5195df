"""Calls of a server: cancelled ones end at the next seam, reads do not wait for reads, and writes keep their order."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from daypack import Daypack
from daypack.chunk import cut
from daypack.engine.engine import Engine
from daypack.errors import InputError, Stopped, StoreBusy, TooManyItems
from daypack.index.database import Database
from daypack.index.transactions import Transactions
from daypack.surfaces.failures import failure_of
from daypack.surfaces.host import Host
from daypack.surfaces.workers import LEAST_PATIENCE, MOST_ASIDE, READERS, TooBusy, Worker, Workers
from daypack.verbs import Access, Answer
from support import WORDS, project


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    def opened() -> Daypack:
        return Daypack.open(tmp_path / "s", settings=WORDS)

    with opened() as dp:
        dp.records.add([{"id": f"r{n}", "text": f"the kettle number {n} boils"} for n in range(30)])
    found = Host(opened, toolsets=["all"], ceiling=Access.DANGEROUS, embeds=False)
    yield found
    found.close()


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, before: Callable[[int], None]) -> Iterator[list[str]]:
    """The questions that engines are asked; `before` is called with the number of each."""
    asked: list[str] = []
    search = Engine.search

    def counting(self: Engine, text: str, *rest: Any, **options: Any) -> Any:
        asked.append(text)
        before(len(asked))
        return search(self, text, *rest, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "search", counting)
        yield asked


def test_a_cancelled_call_ends_between_its_questions(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    second, go_on = threading.Event(), threading.Event()

    def before(number: int) -> None:
        if number == 2:
            second.set()
            assert go_on.wait(120)

    async def talk() -> None:
        with counted(monkeypatch, before) as asked:
            call = asyncio.ensure_future(
                host.call("search", {"queries": [f"kettle {n}" for n in range(20)], "limit": 1})
            )
            await asyncio.to_thread(second.wait, 20)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            go_on.set()
            found = await host.call("search", {"queries": ["boils"]})
            assert isinstance(found, Answer)
            assert "kettle" in found.text
            assert asked == ["kettle 0", "kettle 1", "boils"]

    asyncio.run(talk())


def test_a_call_that_is_cancelled_while_it_waits_never_begins(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    async def talk() -> None:
        with counted(monkeypatch, lambda number: None) as asked:
            write = asyncio.ensure_future(host.run(lambda dp, step: go_on.wait(120)))
            read = asyncio.ensure_future(host.call("search", {"queries": ["kettle"]}))
            await asyncio.sleep(0.05)
            read.cancel()
            with pytest.raises(asyncio.CancelledError):
                await read
            go_on.set()
            await write
            await host.call("search", {"queries": ["boils"]})
            assert asked == ["boils"]

    asyncio.run(talk())


def test_reads_run_beside_reads(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    running, go_on = threading.Event(), threading.Event()

    def before(number: int) -> None:
        if number == 2:  # the first of the call that takes long
            running.set()
            assert go_on.wait(120)

    async def talk() -> None:
        await host.call("search", {"queries": ["the first makes it ready"]})
        with counted(monkeypatch, lambda number: before(number + 1)):
            long = asyncio.ensure_future(host.call("search", {"queries": ["kettle", "boils"]}))
            await asyncio.to_thread(running.wait, 120)
            others = [host.call("search", {"queries": ["number 7"]}) for _ in range(8)]
            for found in await asyncio.wait_for(asyncio.gather(*others), 120):
                assert isinstance(found, Answer)
                assert "r7" in found.text
            assert not long.done()
            go_on.set()
            await long

    asyncio.run(talk())


def test_a_read_waits_for_the_writes_before_it(host: Host) -> None:
    go_on = threading.Event()

    async def talk() -> None:
        await host.call("search", {"queries": ["the first makes it ready"]})
        slow = asyncio.ensure_future(host.run(lambda dp, step: go_on.wait(120)))
        calls: list[Any] = []
        for number in range(10):
            calls.append(host.call("remember", {"key": "k", "value": f"v{number}"}))
            calls.append(host.call("recall", {"key": "k"}))
        waiting = asyncio.gather(*calls)
        await asyncio.sleep(0.05)
        go_on.set()
        await slow
        found = await waiting
        assert [one["value"] for one in found[1::2]] == [f"v{number}" for number in range(10)]

    asyncio.run(talk())


def test_a_running_command_holds_up_no_other_call(host: Host) -> None:
    async def talk() -> None:
        await host.call("search", {"queries": ["the first makes it ready"]})
        command = [sys.executable, "-c", "print('the kettle whistles')"]
        slow = [
            sys.executable,
            "-c",
            "import time; print('the kettle whistles', flush=True); time.sleep(3000)",
        ]
        running = asyncio.ensure_future(
            host.call(
                "ctx_batch_execute", {"commands": [{"label": "slow", "command": slow}], "timeout": 3000}
            )
        )
        await asyncio.sleep(0.5)
        for _ in range(4):
            assert isinstance(await host.call("search", {"queries": ["kettle"]}), Answer)
            await host.call("remember", {"key": "k", "value": "v"})
        assert not running.done()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        # The thread that ran it takes the next command: the first one has ended with its call.
        quick = host.call("ctx_batch_execute", {"commands": [{"label": "quick", "command": command}]})
        done = await asyncio.wait_for(quick, 120)
        assert isinstance(done, Answer)
        assert "kettle whistles" in done.text
        found = await host.call("ctx_search", {"query": "whistles", "source": "quick"})
        assert isinstance(found, Answer)
        assert "kettle whistles" in found.text

    asyncio.run(talk())


def test_a_long_read_goes_on_aside_and_is_found_later(host: Host) -> None:
    go_on, made = threading.Event(), []

    def slow(dp: Daypack) -> int:
        assert go_on.wait(120)
        made.append(dp.status()["records"])
        return made[-1]

    def faulty(dp: Daypack) -> int:
        raise InputError("not this one")

    async def talk() -> None:
        assert await host.aside("slow", slow, 0.01) is None
        again = asyncio.ensure_future(host.aside("slow", slow, 20))
        assert isinstance(await host.call("search", {"queries": ["number 7"]}), Answer)
        assert not again.done()
        go_on.set()
        assert await again == 30
        assert made == [30]
        with pytest.raises(InputError, match="not this one"):
            await host.aside("faulty", faulty, 20)
        assert await host.aside("slow", slow, 20) == 30

    asyncio.run(talk())
    assert made == [30, 30]


def test_a_long_read_ends_with_the_server_and_few_may_wait(tmp_path: Path) -> None:
    host = Host(lambda: Daypack.open(tmp_path, settings=WORDS), embeds=False)
    running, ended = threading.Event(), threading.Event()

    def endless(dp: Daypack) -> None:
        running.set()
        try:
            while True:
                dp.engine.stopping.check()
        finally:
            ended.set()

    async def talk() -> None:
        for number in range(MOST_ASIDE):
            assert await host.aside(str(number), endless, 0) is None
        with pytest.raises(TooBusy):
            await host.aside("another", endless, 0)

    asyncio.run(talk())
    assert running.wait(120)
    host.close()
    assert ended.is_set()


def test_every_reader_is_used_and_closed(host: Host) -> None:
    names: set[str] = set()
    together = threading.Barrier(READERS + 1)

    def met(dp: Daypack, step: Any) -> None:
        names.add(threading.current_thread().name)
        together.wait(120)

    def alone(dp: Daypack, step: Any) -> str:
        return threading.current_thread().name

    async def talk() -> None:
        await host.call("search", {"queries": ["kettle"]})
        # One call after the other needs one worker, and so one index in memory.
        assert len({await host.run(alone, reads=True) for _ in range(20)}) == 1
        await asyncio.gather(*(host.run(met, reads=True) for _ in range(READERS + 1)))

    asyncio.run(talk())
    assert len(names) == READERS + 1


def test_too_many_questions_are_refused_before_anything_is_asked(host: Host) -> None:
    for name, given in (("search", {}), ("ctx_search", {}), ("ctx_batch_execute", {"commands": [["true"]]})):
        with pytest.raises(TooManyItems, match="queries has 300 items, at most 20"):
            asyncio.run(host.call(name, {**given, "queries": ["kettle"] * 300}))


def test_a_stopped_call_is_no_sign_of_damage(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "daypack.engine.health.damage", lambda store, doors: pytest.fail("the store was checked")
    )

    def stopped(dp: Daypack, step: Any) -> None:
        with dp.engine.stopping.asking(lambda: False):
            dp.search("kettle")

    with pytest.raises(Stopped) as error:
        asyncio.run(host.run(stopped))
    assert (failure_of(error.value, "search").status, error.value.code) == (503, "stopped")


def test_the_first_look_at_a_project_ends_within_a_batch_of_files_when_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        (tmp_path / f"{number}.md").write_text(f"# Kettle {number}\n\nIt boils in {number} minutes.\n")
    read: list[str] = []
    monkeypatch.setattr("daypack.chunk.cut", lambda record: read.append(record.uid) or cut(record))
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS) as dp:
        with dp.engine.stopping.asking(lambda: len(read) < 3), pytest.raises(Stopped):
            dp.files.add(tmp_path)
        assert len(read) == 3
        dp.files.add(tmp_path)
        assert dp.search("kettle 39").candidates


def locked(store: Path) -> apsw.Connection:
    """Another program that writes into a store and does not end."""
    other = apsw.Connection(str(store / "daypack.db"))
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_read_waits_for_no_write_that_waits_for_another_process(
    tmp_path: Path, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Transactions, "patience", 300.0)

    async def talk() -> None:
        await host.call("search", {"queries": ["kettle"]})  # opens the store
        other = locked(tmp_path / "s")
        remembering = asyncio.ensure_future(host.call("remember", {"key": "k", "value": "v"}))
        found = await asyncio.gather(*(host.call("search", {"queries": ["kettle"]}) for _ in range(4)))
        assert all("kettle" in answer.text for answer in found if isinstance(answer, Answer))
        assert not remembering.done()
        other.execute("ROLLBACK")
        await remembering
        recalled = await host.call("recall", {"key": "k"})
        assert "v" in str(recalled)

    asyncio.run(asyncio.wait_for(talk(), 200))


def test_the_first_question_in_a_project_whose_store_is_locked_gives_up_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = project(tmp_path / "shop", {"tea.md": "# Tea\n\nIt is hot.\n"})
    monkeypatch.setattr(Transactions, "patience", 300.0)
    host = Host(
        lambda: Daypack.open(shop / ".daypack", settings=WORDS),
        toolsets=["core", "memory"],
        home=tmp_path,
        embeds=False,
    )

    async def talk() -> None:
        await host.call("list_memories", {})  # opens the store, and indexes nothing
        other = locked(shop / ".daypack")
        remembering = asyncio.ensure_future(host.call("remember", {"key": "k", "value": "v"}))
        for _ in range(2):  # on the first thread, then on one that only reads
            with pytest.raises(StoreBusy, match="is locked by another process"):
                await host.call("search", {"queries": ["tea"]})
        assert not remembering.done()
        other.execute("ROLLBACK")
        await remembering
        found = await host.call("search", {"queries": ["tea"]})
        assert isinstance(found, Answer)
        assert "tea.md" in found.text

    asyncio.run(asyncio.wait_for(talk(), 200))
    host.close()


def test_a_read_that_came_after_a_write_waits_for_it_also_where_another_thread_took_a_read_before(
    tmp_path: Path,
) -> None:
    workers = Workers(lambda: Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS))
    order: list[str] = []
    held, taken, go_on = threading.Event(), threading.Event(), threading.Event()

    def blocked(worker: Worker, _: Any) -> None:
        with workers._locked_out():
            held.set()
            assert taken.wait(60)
        assert go_on.wait(60)

    async def talk() -> None:
        first = asyncio.ensure_future(workers.run(blocked, reads=False))
        await asyncio.to_thread(held.wait, 60)
        await workers.run(lambda *_: order.append("read beside"), reads=True)
        taken.set()
        while workers._is_locked_out:
            await asyncio.sleep(0.01)
        write = workers.run(lambda *_: order.append("write"), reads=False)
        read = workers.run(lambda *_: order.append("read"), reads=True)
        both = asyncio.gather(write, read)
        await asyncio.sleep(0)
        go_on.set()
        await both
        await first

    asyncio.run(asyncio.wait_for(talk(), 120))
    workers.close()
    assert order == ["read beside", "write", "read"]


def test_a_write_does_not_wait_again_for_a_process_that_held_up_the_write_before_it(
    tmp_path: Path, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    begin = Database._begin

    def noted(self: Database, seconds: float) -> None:
        waits.append(seconds)
        begin(self, seconds)

    async def talk() -> None:
        monkeypatch.setattr(Transactions, "patience", 5.0)
        await host.call("remember", {"key": "a", "value": "v"})
        other = locked(tmp_path / "s")
        monkeypatch.setattr(Database, "_begin", noted)
        calls = [host.call("remember", {"key": f"k{n}", "value": "v"}) for n in range(3)]
        found = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(error) for error in found] == [StoreBusy] * 3
        other.execute("ROLLBACK")
        patient = [seconds for seconds in waits if seconds]
        assert patient == [pytest.approx(5, abs=0.1), LEAST_PATIENCE, LEAST_PATIENCE]
        await host.call("remember", {"key": "k", "value": "v"})

    asyncio.run(talk())
