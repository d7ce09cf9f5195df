"""A team server without a socket: its people, and their requests."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from daypack import Daypack
from daypack.ports import Clock
from daypack.surfaces.http.app import make_app
from daypack.surfaces.team.directory import Directory
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.web.visitors import Visitors
from daypack.team.people import PROJECTS
from daypack.team.walls import Walls
from daypack.types.servers import ServerAddress
from daypack.verbs import Access
from support import WORDS

PORT = 8377
OPERATOR = "the token of the store, in its file"
MEMBERS = {
    "pay": {"ana": "admin", "ben": "admin", "rita": "read", "will": "write"},
    "ship": {"ana": "write", "carol": "admin"},
}


@dataclass
class Answered:
    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Any:
        return json.loads(self.text)


@dataclass
class TeamServer:
    app: Any
    folder: Path
    tokens: dict[str, str]
    seats: Seats
    visitors: Visitors
    opened: Callable[[Path], Daypack]
    """The store whose files are in a folder, as the server opens it."""

    def admin(self) -> Daypack:
        """The store of the team, as its administrator opens it."""
        return self.opened(self.folder)

    @asynccontextmanager
    async def started(self) -> AsyncIterator[None]:
        """Between the start and the end of the application, as a server tells it; the protocol needs both."""
        told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        running = asyncio.create_task(
            self.app({"type": "lifespan", "asgi": {"version": "3.0"}}, told.get, said.put)
        )
        await told.put({"type": "lifespan.startup"})
        assert (await said.get())["type"] == "lifespan.startup.complete"
        try:
            yield
        finally:
            await told.put({"type": "lifespan.shutdown"})
            assert (await said.get())["type"] == "lifespan.shutdown.complete"
            await running

    async def ask(
        self, who: str, verb: str, arguments: Mapping[str, Any] | None = None, **headers: str
    ) -> Answered:
        """The answer of a verb to a person, or to nobody for a name without a token."""
        return await self.request("POST", f"/v1/{verb}", who, json.dumps(arguments or {}), **headers)

    async def request(self, method: str, path: str, who: str, body: str = "", **headers: str) -> Answered:
        """The answer to a request; `headers` replace those of a program, and "" leaves one out."""
        named = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self.tokens.get(who, 'nobody')}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        transport = httpx2.ASGITransport(app=self.app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}") as client:
            found = await client.request(
                method, path, content=body, headers={name: value for name, value in named.items() if value}
            )
        return Answered(found.status_code, found.text, {k.lower(): v for k, v in found.headers.items()})


@asynccontextmanager
async def serving(
    folder: Path,
    *,
    ceiling: Access = Access.DANGEROUS,
    members: Mapping[str, Mapping[str, str]] = MEMBERS,
    clock: Clock = time.time,
    url: str = "",
) -> AsyncIterator[TeamServer]:
    """A team server with every toolset over the store in `folder`, or on the server of `url`, which is made with its
    people.
    """
    tokens: dict[str, str] = {}

    walls: list[Walls] = []

    def opened(at: Path) -> Daypack:
        place = walls[0].place_of(at) if walls else ServerAddress(url, at) if url else at
        return Daypack.open(place, root=at, settings=WORDS, clock=clock)

    with opened(folder) as dp:
        for person in sorted({name for roles in members.values() for name in roles}):
            dp.team.add_person(person, writes=100_000)
        for project, roles in members.items():
            dp.team.add_project(project)
            for person, role in roles.items():
                dp.team.put_member(person, project, role)
                # one for each project: what a client is configured with
                _, tokens[f"{person}@{project}"] = dp.team.make_token(person, project=project)
                _, tokens[person] = dp.team.make_token(person)
    if url:
        walls.append(Walls(ServerAddress(url, folder)))
    directory = Directory(lambda: opened(folder), OPERATOR)
    seats = Seats(
        opened, folder / PROJECTS, toolsets=("all",), ceiling=ceiling, directory=directory, embeds=False
    )
    visitors = Visitors(directory)
    app = make_app(
        seats,
        visitors,
        version="1",
        admission=directory,
        port=PORT,
        hosts=("127.0.0.1", "localhost", "team.example.org"),
    )
    try:
        yield TeamServer(app, folder, tokens, seats, visitors, opened)
    finally:
        seats.close()
        directory.close()


# ---------------------------------------------------------------- the protocol

JSON = {"Accept": "application/json, text/event-stream"}


def message(method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


HELLO = message(
    "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test", "version": "1"}
)


def result_of(answer: Answered) -> Any:
    assert answer.status == 200, answer.text
    (line,) = [line for line in answer.text.splitlines() if line.startswith("data: {")]
    return json.loads(line.removeprefix("data: "))["result"]


async def began(server: TeamServer, who: str) -> str:
    """The ID of a new session."""
    found = await server.request("POST", "/mcp", who, HELLO, **JSON)
    assert found.status == 200, found.text
    session = found.headers["mcp-session-id"]
    done = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (await server.request("POST", "/mcp", who, done, **JSON, Mcp_Session_Id=session)).status == 202
    return session


async def called(server: TeamServer, who: str, session: str, tool: str, **arguments: Any) -> Any:
    body = message("tools/call", name=tool, arguments=arguments)
    return result_of(await server.request("POST", "/mcp", who, body, **JSON, Mcp_Session_Id=session))
