"""Layers of a team server around its application: sessions of the protocol belong to the person who began them, and `/metrics`,
numbers for monitoring, to its operator alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from daypack.surfaces.http.gate import CALLER
from daypack.surfaces.http.problems import answer, problem_body
from daypack.surfaces.team.directory import Operator

METRICS = "/metrics"
TEXT = "text/plain; version=0.0.4; charset=utf-8"
SESSION = b"mcp-session-id"
MOST_SESSIONS = 10_000


class OwnSessions:
    """An ASGI application before another, of which one path speaks the protocol: there it answers 404 for the session of
    another person, as for an unknown one.
    """

    def __init__(self, app: Any, path: str) -> None:
        self._app, self._path = app, path
        self._owners: OrderedDict[bytes, tuple[int, int]] = OrderedDict()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] != self._path:
            await self._app(scope, receive, send)
            return
        caller = scope[CALLER]
        own = caller.person.id, caller.project.id
        asked = [value for name, value in scope["headers"] if name.lower() == SESSION]
        if any(self._owners.get(session) != own for session in asked):
            body = problem_body(404, "not_found", "no session of yours has this ID; begin one")
            await answer(send, 404, body)
            return

        async def noted(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start" and not asked:
                for name, value in message.get("headers", ()):
                    if name.lower() == SESSION:
                        self._owners[value] = own
                        if len(self._owners) > MOST_SESSIONS:
                            self._owners.popitem(last=False)
            await send(message)

        await self._app(scope, receive, noted)


class Operations:
    """An ASGI application before another: the operator gets the numbers and nothing else, other callers all but these."""

    def __init__(self, app: Any, numbers: Callable[[], Awaitable[str]]) -> None:
        self._app, self._numbers = app, numbers

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        asks = scope["type"] == "http" and scope["path"] == METRICS
        runs = isinstance(scope.get(CALLER), Operator)
        if not asks and not runs:
            await self._app(scope, receive, send)
        elif asks and runs:
            await answer(send, 200, (await self._numbers()).encode(), TEXT)
        else:
            said = (
                "the token of the store reads /metrics alone; use a personal token"
                if runs
                else "/metrics is for the operator, who has the token file of the store"
            )
            await answer(send, 403, problem_body(403, "forbidden", said))
