"""Quotas and numbers of a team server: the writes of the last minute, calls by verb and status, and their latency.

    act ──▶ quota of writes ──▶ room in the project ──▶ the call ──▶ a line of the log, counters

The line of a write is on disk before its caller has the answer; lines of questions follow within a second.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from daypack.team.errors import ProjectFull, TooManyWrites
from daypack.team.types import Person, Project

MINUTE = 60.0
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds


@dataclass
class Latency:
    """Calls by their seconds: `counts[i]` took at most BOUNDS[i], and longer than the bound before; the last, longer."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class Ledger:
    """The quotas and counters of a server, kept in memory: a server that starts begins a new minute."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._writes: dict[int, deque[float]] = {}
        self.calls: Counter[tuple[str, int]] = Counter()  # by verb and status
        self.latency: dict[str, Latency] = {}  # by verb
        self.refused: Counter[str] = Counter()  # by quota
        self.running = 0

    def take_write(self, person: Person) -> None:
        """Count a write of a person. Raises TooManyWrites where it is one too many within a minute."""
        now, kept = self._now(), self._writes.setdefault(person.id, deque())
        while kept and kept[0] <= now - MINUTE:
            kept.popleft()
        if len(kept) >= person.writes:
            self.refused["writes"] += 1
            raise TooManyWrites(person.writes, kept[len(kept) - person.writes] + MINUTE - now)
        kept.append(now)

    def check_room(self, project: Project, used: int) -> None:
        """Raise ProjectFull where the store of a project has reached its quota of bytes."""
        if used >= project.bytes:
            self.refused["bytes"] += 1
            raise ProjectFull(project.name, used, project.bytes)

    def count(self, verb: str, status: int, seconds: float) -> None:
        """Count an answered call."""
        self.calls[verb, status] += 1
        self.latency.setdefault(verb, Latency()).add(seconds)


def metrics(
    ledger: Ledger, *, sizes: Mapping[str, int], limits: Mapping[str, int], waiting: Mapping[str, int]
) -> str:
    """The numbers in the text format of Prometheus; `sizes`, `limits` and `waiting` are by project."""
    lines: list[str] = []

    def family(name: str, kind: str, about: str) -> None:
        lines.extend((f"# HELP {name} {about}", f"# TYPE {name} {kind}"))

    family("daypack_requests_total", "counter", "Answered calls by verb and status of HTTP.")
    lines += [
        f'daypack_requests_total{{verb="{verb}",status="{status}"}} {count}'
        for (verb, status), count in sorted(ledger.calls.items())
    ]
    family("daypack_request_seconds", "histogram", "Seconds of a call, the wait for the store included.")
    for verb, latency in sorted(ledger.latency.items()):
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), latency.counts, strict=True):
            total += count
            lines.append(f'daypack_request_seconds_bucket{{verb="{verb}",le="{bound}"}} {total}')
        lines.append(f'daypack_request_seconds_sum{{verb="{verb}"}} {latency.seconds:.6f}')
        lines.append(f'daypack_request_seconds_count{{verb="{verb}"}} {total}')
    for name, about, values in (
        ("daypack_project_bytes", "Size of a project's store.", sizes),
        ("daypack_project_bytes_limit", "Quota of a project's store.", limits),
        ("daypack_queue_calls", "Calls of a project that wait or run.", waiting),
    ):
        family(name, "gauge", about)
        lines += [f'{name}{{project="{project}"}} {value}' for project, value in sorted(values.items())]
    family("daypack_running_calls", "gauge", "Calls that wait or run.")
    lines.append(f"daypack_running_calls {ledger.running}")
    family("daypack_quota_refusals_total", "counter", "Writes that a quota refused.")
    lines += [
        f'daypack_quota_refusals_total{{quota="{quota}"}} {ledger.refused[quota]}'
        for quota in ("writes", "bytes")
    ]
    return "\n".join(lines) + "\n"
