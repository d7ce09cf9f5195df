"""One store behind a server: verbs are called by name, and each call runs on a thread that has the store open.

An instance of `Daypack` belongs to one thread, and a server has many callers. Calls that write run one at a time, in
the order in which they came; a call that reads does not wait for another read, only for the writes before it. The
call of a caller that disconnects is dropped before it begins, or stopped at its next step.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from daypack.errors import DaypackError, InputError, Stopped
from daypack.guard.fences import one_line
from daypack.surfaces.toolsets import offered, verbs
from daypack.text.storable import text_hash
from daypack.types import Trust
from daypack.verbs import Access, Answer, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.guard.trust import Writer
    from daypack.types import Found

T = TypeVar("T")
Progress = Callable[[int, int], None]
KEPT_PACKS = 64
OTHER_STORES = 4
MOST_WAITING = 256
UNTRUSTED = Trust.UNTRUSTED
BOUND = "counts as untrusted: an untrusted text was shown in this conversation (over REST: to any caller since the server started)"
"""The note in the answer of a call that writes, when its text may be made from one that is not trusted."""
MOST_ASIDE = 8  # reads that may take long, running and waiting
READERS = 2  # threads for reads beside the first; each keeps an index in memory once it was needed


class TooBusy(DaypackError, code="too_busy"):
    """Too many calls are waiting."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} calls are waiting already; try again in a moment")


class NotOffered(InputError, code="not_offered"):
    """A verb that does not exist, or that the server's scope does not offer."""


class Worker:
    """A thread that has the store open, and others that calls named by their paths."""

    def __init__(
        self, opened: Callable[[], Daypack], opened_elsewhere: Callable[[str], Daypack] | None, name: str
    ) -> None:
        self._opened, self._opened_elsewhere = opened, opened_elsewhere
        self._daypack: Daypack | None = None
        self._others: OrderedDict[str, Daypack] = OrderedDict()
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self.calls = 0  # that wait for it or run on it, without the reads that it takes from the others
        self._counting = threading.Lock()

    def open(self) -> Daypack:
        if self._daypack is None:
            self._daypack = self._opened()
            self._daypack.engine.expect_long_run()
        return self._daypack

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
        if path not in self._others:
            self._others[path] = self._opened_elsewhere(path)
            if len(self._others) > OTHER_STORES:
                self._others.popitem(last=False)[1].close()
        self._others.move_to_end(path)
        return self._others[path]

    def close(self) -> None:
        """Close the stores, after the current call."""
        self.thread.submit(self._shut).result()
        self.thread.shutdown()

    def _shut(self) -> None:
        if self._daypack is not None:
            self._daypack.close()
            self._daypack = None
        while self._others:
            self._others.popitem()[1].close()


