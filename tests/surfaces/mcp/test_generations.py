"""The server with either generation of the protocol's SDK: the same lines give the same answers.

DAYPACK_OTHER_PYTHON names a Python that has Daypack beside the other generation; `make test-mcp` makes one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from support import environment

PYTHONS = [sys.executable, *filter(None, [os.environ.get("DAYPACK_OTHER_PYTHON")])]
PROTOCOL = "2025-06-18"
CLIENT = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
PACK = {"name": "pack", "arguments": {"query": "how are refunds retried?", "budget": 500}}
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("tools/call", {**PACK, "_meta": {"progressToken": 1}}),
    ("tools/call", {"name": "status", "arguments": {}}),
    ("tools/call", {"name": "get", "arguments": {"reference": "none.md"}}),
    ("tools/call", {"name": "none", "arguments": {}}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "daypack://chunk/1"}),
    ("resources/read", {"uri": "daypack://chunk/none"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "pack-for-task", "arguments": {"task": "retry refunds"}}),
    ("prompts/get", {"name": "none"}),
    (
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "pack-for-task"},
            "argument": {"name": "budget", "value": "8"},
        },
    ),
]


def answered(python: str, project: Path) -> list[dict[str, Any]]:
    """The answers of a server to the same questions, in their order."""
    lines = [{"id": 0, "method": "initialize", "params": CLIENT}, {"method": "notifications/initialized"}]
    lines += [{"id": n, "method": name, "params": params} for n, (name, params) in enumerate(ASKED, 1)]
    process = subprocess.Popen(
        [python, "-m", "daypack", "mcp", "--tools", "core,memory"], cwd=project, env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    found = []
    for line in lines:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
        process.stdin.flush()
        while "id" in line:
            answer = json.loads(process.stdout.readline())
            if answer.get("id") == line["id"]:
                found.append(answer)
                break
    process.communicate(timeout=120)
    assert process.returncode == 0
    return found


def test_every_method_is_answered_and_both_generations_agree(project: Path) -> None:
    told = [answered(python, project) for python in PYTHONS]
    for first, *rest in told:
        assert first["result"]["serverInfo"]["name"] == "daypack"
        assert [bool(answer.get("error")) for answer in rest] == [
            name == "none" or "chunk/none" in str(params) or params.get("name") == "none"
            for name, params in ASKED
        ]
        tools, pack, status, missing = (answer["result"] for answer in rest[:4])
        assert [tool["name"] for tool in tools["tools"]][:3] == ["pack", "search", "get"]
        assert "retries" in pack["content"][0]["text"]
        assert status["structuredContent"]["records"] > 0
        assert missing["isError"]
    if len(told) == 2:
        for one, other in zip(told[0][1:], told[1][1:], strict=True):
            assert said(one) == said(other)


def said(answer: dict[str, Any]) -> Any:
    """An answer without what differs from run to run: times, and marks of the newer protocol."""
    found = answer.get("result", answer.get("error", {}).get("message"))
    if isinstance(found, dict):
        found = {
            name: value
            for name, value in found.items()
            if name not in ("structuredContent", "_meta", "resultType")
        }
    return re.sub(r"\d+(\.\d+)?", "0", json.dumps(found, sort_keys=True))


@pytest.mark.parametrize("python", PYTHONS)
def test_streamable_http_lists_the_tools(python: str, project: Path) -> None:
    process = subprocess.Popen(
        [python, "-m", "daypack", "mcp", "--http", "--port", "0"], cwd=project, env=environment(),
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "serving http" in line)
        url = line.split("serving ")[1].split(";")[0]
        token = (project / ".daypack" / "token").read_text().strip()
        headers = {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }  # fmt: skip
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}).encode()
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=120) as answer:
            headers["Mcp-Session-Id"] = answer.headers.get("Mcp-Session-Id", "")
            assert "daypack" in answer.read().decode()
        headers["Mcp-Protocol-Version"] = PROTOCOL
        body = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}).encode()
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=120) as answer:
            assert "remember" in answer.read().decode()
    finally:
        process.kill()
        process.communicate()
