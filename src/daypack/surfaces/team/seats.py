"""Places of people in projects: each is a host that answers one person in one project, by their role.

The project of a call decides which store is open, the person decides which of its records exist, and the role
decides the verbs. All three come from the token; nothing that a call says changes them.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from daypack.errors import DaypackError
from daypack.ports import Progress
from daypack.surfaces.failures import status_of
from daypack.surfaces.host import Host
from daypack.surfaces.http.gate import CALLER
from daypack.surfaces.team.directory import PATIENCE, Directory
from daypack.surfaces.team.ledger import Ledger, metrics
from daypack.surfaces.toolsets import offered
from daypack.surfaces.workers import Worker, Workers
from daypack.team.errors import Forbidden, RoleTooLow
from daypack.team.people import Fact
from daypack.team.types import Caller, Person, Project, Role
from daypack.verbs import Access, Answer, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack

T = TypeVar("T")
VECTORS = "_"  # behind a project's name, that of the store of vectors beside it: no project's name ends so
MOST_SEATS = 1024  # each remembers its person's last packs
ACCESS = {Role.READ: Access.READ, Role.WRITE: Access.WRITE, Role.ADMIN: Access.DANGEROUS}


def _facts(found: Answer | dict[str, Any]) -> dict[str, str | int]:
    """The IDs and counts of an answer, for the log."""
    data = found.details if isinstance(found, Answer) else found
    ids = {name: data[name] for name in ("id", "pack", "version") if isinstance(data.get(name), str | int)}
    lists = {
        name: len(data[name])
        for name in ("citations", "items", "keys", "hits")
        if isinstance(data.get(name), list)
    }
    return {**ids, **lists}


def offered_to_team(toolsets: Sequence[str], ceiling: Access) -> dict[str, Verb]:
    """The verbs that a team server offers under a ceiling."""
    found = {name: verb.for_team() for name, verb in offered(toolsets, ceiling).items()}
    return {name: verb for name, verb in found.items() if verb is not None}


def _size(worker: Worker) -> int:
    """Bytes of a project's store: of its files, or of its tables and indexes on a server."""
    return worker.open().engine.store.size()


class Books(NamedTuple):
    """The counters of a server, and its log."""

    ledger: Ledger
    directory: Directory


class Seat(Host):
    """The verbs that a person's role allows, on the store of their project as they see it."""

    local = False
    over_rest = "to you, in this project, since the server started"

    def __init__(
        self,
        workers: Workers,
        caller: Caller,
        *,
        toolsets: Sequence[str],
        verbs: Mapping[str, Verb],
        ceiling: Access,
        shown_untrusted: set[str],
        books: Books,
    ) -> None:
        """`verbs` are those of the server. `shown_untrusted` are the person's conversations in which an untrusted text was
        shown; they outlive the seat.
        """
        super().__init__(
            workers, toolsets=toolsets, ceiling=min(ceiling, ACCESS[caller.role], key=[*Access].index)
        )
        self.caller = caller
        self.verbs = {name: verb for name, verb in verbs.items() if self.ceiling.allows(verb.access)}
        self._of_server = verbs
        self._shown_untrusted = shown_untrusted
        self._books = books

    @property
    def place(self) -> tuple[int, int]:
        """The person and the project, by their ids."""
        return self.caller.person.id, self.caller.project.id

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        conversation: str = "",
        progress: Progress | None = None,
    ) -> Answer | dict[str, Any]:
        """Do as `Host.call` does. Raises RoleTooLow for a verb that another role may use."""
        verb = self._of_server.get(name)
        if verb is None:
            return await super().call(name, arguments, conversation=conversation, progress=progress)
        async with self.act(name, verb.access, removes=verb.destructive) as facts:
            found = await super().call(name, arguments, conversation=conversation, progress=progress)
            facts |= _facts(found)
            return found

    @asynccontextmanager
    async def act(self, name: str, access: Access, *, removes: bool = False) -> AsyncIterator[dict[str, Any]]:
        """Hold the quotas of a call, count it, and note it in the log: its name, its status, and IDs and counts that the
        block adds. Raises RoleTooLow, TooManyWrites, and ProjectFull for a write that `removes` nothing.
        """
        caller, ledger = self.caller, self._books.ledger
        facts: dict[str, Any] = {"verb": name}
        began, status = time.monotonic(), 200
        ledger.running += 1
        try:
            if not self.ceiling.allows(access):
                needed = next(role for role, own in ACCESS.items() if own.allows(access))
                raise RoleTooLow(name, needed.value, caller.role.value, caller.project.name)
            if access is not Access.READ:
                ledger.take_write(caller.person)
                if not removes:
                    used = await self._workers.run(lambda worker, _: _size(worker), reads=True)
                    ledger.check_room(caller.project, used)
            yield facts
        except BaseException as error:
            status = status_of(error)
            raise
        finally:
            ledger.running -= 1
            ledger.count(name, status, time.monotonic() - began)
            if status != 429:  # a flood of refused calls must not fill the log
                action = "ask" if access is Access.READ else "remove" if removes else "write"
                fact = Fact(action, caller.person.name, caller.project.name, {**facts, "status": status})
                await self._books.directory.note(fact, durable=access is not Access.READ)

    async def aside(self, name: str, work: Callable[[Daypack], T], patience: float) -> T | None:
        """Do as `Host.aside` does; the work of another person under the same name is another."""
        return await super().aside(f"{self.caller.person.id} {self.ceiling} {name}", work, patience)

    def admits(self, access: Access) -> bool:
        """True when the person's role allows it."""
        return self.ceiling.allows(access)

    def prepare(self, daypack: Daypack, step: Progress) -> None:  # noqa: ARG002
        """Nothing: the server reads no folder for a project, and makes vectors since it opened the store."""
        self._workers.is_ready = True

    def _answered(self, daypack: Daypack, verb: Verb, given: Mapping[str, Any]) -> Answer | dict[str, Any]:
        # A record of a session without a user belongs to all who name that session.
        return super()._answered(daypack, verb, {**given, **verb.asked_by(self.caller.person.name)})

    def _seen(self, worker: Worker) -> Daypack:
        return worker.seen_by(self.caller.person.name, notes_use=self.caller.role is not Role.READ)


