"""Callers that send half a request, none, or far too much: they are closed, and nobody else notices."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from daypack.surfaces.http import gate
from daypack.surfaces.http.connections import PATIENCE, connections
from daypack.surfaces.http.gate import Gate, OneToken

HEAD = b"POST /v1/pack HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
TOKEN = "t" * 32


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers with the length of the body; 499 for a caller that is gone."""
    if scope["type"] != "http":
        return
    size, more, status = 0, True, 200
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            status = 499
            break
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"8")]})
    await send({"type": "http.response.body", "body": f"{size:8}".encode()})


@contextmanager
def serving(asked: Any = echo, **limits: Any) -> Iterator[int]:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = Gate(asked, admission=OneToken(TOKEN), port=port)
    made: Any = connections(**limits)
    server = uvicorn.Server(uvicorn.Config(app, http=made, ws="none", lifespan="off", log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def connected(port: int, data: bytes = b"") -> socket.socket:
    found = socket.create_connection(("127.0.0.1", port), timeout=120)
    found.sendall(data)
    return found


def head(port: int, *lines: bytes) -> bytes:
    return HEAD % (port, TOKEN.encode()) + b"".join(line + b"\r\n" for line in lines) + b"\r\n"


def answer_to(connection: socket.socket) -> bytes:
    """An answer with its eight bytes of body, or what came before the connection ended."""
    found = b""
    while b"\r\n\r\n" not in found or len(found.partition(b"\r\n\r\n")[2]) < 8:
        part = connection.recv(1000)
        if not part:
            break
        found += part
    return found


def ended(connection: socket.socket) -> bool:
    """True when the server closes the connection without an answer."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: x\r\nX: "])
def test_row_42_half_a_head_is_closed_at_its_deadline(sent: bytes) -> None:
    with serving(slowest_head=0.2) as port, connected(port, sent) as slow:
        assert ended(slow)


def test_a_head_that_drips_is_closed_too_and_so_is_the_second_of_a_connection() -> None:
    with serving(slowest_head=0.4) as port:
        with connected(port) as slow, pytest.raises((ConnectionResetError, BrokenPipeError)):
            for _ in range(200):
                slow.sendall(b"G")
                time.sleep(0.05)
        with connected(port, head(port, b"Content-Length: 0")) as twice:
            assert b" 200 " in answer_to(twice)
            twice.sendall(b"GET /hea")
            assert ended(twice)


def test_a_whole_head_has_all_the_time_of_its_request() -> None:
    # A second, so that a busy machine sends the head in time as well.
    with serving(slowest_head=1.0) as port, connected(port, head(port, b"Content-Length: 3")) as fine:
        time.sleep(1.2)
        fine.sendall(b"abc")
        assert answer_to(fine).endswith(b"       3")


def test_600_callers_that_send_nothing_do_not_shut_out_one_that_asks() -> None:
    with serving(most_at_once=64) as port:
        held = [connected(port, b"GET /x HTTP/1.1\r\n") for _ in range(600)]
        time.sleep(0.1)
        with connected(port, head(port, b"Content-Length: 2") + b"ok") as fine:
            assert b" 200 " in answer_to(fine)
        closed = sum(map(ended, held[:500]))
        for one in held:
            one.close()
        assert closed == 500


def test_idle_connections_give_way_as_well() -> None:
    with serving(most_waiting=8) as port:
        idle = [connected(port, head(port, b"Content-Length: 0")) for _ in range(8)]
        assert all(b" 200 " in answer_to(one) for one in idle)
        time.sleep(PATIENCE + 0.1)
        with connected(port, head(port, b"Content-Length: 0")) as fine:
            assert b" 200 " in answer_to(fine)
            assert ended(idle[0])
        for one in idle:
            one.close()


@pytest.mark.parametrize("length", [b"10000000000", b"99999999999999999999999"])
def test_a_body_that_is_too_large_is_refused_before_any_of_it_came(length: bytes) -> None:
    with serving() as port, connected(port, head(port, b"Content-Length: " + length)) as large:
        assert answer_to(large).startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 400 "))


def test_who_still_sends_a_body_that_is_too_large_reads_the_answer() -> None:
    body = bytes(gate.LARGEST_BODY + 4_000_000)
    with serving() as port, connected(port, head(port, b"Content-Length: %d" % len(body))) as large:
        large.sendall(body)
        assert answer_to(large).startswith(b"HTTP/1.1 413 ")


def test_a_body_without_a_length_ends_at_the_limit_of_size_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "LARGEST_BODY", 1000)
    monkeypatch.setattr(gate, "SLOWEST_BODY", 0.3)
    with serving() as port:
        chunked = head(port, b"Transfer-Encoding: chunked")
        with connected(port, chunked + b"7d0\r\n" + bytes(2000) + b"\r\n0\r\n\r\n") as large:
            assert b" 499 " in answer_to(large)
        with connected(port, chunked + b"1\r\na\r\n") as slow:
            assert b" 499 " in answer_to(slow)


def test_the_rest_of_a_body_that_was_answered_is_read_for_a_while_only() -> None:
    async def refuses(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 413, "headers": [(b"content-length", b"8")]})
        await send({"type": "http.response.body", "body": b"too much"})

    with serving(refuses, slowest_head=0.3) as port:
        with connected(port, head(port, b"Content-Length: 1000000") + bytes(1_000_000)) as whole:
            assert answer_to(whole).startswith(b"HTTP/1.1 413 ")
        with connected(port, head(port, b"Content-Length: 1000000")) as endless:
            assert answer_to(endless).startswith(b"HTTP/1.1 413 ")
            assert ended(endless)


def test_200_callers_that_connect_at_once_are_all_answered() -> None:
    with serving() as port:
        many = [connected(port) for _ in range(200)]
        for one in many:
            one.sendall(head(port, b"Content-Length: 0"))
        answers = [answer_to(one) for one in many]
        for one in many:
            one.close()
    assert all(b" 200 " in answer for answer in answers)
