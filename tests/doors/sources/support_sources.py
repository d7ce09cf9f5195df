"""What the tests of sources share: a clock that is set by hand, and a store on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daypack import Daypack
from support import WORDS

DAY = 86_400.0


class Clock:
    def __init__(self, now: float = 1_790_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


@contextmanager
def opened(folder: Path, clock: Clock, *, owner: str = "user") -> Iterator[Daypack]:
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=clock, owner=owner) as daypack:
        yield daypack


def bytes_of(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
