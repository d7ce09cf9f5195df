"""A process that dies at a chosen step of its work."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator


def kill_at(point: int, work: Callable[[], None]) -> bool:
    """Run `work` in a child that dies at its `point`th opened, renamed, removed or synced file; True when it lived."""
    pid = os.fork()
    if pid == 0:
        left = [point]

        def step(*_: object) -> None:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def watch(event: str, _arguments: tuple[object, ...]) -> None:
            if event in ("open", "os.mkdir", "os.remove", "os.rename", "os.link"):
                step()

        try:
            sys.addaudithook(watch)
            fsync = os.fsync
            os.fsync = lambda descriptor: (step(), fsync(descriptor))[1]  # type: ignore[assignment]
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(77)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status in (0, -signal.SIGKILL)
    return status == 0


def points(least: int) -> Iterator[int]:
    """Every step while there are few, then each third: enough to meet each kind of step."""
    yield from range(least)
    yield from range(least, 100_000, 3)
