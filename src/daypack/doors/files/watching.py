"""The times to refresh while watching: as soon as the system reports a change on disk, or every few seconds.

This module ignores which file changed: a refresh costs one `stat` a file and finds out. So a superfluous
event is harmless, and the next refresh makes up for a missed one.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path

from daypack.errors import StoreBusy
from daypack.index.embedded.identity import identity_of
from daypack.settings.installation import adding
from daypack.types import IngestReport
from daypack.types.servers import StoreUnreachable

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


def watched(
    places: Mapping[str, Path], look: Callable[[], IngestReport], *, store: Path, note: Callable[[str], None]
) -> Iterator[IngestReport]:
    """Keep roots, by name, in step with the disk, without end; yields the report of each `look` that found a change."""
    polling = f"; looking every {POLL_SECONDS:.0f} s, as {adding('watch')} would make needless"
    note(f"watching {', '.join(places)}; Ctrl-C ends it{'' if has_events() else polling}")
    away = False
    for _ in refresh_times([*places.values()], store=store):
        try:
            report = look()
        except (
            StoreUnreachable
        ) as error:  # for a moment, or for a night; the next look finds the changes again
            if not away:
                note(f"{error}; still watching, every look tries again")
            away = True
            continue
        except StoreBusy:  # a writer holds it for long; the next look finds the changes again
            note("the store is busy; trying again")
            continue
        away = False
        if report.added or report.updated or report.removed:
            yield report


def refresh_times(paths: Sequence[Path], *, store: Path) -> Iterator[None]:
    """A value whenever it is time to refresh, without end; changes below `store`, which a refresh writes, do not
    count.

    Where the system has no more watches to give, while a path is away, and without the extra, they are a few seconds apart.
    """
    events = has_events()
    while True:
        if events and all(path.exists() for path in paths):
            events = yield from _events(paths, store)
        time.sleep(POLL_SECONDS)
        yield None


def _events(paths: Sequence[Path], store: Path) -> Generator[None, None, bool]:
    """A value for each change, until another file or folder takes the place of a path, or none: the system watches what it
    found at first. False when it has no more watches to give.
    """
    from watchfiles import Change, watch

    inside = str(store)

    def counts(_change: Change, path: str) -> bool:
        return not path.startswith(inside) and _PASSED_OVER.isdisjoint(path.split("/"))

    watched = [identity_of(path) for path in paths]
    try:
        for _ in watch(
            *paths,
            watch_filter=counts,
            debounce=int(LONGEST_SECONDS * 1000),
            step=int(QUIET_SECONDS * 1000),
            rust_timeout=int(REFRESH_SECONDS * 1000),
            yield_on_timeout=True,
            raise_interrupt=True,
            ignore_permission_denied=True,
        ):
            yield None
            if [identity_of(path) for path in paths] != watched:
                return True
    except OSError:
        return False
    return True
