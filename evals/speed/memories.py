"""python -m evals.speed.memories [--memories 100000] [--store FOLDER]

A store of many memories of one owner, with a vector for each (hashed words padded to 384 dimensions, not
MiniLM's), and what the verbs take in a warm process: CPU for recall, search and pack, without the query's own
vector; wall and CPU for a durable remember. With
--store the store is kept, and used again when it is there. Nothing here asserts.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from daypack.api import Daypack
from daypack.settings import Settings
from evals.arguments import command_line, kept_in
from evals.speed.clock import Spent, Stopwatch, each, loop_seconds, percentile
from evals.speed.tasks import PaddedHashing

START = 1_700_000_000.0
TOPICS = ("release", "deploy", "billing", "search", "login", "stats", "mobile", "infra", "hiring", "style")
SYLLABLES = (
    "ka",
    "to",
    "mi",
    "ren",
    "sul",
    "ba",
    "ne",
    "vor",
    "di",
    "pel",
    "gu",
    "sta",
    "lo",
    "fi",
    "zan",
    "che",
)


def words(chance: random.Random, count: int) -> list[str]:
    """Made-up words, a few of them often and most of them seldom, as in any text."""
    lexicon = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(20_000)]
    return chance.choices(lexicon, weights=[1 / rank for rank in range(1, len(lexicon) + 1)], k=count)


def lines(count: int, seed: int = 7) -> Iterator[str]:
    """Memories of 8 to 40 words as an export has them."""
    chance = random.Random(seed)
    stream = iter(words(chance, 40 * count))
    for number in range(count):
        topic = chance.choice(TOPICS)
        value = " ".join(next(stream) for _ in range(chance.randint(8, 40)))
        yield json.dumps(
            {"key": f"{topic}/note-{number}", "value": value, "recorded_at": START + number, "tags": [topic]}
        )


def build(store: Path, count: int) -> None:
    with Daypack.open(store, settings=Settings(refresh=False)) as dp:
        with Stopwatch() as watch:
            dp.memories.files.import_lines(lines(count))
        said(f"import of {count:,} memories", [watch.spent], "s")
        dp.engine.embedding.model = PaddedHashing()
        dp.embed()


def said(
    what: str, spent: Sequence[Spent], unit: str = "ms", target: float | None = None, *, wall: bool = False
) -> None:
    values = [item.wall if wall else item.cpu for item in spent]
    scale = 1e3 if unit == "ms" else 1.0
    p50, p95 = (percentile(values, share) * scale for share in (0.5, 0.95))
    verdict = "" if target is None else f"  target {target:g} {unit}: {'met' if p50 <= target else 'missed'}"
    sys.stdout.write(
        f"{what:<44} {'wall' if wall else 'CPU'} p50 {p50:8.2f}  p95 {p95:8.2f} {unit}{verdict}\n"
    )
    sys.stdout.flush()


def measure(store: Path, count: int) -> None:
    chance = random.Random(3)
    with Daypack.open(store, settings=Settings(refresh=False)) as dp:
        embedder = PaddedHashing()
        dp.engine.embedding.model = embedder
        dp.embed()
        keys = [json.loads(line)["key"] for line in lines(count)]
        values = [json.loads(line)["value"].split() for line in lines(min(count, 4000))]
        topics = [" ".join(chance.choice(values)[: chance.randint(2, 6)]) for _ in range(60)]

        with Stopwatch() as watch:
            dp.memories.search("warm up release")
        said("first search of a process (loads the view)", [watch.spent])

        def asking(call: Callable[[str], object]) -> list[Spent]:
            spent = []
            for topic in topics:
                before = embedder.cpu
                with Stopwatch() as watch:
                    call(topic)
                one = watch.spent
                spent.append(Spent(one.cpu - (embedder.cpu - before), one.wall))
            return spent

        said(
            "recall",
            each([partial(dp.memories.recall, key, touch=False) for key in chance.sample(keys, 300)]),
            target=1.0,
        )
        said(
            "recall, its use noted",
            each([partial(dp.memories.recall, key) for key in chance.sample(keys, 300)]),
            target=1.0,
        )
        said("search, ten best", asking(dp.memories.search), target=25.0)

        def after_a_write(topic: str) -> None:
            dp.memories.remember("last/question", f"{topic} {time.time_ns()}")
            dp.memories.search(topic)

        said("remember and search in turn", asking(after_a_write)[1:])
        for ordering in ("relevance+recency", "relevance", "recency", "auto"):
            said(
                f"pack of 2,000 tokens, {ordering}",
                asking(partial(dp.memories.pack, ordering=ordering, touch=False)),
                target=25.0,
            )
        said("pack, its memories noted as used", asking(dp.memories.pack), target=25.0)
        new = [" ".join(chance.choice(values)[: chance.randint(8, 20)]) for _ in range(100)]
        stamp = f"{time.time():.0f}"
        spent = each(
            [partial(dp.memories.remember, f"new/{stamp}-{number}", text) for number, text in enumerate(new)]
        )
        said("remember, durable, similar ones reported", spent, target=10.0)
        said("remember, durable, similar ones reported", spent, target=10.0, wall=True)
        with Stopwatch() as watch:
            dp.memories.forget(f"new/{stamp}-0")
        said("forget, log emptied", [watch.spent])


def main() -> None:
    parser = command_line("evals.speed.memories", __doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    sys.stdout.write(f"a loop of plain Python takes {loop_seconds() * 1e3:.0f} ms on this machine now\n")
    with kept_in(arguments.store) as store:
        if not (store / "daypack.db").exists():
            build(store, arguments.memories)
        measure(store, arguments.memories)


if __name__ == "__main__":
    main()
