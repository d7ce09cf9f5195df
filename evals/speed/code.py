"""python -m evals.speed.code FOLDER | --files 100000

The door of code on a checkout, as of Django's sdist, or on so many made files. Processor seconds, one process.

The folder is indexed in a temporary store. Queries are names of its own symbols, words of their docstrings,
and paths; the answers of a first round, and of a second, are counted without an embedding of the query.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from daypack import Daypack, Settings
from evals.arguments import command_line
from evals.speed.clock import cpu_seconds

QUERIES = 150
# of the names that are asked for
PARTS = ("query", "form", "model", "view", "cache", "field", "render", "user", "parse", "token")
MAP_BUDGETS = (50, 500, 5_000, 20_000)


def spent(started: float) -> float:
    return cpu_seconds() - started


def measure(folder: Path, store: Path) -> list[tuple[str, float, str]]:
    rows: list[tuple[str, float, str]] = []
    with Daypack.open(store, root=folder, settings=Settings(embedder="hashing")) as dp:
        started = cpu_seconds()
        report = dp.files.add(folder)
        indexing = spent(started)
        rows.append(("files read and lexically indexed", report.added / indexing, "files/s"))
        rows.append(("… of text", report.bytes / 1e6 / indexing, "MB/s"))
        started = cpu_seconds()
        dp.code.graph()
        facts = spent(started)
        with dp.engine.store.reading() as db:
            count, size = db.execute("SELECT count(*), sum(length(data)) FROM code_facts").get
            names = db.execute("SELECT count(*) FROM code_name").get
        rows.append(("facts of all files, once", facts, "s"))
        rows.append(("… files with facts", count, "files"))
        rows.append(("… on disk", size / 1e6, "MB"))
        rows.append(("… names", names, "rows"))
        rows.append(("indexed and facts made", report.added / (indexing + facts), "files/s"))
        symbols = [row for part in PARTS for row in dp.code.symbols(part, limit=60, refresh=False)]
        chosen = random.Random(0).sample([row for row in symbols if len(row.name) > 4], QUERIES // 3)
        queries = [query for row in chosen for query in (row.name, row.doc or row.signature, row.file)]
        for how in ("the first time", "warm"):
            times = []
            for query in queries:
                started = cpu_seconds()
                dp.code.pack(query, profile="fast", refresh=False)
                times.append(spent(started) * 1000)
            times.sort()
            rows.append((f"code pack, {how}, p50", times[len(times) // 2], "ms"))
            rows.append((f"code pack, {how}, p95", times[int(len(times) * 0.95)], "ms"))
        started = cpu_seconds()
        dp.code.pack(queries[0], profile="fast")
        rows.append(("code pack with a look at the disk", spent(started) * 1000, "ms"))
        for budget in MAP_BUDGETS:
            started = cpu_seconds()
            found = dp.code.map(budget=budget, refresh=False)
            rows.append(
                (
                    f"code map --budget {budget:,}: {found.tokens:,} tokens, {found.mass:.1%} of the rank",
                    spent(started),
                    "s",
                )
            )
    with Daypack.open(store, root=folder, settings=Settings(embedder="hashing")) as dp:
        started = cpu_seconds()
        dp.code.pack(queries[0], profile="fast", refresh=False)
        rows.append(("first code pack of a process", spent(started) * 1000, "ms"))
        touched = folder / chosen[0].file
        text = touched.read_text(encoding="utf-8")
        try:
            touched.write_text(text + "\n\ndef one_more_function() -> None:\n    pass\n", encoding="utf-8")
            started = cpu_seconds()
            dp.files.refresh(dp.files.check())
            dp.code.graph()
            rows.append(("one changed file found, read, indexed, and its facts made", spent(started), "s"))
            touched.write_text(text + "\n\ndef another_function() -> None:\n    pass\n", encoding="utf-8")
            started = cpu_seconds()
            dp.code.pack("another_function", profile="fast")
            rows.append(("answer after one file changed", spent(started), "s"))
        finally:
            touched.write_text(text, encoding="utf-8")
    return rows


def make_project(folder: Path, files: int) -> None:
    """Small modules, a hundred in a folder, each of which imports and calls what the one before it defines."""
    for number in range(files):
        path = folder / f"part_{number // 100}" / f"module_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        before = max(number - 1, 0)
        path.write_text(
            f"from part_{before // 100}.module_{before} import step_{before}\n\n\n"
            f'def step_{number}(value):\n    """Step {number} of the long way."""\n    return step_{before}(value) + {number}\n',
            encoding="utf-8",
        )


def measure_many(files: int, folder: Path, store: Path) -> Iterator[tuple[str, float, str]]:
    """Indexing, a pack and a map of many small files, and how much memory was in use at most by then."""
    make_project(folder, files)

    def taken(what: str, started: float) -> Iterator[tuple[str, float, str]]:
        yield what, spent(started), "s"
        yield "… memory in use at most", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB"

    with Daypack.open(store, root=folder, settings=Settings(embedder="hashing")) as dp:
        started = cpu_seconds()
        dp.files.add(folder)
        yield from taken(f"{files:,} files added", started)
        started = cpu_seconds()
        dp.code.graph()
        yield from taken("facts of all files", started)
        for number in (files // 2, files // 3):
            started = cpu_seconds()
            pack = dp.code.pack(f"step_{number}", profile="fast", refresh=False)
            yield from taken(f"code pack step_{number}: {pack.items[0].id}", started)
        started = cpu_seconds()
        found = dp.code.map(budget=2_000, refresh=False)
        yield from taken(f"code map of {found.symbols:,} symbols: {found.tokens:,} tokens", started)


def main() -> None:
    parser = command_line("evals.speed.code", __doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="a checkout")
    parser.add_argument("--files", type=int, metavar="N", help="make N files and measure on them")
    arguments = parser.parse_args()
    if (arguments.folder is None) == (arguments.files is None):
        parser.error("name a folder, or a number of files")
    with tempfile.TemporaryDirectory() as place:
        store = Path(place) / ".daypack"
        rows = (
            measure(arguments.folder.resolve(), store)
            if arguments.files is None
            else measure_many(arguments.files, Path(place) / "project", store)
        )
        for what, value, unit in rows:
            sys.stdout.write(f"{what:<64}{value:>12,.2f} {unit}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
