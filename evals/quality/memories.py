"""python -m evals.quality.memories FOLDER [--store FOLDER] [--budgets 1000] [--vectors auto|all|none] [--embedder minilm]

Every turn of a conversation is remembered as a memory of its own, and every question packed in every
ordering. Prints the share of the evidence that is in the block, and the mean over questions that have any:
one line an ordering and budget.

FOLDER is a set of conversations in the layout of `evals.quality.datasets`, with a scope a conversation. Turns are
remembered at their own times, and questions are asked a day after the last. With --store the store is kept,
and its vectors are there the next time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from daypack import Daypack, Settings
from daypack.doors.memories.types import Ordering
from daypack.evaluate.choosing import estimate
from evals.arguments import MODES, command_line, kept_in, numbers
from evals.quality.datasets import Dataset, load

DAY = 86400.0


class Clock:
    """Unix seconds, set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def remember(dp: Daypack, clock: Clock, turns: Sequence[Mapping[str, Any]]) -> None:
    for turn in turns:
        clock.now = float(turn.get("time") or clock.now)
        dp.memories.remember(
            turn["id"],
            turn["text"],
            author=turn.get("author", ""),
            session=f"{turn['scope']}/{turn['session']}",
        )
    clock.now += DAY


def ask(
    dataset: Dataset, store: Path, budgets: Sequence[int], vectors: str, embedder: str
) -> dict[tuple[str, int], list[float]]:
    """(ordering, budget) → evidence recall of each question."""
    found: dict[tuple[str, int], list[float]] = {}
    scopes = sorted({str(record["scope"]) for record in dataset.records})
    settings = Settings(embedder=embedder, refresh=False)
    for scope in scopes:
        clock = Clock()
        with Daypack.open(store, settings=settings, clock=clock, owner=scope) as dp:
            remember(dp, clock, [record for record in dataset.records if record["scope"] == scope])
            if vectors == "all":
                dp.embed()
            for query in dataset.queries:
                evidence = dataset.qrels[query.id].grades
                if query.scope != scope or not evidence:
                    continue
                for ordering in Ordering:
                    for budget in budgets:
                        block = dp.memories.pack(
                            query.text, budget_tokens=budget, ordering=ordering, vectors=vectors, touch=False
                        )
                        keys = {memory.key for memory in block.memories}
                        found.setdefault((ordering.value, budget), []).append(
                            len(keys & evidence.keys()) / len(evidence)
                        )
    return found


def main() -> None:
    parser = command_line("evals.quality.memories", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--store", type=Path, metavar="FOLDER", help="keep the store there")
    parser.add_argument(
        "--budgets",
        type=numbers,
        default="1000",
        help="comma-separated budgets, in tokens of four characters",
    )
    parser.add_argument("--vectors", default="all", choices=MODES)
    parser.add_argument("--embedder", default="minilm")
    arguments = parser.parse_args()
    dataset = load(arguments.folder)
    started = time.process_time()
    with kept_in(arguments.store) as store:
        found = ask(dataset, store, arguments.budgets, arguments.vectors, arguments.embedder)
    for (ordering, budget), values in sorted(found.items(), key=lambda item: (item[0][1], item[0][0])):
        print(
            f"{dataset.name:<12} {ordering:<18} evidence recall at {budget}: {estimate(values)}  {len(values)} questions, vectors {arguments.vectors}"
        )
    print(f"{time.process_time() - started:.0f} s CPU")


if __name__ == "__main__":
    main()
