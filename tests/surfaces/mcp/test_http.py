"""The same tools over HTTP: who may ask is settled before anything is done."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from tool_calls import call_every_tool

from daypack.surfaces.http.gate import UnsafeToken, read_token
from daypack.surfaces.mcp.groups import tool_name
from daypack.surfaces.toolsets import verbs
from support import command, daypack, end, environment

HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
)
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@dataclass
class Served:
    port: int
    token: str

    def ask(self, method: str = "POST", path: str = "/mcp", body: str | bytes = HELLO, **headers: str) -> int:
        """The status of the answer; a header that is "" is left out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        data = body.encode() if isinstance(body, str) else body
        defaults = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Length": str(len(data)),
            **JSON,
        }
        for name, value in {
            **defaults,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(data)
        status = connection.getresponse().status
        connection.close()
        return status


@contextmanager
def serving(project: Path, *arguments: str) -> Iterator[Served]:
    with subprocess.Popen(
        command("mcp", "--http", "--port", "0", *arguments),
        cwd=project,
        env=environment(),
        stderr=subprocess.PIPE,
        stdout=sys.stderr,
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline().decode()
            found = re.search(r"http://[^ ]*:(\d+)/mcp; the bearer token is in (.*)\n", line)
            assert found, line
            yield Served(int(found[1]), Path(found[2]).read_text().strip())
        finally:
            end(process)
            process.stderr.close()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_answers_over_http_as_over_standard_streams(project: Path, mode: str) -> None:
    async def talk(server: Served) -> None:
        headers = {"Authorization": f"Bearer {server.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=120) as web,
            Client(
                streamable_http_client(f"http://127.0.0.1:{server.port}/mcp", http_client=web), mode=mode
            ) as agent,
        ):
            assert [tool.name for tool in (await agent.list_tools()).tools] == [
                *map(tool_name, verbs().values())
            ]
            await call_every_tool(agent)

    with serving(project, "--tools", "all", "--access", "dangerous") as server:
        anyio.run(talk, server)


def test_who_may_not_ask_is_refused_before_anything_is_done(project: Path) -> None:
    with serving(project) as server:
        own = f"127.0.0.1:{server.port}"
        assert server.ask() == 200
        assert server.ask(Host=f"localhost:{server.port}", Origin=f"http://localhost:{server.port}") == 200
        for host in (
            "",
            "evil.example",
            f"evil.example:{server.port}",
            "127.0.0.1",
            f"127.0.0.1.evil.example:{server.port}",
            f"127.0.0.1:{server.port + 1}",
        ):
            assert server.ask(Host=host) in (400, 421), host
        for origin in (
            "null",
            "http://evil.example",
            f"http://evil.example:{server.port}",
            f"https://{own}",
            f"http://{own}.evil.example",
            f"http://{own}/",
            "file://",
        ):
            assert server.ask(Origin=origin) == 403, origin
        for given in (
            "",
            "Bearer",
            "Bearer ",
            "Bearer wrong",
            f"Basic {server.token}",
            f"Bearer {server.token}x",
            f"Bearer {server.token[:-1]}",
        ):
            assert server.ask(Authorization=given) == 401, given
        assert server.ask(path="/%2e%2e/etc/passwd", method="GET", body="") == 404
        assert server.ask(path="/", method="GET", body="") == 404
        assert server.ask(body=b"a" * (5 << 20)) == 413
        assert server.ask(body="no json") == 400
        assert server.ask(Content_Type="text/plain") in (400, 415)
        assert server.ask(X_Long="a" * 100_000) in (400, 431)  # 400 where it arrives in parts
        assert server.ask(**{f"X_{number}": "a" for number in range(200)}) == 431
        assert server.ask() == 200


def test_the_token_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "token"
    token = read_token(path)
    assert len(token) >= 40
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_token(path) == token
    path.chmod(0o644)
    with pytest.raises(UnsafeToken, match="others can read"):
        read_token(path)
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafeToken):
        read_token(path)
    assert not (tmp_path / "elsewhere").exists()


def test_other_machines_are_let_in_only_when_that_is_said(project: Path) -> None:
    said = daypack("mcp", "--http", "--host", "0.0.0.0", "--port", "0", cwd=project, status=2).stderr
    assert "can be reached from other machines; add --beyond-this-machine" in said
    assert not (project / ".daypack" / "token").exists()
