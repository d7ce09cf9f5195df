"""python -m evals.scale.scopes URL OUT.json [--scopes 20] [--chunks 5000] [--large 50000] [--questions 50] [--each 10] [--processes 2] [--seconds 20]

Many scopes in one server: one schema for each, `scope_NNN` and `scope_large`, made of real text of this machine (evals/speed/growing.py) and used again
when they are there. Chunks that one client loads a second, by the clock; the time of a warm hybrid search in the large scope, by the clock of the process that
answers; searches a second of some processes, of which each has its share of the small scopes; bytes on disk, beside a file with the same records. Each question was
asked once before, so the vectors that it needs are there, as after a bulk embedding. Nothing here asserts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from daypack.api import Daypack
from daypack.settings import Settings
from daypack.types import Record
from evals.arguments import command_line
from evals.speed.clock import Stopwatch, environment, percentile
from evals.speed.growing import records
from evals.speed.growth import questions

BATCH = 2_000  # records
ROUNDS = 4  # of the questions to the large scope
SETTINGS = Settings(refresh=False)


def store_of(url: str, scope: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}schema=scope_{scope}"


def loaded(store: str | Path, coming: Iterator[Record], chunks: int) -> dict[str, float]:
    """The seconds in which a store took so many chunks or some more, its chunks and bytes; no seconds where it had them."""
    with Daypack.open(store, settings=SETTINGS) as daypack:
        count = daypack.engine.store.counts
        wall = cpu = 0.0
        while count()["chunk"] < chunks:
            batch = [*islice(coming, min(BATCH, chunks // 4))]
            with Stopwatch() as watch:
                daypack.engine.ingestion.add(batch)
            wall, cpu = wall + watch.spent.wall, cpu + watch.spent.cpu
        held, size = count()["chunk"], daypack.engine.store.size()
    if isinstance(store, Path):  # closed, and so without its log
        size = sum(path.stat().st_size for path in store.glob("daypack.db*"))
    return {"chunks": held, "wall": wall, "cpu": cpu, "bytes": float(size)}


def measure(url: str, chosen: argparse.Namespace) -> dict[str, Any]:
    coming = records()
    small = [store_of(url, f"{number:03}") for number in range(chosen.scopes)]
    made = [loaded(store, coming, chosen.chunks) for store in small]
    large = loaded(store_of(url, "large"), records(), chosen.large)
    with tempfile.TemporaryDirectory() as place:
        file = loaded(Path(place) / "large", records(), chosen.large)
        one = loaded(Path(place) / "small", records(), chosen.chunks)
    fresh = [each for each in [*made, large] if each["wall"]]
    found: dict[str, Any] = {
        "load": [round(part, 1) for part in os.getloadavg()],
        "chunks": sum(each["chunks"] for each in [*made, large]),
        "bytes": sum(each["bytes"] for each in [*made, large]),
        "bytes a chunk": {
            "small scopes": sum(each["bytes"] for each in made) / sum(each["chunks"] for each in made),
            "large scope": large["bytes"] / large["chunks"],
            "small file": one["bytes"] / one["chunks"],
            "large file": file["bytes"] / file["chunks"],
        },
        "file, chunks a second": file["chunks"] / file["wall"],
        "file, chunks a CPU second": file["chunks"] / file["cpu"],
    }
    if fresh:
        loaded_chunks = sum(each["chunks"] for each in fresh)
        found["server, chunks a second"] = loaded_chunks / sum(each["wall"] for each in fresh)
        found["server, chunks a CPU second of the client"] = loaded_chunks / sum(
            each["cpu"] for each in fresh
        )
    found["large scope"] = answered(store_of(url, "large"), chosen.questions)
    found["small scopes"] = served(small, chosen)
    return found


def answered(store: str, most: int) -> dict[str, float]:
    """Milliseconds of warm searches in one scope."""
    with Daypack.open(store, create=False, settings=SETTINGS) as daypack:
        asking = questions(daypack)[:most]
        for question in asking * 2:
            daypack.search(question)
        spent = []
        for question in asking * ROUNDS:
            with Stopwatch() as watch:
                daypack.search(question)
            spent.append(watch.spent)
        clock, cpu = [one.wall * 1e3 for one in spent], [one.cpu * 1e3 for one in spent]
        return {
            "p50": percentile(clock, 0.5),
            "p95": percentile(clock, 0.95),
            "CPU p50": percentile(cpu, 0.5),
            "CPU p95": percentile(cpu, 0.95),
        }


def served(stores: Sequence[str], chosen: argparse.Namespace) -> dict[str, float]:
    """Searches a second of all processes together, and milliseconds of one; each process has scopes of its own."""
    plan = {"seconds": chosen.seconds, "questions": chosen.each}
    running = []
    for number in range(chosen.processes):
        mine = json.dumps({**plan, "stores": stores[number :: chosen.processes], "seed": number})
        running.append(
            subprocess.Popen(
                [sys.executable, "-m", "evals.scale.scopes", "--serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=environment() | {"OPENBLAS_NUM_THREADS": "1"},
            )
        )
        assert running[-1].stdin is not None
        running[-1].stdin.write(mine + "\n")  # not an argument: the URL may hold a password
        running[-1].stdin.flush()
    for process in running:  # all are warm before one begins
        assert process.stdout is not None
        process.stdout.readline()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [json.loads(process.communicate()[0]) for process in running]
    clock = [one for each in told for one in each["clock"]]
    return {
        "searches a second": sum(len(each["clock"]) / each["wall"] for each in told),
        "CPU of the clients, ms a search": sum(each["cpu"] for each in told) * 1e3 / len(clock),
        "p50": percentile(clock, 0.5),
        "p95": percentile(clock, 0.95),
    }


def serve() -> None:
    """One process: open its scopes, ask each question once, wait, and then ask at random until the time is over."""
    plan = json.loads(sys.stdin.readline())
    chance = random.Random(plan["seed"])
    asked = []
    for store in plan["stores"]:
        daypack = Daypack.open(store, create=False, settings=SETTINGS)
        for question in questions(daypack)[: plan["questions"]]:
            daypack.search(question)
            asked.append((daypack, question))
    for daypack, question in asked:  # with the vectors that the first round left
        daypack.search(question)
    sys.stdout.write("warm\n")
    sys.stdout.flush()
    sys.stdin.readline()
    clock, begun, cpu = [], time.perf_counter(), time.process_time()
    while time.perf_counter() < begun + plan["seconds"]:
        daypack, question = chance.choice(asked)
        with Stopwatch() as watch:
            daypack.search(question)
        clock.append(watch.spent.wall * 1e3)
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    sys.stdout.write(json.dumps({"clock": clock, "wall": wall, "cpu": cpu}))


def main() -> None:
    if sys.argv[1:] == ["--serve"]:
        serve()
        return
    parser = command_line("evals.scale.scopes", __doc__)
    parser.add_argument("url", help="a server, as postgresql://user@host/database")
    parser.add_argument("out", type=Path, metavar="OUT.json")
    parser.add_argument("--scopes", type=int, default=20)
    parser.add_argument("--chunks", type=int, default=5_000, help="of each of them")
    parser.add_argument("--large", type=int, default=50_000, help="chunks of one more scope")
    parser.add_argument("--questions", type=int, default=50, help="to the large scope")
    parser.add_argument("--each", type=int, default=10, help="questions to each of the others")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20)
    chosen = parser.parse_args()
    found = measure(chosen.url, chosen)
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
