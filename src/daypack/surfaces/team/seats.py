"""Places of people in projects: each is a host that answers one person in one project, by their role.

The project of a call decides which store is open, the person decides which of its records exist, and the role
decides the verbs. All three come from the token; nothing that a call says changes them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daypack.surfaces.host import Host
from daypack.surfaces.http.gate import CALLER
from daypack.surfaces.toolsets import offered
from daypack.surfaces.workers import Progress, Worker, Workers
from daypack.team.errors import Forbidden, RoleTooLow
from daypack.team.types import Caller, Person, Project, Role
from daypack.verbs import Access, Answer, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack

MOST_SEATS = 1024  # each remembers its person's last packs
ACCESS = {Role.READ: Access.READ, Role.WRITE: Access.WRITE, Role.ADMIN: Access.DANGEROUS}


def offered_to_team(toolsets: Sequence[str], ceiling: Access) -> dict[str, Verb]:
    """The verbs that a team server offers under a ceiling."""
    found = {name: verb.for_team() for name, verb in offered(toolsets, ceiling).items()}
    return {name: verb for name, verb in found.items() if verb is not None}


class Seat(Host):
    """The verbs that a person's role allows, on the store of their project as they see it."""

    local = False

    def __init__(
        self,
        workers: Workers,
        caller: Caller,
        *,
        toolsets: Sequence[str],
        verbs: Mapping[str, Verb],
        ceiling: Access,
        shown_untrusted: set[str],
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

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        conversation: str = "",
        progress: Progress | None = None,
    ) -> Answer | dict[str, Any]:
        """As `Host.call`. Raises RoleTooLow for a verb that another role may use."""
        verb = self._of_server.get(name)
        if verb is not None and name not in self.verbs:
            needed = next(role for role, access in ACCESS.items() if access.allows(verb.access))
            raise RoleTooLow(name, needed.value, self.caller.role.value, self.caller.project.name)
        return await super().call(name, arguments, conversation=conversation, progress=progress)

    def admits(self, access: Access) -> bool:
        """True when the person's role allows it."""
        return self.ceiling.allows(access)

    def prepare(self, daypack: Daypack, step: Progress) -> None:  # noqa: ARG002
        """Nothing: the server reads no folder for a project, and makes vectors since it opened the store."""
        self._workers.is_ready = True

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
        embeds: bool = True,
    ) -> None:
        """`opened` opens the store of a project, made when it is missing, below `folder`. With `embeds`, the background
        makes its missing vectors.
        """
        self.toolsets, self.ceiling = tuple(toolsets), ceiling
        self.verbs: Mapping[str, Verb] = offered_to_team(toolsets, ceiling)
        self._opened, self._folder, self._embeds = opened, folder, embeds
        self._embedding: set[int] = set()  # projects whose background makes vectors
        self._opening = threading.Lock()
        self._projects: dict[int, Workers] = {}
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
            )
            if len(self._seats) > MOST_SEATS:
                self._seats.popitem(last=False)
        self._seats.move_to_end(key)
        return self._seats[key]

    def _workers_of(self, project: Project) -> Workers:
        if project.id not in self._projects:
            self._projects[project.id] = Workers(lambda: self._open(project), None)
        return self._projects[project.id]

    def _open(self, project: Project) -> Daypack:
        folder = self._folder / project.name
        with self._opening:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            daypack = self._opened(folder)
            if self._embeds and project.id not in self._embedding:
                self._embedding.add(project.id)
                daypack.embed_in_background()
            return daypack

    def close(self) -> None:
        """Close every store, after the current calls."""
        for workers in self._projects.values():
            workers.close()
