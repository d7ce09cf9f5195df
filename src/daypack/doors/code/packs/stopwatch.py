"""The time that the stages of a pack take."""

from __future__ import annotations

import time


class Stopwatch:
    """The milliseconds that each stage took."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.stages: tuple[tuple[str, float], ...] = ()

    def note(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages += ((stage, round((now - self._last) * 1000, 2)),)
        self._last = now
