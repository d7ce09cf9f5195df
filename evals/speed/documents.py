"""python -m evals.speed.documents [--documents 1000000] [--vectors 100000] [--text 10000] [--store FOLDER]

Collections of JSON documents, measured in CPU seconds of one process: a load with two field indexes (what the
full text costs afterwards is measured on a part), filters on an indexed path, and nearest neighbours among
vectors of 384 dimensions (hashed words, padded), with and without a filter on an indexed path. With --store
the store is kept. Nothing here asserts.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from daypack.api import Daypack
from daypack.doors.documents.collection import Collection
from daypack.doors.documents.loading import read_lines
from daypack.settings import Settings
from evals.arguments import command_line, kept_in
from evals.speed.clock import Spent, Stopwatch, each, loop_seconds, percentile
from evals.speed.memories import words
from evals.speed.tasks import PaddedHashing

STATUSES = ("published", "draft", "archived", "review")


def lines(count: int, seed: int = 7) -> Iterator[str]:
    """Small documents, about 200 bytes each, as a dump has them."""
    chance = random.Random(seed)
    lexicon = words(chance, 4000)
    for number in range(count):
        text = " ".join(chance.choices(lexicon, k=chance.randint(8, 16)))
        item = {
            "_id": {"$oid": f"{0x60000000 + number // 1000:08x}00000000{number % 0xFFFFFFFF:08x}"},
            "title": f"Note {number}",
            "status": chance.choice(STATUSES),
            "year": chance.randint(1950, 2026),
            "user": chance.randint(1, 50_000),
            "tags": chance.sample(lexicon, chance.randint(0, 3)),
            "text": text,
        }
        yield json.dumps(item)


def said(what: str, spent: Sequence[Spent], target: float) -> None:
    values = [item.cpu for item in spent]
    p50, p95 = (percentile(values, share) * 1e3 for share in (0.5, 0.95))
    sys.stdout.write(
        f"{what:<58} CPU p50 {p50:8.2f}  p95 {p95:8.2f} ms  target {target:g} ms: {'met' if p50 <= target else 'missed'}\n"
    )
    sys.stdout.flush()


def rate(what: str, count: int, spent: Spent, target: float | None = None) -> None:
    speed = count / spent.cpu
    verdict = "" if target is None else f"  target {target:,.0f}: {'met' if speed >= target else 'missed'}"
    sys.stdout.write(
        f"{what:<58} {speed:10,.0f} documents a CPU second ({spent.cpu:,.1f} s CPU, {spent.wall:,.1f} s wall){verdict}\n"
    )
    sys.stdout.flush()


def load(dp: Daypack, name: str, count: int) -> Collection:
    dp.documents.create(name, indexes=["status", "user"])
    collection = dp.documents.collection(name)
    made = list(lines(count))
    with Stopwatch() as watch:
        collection.load(read_lines(made, "lines"))
    rate(f"load of {count:,}, two field indexes", count, watch.spent, 10_000)
    return collection


def filters(collection: Collection) -> None:
    chance = random.Random(3)
    users = [chance.randint(1, 50_000) for _ in range(200)]
    collection.count({"user": 0})

    def asked(make: Callable[[int], dict[str, Any]]) -> list[Spent]:
        return each([partial(collection.find, make(user)) for user in users])

    said("find, equality on an indexed path", asked(lambda user: {"user": user}), 5)
    said(
        "find, range on an indexed path and a condition beside it",
        asked(lambda user: {"user": {"$gte": user, "$lt": user + 5}, "year": {"$gte": 2000}}),
        5,
    )
    said(
        "find, first 20 of a quarter of all",
        each([partial(collection.find, {"status": status}, limit=20) for status in STATUSES * 5]),
        5,
    )


def vectors(dp: Daypack, count: int) -> None:
    collection = load(dp, "vectors", count)
    dp.documents.vectors.model("folder:padded").model = PaddedHashing()
    with Stopwatch() as watch:
        collection.vsync("text", embedder="folder:padded")
    rate(f"vsync of {count:,}, hashed words", count, watch.spent)
    chance = random.Random(5)
    lexicon = words(random.Random(7), 4000)
    queries = [" ".join(chance.choices(lexicon, k=4)) for _ in range(40)]
    collection.vsearch("text", queries[0])
    said(
        f"vsearch among {count:,}",
        each([partial(collection.vsearch, "text", query) for query in queries]),
        15,
    )
    collection.vsearch("text", queries[0], filter={"status": "draft"})
    said(
        "… of a quarter, by a filter on an indexed path, asked again",
        each([partial(collection.vsearch, "text", query, filter={"status": "draft"}) for query in queries]),
        15,
    )
    said(
        "… of one in a hundred, by another filter each time",
        each(
            [
                partial(
                    collection.vsearch,
                    "text",
                    query,
                    filter={"user": {"$gte": 1000 * n, "$lt": 1000 * n + 500}},
                )
                for n, query in enumerate(queries)
            ]
        ),
        15,
    )


def text(dp: Daypack, count: int) -> None:
    collection = dp.documents.collection("text")
    collection.load(read_lines(lines(count, seed=9), "lines"))
    before = dp.documents.pending()
    with Stopwatch() as watch:
        done = dp.documents.catch_up(limit=count)
    rate(f"full text of {done:,} (of {before:,} that wait)", done, watch.spent)


def main() -> None:
    parser = command_line("evals.speed.documents", __doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--text", type=int, default=10_000)
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    sys.stdout.write(f"a loop of plain Python takes {loop_seconds() * 1e3:.0f} ms on this machine now\n")
    settings = Settings(embedder="hashing", refresh=False)
    with kept_in(arguments.store) as store, Daypack.open(store, settings=settings) as dp:
        text(dp, arguments.text)
        vectors(dp, arguments.vectors)
        filters(load(dp, "documents", arguments.documents))


if __name__ == "__main__":
    main()
