"""Server-sent events of a call that the server has no place for."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from starlette.requests import Request

from daypack import Daypack
from daypack.surfaces.host import Host
from daypack.surfaces.http import rest
from support import WORDS


def test_a_place_that_is_taken_after_the_check_is_a_problem_among_the_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(lambda: Daypack.open(tmp_path / "s", settings=WORDS), embeds=False)
    route = next(
        one for one in rest.routes(host, rest.described(host, version="1")) if one.path == "/v1/status"
    )
    scope = {
        "type": "http", "method": "GET", "path": "/v1/status", "query_string": b"",
        "headers": [(b"accept", b"text/event-stream")],
    }  # fmt: skip

    async def talk() -> bytes:
        response = await route.endpoint(Request(scope))
        monkeypatch.setattr(rest, "MOST_AT_ONCE", 0)  # others came first
        return b"".join([part async for part in response.body_iterator])

    told = asyncio.run(talk()).decode()
    host.close()
    name, problem = told.removeprefix("event: ").split("\ndata: ")
    assert (name, json.loads(problem)["status"], json.loads(problem)["code"]) == ("problem", 429, "too_busy")
