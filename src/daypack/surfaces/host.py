"""The host: one store behind a server. Callers name a verb, and the call runs on a thread that has the store open.

An instance of `Daypack` belongs to one thread, and a server has many callers. Calls that write run one at a time, in the
order in which they came; a call that reads waits only for the writes before it. When a caller disconnects, its call is
dropped before it begins, or stopped at its next step.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from daypack.errors import InputError
from daypack.guard.fences import one_line
from daypack.ports import Progress
from daypack.surfaces.toolsets import offered, verbs
from daypack.surfaces.workers import Worker, Workers
from daypack.text.checks import nearest
from daypack.text.storable import text_hash
from daypack.types import Trust
from daypack.verbs import Access, Answer, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.guard.trust import Writer
    from daypack.types import Found

T = TypeVar("T")
KEPT_PACKS = 64
UNTRUSTED = Trust.UNTRUSTED
FEW = 12  # tools; a message lists no more
BOUND = "counts as untrusted: an untrusted text was shown in this conversation (over REST: {})"
"""The note in the answer of a call whose text may be made from one that is not trusted."""


class NotOffered(InputError, code="not_offered"):
    """A verb that does not exist, or that the server's scope does not offer."""


class Host:
    """The verbs of some toolsets, up to a ceiling, on one store, and on others that callers may name."""

    local = True
    """True when callers may name files of this machine, and see its settings."""
    over_rest = "to any caller since the server started"
    """The calls over REST that are one conversation, for `BOUND`."""

    def __init__(
        self,
        opened: Callable[[], Daypack] | Workers,
        *,
        toolsets: Sequence[str] = ("core",),
        ceiling: Access = Access.WRITE,
        home: Path | None = None,
        chosen: bool = False,
        embeds: bool = True,
        opened_elsewhere: Callable[[str], Daypack] | None = None,
        shared: bool = False,
    ) -> None:
        """`opened` opens the store on the thread that will use it, or is the threads that have it open; `opened_elsewhere`
        opens a store that a caller names by its path. With `home`, the user's folder, a project is indexed at the first
        question; it may be that folder itself where the user has `chosen` it. With `embeds`, missing vectors are then made in the background.
        """
        self.verbs: Mapping[str, Verb] = offered(toolsets, ceiling, shared=shared)
        self.toolsets = tuple(toolsets)
        self.ceiling = ceiling
        self._home, self._chosen, self._embeds = home, chosen, embeds
        self._workers = opened if isinstance(opened, Workers) else Workers(opened, opened_elsewhere)
        self._since = time.time()  # of the agent's conversation, at the latest
        self._shown_untrusted: set[str] = set()  # conversations
        self._packs: OrderedDict[str, Answer] = OrderedDict()
        self._packs_lock = threading.Lock()

    def of(self, scope: Mapping[str, Any] | None) -> Host:  # noqa: ARG002
        """The host for a request with this ASGI scope, None on standard streams; here the same for all."""
        return self

    async def is_healthy(self) -> bool:
        """True when calls can be answered; here each call reports its own fault."""
        return True

    def admits(self, access: Access) -> bool:
        """True when the page may send a form that needs this access; here always, unless the server only reads."""
        return access is Access.READ or self.ceiling is not Access.READ

    @asynccontextmanager
    async def act(self, name: str, access: Access, *, removes: bool = False) -> AsyncIterator[dict[str, Any]]:  # noqa: ARG002
        """The context of each call, view and form. A team server checks quotas here, and logs the act with the facts that
        the block puts into the mapping; here nothing happens.
        """
        yield {}

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

        The caller is an agent, or a program for one: its texts are at most as trusted as those that were shown in its
        conversation. `progress(done, total)` is called on the worker's thread.
        """
        verb = self.verbs.get(name)
        if verb is None:
            raise NotOffered(self.why_not(name, self.verbs))
        # bad arguments fail before the call waits
        given = verb.arguments(arguments, verbs().values(), self.verbs)
        path = (given.pop("path", None) or None) if verb.elsewhere else None

        def answered(worker: Worker, step: Progress) -> Answer | dict[str, Any]:
            if verb.looks and worker is self._workers.first:
                self.prepare(self._seen(worker), step)
            elif verb.looks and not self._workers.is_ready:
                self._look_first(self._seen(worker), step)
            daypack = self._seen(worker) if path is None else worker.other(path)
            with self._serving(daypack, conversation):
                return self._answered(daypack, verb, given)

        return await self._workers.run(
            answered, reads=verb.access is Access.READ, outside=verb.fetches, progress=progress
        )

    def _seen(self, worker: Worker) -> Daypack:
        """The store on a worker's thread, as the callers of this host see it."""
        return worker.open()

    def why_not(self, name: str, tools: Mapping[str, Verb], *, called: str = "") -> str:
        """The reason why no tool has this name; `tools` are the verbs by the names that the caller knows, who may have `called`
        it by another one.
        """
        shown = one_line(repr(called or name), 60)
        if name in verbs() and not self.ceiling.allows(verbs()[name].access):
            return f"{shown} is not allowed: the access of this server is {self.ceiling}"
        few = f"choose from {', '.join(tools)}" if len(tools) <= FEW else "call one of those listed"
        if self.lacks_toolset(name):
            toolset = verbs()[name].toolset
            return f"{shown} is not offered: this server was started without the tools of {toolset}; {few}"
        if name in verbs():
            return f"{shown} is not offered: it reaches beyond the store, which no call of a team server may"
        names = {verb.name: tool for tool, verb in tools.items()} | {tool: tool for tool in tools}
        near = nearest(name, names)
        return f"unknown tool {shown}; {f'did you mean {names[near]}?' if near else few}"

    def lacks_toolset(self, name: str) -> bool:
        """True for a verb that this server would offer if it had been started with the toolset of the verb."""
        chosen = offered(self.toolsets, self.ceiling)
        return name in verbs() and name not in chosen and self.ceiling.allows(verbs()[name].access)

    def _answered(self, daypack: Daypack, verb: Verb, given: Mapping[str, Any]) -> Answer | dict[str, Any]:
        found = verb.answer(daypack, given)
        if verb.name == "pack" and isinstance(found, Answer):
            found = Answer(found.text, self._kept(found))
        if isinstance(found, dict) and daypack.engine.writer.lowered and found.get("written") is not False:
            notes = BOUND.format(self.over_rest), found.get("note")
            found = {**found, "note": "; ".join(filter(None, notes))}
        return found if isinstance(found, (Answer, dict)) else Answer(str(found))

    @contextmanager
    def _serving(self, daypack: Daypack, conversation: str) -> Iterator[None]:
        """Within the context, the store serves the agent of a conversation; otherwise the person at the page."""
        writer, usual = daypack.engine.writer, replace(daypack.engine.writer)

        def learn(agent: Writer) -> None:
            if daypack.sessions.have_read_outside(self._since):
                agent.show([UNTRUSTED])

        writer.trust, writer.attended, writer.learn, writer.lowered = Trust.AGENT, False, learn, False
        writer.shown = UNTRUSTED if conversation in self._shown_untrusted else Trust.USER
        try:
            yield
        finally:
            if writer.shown is UNTRUSTED:
                self._shown_untrusted.add(conversation)
            writer.trust, writer.shown = usual.trust, usual.shown
            writer.attended, writer.learn, writer.lowered = usual.attended, usual.learn, usual.lowered

    def prepare(self, daypack: Daypack, step: Progress) -> None:
        """Make the store ready for a question, on the first worker's thread: index the project, start making vectors."""
        self._look_first(daypack, step)
        if self._embeds:
            daypack.embed_in_background()
        self._workers.is_ready = True

    def _look_first(self, daypack: Daypack, step: Progress) -> None:
        """Index a new project. An agent waits for its question no longer than for the look at the disk in a known project."""
        if self._home is None:
            return
        from daypack.api import REFRESH_BUSY_SECONDS

        with daypack.engine.store.waiting_at_most(REFRESH_BUSY_SECONDS):
            daypack.first_use(None if self._chosen else self._home, progress=step)

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
                return work(self._seen(worker), step)
            daypack = self._seen(worker)
            with self._serving(daypack, conversation):
                return work(daypack, step)

        return await self._workers.run(worked, reads=reads, progress=progress)

    async def aside(self, name: str, work: Callable[[Daypack], T], patience: float) -> T | None:
        """`Workers.aside`, on the store as this host's callers see it."""
        return await self._workers.aside(name, lambda worker: work(self._seen(worker)), patience)

    def preload(self) -> None:
        self._workers.preload()

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
        """The details of a pack, with the ID of the resource that holds its text: that of the pack, or else one made here."""
        pack_id = str(answer.details.get("pack") or text_hash(answer.text))
        with self._packs_lock:
            self._packs[pack_id] = answer
            self._packs.move_to_end(pack_id)
            while len(self._packs) > KEPT_PACKS:
                self._packs.popitem(last=False)
        return {"pack": pack_id, **answer.details}

    def close(self) -> None:
        """Close the store, after the current calls."""
        self._workers.close()
