"""Threads that have one store open. Calls that write run one at a time, in the order in which they came; a call that reads
waits only for the writes before it, and not for one that waits for another process to leave the store. A call that waits
for the world outside, as for a command, holds none of them up.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from daypack.errors import DaypackError, InputError, Stopped, StoreBusy, StoreReplaced

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.ports import Progress

T = TypeVar("T")
_Read: TypeAlias = "tuple[Future[Any], Callable[[Worker], Any]]"
OTHER_STORES = 4
OWNERS = 32  # for whom one thread keeps the store open; each has an index in memory once it was needed
MOST_WAITING = 256
MOST_REPORTS = 200  # of the progress of a call
MOST_ASIDE = 8  # reads that may take long, running and waiting
LEAST_PATIENCE = 1.0  # seconds for another process, also of a write that waited behind one that gave up
READERS = 2  # threads for reads beside the first; each has an index in memory once it was needed


def seldom(report: Progress) -> Progress:
    """`report`, called for every half percent of the work at most: each call is a message to the client."""
    told = -1

    def reported(done: int, total: int) -> None:
        nonlocal told
        share = done * MOST_REPORTS // max(total, 1)
        if share != told:
            told = share
            report(done, total)

    return reported


class TooBusy(DaypackError, code="too_busy"):
    """Too many calls are waiting."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} calls are waiting already; try again in a moment")


class Worker:
    """A thread that has the store open, and other stores that callers named."""

    def __init__(
        self, opened: Callable[[], Daypack], opened_elsewhere: Callable[[str], Daypack] | None, name: str
    ) -> None:
        self._opened, self._opened_elsewhere = opened, opened_elsewhere
        self._daypack: Daypack | None = None
        self._others: OrderedDict[str, Daypack] = OrderedDict()
        self._owners: OrderedDict[tuple[str, bool], Daypack] = OrderedDict()
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self.calls = 0  # that wait for it or run on it, without the reads that it takes from the others
        self._counting = threading.Lock()
        self.locked_out: Callable[[], AbstractContextManager[None]] | None = None  # of its stores

    def open(self) -> Daypack:
        """The store, opened again if the file of before was deleted or replaced."""
        if self._daypack is not None and self._daypack.engine.store.is_gone:
            self._leave()
        if self._daypack is None:
            self._daypack = self._opened()
            self._daypack.engine.store.locked_out = self.locked_out
            self._daypack.engine.expect_long_run()
        return self._daypack

    def seen_by(self, owner: str, *, notes_use: bool) -> Daypack:
        """The store as an owner sees it, which stays open while it is among the last used."""
        key = owner, notes_use
        if key not in self._owners:
            from daypack.api.owners import seen_by

            self._owners[key] = seen_by(self.open(), owner, notes_use=notes_use)
            if len(self._owners) > OWNERS:
                self._owners.popitem(last=False)[1].close_doors()
        self._owners.move_to_end(key)
        return self._owners[key]

    def begin(self) -> None:
        with self._counting:
            self.calls += 1

    def ended(self) -> None:
        with self._counting:
            self.calls -= 1

    def other(self, path: str) -> Daypack:
        """The store at `path`, which stays open while it is among the last used."""
        if self._opened_elsewhere is None:
            raise InputError("this server has one store; leave out path")
        if path in self._others and self._others[path].engine.store.is_gone:
            with suppress(StoreReplaced):
                self._others.pop(path).close()
        if path not in self._others:
            self._others[path] = self._opened_elsewhere(path)
            self._others[path].engine.store.locked_out = self.locked_out
            if len(self._others) > OTHER_STORES:
                self._others.popitem(last=False)[1].close()
        self._others.move_to_end(path)
        return self._others[path]

    def close(self) -> None:
        """Close the stores, after the current call."""
        self.thread.submit(self._shut).result()
        self.thread.shutdown()

    def _leave(self) -> None:
        """Close the store as each owner sees it; of one that is gone, doors have nothing to finish."""
        while self._owners:
            with suppress(StoreReplaced):
                self._owners.popitem()[1].close_doors()
        daypack, self._daypack = self._daypack, None
        if daypack is not None:
            with suppress(StoreReplaced):
                daypack.close()

    def _shut(self) -> None:
        self._leave()
        while self._others:
            self._others.popitem()[1].close()


