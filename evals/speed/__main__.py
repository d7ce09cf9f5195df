"""python -m evals.speed [--quick] [--checkout FOLDER ...] [--out FIGURES.json] [--markdown TABLE.md]

Every figure beside its target, and beside FTS5 and bm25s, in one table. Nothing here asserts: a missed target is a line that
says so.
"""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evals.arguments import command_line
from evals.speed import corpus
from evals.speed.clock import Spent, cold, in_fresh_process, loop_seconds, median, run
from evals.speed.report import SpeedRow, Target, as_data, machine, markdown, versions


@dataclass(frozen=True)
class Plan:
    """Sizes and repetitions of the measurements."""

    megabytes: float  # of prose and of code at the small size
    times: int  # the large size over the small one
    queries: int
    repeats: int  # of each query; the best counts
    cold_runs: int
    files: int  # of the checkout
    embedded: int
    chunks: int = 10_000


FULL = Plan(megabytes=6, times=10, queries=100, repeats=3, cold_runs=15, files=500, embedded=300)
QUICK = Plan(megabytes=4.5, times=2, queries=30, repeats=2, cold_runs=5, files=500, embedded=60)


FIRST_RUNS = 5  # of a first pack, each in a checkout without a store
QUESTION = "temporary directory cleanup on error"

_PROGRAM = Path(sysconfig.get_path("scripts")) / "daypack"
DAYPACK = [str(_PROGRAM)] if _PROGRAM.exists() else [sys.executable, "-m", "daypack"]


