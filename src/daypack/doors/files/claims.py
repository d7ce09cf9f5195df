"""A claim on the files that an `add` reads: while it lasts, questions of other processes leave them to it.

A first `add` of a large folder takes minutes. Without the claim each question meanwhile would read the same files.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from daypack.system import AS_IS, lock


@contextmanager
def adding(place: object) -> Iterator[None]:
    """Lock the folder of a store while files are added, beside other processes that add. The lock ends with its process. A
    server has no folder, and Windows locks none: there each question reads the files itself.
    """
    held = None
    with suppress(OSError):
        if isinstance(place, Path):
            held = os.open(place, os.O_RDONLY | AS_IS)
            lock(held, shared=True)  # a question that looks holds its own for an instant
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def is_adding(place: object) -> bool:
    """True while a process adds files to the store in this folder."""
    if not isinstance(place, Path):
        return False
    try:
        held = os.open(place, os.O_RDONLY | AS_IS)
    except OSError:
        return False
    try:
        # a question that looks at the same moment shares its lock with none, an add does
        return not lock(held, wait=False) and lock(held, wait=False, shared=True)
    except OSError:
        return False
    finally:
        os.close(held)


def wait_while_adding(place: object, seconds: float) -> None:
    """Return when no process adds files to the store any more, or after so many seconds."""
    ends = time.monotonic() + seconds
    while is_adding(place) and time.monotonic() < ends:
        time.sleep(0.05)
