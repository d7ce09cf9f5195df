"""Sessions of the protocol belong to the person who began them: the ID of a session opens nothing to another user."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from daypack.surfaces.http.gate import CALLER
from daypack.surfaces.http.problems import answer, problem_body

HEADER = b"mcp-session-id"
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
        asked = [value for name, value in scope["headers"] if name.lower() == HEADER]
        if any(self._owners.get(session) != own for session in asked):
            body = problem_body(404, "not_found", "no session of yours has this ID; begin one")
            await answer(send, 404, body)
            return

        async def noted(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start" and not asked:
                for name, value in message.get("headers", ()):
                    if name.lower() == HEADER:
                        self._owners[value] = own
                        if len(self._owners) > MOST_SESSIONS:
                            self._owners.popitem(last=False)
            await send(message)

        await self._app(scope, receive, noted)
