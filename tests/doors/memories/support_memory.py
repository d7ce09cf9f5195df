"""What the tests of memories share: a clock that is set by hand, and a store on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daypack import Daypack
from support import WORDS

DAY = 86400.0
START = 1_790_000_000.0  # 2026-09-21


class Clock:
    """Unix seconds that pass when the test says so."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


@contextmanager
def opened(folder: Path, clock: Clock, *, owner: str = "ana", project: str = "pay") -> Iterator[Daypack]:
    folder.mkdir(exist_ok=True)
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=clock, owner=owner, project=project) as dp:
        yield dp


def bytes_of(folder: Path) -> bytes:
    """Every byte of every file below a folder, the write-ahead log among them."""
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
