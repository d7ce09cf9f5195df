"""python -m evals.scale FIGURES.json [--chunks N] [--users N] [--page FILE]

What 10^9 chunks of 10^5 users would take on PostgreSQL: nodes, memory, time of an answer, moving and bulk embedding, simulated from the measured figures of
FIGURES.json (`figures.py` names them). Equal input gives equal output. `--page` writes the tables between the marks of that page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evals.arguments import command_line
from evals.scale.batches import embedded, moved
from evals.scale.figures import Figures, cost_at
from evals.scale.population import Population, drawn, placed
from evals.scale.serving import served

SEED = 25
LARGEST = 2_000_000  # chunks of one scope: above the size at which a scope wants a store of its own
TAIL = 1.2  # guess: spread of the sizes of scopes
QUESTIONS_A_USER_HOUR = 100  # guess: of those who work; an agent asks in bursts
WORKING = 0.2  # guess: share of the users at the busiest hour
MEMORY_GB = 4  # of a process that searches; it answers on one core, and has its scopes to itself
DISK_GB = 2_000  # of a node of PostgreSQL
QUESTIONS = 60_000  # of the simulated process
SHARDS = 1_024
NETWORK_MB = 100  # a second, for a shard that moves
BATCH = 1_000  # chunks of a lease
_PART = re.compile(r"(<!-- simulation -->\n).*?(<!-- end of the simulation -->)", re.DOTALL)


class Scale(NamedTuple):
    chunks: int
    users: int


def questions_a_second(asked: Scale) -> float:
    """At the busiest hour."""
    return asked.users * WORKING * QUESTIONS_A_USER_HOUR / 3600


def serving_rows(asked: Scale, population: Population, figures: Figures, seed: int) -> Iterator[str]:
    """Rows of processes that search: how many share the questions, and how one of them does."""
    yield f"| processes of one core, {MEMORY_GB} GB | busy | scope in memory | p50 | p95 | p99 |"
    yield "|---:|---:|---:|---:|---:|---:|"
    for processes in (64, 128, 256, 512):
        mine = placed(len(population.chunks), SHARDS, processes) == 0
        share = population.share[mine]
        found = served(
            Population(population.chunks[mine], share / share.sum()),
            figures,
            a_second=questions_a_second(asked) * float(share.sum()),
            memory_bytes=MEMORY_GB * 0.9e9,
            questions=QUESTIONS,
            randomness=np.random.default_rng(seed),
        )
        times = f"{found.p50:.0f} ms | {found.p95:.0f} ms | {found.p99:.0f} ms"
        if found.busy > 0.95:
            times = "the queue grows | |"
        yield f"| {processes} | {found.busy:.0%} | {found.warm:.0%} | {times} |"


def storage_rows(asked: Scale, population: Population, figures: Figures) -> Iterator[str]:
    """Rows of PostgreSQL's nodes: bytes, the fullest node, and the time in which one more takes its part."""
    total = asked.chunks * figures.stored_bytes
    yield f"{total / 1e12:.1f} TB in tables and indexes, one copy."
    yield ""
    yield "| nodes | mean | fullest | hours until one more node has its part |"
    yield "|---:|---:|---:|---:|"
    least = int(np.ceil(total / (DISK_GB * 0.7e9)))
    for nodes in (least, 2 * least, 4 * least):
        of_node = np.bincount(
            placed(len(population.chunks), SHARDS, nodes), weights=population.chunks, minlength=nodes
        )
        _, hours = moved(asked.chunks, figures.stored_bytes, nodes, NETWORK_MB)
        mean, fullest = total / nodes, float(of_node.max()) * figures.stored_bytes
        yield f"| {nodes} | {mean / 1e9:,.0f} GB | {fullest / 1e9:,.0f} GB | {hours:.1f} |"


def embedding_rows(asked: Scale, figures: Figures, seed: int) -> Iterator[str]:
    """Rows of a bulk embedding by workers of one core each."""
    core_hours = asked.chunks / figures.embedded_a_second / 3600
    yield f"{core_hours:,.0f} core hours for all chunks."
    yield ""
    yield "| workers | a worker fails every | hours | batches computed twice | delivered twice, counted once | missing |"
    yield "|---:|---:|---:|---:|---:|---:|"
    batches = min(
        asked.chunks // BATCH, 200_000
    )  # a part stands for the whole: leases do not know each other
    scale = asked.chunks / BATCH / batches
    for workers, between in ((256, 24.0), (256, 1.0), (1_024, 24.0), (1_024, 1.0)):
        found = embedded(
            batches,
            seconds_a_batch=BATCH / figures.embedded_a_second,
            workers=workers,
            hours_between_failures=between,
            lease_seconds=3 * BATCH / figures.embedded_a_second,
            randomness=np.random.default_rng(seed),
        )
        yield (
            f"| {workers:,} | {between:.0f} h | {found.hours * scale:,.0f} | {found.repeated:.2%} | "
            f"{found.handed_over_twice * scale:,.0f} of {asked.chunks // BATCH:,} | {found.missing} |"
        )


def report(asked: Scale, figures: Figures, seed: int = SEED) -> str:
    """The tables as Markdown."""
    population = drawn(
        asked.users, asked.chunks, largest=LARGEST, tail=TAIL, randomness=np.random.default_rng(seed)
    )
    sizes = np.sort(population.chunks)
    middle, large, largest = (int(sizes[int(len(sizes) * part)]) for part in (0.5, 0.99, 0.9999))
    lines = [
        f"{asked.chunks:,} chunks in {asked.users:,} scopes: half have fewer than {middle:,}, one in a hundred more than {large:,}, "
        f"one in ten thousand more than {largest:,}. {questions_a_second(asked):,.0f} questions a second at the busiest hour.",
        "",
        f"A warm question of a scope of {middle:,} takes {cost_at(figures.search_ms, middle):.1f} ms of CPU, of {large:,} "
        f"{cost_at(figures.search_ms, large):.1f} ms; one whose scope is not in memory {cost_at(figures.opening_ms, middle):.0f} and "
        f"{cost_at(figures.opening_ms, large):.0f} ms more.",
        "",
        "### Answers",
        "",
        *serving_rows(asked, population, figures, seed),
        "",
        "### Storage",
        "",
        *storage_rows(asked, population, figures),
        "",
        "### Bulk embedding",
        "",
        *embedding_rows(asked, figures, seed),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line("evals.scale", __doc__)
    parser.add_argument("figures", type=Path, help="measured figures, as JSON")
    parser.add_argument("--chunks", type=int, default=10**9)
    parser.add_argument("--users", type=int, default=10**5)
    parser.add_argument("--page", type=Path, help="a page whose part between the marks is replaced")
    chosen = parser.parse_args(arguments)
    text = report(Scale(chosen.chunks, chosen.users), Figures.read(chosen.figures))
    if chosen.page is None:
        print(text, end="")
        return
    page = chosen.page.read_text(encoding="utf-8")
    if not _PART.search(page):
        parser.error(f"{chosen.page} has no lines <!-- simulation --> and <!-- end of the simulation -->")
    chosen.page.write_text(_PART.sub(lambda found: found[1] + text + found[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
