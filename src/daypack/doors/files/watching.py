"""The times to refresh while watching: as soon as the system reports a change on disk, or every few seconds.

What changed is none of this module's business: a look costs one `stat` a file, and finds that out. So an
event too many is harmless, and one that was missed is made up for by the next look.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

QUIET_SECONDS = 0.3  # nothing changes any more: a checkout and a save of many files are one look
LONGEST_SECONDS = 3.0  # … but not longer than this after the first change
LOOK_SECONDS = 30.0  # between looks where events come, for those that the system dropped
POLL_SECONDS = 2.0  # … and where none come
_PASSED_OVER = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules"})


def has_events() -> bool:
    """True when the extra `watch` is installed. It is imported, so that an interrupt during the watch meets no import."""
    try:
        importlib.import_module("watchfiles")
    except ImportError:
        return False
    return True


def looks(paths: Sequence[Path], *, store: Path) -> Iterator[None]:
    """A value whenever it is time to look, without end; `store` is written by looking and tells nothing.

    Where the system has no more watches to give, and without the extra, looks are a few seconds apart.
    """
    if has_events():
        yield from _events(paths, store)
    while True:
        time.sleep(POLL_SECONDS)
        yield None


def _events(paths: Sequence[Path], store: Path) -> Iterator[None]:
    from watchfiles import Change, watch

    inside = str(store)

    def counts(_change: Change, path: str) -> bool:
        return not path.startswith(inside) and _PASSED_OVER.isdisjoint(path.split("/"))

    there = [path for path in paths if path.exists()]
    try:
        for _ in watch(
            *there,
            watch_filter=counts,
            debounce=int(LONGEST_SECONDS * 1000),
            step=int(QUIET_SECONDS * 1000),
            rust_timeout=int(LOOK_SECONDS * 1000),
            yield_on_timeout=True,
            raise_interrupt=True,
            ignore_permission_denied=True,
        ):
            yield None
    except OSError:
        return
