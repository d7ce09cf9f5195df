"""Bytes that are no protocol: each gets its error, and the server lives on.

Bad input 41 of the acceptance list.
"""

from __future__ import annotations

import json
import signal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_calls import wire

from daypack.surfaces.mcp.stdio import lines
from support import INTERRUPTS, on_a_terminal

CALL: dict[str, Any] = {"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {}}


@given(st.lists(st.binary(max_size=30).map(lambda text: text.replace(b"\n", b" ")), max_size=8), st.data())
def test_lines_are_the_same_however_they_arrive(texts: list[bytes], data: st.DataObject) -> None:
    stream = BytesIO(b"".join(text + b"\n" for text in texts))
    found = [*lines(lambda most: stream.read(data.draw(st.integers(1, 12))), longest=20)]
    assert [line if isinstance(line, bytes) else len(line.message) > 0 for line in found] == [
        text if len(text) <= 20 else True for text in texts if text.strip() or len(text) > 20
    ]


def _called(arguments: bytes, request_id: int | str) -> bytes:
    """A call with arguments that a strict reader refuses."""
    params = b'{"name": "search", "arguments": ' + arguments + b"}"
    call = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": 0}
    return json.dumps(call).encode().replace(b'"params": 0', b'"params": ' + params) + b"\n"


BAD_FRAMES: list[tuple[str, bytes, int, Any]] = [
    ("no JSON", b"hello\n", -32700, None),
    ("half a frame", b'{"jsonrpc": "2.0", "id": 3, "meth\n', -32700, None),
    ("bytes that are no text", b'{"jsonrpc": "2.0", "id": 3, "method": "\xff\xfe"\n', -32700, None),
    ("a batch", json.dumps([CALL, CALL]).encode() + b"\n", -32600, None),
    ("a number", b"42\n", -32600, None),
    ("null", b"null\n", -32600, None),
    ("an empty object", b"{}\n", -32600, None),
    ("no method", b'{"jsonrpc": "2.0", "id": 4}\n', -32600, 4),
    ("a method that is no string", b'{"jsonrpc": "2.0", "id": 5, "method": 5}\n', -32600, 5),
    (
        "params that are a list",
        b'{"jsonrpc": "2.0", "id": 6, "method": "tools/list", "params": [1]}\n',
        -32600,
        6,
    ),
    ("a huge id", b'{"jsonrpc": "2.0", "id": ' + b"9" * 400 + b', "method": "tools/list"}\n', -32600, None),
    ("an id that is an object", b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}\n', -32600, None),
    (
        "deep nesting",
        b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": ' + b"[" * 100_000 + b"\n",
        -32700,
        None,
    ),
    ("a key twice", _called(b'{"query": "tea", "query": "cake"}', 10), -32600, 10),
    ("NaN", _called(b'{"query": "tea", "budget": NaN}', "eleven"), -32600, "eleven"),
    ("another version", b'{"jsonrpc": "1.0", "id": 9, "method": "tools/list"}\n', -32600, 9),
]


@pytest.mark.parametrize("greeted", [True, False], ids=["after the greeting", "before it"])
def test_row_41_every_malformed_frame_gets_its_error_and_the_server_lives_on(
    project: Path, greeted: bool
) -> None:
    with wire(project) as server:
        if greeted:
            server.greet()
        for name, frame, code, request_id in BAD_FRAMES:
            server.write(frame)
            found = server.read()
            assert (found["error"]["code"], found["id"]) == (code, request_id), name
            assert "Traceback" not in found["error"]["message"]
        if not greeted:
            server.greet()
        assert len(server.ask("tools/list")["result"]["tools"]) == 6
        assert server.end() == 0


def test_row_41_a_frame_of_a_hundred_megabytes_is_refused_in_bounded_memory(project: Path) -> None:
    with wire(project) as server:
        server.greet()
        start = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "pack", "arguments": {"query": "'
        server.write(start)
        for _ in range(100):
            server.write(b"a" * (1 << 20))
        server.write(b'"}}}\n')
        assert "at most" in server.read()["error"]["message"]
        peak = next(
            line
            for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
            if line.startswith("VmHWM")
        )
        assert int(peak.split()[1]) < 250_000  # kilobytes
        assert len(server.ask("tools/list")["result"]["tools"]) == 6


def test_requests_that_are_well_formed_and_wrong_get_protocol_errors(project: Path) -> None:
    with wire(project) as server:
        server.greet()
        assert server.ask("no/such/method")["error"]["code"] == -32601
        assert server.ask("tools/call", {"name": "no_such_tool"})["error"]["code"] == -32602
        assert server.ask("tools/call", {"name": 5})["error"]["code"] == -32602
        assert (
            server.ask("tools/call", {"name": "pack", "arguments": {"query": 5}})["result"]["isError"] is True
        )
        server.write({"jsonrpc": "2.0", "method": "notifications/no/such/thing"})
        server.write(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "never asked"}}
        )
        server.write({"jsonrpc": "2.0", "id": 99, "result": {}})  # an answer to a question that nobody asked
        assert server.ask("ping", id="last")["result"] == {}


def test_an_id_or_a_method_with_half_a_character_is_answered(project: Path) -> None:
    with wire(project) as server:
        server.greet()
        assert server.ask("ping", id="\ud800")["result"] == {}
        assert server.ask("\ud800", id=2)["error"]["code"] == -32601
        assert server.ask("ping", id=3)["result"] == {}


def test_the_server_ends_with_its_client(project: Path) -> None:
    with wire(project) as server:
        server.greet()
        server.ask("tools/call", {"name": "pack", "arguments": {"query": "refunds"}})
        assert server.end() == 0


def test_the_server_ends_when_its_client_dies_in_the_middle_of_a_call(project: Path) -> None:
    with wire(project) as server:
        server.greet()
        server.write(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "pack", "arguments": {"query": "refunds"}},
            }
        )
        assert server.process.stdout is not None
        server.process.stdout.close()  # as when the client was killed: nobody reads any more
        assert server.end() is not None


