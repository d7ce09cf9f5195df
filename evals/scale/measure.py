"""python -m evals.scale.measure URL OUT.json [--sizes 1000,10000,50000]

The figures from which `python -m evals.scale` computes, measured on a PostgreSQL server: one schema for each size, `scale_SIZE`, made of real text of this
machine (evals/speed/growing.py). CPU of the process that asks, warm or at its first question; the server's own is not in it. Nothing here asserts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from daypack.api import Daypack
from daypack.settings import Settings
from evals.arguments import command_line, numbers
from evals.speed.clock import Stopwatch
from evals.speed.growing import records
from evals.speed.growth import questions

BATCH = 2_000  # records
QUESTIONS = 20
EMBEDDED = 64  # chunks


def measure(url: str, sizes: Sequence[int]) -> dict[str, Any]:
    """The fields of `Figures`, with the number of chunks that each schema really holds."""
    found: dict[str, Any] = {"search_ms": {}, "opening_ms": {}}
    settings = Settings(refresh=False)
    for size in sizes:
        store = f"{url}{'&' if '?' in url else '?'}schema=scale_{size}"
        with Daypack.open(store, settings=settings) as daypack:
            coming = records()
            with Stopwatch() as watch:
                while daypack.engine.store.counts()["chunk"] < size:
                    daypack.engine.ingestion.add(islice(coming, min(BATCH, size // 2)))
            chunks = daypack.engine.store.counts()["chunk"]
            if watch.spent.wall > 1:  # else the schema was there
                found["loaded_a_second"] = chunks / watch.spent.wall
            found["stored_bytes"] = daypack.engine.store.size() / chunks
            asked = questions(daypack)[:QUESTIONS]
            texts = [chunk.text for chunk in daypack.engine.store.chunks(range(1, EMBEDDED + 1)).values()]
            for question in asked:  # loads the model, and keeps the vectors that these questions need
                daypack.search(question)
            with Stopwatch() as watch:
                daypack.engine.embedding.vectors_of(texts)
            found["embedded_a_second"] = len(texts) / watch.spent.cpu
        before = _resident()
        with Daypack.open(store, create=False, settings=settings) as daypack:
            with Stopwatch() as first:
                daypack.search(asked[1])
            found["resident_bytes"] = max(0, _resident() - before) / chunks
            warm = [_milliseconds(daypack, question) for question in asked for _ in range(2)][1::2]
        found["search_ms"][str(chunks)] = median(warm)
        found["opening_ms"][str(chunks)] = max(0.0, first.spent.cpu * 1e3 - median(warm))
    return found


def _milliseconds(daypack: Daypack, question: str) -> float:
    with Stopwatch() as watch:
        daypack.search(question)
    return watch.spent.cpu * 1e3


def _resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line("evals.scale.measure", __doc__)
    parser.add_argument("url", help="a server, as postgresql://user@host/database")
    parser.add_argument("out", type=Path, metavar="OUT.json")
    parser.add_argument(
        "--sizes", type=numbers, default="1000,10000,50000", help="chunks of the schemas, rising"
    )
    chosen = parser.parse_args(arguments)
    found = measure(chosen.url, chosen.sizes)
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
