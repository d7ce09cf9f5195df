"""The people of a server, looked up at every request by their tokens, and the log of their acts.

One thread has the store of the team open, so that no request waits for a disk on the thread that answers all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.team.people import Team
    from daypack.team.types import Caller

T = TypeVar("T")


class Directory:
    """The users, projects and tokens in the store of a team."""

    def __init__(self, opened: Callable[[], Daypack]) -> None:
        self._opened = opened
        self._daypack: Daypack | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-team")

    hint = "a personal token is needed as bearer; an administrator of the team makes one with `daypack team token create`"

    async def by_token(self, token: str, project: str) -> Caller | None:
        """The person of a token in a project; None for a token that does not count. Raises NotAMember."""
        return await self._asked(lambda team: team.caller(token, project))

    async def by_visit(self, visitor: Any, project: str) -> Caller | None:
        """The person of a browser that came in with a token, while that counts. Raises NotAMember."""
        known: Caller = visitor.caller
        return await self._asked(lambda team: team.caller_again(known, project or known.project.name))

    async def _asked(self, ask: Callable[[Team], T]) -> T:
        return await asyncio.wrap_future(self._thread.submit(lambda: ask(self._open().team)))

    def _open(self) -> Daypack:
        if self._daypack is None:
            self._daypack = self._opened()
        return self._daypack

    def close(self) -> None:
        """Close the store, after what was asked."""
        self._thread.submit(self._shut).result()
        self._thread.shutdown()

    def _shut(self) -> None:
        if self._daypack is not None:
            self._daypack.close()
            self._daypack = None
