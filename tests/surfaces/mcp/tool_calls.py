"""Clients of the server for agents: the SDK's, over the real program, and one that writes whatever bytes it
likes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from daypack.surfaces.host import Host
from daypack.surfaces.mcp.server import make_server
from support import command, environment

ARGUMENTS: dict[str, dict[str, Any]] = {
    "pack": {"query": "how are refunds retried?", "budget": 500},
    "search": {"queries": ["retry budget", "who is paged?"]},
    "get": {"reference": "docs/retries.md:1-3"},
    "remember": {"key": "release/cadence", "value": "we release on Thursdays", "tags": ["release"]},
    "status": {},
    "pack_context": {"topic": "release"},
    "search_memories": {"query": "release"},
    "list_memories": {},
    "list_tags": {},
    "recall": {"key": "release/cadence"},
    "memory_history": {"key": "release/cadence"},
    "relate_memories": {"key": "release/cadence"},
    "remember_if_absent": {"key": "release/day", "value": "Thursday", "tags": ["day"]},
    "restore_memory": {"key": "release/cadence", "version": "none"},
    "forget_all": {"tag": "day"},
    "forget": {"key": "release/hour"},
    "redact_memory": {"key": "release/cadence", "reason": "it was one"},
    "code_pack": {"query": "RetryPolicy.delay", "max_chars": 4000},
    "code_trace": {"text": 'File "src/pay/retry.py", line 41, in call_with_retry', "budget": 200},
    "code_impact": {"text": "call_with_retry", "budget": 200},
    "code_tests": {"text": "call_with_retry", "budget": 200},
    "code_uses": {"text": "call_with_retry", "budget": 200},
    "code_map": {"budget": 200},
    "symbols": {"name": "retry"},
    "related": {"reference": "src/pay/retry.py:30"},
    "callers": {"reference": "call_with_retry"},
    "tests_for": {"reference": "RetryPolicy"},
    "ctx_search": {"queries": ["how are refunds retried?"]},
    "ctx_stats": {},
    "ctx_index": {"source": "note", "content": "Refunds are retried twice."},
    "ctx_fetch_and_index": {"url": "https://127.0.0.1/"},
    "ctx_batch_execute": {"commands": [{"label": "echo", "command": ["echo", "hello"]}]},
    "ctx_purge": {"confirm": True, "source": "note"},
    "session_resume": {},
    "session_snapshot": {},
    "session_timeline": {},
    "insert": {
        "collection": "teas",
        "document": {"_id": 1, "name": "Sencha", "text": "Steamed leaves from Japan."},
    },
    "context_pack": {"collection": "teas", "field": "text", "query": "leaves from Japan"},
    "vsearch": {"collection": "teas", "field": "text", "query": "leaves"},
    "find": {"collection": "teas", "filter": {"name": "Sencha"}},
    "describe": {},
    "explain": {"collection": "teas", "filter": {"name": "Sencha"}},
    "diagnose": {"collection": "teas", "filter": {"name": "Assam"}},
    "plan_update": {"collection": "teas", "filter": {}, "update": {"$set": {"year": 2021}}},
    "apply": {},  # of what was planned
    "rollback": {},
    "delete": {"collection": "teas", "filter": {}},
    "store_source": {"kind": "evidence_summary", "text": "Refunds above 500 need two people."},
    "ingest_source": {"text": "The kettle is copper.", "kind": "research_finding"},
    "upsert_source": {"source_key": "policy/refunds", "text": "Refunds need a reason."},
    "retrieve_context": {"query": "who approves refunds?"},
    "assemble_context": {"query": "who approves refunds?"},
    "prepare_context": {"query": "who approves refunds?"},
    "explain_selection": {"query": "who approves refunds?"},
    "prepare_task_envelope": {"query": "draft a note on who approves refunds"},
    "update_preference": {"approved_text": "Dear Ms Lind, in short: two people. Kind regards"},
    "get_preferences": {},
    "reset_preferences": {},
    "get_source": {},  # what was stored
    "list_sources": {},
    "source_stats": {},
    "delete_source": {"source_key": "policy/refunds"},
    "prune_sources": {},
}


@asynccontextmanager
async def client(
    folder: Path, *arguments: str, mode: str = "auto", env: Mapping[str, str] | None = None
) -> AsyncIterator[Client]:
    """The SDK's client on `daypack mcp`, started in `folder`."""
    program, *rest = [str(part) for part in command("mcp", *arguments)]
    parameters = StdioServerParameters(
        command=program, args=rest, cwd=str(folder), env=environment(**(env or {}))
    )
    async with Client(stdio_client(parameters), mode=mode) as found:
        yield found


async def call_every_tool(agent: Client) -> None:
    """Each verb of the table, with arguments that it can answer; some take what another gave."""
    await agent.call_tool("remember", {"key": "release/hour", "value": "at noon"})
    version = plan = record = ""
    for name, arguments in ARGUMENTS.items():
        given = {
            "restore_memory": {"version": version},
            "apply": {"token": plan},
            "rollback": {"change_id": plan},
            "get_source": {"record_id": record},
        }.get(name, {})
        answer = await agent.call_tool(name, arguments | given)
        assert answer.is_error is (name == "ctx_fetch_and_index"), (name, answer)  # which nobody allowed here
        assert answer.content[0].text
        if name == "remember":
            version = answer.structured_content["version"]
        if name == "store_source":
            record = answer.structured_content["id"]
        if name == "plan_update":
            plan = answer.structured_content["token"]


def talked(host: Host, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """The texts of the answers and refusals of a server to calls in turn."""

    async def talk() -> list[str]:
        told = []
        async with Client(make_server(host, version="test")) as agent:
            for name, given in calls:
                try:
                    told.append(str((await agent.call_tool(name, given)).content[0].text))
                except MCPError as error:
                    told.append(str(error))
        return told

    found = anyio.run(talk)
    host.close()
    return found


class Wire:
    """`daypack mcp`, and its standard streams."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout

    def write(self, data: bytes | dict[str, Any] | list[Any]) -> None:
        self._in.write(data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n")
        self._in.flush()

    def read(self) -> dict[str, Any]:
        """The next message. Fails for a line that is none: nothing else may stand on this stream."""
        line = self._out.readline()
        assert line, f"the server ended with {self.process.wait(120)}"
        found = json.loads(line)
        assert found["jsonrpc"] == "2.0"
        return found

    def ask(self, method: str, params: dict[str, Any] | None = None, *, id: int | str = 1) -> dict[str, Any]:
        self.write({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}})
        while (found := self.read()).get("id") != id:
            pass
        return found

    def greet(self) -> None:
        self.ask(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
            id="hello",
        )
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def end(self) -> int:
        self._in.close()
        return self.process.wait(120)


@contextmanager
def wire(folder: Path, *arguments: str) -> Iterator[Wire]:
    with subprocess.Popen(
        command("mcp", *arguments),
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=sys.stderr,
    ) as process:
        try:
            yield Wire(process)
        finally:
            process.kill()
