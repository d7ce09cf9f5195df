"""The protocol over standard input and output, one JSON message a line.

The SDK's own transport silently drops a line that it cannot read, and reads a line of any length into memory.
Here every line gets an answer: a line that is not JSON a parse error, one that is not a message an invalid
request; a line that is too long is skipped and reported. No other code can use the real streams: the output
of a library goes to standard error, not between messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from typing import Any

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from daypack.errors import BadJson
from daypack.guard.fences import one_line
from daypack.shapes.loose_json import parsed
from daypack.shapes.strict_json import read_json
from daypack.surfaces.mcp import sdk

LONGEST_LINE = 16 << 20
READ_BYTES = 1 << 16
PARSE_ERROR, INVALID_REQUEST = -32700, -32600


class BadFrame(Exception):
    """A line that is not a message; `request_id` where it names one."""

    def __init__(self, code: int, message: str, request_id: str | int | None = None) -> None:
        self.code, self.message, self.request_id = code, message, request_id
        super().__init__(message)

    def response(self) -> bytes:
        error = {
            "jsonrpc": "2.0",
            "id": self.request_id,
            "error": {"code": self.code, "message": self.message},
        }
        return json.dumps(error).encode() + b"\n"


def lines(read: Callable[[int], bytes], *, longest: int = LONGEST_LINE) -> Iterator[bytes | BadFrame]:
    """The non-empty lines of a stream; a line that is too long is skipped in bounded memory.

    `read` gives at most that many bytes, and none at the end of the stream. Text after the last line end is
    not a message.
    """
    line = bytearray()
    skipped = 0  # bytes of a line that is too long
    while data := read(READ_BYTES):
        for number, part in enumerate(data.split(b"\n")):
            if number:  # a line has ended before this part
                if skipped:
                    yield BadFrame(
                        PARSE_ERROR, f"a message of {skipped:,} bytes; at most {longest:,} are read"
                    )
                elif line.strip():
                    yield bytes(line)
                line.clear()
                skipped = 0
            if skipped or len(line) + len(part) > longest:
                skipped += len(line) + len(part)
                line.clear()
            else:
                line += part


def message_of(line: bytes) -> Any:
    """The message of a line. Raises BadFrame."""
    try:
        data = read_json(line.decode("utf-8-sig"), what="the message")
    except (UnicodeDecodeError, BadJson) as error:
        why = one_line(str(error), 200)
        if (known := _id_in(line)) is not None:
            raise BadFrame(
                INVALID_REQUEST, f"not strict JSON; mend the message and send it again ({why})", known
            ) from None
        raise BadFrame(PARSE_ERROR, f"not JSON; one message a line is expected ({why})") from None
    if isinstance(data, list):
        raise BadFrame(INVALID_REQUEST, "batches are not part of this protocol; send one message a line")
    if not isinstance(data, dict):
        raise BadFrame(INVALID_REQUEST, "a message is a JSON object")
    request_id = _id_of(data)
    # A message with an id expects an answer; the SDK would treat it as a notification when the id is of
    # another type.
    if (
        "method" in data
        and "id" in data
        and (request_id is None or (isinstance(request_id, int) and abs(request_id) >= 1 << 53))
    ):
        raise BadFrame(INVALID_REQUEST, "an id must be a string, or a whole number below 2^53")
    try:
        return sdk.message_of(data)
    except (ValidationError, ValueError, RecursionError):
        raise BadFrame(
            INVALID_REQUEST,
            'not a request: it needs "jsonrpc": "2.0", a method, and params that are an object',
            request_id,
        ) from None


def _id_in(line: bytes) -> str | int | None:
    """The id of a message that is JSON for less strict readers, with repeated keys, NaN or numbers without end: its client
    waits for an answer to it.
    """
    data = parsed(line, None)
    return _id_of(data) if isinstance(data, dict) else None


def _id_of(data: dict[str, Any]) -> str | int | None:
    found = data.get("id")
    return None if isinstance(found, bool) or not isinstance(found, (str, int)) else found


def _claimed() -> tuple[int, int]:
    """The real standard streams, for the server alone: 0 then reads nothing, 1 is standard error."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    return source, sink


async def serve(server: Any, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until the input ends, by which a client signals its end, until an interrupt, or until the client stops reading.

    `ready` is called once an interrupt ends the server well.
    """
    source, sink = _claimed()
    incoming_send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](16)
    outgoing, outgoing_receive = anyio.create_memory_object_stream[SessionMessage](16)
    wire = _Wire(sink)

    def interrupt() -> None:
        # By default an interrupt cancels tasks in any order, and those that still send find their streams
        # closed.
        wire.interrupted.set()
        incoming_send.close()

    with contextlib.suppress(NotImplementedError):  # Windows has none: the traceback stays
        for number in signal.valid_signals():  # those that the command takes for Ctrl-C, too
            if number == signal.SIGINT or signal.getsignal(number) is signal.default_int_handler:
                asyncio.get_running_loop().add_signal_handler(number, interrupt)
    ready()

    pump = functools.partial(wire.pump, source, asyncio.get_running_loop())
    threading.Thread(target=pump, name="daypack-input", daemon=True).start()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wire.receive, incoming_send)
        tasks.start_soon(wire.send, outgoing_receive)
        await server.run(incoming, outgoing, sdk.options(server))
        tasks.cancel_scope.cancel()


class _Wire:
    """The lines between the real streams and the server's streams of messages."""

    def __init__(self, sink: int) -> None:
        self.interrupted = anyio.Event()
        self._sink = sink
        self._writing = anyio.Lock()
        self._lines: asyncio.Queue[bytes | BadFrame | None] = asyncio.Queue(16)  # None: the input has ended

    def pump(self, source: int, loop: asyncio.AbstractEventLoop) -> None:
        """Read lines, on a daemon thread: a thread that waits for a line can be neither stopped nor joined."""
        try:
            for line in lines(functools.partial(os.read, source)):
                asyncio.run_coroutine_threadsafe(self._lines.put(line), loop).result()
            asyncio.run_coroutine_threadsafe(self._lines.put(None), loop).result()
        except (RuntimeError, CancelledError):  # the loop has ended before the input
            return

    async def receive(self, messages: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Hand the server each message; the wire itself answers a line that is none."""
        async with messages:
            while (line := await self._lines.get()) is not None and not self.interrupted.is_set():
                try:
                    if isinstance(line, BadFrame):
                        raise line
                    message = message_of(line)
                except BadFrame as error:
                    await self._write(error.response())
                    continue
                await messages.send(SessionMessage(message))

    async def send(self, messages: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write each message of the server as a line."""
        async with messages:
            async for message in messages:
                data = message.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
                # In ASCII: an id or a method to repeat may hold half a character, which UTF-8 cannot.
                await self._write(json.dumps(data, separators=(",", ":")).encode() + b"\n")

    async def _write(self, data: bytes) -> None:
        async with self._writing:
            await anyio.to_thread.run_sync(_write_all, self._sink, data)


def _write_all(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]