class Seats:
    """The seats of a server, made for the caller that the gate found behind each request."""

    local = False

    def __init__(
        self,
        opened: Callable[[Path], Daypack],
        folder: Path,
        *,
        toolsets: Sequence[str],
        ceiling: Access,
        directory: Directory,
        embeds: bool = True,
    ) -> None:
        """`opened` opens the store of a project, made when it is missing, below `folder`. `directory` has the people and
        their log. With `embeds`, the background makes missing vectors.
        """
        self.books = Books(Ledger(), directory)
        self.toolsets, self.ceiling = tuple(toolsets), ceiling
        self.verbs: Mapping[str, Verb] = offered_to_team(toolsets, ceiling)
        self._opened, self._folder, self._embeds = opened, folder, embeds
        self._embedding: set[int] = set()  # projects whose background makes vectors
        self._opening = threading.Lock()
        self._projects: dict[int, Workers] = {}
        self._vectors: dict[int, Workers] = {}  # of the stores beside the projects', by project
        self._known: dict[int, Project] = {}  # as last seen, by id
        self._seats: OrderedDict[tuple[Person, Project, Role], Seat] = OrderedDict()
        self._shown_untrusted: dict[tuple[int, int], set[str]] = {}

    def of(self, scope: Mapping[str, Any] | None) -> Seat:
        """The seat of the caller of a request. Raises Forbidden without one."""
        caller = None if scope is None else scope.get(CALLER)
        if not isinstance(caller, Caller):
            raise Forbidden("this server answers people of a team alone; send a personal token")
        key = caller.person, caller.project, caller.role
        if key not in self._seats:
            own = caller.person.id, caller.project.id
            self._seats[key] = Seat(
                self._workers_of(caller.project),
                caller,
                toolsets=self.toolsets,
                verbs=self.verbs,
                ceiling=self.ceiling,
                shown_untrusted=self._shown_untrusted.setdefault(own, set()),
                books=self.books,
            )
            if len(self._seats) > MOST_SEATS:
                self._seats.popitem(last=False)
        self._seats.move_to_end(key)
        return self._seats[key]

    def _workers_of(self, project: Project) -> Workers:
        self._known[project.id] = project
        if project.id not in self._projects:
            self._projects[project.id] = Workers(lambda: self._open(project), None)
        return self._projects[project.id]

    def _open(self, project: Project) -> Daypack:
        folder = self._folder / project.name
        with self._opening:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            daypack = self._opened(folder)
            if self._embeds and project.id not in self._embedding:
                self._embedding.add(project.id)
                daypack.embed_in_background()
            return daypack

    async def vectors_of(self, seat: Seat, work: Callable[[Daypack], T]) -> T:
        """The result of work on the store of vectors beside a project, one after the other. Raises the errors of `work`."""
        project = seat.caller.project
        if project.id not in self._vectors:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = self._folder / f"{project.name}{VECTORS}"
            self._vectors[project.id] = Workers(lambda: self._opened(folder))
        return await self._vectors[project.id].run(lambda worker, _: work(worker.open()), reads=False)

    async def is_healthy(self) -> bool:
        """True when the people of the team can be read."""
        return await self.books.directory.is_readable()

    async def metrics(self) -> str:
        """Numbers for monitoring, as Prometheus reads them. A project whose store does not answer has no size."""
        known = self._known
        sizes = {known[key].name: await self._size_of(workers) for key, workers in self._projects.items()}
        return metrics(
            self.books.ledger,
            sizes={name: size for name, size in sizes.items() if size is not None},
            limits={project.name: project.bytes for project in known.values()},
            waiting={known[key].name: workers.waiting for key, workers in self._projects.items()},
        )

    async def _size_of(self, workers: Workers) -> int | None:
        """Bytes of a project's store, beside the calls that wait; None where it does not answer within PATIENCE."""
        try:
            return await workers.aside("size", _size, PATIENCE)
        except DaypackError:
            return None

    def close(self) -> None:
        """Close every store, after the current calls."""
        for workers in (*self._projects.values(), *self._vectors.values()):
            workers.close()