class Host:
    """The verbs of some toolsets, up to a ceiling, on one store, and on others that callers may name."""

    def __init__(
        self,
        opened: Callable[[], Daypack],
        *,
        toolsets: Sequence[str] = ("core",),
        ceiling: Access = Access.WRITE,
        home: Path | None = None,
        embeds: bool = True,
        opened_elsewhere: Callable[[str], Daypack] | None = None,
        shared: bool = False,
    ) -> None:
        """`opened` opens the store, on the thread that will use it; `opened_elsewhere` opens one that a
        caller names by its path. With `home`, a project is indexed at the first question, unless its root is
        that folder or not a project. With `embeds`, the background makes missing vectors afterwards.
        """
        self.verbs: Mapping[str, Verb] = offered(toolsets, ceiling, shared=shared)
        self.toolsets = tuple(toolsets)
        self.ceiling = ceiling
        self._home, self._embeds = home, embeds
        # The first writes and reads, the others read; each opens the store with its first call.
        self._workers = [
            Worker(opened, opened_elsewhere, f"daypack-{'verbs' if number == 0 else f'reads-{number}'}")
            for number in range(1 + READERS)
        ]
        self._reads: deque[tuple[Future[Any], Callable[[Worker], Any]]] = deque()
        self._is_ready = False  # the first worker has indexed the project, so the others need not
        self._writes = 0  # that wait or run
        self._since = time.time()  # of the agent's conversation, at the latest
        self._shown_untrusted: set[str] = set()  # conversations
        self._packs: OrderedDict[str, Answer] = OrderedDict()
        self._packs_lock = threading.Lock()
        self._waiting = 0
        self._aside: dict[str, Future[Any]] = {}
        self._closing = threading.Event()

    # ------------------------------------------------------------ calls

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        conversation: str = "",
        progress: Progress | None = None,
    ) -> Answer | dict[str, Any]:
        """The answer of a verb. Raises NotOffered, DaypackError.

        The caller is an agent, or a program for one: what its conversation was shown bounds the trust of what it
        writes. `progress(done, total)` is called on the worker's thread.
        """
        verb = self.verbs.get(name)
        if verb is None:
            raise NotOffered(self._why_not(name))
        given = verb.arguments(arguments)  # bad arguments fail before the call waits
        path = given.pop("path", None) if verb.elsewhere else None

        def answered(worker: Worker, step: Progress) -> Answer | dict[str, Any]:
            if verb.looks and worker is self._workers[0]:
                self.prepare(worker.open(), step)
            daypack = worker.open() if path is None else worker.other(path)
            with self._serving(daypack, conversation):
                return self._answered(daypack, verb, given)

        return await self._on_worker(answered, reads=verb.access is Access.READ, progress=progress)

    def _why_not(self, name: str) -> str:
        shown = one_line(repr(name), 60)
        if name in verbs() and not self.ceiling.allows(verbs()[name].access):
            return f"{shown} is not allowed: the access of this server is {self.ceiling}"
        if name in verbs():
            return f"{shown} is not offered: this server was started without the tools of {verbs()[name].toolset}"
        return f"unknown tool {shown}; choose from {', '.join(self.verbs)}"

    def _answered(self, daypack: Daypack, verb: Verb, given: Mapping[str, Any]) -> Answer | dict[str, Any]:
        found = verb.answer(daypack, given)
        if verb.name == "pack" and isinstance(found, Answer):
            found = Answer(found.text, self._kept(found))
        if (
            isinstance(found, dict)
            and verb.access is Access.WRITE
            and daypack.engine.writer.shown is UNTRUSTED
        ):
            found = {**found, "note": BOUND}
        return found if isinstance(found, (Answer, dict)) else Answer(str(found))

    @contextmanager
    def _serving(self, daypack: Daypack, conversation: str) -> Iterator[None]:
        """Inside, the store is open for the agent of a conversation; outside for the person of the page."""
        writer, usual = daypack.engine.writer, replace(daypack.engine.writer)

        def look(agent: Writer) -> None:
            if daypack.sessions.have_read_outside(self._since):
                agent.show([UNTRUSTED])

        writer.trust, writer.attended, writer.look = Trust.AGENT, False, look
        writer.shown = UNTRUSTED if conversation in self._shown_untrusted else Trust.USER
        try:
            yield
        finally:
            if writer.shown is UNTRUSTED:
                self._shown_untrusted.add(conversation)
            writer.trust, writer.shown = usual.trust, usual.shown
            writer.attended, writer.look = usual.attended, usual.look

    def prepare(self, daypack: Daypack, step: Progress) -> None:
        """On the first worker's thread, make the store ready for a question: index the project, start making
        vectors.
        """
        if self._home is not None:
            daypack.first_use(self._home, progress=step)
        if self._embeds:
            daypack.embed_in_background()
        self._is_ready = True

    async def run(
        self,
        work: Callable[[Daypack, Progress], T],
        *,
        reads: bool = False,
        progress: Progress | None = None,
        conversation: str | None = None,
    ) -> T:
        """Run `work` on a thread of the store, for the agent of a `conversation` or for a person; with `reads` beside
        others. Raises TooBusy, and the errors of `work`.
        """

        def worked(worker: Worker, step: Progress) -> T:
            if conversation is None:
                return work(worker.open(), step)
            with self._serving(worker.open(), conversation):
                return work(worker.open(), step)

        return await self._on_worker(worked, reads=reads, progress=progress)

    async def aside(self, name: str, work: Callable[[Daypack], T], patience: float) -> T | None:
        """The result of a read that may take long, on the last reader's thread; None when it takes more than `patience`
        seconds. It goes on then, and a later call with its `name` waits for the same work. Raises TooBusy, and the
        errors of `work`.
        """
        running = self._aside.get(name)
        if running is None:
            if len(self._aside) >= MOST_ASIDE:
                raise TooBusy
            worker = self._workers[-1]

            def begun() -> T:
                daypack = worker.open()
                with daypack.engine.stopping.asking(lambda: not self._closing.is_set()):
                    return work(daypack)

            running = self._aside[name] = worker.thread.submit(begun)
            running.add_done_callback(lambda _: self._aside.pop(name, None))
        found: Future[T] = running
        awaited = asyncio.wrap_future(found)
        done, _ = await asyncio.wait([awaited], timeout=patience)
        if not done:
            awaited.add_done_callback(lambda late: late.cancelled() or late.exception())
            return None
        return awaited.result()

    async def _on_worker(
        self, work: Callable[[Worker, Progress], T], *, reads: bool, progress: Progress | None = None
    ) -> T:
        if self._waiting >= MOST_WAITING:
            raise TooBusy
        gone = threading.Event()

        def step(done: int, total: int) -> None:
            if gone.is_set():
                raise Stopped
            if progress is not None:
                progress(done, total)

        def begun(worker: Worker) -> T:
            if gone.is_set():
                raise Stopped
            with worker.open().engine.stopping.asking(lambda: not gone.is_set()):
                return work(worker, step)

        self._waiting += 1
        self._writes += not reads
        running = asyncio.wrap_future(self._submitted(begun, reads=reads))
        running.add_done_callback(lambda done: self._ended(done, reads=reads))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            gone.set()
            raise

    def _submitted(self, work: Callable[[Worker], T], *, reads: bool) -> Future[T]:
        """The future of a call: on the first worker in the order of the calls, or for a read that need not wait for a
        write, while the first is busy, on the worker that is free first.
        """
        first = self._workers[0]
        if not reads or self._writes or not self._is_ready or not first.calls:
            first.begin()
            found = first.thread.submit(work, first)
            found.add_done_callback(lambda _: first.ended())
            return found
        found = Future()
        self._reads.append((found, work))
        for worker in self._workers:
            worker.thread.submit(self._take, worker)
        return found

    def _take(self, worker: Worker) -> None:
        """On a worker's thread: the read that waits longest, unless another worker took it."""
        try:
            found, work = self._reads.popleft()
        except IndexError:
            return
        if not found.set_running_or_notify_cancel():
            return
        try:
            found.set_result(work(worker))
        except BaseException as error:
            found.set_exception(error)

    def _ended(self, running: asyncio.Future[Any], *, reads: bool) -> None:
        if not running.cancelled():
            running.exception()  # of a caller that is gone, which has no other reader
        self._waiting -= 1
        self._writes -= not reads

    def warm(self) -> None:
        """Start to load all that a first question waits for; a fault shows again at the first call."""
        first = self._workers[0]
        first.thread.submit(lambda: first.open().engine.preload())

    # ------------------------------------------------------------ resources

    async def chunk(self, chunk_id: int, conversation: str) -> Found:
        return await self.run(
            lambda daypack, _: daypack.get(str(chunk_id)), reads=True, conversation=conversation
        )

    async def record(self, record_id: int, conversation: str) -> Found:
        return await self.run(
            lambda daypack, _: daypack.engine.find_record(record_id), reads=True, conversation=conversation
        )

    def pack_text(self, pack_id: str, conversation: str) -> str | None:
        """The text of one of the last packs; None for an older one."""
        with self._packs_lock:
            pack = self._packs.get(pack_id)
        if pack is None:
            return None
        if any(one.get("trust") == UNTRUSTED for one in pack.details["citations"]):
            self._shown_untrusted.add(conversation)
        return pack.text

    def pack_ids(self) -> list[str]:
        """The IDs of the last packs, the newest first."""
        with self._packs_lock:
            return [*reversed(self._packs)]

    def _kept(self, answer: Answer) -> dict[str, Any]:
        """The details of a pack, whose text a resource holds by its ID; where the store keeps none, by one of its own."""
        pack_id = str(answer.details.get("pack") or text_hash(answer.text))
        with self._packs_lock:
            self._packs[pack_id] = answer
            self._packs.move_to_end(pack_id)
            while len(self._packs) > KEPT_PACKS:
                self._packs.popitem(last=False)
        return {"pack": pack_id, **answer.details}

    def close(self) -> None:
        """Close the store, after the current calls."""
        self._closing.set()
        for worker in self._workers:
            worker.close()