class Bench:
    """One run in one temporary folder."""

    def __init__(self, plan: Plan, folder: Path, checkouts: Sequence[Path] = ()) -> None:
        self.plan = plan
        self.checkouts = checkouts
        self.folder = folder
        self.rows: list[SpeedRow] = []
        self.corpora: dict[str, str] = {}
        self.stores: dict[str, Path] = {}
        self.corpus: dict[str, corpus.Corpus] = {}

    def add(
        self,
        group: str,
        what: str,
        value: float,
        unit: str,
        target: Target | None = None,
        ratio: str = "",
        note: str = "",
    ) -> None:
        self.rows.append(SpeedRow(group, what, value, unit, target, ratio, note))

    # ------------------------------------------------------------ indexing

    def indexing(self) -> None:
        group = "Lexical indexing: walk, redact, chunk, count, index"
        speed: dict[str, float] = {}
        for kind, bound in (("prose", 4.0), ("code", 1.5)):
            for times in (1, self.plan.times):
                name = kind if times == 1 else f"{kind} x{times}"
                built = corpus.build(
                    kind, self.folder / name.replace(" ", "_"), self.plan.megabytes, times=times
                )
                store = self.folder / f"store_{name.replace(' ', '_')}" / ".daypack"
                found = self.indexed(built.folder, store, self.plan.repeats if times == 1 else 1)
                self.corpora[name] = built.origin
                self.corpus[name], self.stores[name] = built, store
                speed[name] = found["bytes"] / 1e6 / found["cpu"]
                ratio = (
                    "" if times == 1 else f"{speed[name] / speed[kind]:.2f} of the speed at the small size"
                )
                note = (
                    f"{found['bytes'] / 1e6:.1f} MB, {found['files']:,} files, {found['chunks']:,} chunks in {found['cpu']:.1f} s of CPU; "
                    f"peak {found['peak_megabytes']:.0f} MB resident, store {found['disk'] / found['bytes']:.1f} bytes a byte of text"
                )
                self.add(group, name, speed[name], "MB/s of CPU", Target(bound, at_least=True), ratio, note)

    def indexed(self, folder: Path, store: Path, repeats: int) -> dict[str, Any]:
        """The quickest of some runs into a new store each: what other processes and a slower clock take away
        is none of its cost.
        """
        found = []
        for _ in range(repeats):
            shutil.rmtree(store, ignore_errors=True)
            found.append(in_fresh_process("index", folder=str(folder), store=str(store)))
        return min(found, key=lambda one: float(one["cpu"]))

    def beside(self) -> None:
        group = "The index step alone, on the chunks of the prose"
        store = str(self.stores["prose"])
        self.asked = in_fresh_process("questions", store=store, count=self.plan.queries)["queries"]
        ours = in_fresh_process("daypack_step", store=store, other=str(self.folder / "step" / ".daypack"))
        asked = {"store": store, "queries": self.asked, "times": self.plan.repeats}
        others = {"FTS5": in_fresh_process("fts5", file=str(self.folder / "fts5.db"), **asked)}
        if find_spec("bm25s") is not None:
            others["bm25s"] = in_fresh_process("bm25s", folder=str(self.folder / "bm25s"), **asked)
        lexical = in_fresh_process("search", verb="search", vectors="none", **asked)
        how = {
            "FTS5": "one contentless table, porter unicode61; OR of the words without stop words, bm25, 50 best",
            "bm25s": "English stop words, Snowball; 50 best",
        }

        def speed(found: dict[str, Any]) -> float:
            return float(found["bytes"] / 1e6 / found["cpu"])

        self.add(
            group,
            "Daypack: index",
            speed(ours),
            "MB/s of CPU",
            note="four fields, identifiers split, neighbours and files linked",
        )
        for name, found in others.items():
            self.add(
                group,
                f"{name}: index",
                speed(found),
                "MB/s of CPU",
                ratio=f"Daypack x {speed(ours) / speed(found):.2f}",
                note=how[name],
            )
        self.add(
            group,
            "Daypack: disk",
            ours["disk"] / 1e6,
            "MB",
            note=f"{ours['disk'] / ours['bytes']:.2f} bytes a byte of text",
        )
        for name, found in others.items():
            note = f"{found['disk'] / found['bytes']:.2f} bytes a byte of text"
            self.add(
                group,
                f"{name}: disk",
                found["disk"] / 1e6,
                "MB",
                ratio=f"Daypack x {ours['disk'] / found['disk']:.2f}",
                note=note,
            )
        note = (
            f"`search` to the hydrated ten best, {lexical['chunks']:,} chunks, {lexical['queries']} queries"
        )
        for share in ("p50", "p95"):
            self.add(group, f"Daypack, lexical: query CPU {share}", lexical[share] * 1e3, "ms", note=note)
            for name, found in others.items():
                ratio = f"Daypack x {lexical[share] / found[share]:.2f}"
                self.add(
                    group,
                    f"{name}: query CPU {share}",
                    found[share] * 1e3,
                    "ms",
                    ratio=ratio,
                    note="ids, no text",
                )

    # ------------------------------------------------------------ queries

    def queries(self) -> None:
        group = f"Hybrid queries at {self.plan.chunks:,} chunks, warm"
        store = self.mixed()
        asked = in_fresh_process("questions", store=str(store), count=self.plan.queries)["queries"]
        for verb in ("search", "pack"):
            found = in_fresh_process(
                "search", store=str(store), queries=asked, verb=verb, vectors="auto", times=self.plan.repeats
            )
            note = (
                f"{found['chunks']:,} chunks of prose and code, {found['queries']} queries, a vector for every chunk "
                "(hashed words padded to 384 dimensions, not MiniLM's); the query's own vector is not counted"
                + ("; budget 4,000" if verb == "pack" else "")
            )
            for share, bound in (("p50", 10.0), ("p95", 25.0)):
                self.add(
                    group,
                    f"`{verb}` CPU {share}",
                    found[share] * 1e3,
                    "ms",
                    Target(bound),
                    note=note if share == "p50" else "",
                )
        fitted = in_fresh_process(
            "packing",
            store=str(store),
            queries=asked,
            candidates=200,
            budgets=[500, 1000, 2000, 4000],
            times=self.plan.repeats,
        )
        for budget, found in fitted.items():
            note = "of `pack`, once the candidates are read" if budget == "500" else ""
            row = f"200 candidates into {int(budget):,} tokens: CPU p50"
            self.add(group, row, found["all"]["p50"] * 1e3, "ms", Target(2.0), note=note)
            note = (
                "duplicates, what is worth its tokens, sentences, the greedy, its bound"
                if budget == "500"
                else ""
            )
            self.add(group, f"{row}, choosing", found["choosing"]["p50"] * 1e3, "ms", note=note)
            note = "stitching, rendering and counting, for each attempt" if budget == "500" else ""
            self.add(group, f"{row}, showing", found["showing"]["p50"] * 1e3, "ms", note=note)
        vector = in_fresh_process("query_embedding", queries=asked)
        self.add(
            group, "the query's vector by MiniLM, CPU p50", vector["p50"] * 1e3, "ms", note="counted apart"
        )

    def mixed(self) -> Path:
        """A store of about as many chunks as planned, half of them prose."""
        folder = self.folder / "mixed"
        for kind, share in (("prose", 2.4), ("code", 2.2)):  # MB that make 5,000 chunks each
            corpus.build(kind, folder / kind, share * self.plan.chunks / 10_000)
        store = self.folder / "store_mixed" / ".daypack"
        in_fresh_process("index", folder=str(folder), store=str(store))
        return store

    # ------------------------------------------------------------ commands

    def commands(self) -> None:
        group = "Commands, each in a cold process (median)"
        times = self.plan.cold_runs
        numpy = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'; import numpy"
        self.both(group, "python -c pass", cold([sys.executable, "-c", "pass"], self.folder, times))
        self.both(
            group,
            "python -c 'import numpy'",
            cold([sys.executable, "-c", numpy], self.folder, times),
            note="most of the next rows",
        )
        self.both(group, "daypack --help", cold([*DAYPACK, "--help"], self.folder, times), 150)
        store = ["--store", str(self.folder / "store_mixed" / ".daypack")]
        self.both(
            group,
            "`daypack search --vectors none` at 10,000 chunks",
            cold(
                [*DAYPACK, *store, "search", "--vectors", "none", "--no-refresh", QUESTION],
                self.folder,
                times,
            ),
            200,
        )
        stand_in = corpus.build("code", self.folder / "checkout", 1e9, files=self.plan.files)
        self.corpora["checkout"] = stand_in.origin
        (stand_in.folder / "pyproject.toml").write_text("[project]\nname = 'checkout'\n")
        self.checkout(
            stand_in, "The same in a checkout without a store: modules of the standard library", QUESTION
        )
        for folder in self.checkouts:
            found = corpus.copied(folder, self.folder / f"checkout of {folder.name}")
            self.corpora[f"checkout of {folder.name}"] = found.origin
            (found.folder / ".git").mkdir()
            self.checkout(
                found,
                f"The same in a checkout of {folder.name}",
                f"how does {folder.name} read its configuration?",
            )

    def checkout(self, project: corpus.Corpus, group: str, question: str) -> None:
        times = self.plan.cold_runs

        def first() -> Spent:
            shutil.rmtree(project.folder / ".daypack", ignore_errors=True)
            return run([*DAYPACK, "pack", question], project.folder)

        self.both(
            group,
            "first `daypack pack`",
            median([first() for _ in range(FIRST_RUNS)]),
            5000,
            note=f"{project.files} files, {project.megabytes:.1f} MB: indexes, embeds the 32 best, packs",
        )
        self.both(
            group,
            "second `daypack pack --vectors none`",
            cold([*DAYPACK, "pack", "--vectors", "none", question], project.folder, times),
            300,
            note="looks at every file's time first",
        )
        self.both(
            group,
            "second `daypack pack`",
            cold([*DAYPACK, "pack", question], project.folder, max(3, times // 3)),
            1500,
            note="loads the model; vectors of the first are kept",
        )
        self.both(
            group,
            "`daypack search --vectors none`",
            cold([*DAYPACK, "search", "--vectors", "none", question], project.folder, times),
            200,
        )
        unchanged = cold([*DAYPACK, "add", "."], project.folder, times)
        self.both(group, "unchanged `daypack add .`", unchanged, 1000, note=f"{project.files} files")
        again = in_fresh_process(
            "unchanged", folder=str(project.folder), store=str(project.folder / ".daypack")
        )
        self.add(
            group,
            "the same in a running process: CPU",
            again["cpu"] * 1e3,
            "ms",
            note=f"{again['files']} files",
        )

    def both(self, group: str, what: str, spent: Spent, bound: float | None = None, note: str = "") -> None:
        self.add(group, f"{what}: wall", spent.wall * 1e3, "ms", Target(bound) if bound else None, note=note)
        self.add(group, f"{what}: CPU", spent.cpu * 1e3, "ms")

    # ------------------------------------------------------------ memory

    def memory(self) -> None:
        prose, store = self.corpus["prose"].folder, self.folder / "embedded" / ".daypack"
        found = in_fresh_process("embedding", folder=str(prose), store=str(store), chunks=self.plan.embedded)
        group = "Embedding with MiniLM"
        note = f"{found['chunks']} chunks of {found['tokens_mean']:.0f} tokens"
        self.add(group, "peak resident memory", found["peak_megabytes"], "MB", Target(600), note=note)
        self.add(group, "chunks a second of CPU", found["chunks"] / found["cpu"], "/s")


@contextmanager
def said(what: str) -> Iterator[None]:
    """Progress, on stderr."""
    started = time.perf_counter()
    sys.stderr.write(f"{what} …")
    sys.stderr.flush()
    yield
    sys.stderr.write(f" {time.perf_counter() - started:.0f} s\n")


def main() -> None:
    parser = command_line("evals.speed", __doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="smaller corpora, fewer queries; twice the size instead of ten times",
    )
    parser.add_argument(
        "--checkout",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="also time the commands in a copy of this project",
    )
    parser.add_argument("--out", type=Path, help="write all figures as JSON")
    parser.add_argument("--markdown", type=Path, help="write the table")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="daypack-benchmarks-") as folder:
        bench = Bench(
            QUICK if arguments.quick else FULL,
            Path(folder).resolve(),
            [path.resolve() for path in arguments.checkout],
        )
        loops = {"before": loop_seconds() * 1e3}
        parts: list[tuple[str, Callable[[], None]]] = [
            ("indexing", bench.indexing),
            ("beside FTS5 and bm25s", bench.beside),
            ("queries", bench.queries),
            ("commands", bench.commands),
            ("memory", bench.memory),
        ]
        for name, part in parts:
            with said(name):
                part()
            loops[f"after {name}"] = loop_seconds() * 1e3
        facts = {
            "corpora": bench.corpora,
            "machine": machine(),
            "versions": versions(),
            "quick": arguments.quick,
            "loop_milliseconds": loops,
        }
    table = markdown(bench.rows, facts)
    sys.stdout.write(table)
    if arguments.markdown:
        arguments.markdown.write_text(table, encoding="utf-8")
    if arguments.out:
        arguments.out.write_text(json.dumps(as_data(bench.rows, facts), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