@pytest.mark.parametrize("sent", INTERRUPTS)
def test_an_interrupt_ends_the_server_at_once(project: Path, sent: signal.Signals) -> None:
    with wire(project) as server:
        server.greet()
        server.process.send_signal(sent)
        assert server.process.wait(120) == 0


def test_a_person_who_tries_the_server_on_a_terminal_reads_how_to_end_it(project: Path) -> None:
    shown = on_a_terminal("mcp", cwd=project, at=b"Ctrl-C ends it", typed=signal.SIGINT, NO_COLOR="1")
    assert shown.splitlines() == ["daypack: waiting for a client; Ctrl-C ends it"]


def test_a_cancelled_call_is_not_answered_and_the_next_one_is(project: Path) -> None:
    for number in range(300):  # enough that indexing takes a while
        (project / f"notes-{number}.md").write_text(
            f"# Note {number}\n\n" + "The kettle boils when it is hot enough. " * 200
        )
    with wire(project) as server:
        server.greet()
        server.write(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "pack", "arguments": {"query": "kettle"}},
            }
        )
        server.write(
            {
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": 1, "reason": "changed my mind"},
            }
        )
        server.write(
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": "search", "arguments": {"queries": ["kettle"]}},
            }
        )
        assert server.read()["id"] == 2


def test_long_work_reports_progress_to_whom_asks_for_it(project: Path) -> None:
    with wire(project) as server:
        server.greet()
        params = {"name": "pack", "arguments": {"query": "refunds"}, "_meta": {"progressToken": "p"}}
        server.write({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        told = []
        while (found := server.read()).get("id") != 1:
            assert found["method"] == "notifications/progress"
            told.append(found["params"]["progress"])
        assert told == sorted(told)
        assert told
