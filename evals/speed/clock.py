"""Clocks: CPU time of this process or of a command, percentiles, and work done in a fresh process."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Spent:
    """Seconds that something took: of CPU, and on the wall."""

    cpu: float
    wall: float


def cpu_seconds() -> float:
    """Seconds of CPU of this process, and of those that it started and waited for: a crew shares the work of an index."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Stopwatch:
    """`with Stopwatch() as watch: …`; then `watch.spent`."""

    spent: Spent

    def __enter__(self) -> Stopwatch:
        self._wall, self._cpu = time.perf_counter(), cpu_seconds()
        return self

    def __exit__(self, *_: object) -> None:
        self.spent = Spent(cpu_seconds() - self._cpu, time.perf_counter() - self._wall)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie, by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * 100) * len(ordered) // 100) - 1))]


def environment() -> dict[str, str]:
    """For children: byte code is kept, as it is for an installed program, but not beside the sources."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("DAYPACK_", "PYTHON"))
    }
    return {
        **inherited,
        "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "daypack-benchmarks-bytecode"),
    }


def run(command: Sequence[str], folder: Path) -> Spent:
    """Run a command to its end. Raises when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-500:]}")
    return Spent(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def median(spent: Sequence[Spent]) -> Spent:
    return Spent(
        statistics.median(item.cpu for item in spent), statistics.median(item.wall for item in spent)
    )


def cold(command: Sequence[str], folder: Path, times: int) -> Spent:
    """Median over fresh processes, after one that fills the disk cache and is not counted."""
    run(command, folder)
    return median([run(command, folder) for _ in range(times)])


def in_fresh_process(task: str, **arguments: Any) -> dict[str, Any]:
    """Run `tasks.<task>(**arguments)` where nothing is warm and no memory is held, and return what it
    returns.
    """
    command = [sys.executable, "-m", "evals.speed.tasks", task, json.dumps(arguments)]
    done = subprocess.run(
        command,
        cwd=Path(__file__).parents[2],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the task {task} failed")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def loop_seconds(times: int = 5) -> float:
    """CPU time of a fixed loop of plain Python: how fast this machine is at this moment."""
    text = " ".join(str(number * 7919 % 10_007) for number in range(40_000))

    def once() -> float:
        with Stopwatch() as watch:
            counts: dict[str, int] = {}
            for word in text.split():
                counts[word] = counts.get(word, 0) + 1
        return watch.spent.cpu

    return min(once() for _ in range(times))


def each(calls: Sequence[Callable[[], object]]) -> list[Spent]:
    """Processor time of each call."""
    spent = []
    for call in calls:
        with Stopwatch() as watch:
            call()
        spent.append(watch.spent)
    return spent


def peak_megabytes() -> float:
    """The most memory that was resident.

    Not ru_maxrss where it can be helped: that one begins with the parent's.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
