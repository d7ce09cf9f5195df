"""`daypack add --watch`: after the first look, one more whenever something changed, until somebody ends it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from daypack.surfaces.cli.common import note

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import IngestReport


def watch_files(daypack: Daypack, paths: Sequence[str], tell: Callable[[IngestReport], None]) -> None:
    """Keep the sources that these paths are in step with the disk; returns when it is interrupted. `tell`
    gets reports of what changed.
    """
    from daypack.doors.files.watching import POLL_SECONDS, has_events, looks
    from daypack.errors import StoreBusy

    names = [daypack.files.name_of(path) for path in paths]
    targets = [daypack.files.root / name for name in names]
    how = (
        ""
        if has_events()
        else f"; looking every {POLL_SECONDS:.0f} s, as `pip install 'daypack[watch]'` would make needless"
    )
    signal.signal(signal.SIGTERM, _interrupted)
    try:
        note(f"watching {', '.join(names)}; Ctrl-C ends it{how}", always=True)
        for _ in looks(targets, store=daypack.engine.store.folder):
            try:
                report = daypack.files.refresh(
                    {name: found for name, found in daypack.files.check().items() if name in names}
                )
            except StoreBusy:  # somebody writes for long; what changed is still there at the next look
                note("the store is busy; trying again", always=True)
                continue
            if report.added or report.updated or report.removed:
                tell(report)
    except KeyboardInterrupt:
        note("stopped watching", always=True)


def _interrupted(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
