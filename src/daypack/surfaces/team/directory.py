"""The people of a server, looked up at every request by their tokens, and the log of their acts.

One thread has the store of the team open, so that no request waits for a disk on the thread that answers all.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from daypack.errors import DaypackError

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.team.people import Fact, Team
    from daypack.team.types import Caller

T = TypeVar("T")
SOON = 1.0  # seconds
PATIENCE = 2.0  # seconds


class Operator:
    """The caller with the token of the store: the administrator of the machine, who may read numbers and no content."""


class Directory:
    """The users, projects and tokens in the store of a team."""

    def __init__(self, opened: Callable[[], Daypack], operator: str) -> None:
        """`operator` is the token of the store."""
        self._opened, self._operator = opened, operator.encode()
        self._daypack: Daypack | None = None
        self._log: Daypack | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-team")
        self._writing = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-log")
        self._pending: deque[Fact] = deque()
        self._later: asyncio.TimerHandle | None = None

    hint = "a personal token is needed as bearer; an administrator of the team makes one with `daypack team token create`"

    async def by_token(self, token: str, project: str) -> Caller | Operator | None:
        """The person of a token in a project, or the operator; None for a token that does not count. Raises
        TokenEnded, NotAMember.
        """
        if secrets.compare_digest(token.encode(), self._operator):
            return Operator()
        return await self._asked(lambda team: team.caller(token, project))

    async def by_visit(self, visitor: Any, project: str) -> Caller | None:
        """The person of a browser that came in with a token, while that counts. Raises TokenEnded, NotAMember."""
        known: Caller = visitor.caller
        return await self._asked(lambda team: team.caller_again(known, project or known.project.name))

    async def note(self, fact: Fact, *, durable: bool) -> None:
        """Write a line of the log: `durable`, it is on disk when this returns; else it is within a second. Lines that wait
        together are one transaction.
        """
        self._pending.append(fact)
        if durable:
            await asyncio.shield(asyncio.wrap_future(self._writing.submit(self._write)))
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(SOON, self._write_soon)

    def _write_soon(self) -> None:
        self._later = None
        self._writing.submit(self._write)

    def _write(self) -> None:
        """On the thread of the log: write every line that waits."""
        facts = []
        while self._pending:
            facts.append(self._pending.popleft())
        if facts:
            if self._log is None:
                self._log = self._opened()
            self._log.team.note(facts)

    async def is_readable(self) -> bool:
        """True when the store answers within PATIENCE."""
        try:
            await asyncio.wait_for(self._asked(lambda team: team.projects()), PATIENCE)
        except (DaypackError, TimeoutError) as error:
            why = str(error) or f"the store of the team did not answer within {PATIENCE:.0f} s"
            logging.getLogger(__name__).error("%s", why)
            return False
        return True

    async def _asked(self, ask: Callable[[Team], T]) -> T:
        return await asyncio.wrap_future(self._thread.submit(lambda: ask(self._open().team)))

    def _open(self) -> Daypack:
        if self._daypack is None:
            self._daypack = self._opened()
        return self._daypack

    def close(self) -> None:
        """Close the store, after what was asked and noted."""
        self._writing.submit(self._write).result()
        self._writing.submit(lambda: self._log.close() if self._log else None).result()
        self._writing.shutdown()
        self._thread.submit(self._shut).result()
        self._thread.shutdown()

    def _shut(self) -> None:
        if self._daypack is not None:
            self._daypack.close()
            self._daypack = None
