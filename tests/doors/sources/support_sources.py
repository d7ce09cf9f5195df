"""What the tests of sources share: a store on a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daypack import Daypack
from support import WORDS, Clock

DAY = 86_400.0


@contextmanager
def opened(folder: Path, clock: Clock, *, owner: str = "user") -> Iterator[Daypack]:
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=clock, owner=owner) as daypack:
        yield daypack
