"""One store behind a server: verbs are called by name, one at a time, on a thread of their own.

An instance of `Daypack` belongs to one thread, and a server has many callers. Their calls wait their turn
here. The call of a caller that disconnects is dropped before it begins, or stopped at its next step.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from daypack.errors import DaypackError, InputError
from daypack.guard.fences import one_line
from daypack.surfaces.toolsets import offered, verbs
from daypack.text.storable import text_hash
from daypack.verbs import Access, Answer, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import Found

T = TypeVar("T")
Progress = Callable[[int, int], None]
KEPT_PACKS = 64
OTHER_STORES = 4
MOST_WAITING = 256


class TooBusy(DaypackError, code="too_busy"):
    """Too many calls are waiting."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} calls are waiting already; try again in a moment")


class NotOffered(InputError, code="not_offered"):
    """A verb that does not exist, or that the server's scope does not offer."""


class Stopped(Exception):
    """The caller disconnected."""


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
        self.ceiling = ceiling
        self._opened, self._home, self._embeds, self._opened_elsewhere = (
            opened,
            home,
            embeds,
            opened_elsewhere,
        )
        self._daypack: Daypack | None = None
        self._others: OrderedDict[str, Daypack] = OrderedDict()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-verbs")
        self._packs: OrderedDict[str, str] = OrderedDict()
        self._waiting = 0

    # ------------------------------------------------------------ calls

    async def call(
        self, name: str, arguments: Mapping[str, Any], *, progress: Progress | None = None
    ) -> Answer | dict[str, Any]:
        """The answer of a verb. Raises NotOffered, DaypackError.

        `progress(done, total)` is called on the worker's thread.
        """
        verb = self.verbs.get(name)
        if verb is None:
            raise NotOffered(self._why_not(name))
        given = verb.arguments(arguments)  # bad arguments fail before the call waits
        path = given.pop("path", None) if verb.elsewhere else None
        return await self.run(
            lambda daypack, step: self._answered(
                daypack if path is None else self._other(path), verb, given, step
            ),
            progress=progress,
        )

    def _why_not(self, name: str) -> str:
        shown = one_line(repr(name), 60)
        if name in verbs() and not self.ceiling.allows(verbs()[name].access):
            return f"{shown} is not allowed: this server was started with --access {self.ceiling}"
        if name in verbs():
            return f"{shown} is not offered: start the server with --tools {verbs()[name].toolset}"
        return f"unknown tool {shown}; choose from {', '.join(self.verbs)}"

    def _answered(
        self, daypack: Daypack, verb: Verb, given: Mapping[str, Any], step: Progress
    ) -> Answer | dict[str, Any]:
        if verb.looks:
            self.prepare(daypack, step)
        found = verb.answer(daypack, given)
        if verb.name == "pack" and isinstance(found, Answer):
            found = Answer(found.text, self._kept(found))
        return found if isinstance(found, (Answer, dict)) else Answer(str(found))

    def _other(self, path: str) -> Daypack:
        """The store at `path`, which stays open while it is among the last used."""
        if self._opened_elsewhere is None:
            raise InputError("this server has one store; leave out path")
        if path not in self._others:
            self._others[path] = self._opened_elsewhere(path)
            if len(self._others) > OTHER_STORES:
                self._others.popitem(last=False)[1].close()
        self._others.move_to_end(path)
        return self._others[path]

    def prepare(self, daypack: Daypack, step: Progress) -> None:
        """On the store's thread, make it ready for a question: index the project, start making vectors."""
        if self._home is not None:
            daypack.first_use(self._home, progress=step)
        if self._embeds:
            daypack.embed_in_background()

    async def run(self, work: Callable[[Daypack, Progress], T], *, progress: Progress | None = None) -> T:
        """Run `work` on the store's thread. Raises TooBusy, and the errors of `work`."""
        if self._waiting >= MOST_WAITING:
            raise TooBusy
        gone = threading.Event()

        def step(done: int, total: int) -> None:
            if gone.is_set():
                raise Stopped
            if progress is not None:
                progress(done, total)

        def begun() -> T:
            if gone.is_set():
                raise Stopped
            return work(self._open(), step)

        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, begun)
        except asyncio.CancelledError:
            gone.set()
            raise
        finally:
            self._waiting -= 1

    def _open(self) -> Daypack:
        if self._daypack is None:
            self._daypack = self._opened()
            self._daypack.engine.expect_long_run()
        return self._daypack

    def warm(self) -> None:
        """Start to load all that a first question waits for; a fault shows again at the first call."""
        self._thread.submit(lambda: self._open().engine.preload())

    # ------------------------------------------------------------ resources

    async def chunk(self, chunk_id: int) -> Found:
        return await self.run(lambda daypack, _: daypack.get(str(chunk_id)))

    async def record(self, record_id: int) -> Found:
        return await self.run(lambda daypack, _: daypack.engine.find_record(record_id))

    def pack_text(self, pack_id: str) -> str | None:
        """The text of one of the last packs; None for an older one."""
        return self._packs.get(pack_id)

    def _kept(self, answer: Answer) -> dict[str, Any]:
        """The details of a pack, whose text a resource holds by its ID; where the store keeps none, by one of its own."""
        pack_id = str(answer.details.get("pack") or text_hash(answer.text))
        self._packs[pack_id] = answer.text
        self._packs.move_to_end(pack_id)
        while len(self._packs) > KEPT_PACKS:
            self._packs.popitem(last=False)
        return {"pack": pack_id, **answer.details}

    def close(self) -> None:
        """Close the store, after the current call."""
        self._thread.submit(self._shut).result()
        self._thread.shutdown()

    def _shut(self) -> None:
        if self._daypack is not None:
            self._daypack.close()
            self._daypack = None
        while self._others:
            self._others.popitem()[1].close()
