"""The times to refresh while watching: as soon as the system reports a change on disk, or every few seconds.

This module ignores which file changed: a refresh costs one `stat` a file and finds out. So a superfluous
event is harmless, and the next refresh makes up for a missed one.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

QUIET_SECONDS = 0.3  # quiet time: a checkout and a save of many files are one refresh
LONGEST_SECONDS = 3.0  # … but not longer than this after the first change
REFRESH_SECONDS = 30.0  # between refreshes where events come, for dropped events
POLL_SECONDS = 2.0  # … and where none come
_PASSED_OVER = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules"})


def has_events() -> bool:
    """True when the extra `watch` is installed. The import happens here, so that an interrupt during the
    watch meets no import.
    """
    try:
        importlib.import_module("watchfiles")
    except ImportError:
        return False
    return True


def refresh_times(paths: Sequence[Path], *, store: Path) -> Iterator[None]:
    """A value whenever it is time to refresh, without end; changes below `store`, which a refresh writes, do not
    count.

    Where the system has no more watches to give, and without the extra, they are a few seconds apart.
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
            rust_timeout=int(REFRESH_SECONDS * 1000),
            yield_on_timeout=True,
            raise_interrupt=True,
            ignore_permission_denied=True,
        ):
            yield None
    except OSError:
        return
