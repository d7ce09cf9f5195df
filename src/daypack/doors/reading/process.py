"""Runs a command and keeps its output: from an argument list, without a shell, in one stream, with limits of time and size.

Of more than `MOST_OUTPUT` bytes, the beginning and the end are kept, because commands usually report there. All processes
that a command starts belong to its process group, and the group is killed at the time limit.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from daypack.errors import InputError
from daypack.system import end_group, group_flags, wait_readable

MOST_OUTPUT = 4 << 20  # bytes that are kept, half from the beginning, half from the end
MOST_READ = 2 << 30  # bytes; a command that prints more is stopped
DEFAULT_SECONDS = 600.0
_BLOCK = 1 << 16
# seconds between the request to end and the kill, and for processes that still have the pipe of a command that ended
_GRACE = 2.0


class CommandNotFound(InputError, code="command_not_found"):
    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"{name!r} cannot be run ({why}); name a program and each of its arguments apart, no shell reads them"
        )


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that ran. `size` is the number of printed bytes, `output` the kept bytes; `stopped` is the reason for stopping
    it, or "".
    """

    arguments: tuple[str, ...]
    status: int
    seconds: float
    size: int
    output: bytes
    stopped: str = ""


def run_command(
    arguments: Sequence[str],
    *,
    folder: Path | None = None,
    seconds: float = DEFAULT_SECONDS,
    most: int = MOST_OUTPUT,
    environment: Mapping[str, str] | None = None,
    stdin: IO[bytes] | None = None,
    check: Callable[[], None] = lambda: None,
) -> Ran:
    """Run a command until it ends or its time is over; its input is `stdin`, or empty. `check` is called several times a
    second; an error that it raises ends the command. Raises CommandNotFound.
    """
    if not arguments or any("\0" in argument for argument in arguments):
        raise CommandNotFound(arguments[0] if arguments else "", "no command, or a NUL byte in it")
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            list(arguments),
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
            creationflags=group_flags(),
            close_fds=True,
        )
    except (OSError, ValueError) as error:
        raise CommandNotFound(arguments[0], getattr(error, "strerror", None) or str(error)) from None
    kept = _Kept(most)
    stopped = ""
    assert process.stdout is not None
    try:
        stopped = _read(process, kept, check, deadline=started + seconds)
    finally:
        # Also after an interrupt, so that a command never outlives its caller.
        if stopped or process.poll() is None:
            _end(process)
        process.stdout.close()
    status = process.wait()
    return Ran(
        tuple(arguments),
        status if status >= 0 else 128 - status,
        time.monotonic() - started,
        kept.size,
        kept.bytes(),
        stopped,
    )


def _read(
    process: subprocess.Popen[bytes], kept: _Kept, check: Callable[[], None], *, deadline: float
) -> str:
    """Read until the command ends; returns the reason to stop it, or ""."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    ended: float | None = None
    while True:
        check()
        now = time.monotonic()
        if now >= deadline:
            return "its time was up"
        if ended is None and process.poll() is not None:
            ended = now
        if ended is not None and now - ended > _GRACE:  # a process of the command still has the pipe
            return ""
        if not wait_readable(descriptor, min(0.2, deadline - now)):
            continue
        block = os.read(descriptor, _BLOCK)
        if not block:
            try:
                process.wait(timeout=max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                return "its time was up"
            return ""
        kept.add(block)
        if kept.size > MOST_READ:
            return f"it printed more than {MOST_READ >> 30} GB"


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        _signal(process, kill=False)
    finally:  # also when a second interrupt comes: its children, or the command itself, may still run
        _signal(process, kill=True)


def _signal(process: subprocess.Popen[bytes], *, kill: bool) -> None:
    if end_group(process, kill=kill):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_GRACE)


class _Kept:
    """The beginning and the end of a stream, in limited memory."""

    def __init__(self, most: int) -> None:
        self.size = 0
        self._half = most // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0

    def add(self, block: bytes) -> None:
        self.size += len(block)
        if len(self._head) < self._half:
            room = self._half - len(self._head)
            self._head += block[:room]
            block = block[room:]
        if block:
            self._tail.append(block)
            self._tail_size += len(block)
            while self._tail_size - len(self._tail[0]) >= self._half:
                self._tail_size -= len(self._tail.popleft())

    def bytes(self) -> bytes:
        tail = b"".join(self._tail)[-self._half :]
        left_out = self.size - len(self._head) - len(tail)
        if left_out <= 0:
            return bytes(self._head) + tail
        # Cut at line ends, so that no line is joined from two halves.
        head = self._head[: self._head.rfind(b"\n") + 1] or self._head
        tail = tail[tail.find(b"\n") + 1 :] or tail
        left_out = self.size - len(head) - len(tail)
        return bytes(head) + f"[… {left_out:,} bytes left out …]\n".encode() + tail
