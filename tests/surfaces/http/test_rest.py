"""The verbs over HTTP, and who may call them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jsonschema
import pytest
from server import Page, served
from starlette.requests import Request

from daypack import Daypack
from daypack.errors import StoreBusy
from daypack.surfaces.host import Host
from daypack.surfaces.http import rest
from daypack.surfaces.http.gate import LARGEST_CALL
from daypack.surfaces.http.jobs import JOBS
from daypack.surfaces.http.openapi import read_by_get
from daypack.surfaces.toolsets import verbs
from support import INTERRUPTS, WORDS, command, daypack, environment


def test_every_verb_is_described_and_answers_as_it_is_described(page: Page) -> None:
    status, _, text = page.ask("GET", "/openapi.json")
    assert status == 200
    document = json.loads(text)
    assert {path for path in document["paths"] if path.startswith("/v1/")} == {
        f"/v1/{name}" for name in [*verbs(), *JOBS]
    }
    for path, item in document["paths"].items():
        if not path.startswith("/v1/"):
            continue
        status, _, text = page.ask("POST", path, {})
        assert str(status) in item["post"]["responses"], (path, status, text)
        kind = "application/json" if status == 200 else "application/problem+json"
        schema = item["post"]["responses"][str(status)]["content"][kind]["schema"]
        resolved = (
            document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            if "$ref" in schema
            else schema
        )
        jsonschema.validate(json.loads(text), resolved)


def test_a_pack_is_the_same_as_on_the_command_line(page: Page, embedded: Path) -> None:
    status, _, text = page.ask("POST", "/v1/pack", {"query": "how are refunds retried?", "budget": 600})
    assert status == 200
    done = daypack("pack", "how are refunds retried?", "--budget", "600", "--after", "", cwd=embedded)
    pack_id = r"Pack \w+\]"  # each answer has one of its own
    assert re.sub(pack_id, "", done.stdout) == re.sub(pack_id, "", json.loads(text)["text"])


def test_a_verb_that_the_server_does_not_offer_is_told_apart_from_a_missing_key(project: Path) -> None:
    with served(project, "--tools", "core") as core:
        for method, path, body in (
            ("GET", "/v1/recall?key=a", None),
            ("POST", "/v1/ctx_search", {"queries": ["a"]}),
        ):
            status, _, text = core.ask(method, path, body)
            problem = json.loads(text)
            assert (status, problem["code"]) == (404, "not_offered")
            assert "this server was started without the tools of" in problem["detail"]
            assert "`daypack serve --tools all`" in problem["detail"]
        assert "is not allowed" in core.ask("POST", "/v1/ctx_purge", {})[2]
        assert core.ask("GET", "/v1/no_such_verb")[0] == 404


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"no json", {}, 400, "not_json"),
        (b"[1]", {}, 400, "not_json"),
        (b'{"query": "a", "query": "b"}', {}, 400, "not_json"),
        (b'{"query": "a", "budget": NaN}', {}, 400, "not_json"),
        (b"\xff{}", {}, 400, "not_json"),
        (b"[" * 100_000, {}, 400, "not_json"),
        (b"{}", {"Content_Type": "text/plain"}, 415, "not_json"),
        (b"{}", {"Content_Type": ""}, 415, "not_json"),
        (b"", {"Content_Type": ""}, 422, "bad_input"),
        (b"{}", {}, 422, "bad_input"),
        (b'{"query": 5}', {}, 422, "bad_input"),
        (b'{"query": "x", "budget": 1e999}', {}, 422, "bad_input"),
        (b'{"query": "' + b"a" * 70_000 + b'"}', {}, 422, "query_too_long"),
        (b'{"query": "' + b"a" * (5 << 20) + b'"}', {}, 413, "too_large"),
    ],
)
def test_what_is_wrong_is_the_callers_to_mend(
    page: Page, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    found, _, text = page.ask("POST", "/v1/pack", body, **headers)
    assert (found, json.loads(text)["code"]) == (status, code)


def test_what_is_not_there_is_not_found(page: Page) -> None:
    assert page.ask("POST", "/v1/get", {"reference": "docs/none.md"})[0] == 404
    assert page.ask("POST", "/v1/no_such_verb", {})[0] == 404
    assert page.ask("GET", "/%2e%2e/%2e%2e/etc/passwd")[0] == 404
    assert page.ask("GET", "/static/%2e%2e/views.py")[0] == 404
    assert page.ask("GET", "/v1/remember")[0] == 405


def test_row_42_nobody_is_answered_without_the_token(page: Page) -> None:
    for path in ("/", "/why", "/memories", "/openapi.json", "/v1/status", "/mcp"):
        assert page.ask("GET", path, Authorization="")[0] == 401
        assert page.ask("GET", path, Authorization="Bearer wrong")[0] == 401
        assert page.ask("GET", path, Host="evil.example")[0] == 421
        assert page.ask("GET", path, Origin="null")[0] == 403
    assert page.ask("GET", "/health", Authorization="")[0] == 200
    assert page.ask("GET", "/health", Host="evil.example")[0] == 421


def test_the_link_opens_once_and_a_cookie_alone_changes_nothing(project: Path) -> None:
    with served(project) as page:
        cookie = page.enter()
        assert page.ask("GET", page.link.removeprefix(page.base), Authorization="")[0] == 403
        assert page.ask("GET", "/", Cookie=cookie)[0] == 200
        assert page.ask("GET", "/", Cookie=f"daypack-{page.port}=other")[0] == 401
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        body = urlencode({"key": "no/such"}).encode()
        assert page.ask("POST", "/memories/forget", body, Cookie=cookie, **form)[0] == 403
        assert (
            page.ask("POST", "/memories/forget", body, Cookie=cookie, Origin="http://evil.example", **form)[0]
            == 403
        )
        assert page.ask("POST", "/memories/forget", body, Cookie=cookie, Origin=page.base, **form)[0] == 404
        assert page.ask("POST", "/v1/forget", {"key": "release/cadence"}, Cookie=cookie)[0] == 403


def test_a_server_that_reads_changes_nothing(project: Path) -> None:
    with served(project, "--access", "read") as page:
        cookie = page.enter()
        form = {"Content_Type": "application/x-www-form-urlencoded", "Origin": page.base}
        for path in (
            "/memories/forget",
            "/memories/redact",
            "/memories/supersede",
            "/memories/restore",
            "/memories/review",
            "/store/add",
        ):
            assert (
                page.ask("POST", path, urlencode({"key": "release/cadence"}).encode(), Cookie=cookie, **form)[
                    0
                ]
                == 403
            )
        assert page.ask("POST", "/v1/remember", {"key": "a", "value": "b"})[0] == 404


def test_slow_clients_do_not_stop_the_others(page: Page) -> None:
    """Half of them never end their head, half never end their body."""
    slow = []
    head = f"POST /v1/pack HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nAuthorization: Bearer {page.token}\r\nTransfer-Encoding: chunked\r\n"
    for number in range(200):
        connection = socket.create_connection(("127.0.0.1", page.port), timeout=120)
        connection.sendall((head if number % 2 else f"{head}\r\n1\r\n{{\r\n").encode())
        slow.append(connection)
    assert page.ask("GET", "/health")[0] == 200
    for connection in slow:
        connection.close()


@pytest.mark.parametrize("sent", INTERRUPTS)
def test_a_signal_ends_the_server_in_peace(project: Path, sent: signal.Signals) -> None:
    """After SIGTERM it closed no store, and its status was that of a program which was killed."""
    with subprocess.Popen(
        command("serve", "--port", "0", "--no-open"),
        cwd=project, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        link = process.stdout.readline()
        port = int(link.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as asking:
            asking.sendall(b"GET /health HTTP/1.0\r\n\r\n")
            assert asking.recv(1)  # it runs
        process.send_signal(sent)
        assert process.wait(60) == 0
        assert "Traceback" not in process.stderr.read()


def test_what_keeps_a_server_from_warming_up_is_told_to_whoever_asks_first() -> None:
    def busy() -> Daypack:
        raise StoreBusy("of somebody who writes")

    host = Host(busy)
    host.preload()
    with pytest.raises(StoreBusy):
        asyncio.run(host.call("status", {}))
    host.close()


def test_a_server_has_its_index_in_memory_before_the_first_question_and_makes_no_store_by_starting(
    project: Path, tmp_path: Path
) -> None:
    host = Host(lambda: Daypack.open(project / ".daypack", settings=WORDS))
    host.preload()
    snapshot = asyncio.run(host.run(lambda daypack, _: daypack.engine.snapshots._last))
    assert snapshot is not None
    assert snapshot.vectors is not None
    host.close()
    with served(tmp_path):
        pass
    assert not (tmp_path / ".daypack" / "daypack.db").exists()


def test_a_body_that_does_not_end_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rest, "SLOWEST_BODY", 0.05)
    host = Host(lambda: pytest.fail("the store was opened for a call that never arrived"))
    answer = next(
        route for route in rest.routes(host, rest.described(host, version="1")) if route.path == "/v1/pack"
    ).endpoint
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> dict[str, Any]:
        for part in parts:
            return part
        return await asyncio.Future()

    found = asyncio.run(
        answer(
            Request(
                {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]},
                receive,
            )
        )
    )
    assert found.status_code == 408
    host.close()


@pytest.mark.slow
def test_no_call_that_can_be_made_up_finds_a_fault(project: Path) -> None:
    """schemathesis makes calls up from /openapi.json: well formed, broken, without token, by other methods.
    DAYPACK_FUZZ=200 makes more.

    Two of its checks ask for what we do not promise: agents write null for what they leave out and one text
    for a list of one, and are understood; and what a schema cannot say ("give a text or a path") is refused
    in words.
    """
    pytest.importorskip("schemathesis", reason="schemathesis is not installed; `make test-page` does it")
    with served(project, "--tools", "all", "--access", "dangerous") as page:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "schemathesis.cli",
                "run",
                f"{page.base}/openapi.json",
                "-H",
                f"Authorization: Bearer {page.token}",
                "--phases",
                "fuzzing",
                "-n",
                os.environ.get("DAYPACK_FUZZ", "4"),
                "--generation-deterministic",
                "--no-color",
                "--continue-on-failure",
                "--exclude-checks",
                "negative_data_rejection,positive_data_acceptance",
            ],
            capture_output=True,
            text=True,
            cwd=project.parent,
            check=False,
        )
    reads = sum(read_by_get(verb) for verb in verbs().values())
    assert done.returncode == 0, done.stdout[-8000:]
    assert re.search(rf"Tested: {len([*verbs(), *JOBS]) + 1 + reads}\b", done.stdout)


def test_many_calls_at_once_are_answered_or_told_to_come_again(page: Page) -> None:
    def call(number: int) -> tuple[int, str]:
        status, headers, _ = page.ask("POST", "/v1/pack", {"query": f"refunds {number}", "budget": 300})
        return status, headers.get("retry-after", "")

    with ThreadPoolExecutor(80) as threads:
        found = [*threads.map(call, range(80))]
    assert {status for status, _ in found} <= {200, 429}
    assert all(after for status, after in found if status == 429)
    assert any(status == 200 for status, _ in found)


def test_a_body_of_ten_billion_bytes_is_refused_at_once(page: Page) -> None:
    head = f"POST /v1/pack HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nAuthorization: Bearer {page.token}\r\nContent-Type: application/json\r\n"
    for length in (10_000_000_000, LARGEST_CALL + 1):
        with socket.create_connection(("127.0.0.1", page.port), timeout=rest.SLOWEST_BODY / 2) as connection:
            connection.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode())
            answer = b""
            while b"a body has at most 4 MB" not in answer:
                part = connection.recv(4096)
                assert part, answer
                answer += part
        assert answer.startswith(b"HTTP/1.1 413 "), answer
