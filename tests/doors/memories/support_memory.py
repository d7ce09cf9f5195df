"""What the tests of memories share: a store on a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daypack import Daypack
from support import WORDS, Clock

DAY = 86400.0


@contextmanager
def opened(folder: Path, clock: Clock, *, owner: str = "ana", project: str = "pay") -> Iterator[Daypack]:
    folder.mkdir(exist_ok=True)
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=clock, owner=owner, project=project) as dp:
        yield dp
