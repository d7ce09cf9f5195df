"""`/metrics` of a team server: numbers for monitoring, for its operator alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from daypack.surfaces.http.gate import CALLER
from daypack.surfaces.http.problems import answer, problem_body
from daypack.surfaces.team.directory import Operator

PATH = "/metrics"
TEXT = "text/plain; version=0.0.4; charset=utf-8"


class Operations:
    """An ASGI application before another: the operator gets the numbers and nothing else, other callers all but these."""

    def __init__(self, app: Any, numbers: Callable[[], Awaitable[str]]) -> None:
        self._app, self._numbers = app, numbers

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        asks = scope["type"] == "http" and scope["path"] == PATH
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