class Workers:
    """The threads of one store, and the calls that wait for them."""

    def __init__(
        self, opened: Callable[[], Daypack], opened_elsewhere: Callable[[str], Daypack] | None = None
    ) -> None:
        # The first writes and reads, the others read; each opens the store with its first call.
        self._all = [
            Worker(opened, opened_elsewhere, f"daypack-{'verbs' if number == 0 else f'reads-{number}'}")
            for number in range(1 + READERS)
        ]
        self.first = self._all[0]
        self.is_ready = False  # the first worker has indexed the project, so the others need not
        self.waiting = 0  # calls that wait or run
        self.first.locked_out = self._locked_out
        self._reads: deque[_Read] = deque()
        self._later: deque[_Read] = deque()  # behind a write
        self._is_locked_out = False  # the write that runs waits for another process
        self._gave_up = 0.0  # when the last write gave up, by the steady clock; 0 when it did not
        self._writes = 0  # that wait or run
        self._aside: dict[str, Future[Any]] = {}
        self._closing = threading.Event()

    async def aside(self, name: str, work: Callable[[Worker], T], patience: float) -> T | None:
        """The result of a read that may take long, on the last reader's thread; None when it takes more than `patience`
        seconds. It goes on then, and a later call with its `name` waits for the same work. Raises TooBusy, and the
        errors of `work`.
        """
        running = self._aside.get(name)
        if running is None:
            if len(self._aside) >= MOST_ASIDE:
                raise TooBusy
            worker = self._all[-1]

            def begun() -> T:
                daypack = worker.open()
                with daypack.engine.stopping.asking(lambda: not self._closing.is_set()):
                    return work(worker)

            running = self._aside[name] = worker.thread.submit(begun)
            running.add_done_callback(lambda _: self._aside.pop(name, None))
        found: Future[T] = running
        awaited = asyncio.wrap_future(found)
        done, _ = await asyncio.wait([awaited], timeout=patience)
        if not done:
            awaited.add_done_callback(lambda late: late.cancelled() or late.exception())
            return None
        return awaited.result()

    async def run(
        self,
        work: Callable[[Worker, Progress], T],
        *,
        reads: bool,
        outside: bool = False,
        progress: Progress | None = None,
    ) -> T:
        """The result of `work`, in the order of the calls, or with `reads` beside other reads; work that waits for the world
        `outside` runs beside all others, and what it writes is there when it has ended. Raises TooBusy, and the errors of
        `work`.
        """
        if self.waiting >= MOST_WAITING:
            raise TooBusy
        gone = threading.Event()

        def step(done: int, total: int) -> None:
            if gone.is_set():
                raise Stopped
            if progress is not None:
                progress(done, total)

        asked = time.monotonic()
        in_order = not reads and not outside

        def begun(worker: Worker) -> T:
            if gone.is_set():
                raise Stopped
            engine = worker.open().engine
            with engine.stopping.asking(lambda: not gone.is_set()):
                if not in_order:
                    return work(worker, step)
                waited = max(self._gave_up - asked, 0.0)
                patience = max(engine.store.patience - waited, LEAST_PATIENCE)
                try:
                    with engine.store.waiting_at_most(patience):
                        done = work(worker, step)
                except StoreBusy:
                    self._gave_up = time.monotonic()
                    raise
                self._gave_up = 0.0
                return done

        self.waiting += 1
        self._writes += in_order
        submitted = (
            self._all[1].thread.submit(begun, self._all[1])
            if outside
            else self._submitted(begun, reads=reads)
        )
        running = asyncio.wrap_future(submitted)
        running.add_done_callback(lambda done: self._ended(done, in_order=in_order))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            gone.set()
            raise

    def _submitted(self, work: Callable[[Worker], T], *, reads: bool) -> Future[T]:
        """The future of a call: on the first worker in the order of the calls, or for a read that need not wait for a
        write, while the first is busy, on the worker that is free first.
        """
        first = self.first
        if not reads or not first.calls:
            first.begin()
            found = first.thread.submit(work, first)
            found.add_done_callback(lambda _: first.ended())
            return found
        found = Future()
        if self._writes or not self.is_ready:
            first.begin()
            found.add_done_callback(lambda _: first.ended())
            read = found, work
            self._later.append(read)
            first.thread.submit(self._take_own, read)
            self._release(1)
            return found
        self._reads.append((found, work))
        for worker in self._all:
            worker.thread.submit(self._take, worker, self._reads)
        return found

    @contextmanager
    def _locked_out(self) -> Iterator[None]:
        """While a write waits for another process, the reads behind it run on the other workers."""
        self._is_locked_out = True
        try:
            self._release(len(self._later))
            yield
        finally:
            self._is_locked_out = False

    def _release(self, reads: int) -> None:
        if self._is_locked_out:
            for worker in self._all[1:] * reads:
                worker.thread.submit(self._take_meanwhile, worker)

    def _take_own(self, read: _Read) -> None:
        """On the first worker's thread: this read, in the order of the calls, unless another worker took it."""
        try:
            self._later.remove(read)
        except ValueError:
            return
        self._answer(self.first, read)

    def _take_meanwhile(self, worker: Worker) -> None:
        if self._is_locked_out:
            self._take(worker, self._later)

    def _take(self, worker: Worker, reads: deque[_Read]) -> None:
        """On a worker's thread: the read that waits longest, unless another worker took it."""
        try:
            read = reads.popleft()
        except IndexError:
            return
        self._answer(worker, read)

    @staticmethod
    def _answer(worker: Worker, read: _Read) -> None:
        found, work = read
        if not found.set_running_or_notify_cancel():
            return
        try:
            found.set_result(work(worker))
        except BaseException as error:
            found.set_exception(error)

    def _ended(self, running: asyncio.Future[Any], *, in_order: bool) -> None:
        if not running.cancelled():
            running.exception()  # of a caller that is gone, which has no other reader
        self.waiting -= 1
        self._writes -= in_order

    def preload(self) -> None:
        """Start to load all that a first question waits for; a fault shows again at the first call."""
        first = self.first
        first.thread.submit(lambda: first.open().engine.preload())

    def close(self) -> None:
        """Close the store, after the current calls."""
        self._closing.set()
        for worker in self._all:
            worker.close()
