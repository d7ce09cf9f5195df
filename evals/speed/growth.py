"""python -m evals.speed.growth FOLDER [--sizes 1000,10000,100000] [--page FOLDER] [--out FILE]

The cost of every verb against the size of the store, beside plain FTS5 and bm25s over the same chunks; `--page docs/evaluation` writes the
page of it with its plot. Stores are made in FOLDER of real text of
this machine (`growing.py`), and used again when they are there; one of a million chunks takes 1.7 GB and ten minutes of CPU.
Each store is measured in a process of its own: CPU milliseconds, warm, the query's own vector not counted. Nothing here asserts.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import apsw

from daypack.api import Daypack
from daypack.settings import Settings
from daypack.types import Record
from evals.arguments import command_line, numbers
from evals.speed.clock import Stopwatch, environment, loop_seconds, peak_megabytes, percentile
from evals.speed.growing import records
from evals.speed.report import machine
from evals.speed.tasks import fts5_question

QUESTIONS, ROUNDS, BATCH = 50, 2, 4_000
FEW = 20  # calls of a verb whose cost does not depend on a question
FTS5, BM25S = "FTS5: ids of the 50 best", "bm25s: ids of the 50 best"
MOST_OF_BM25S = 200_000  # chunks: its index is built anew in memory
DRAWN = (
    "search, words",
    "search, words, few of it",
    "search, hybrid",
    "pack of 1,000 tokens, words",
    "one file changed",
    "status",
    FTS5,
    BM25S,
)


def build(store: Path, chunks: int) -> None:
    """A store of so many chunks or some more, with a collection of a hundredth as many documents and 200 memories."""
    store.parent.mkdir(parents=True, exist_ok=True)
    with Daypack.open(store, settings=Settings(refresh=False)) as daypack:
        coming = records()
        with Stopwatch() as watch:
            while daypack.engine.store.counts()["chunk"] < chunks:
                daypack.engine.ingestion.add(islice(coming, min(BATCH, chunks // 2)))
        daypack.documents.create("notes", indexes=["number"])
        documents = [{"_id": str(n), "number": n, "title": f"note {n}"} for n in range(chunks // 100)]
        daypack.documents.collection("notes").insert(documents)
        for number in range(200):
            daypack.memories.remember(
                f"topic/note-{number}", f"The harbour note number {number} is about tea."
            )
        found = {"cpu": watch.spent.cpu, "chunks": daypack.engine.store.counts()["chunk"]}
        # Indexes the documents that wait for their text, so that no measured answer does.
        daypack.search("the first question of a store", vectors="none")
    (store.parent / "build.json").write_text(json.dumps(found), encoding="utf-8")


def questions(daypack: Daypack) -> list[str]:
    """Runs of words out of the first chunks, which are the same in stores of every size, and names of symbols."""
    chance = random.Random(20)
    ids = [row[0] for row in daypack.engine.store.db.execute("SELECT id FROM chunk ORDER BY id LIMIT 600")]
    found: list[str] = []
    for chunk in daypack.engine.store.chunks(chance.sample(ids, 3 * QUESTIONS)).values():
        words = chunk.text.split()
        size = chance.randint(4, 12)
        if len(found) % 5 == 4 and len(chunk.name) > 4:
            found.append(f"how does {chunk.name[:60]} work")
        elif len(words) > size + 2:
            start = chance.randrange(len(words) - size)
            found.append(" ".join(words[start : start + size]))
    return found[:QUESTIONS]


def measure(store: Path) -> dict[str, Any]:
    """CPU milliseconds, (p50, p95), of every verb over one store; megabytes and bytes."""
    found: dict[str, Any] = {}
    settings = Settings(refresh=False)
    with Daypack.open(store, create=False, settings=settings) as daypack:
        embedding = daypack.engine.embedding
        inner, model_cpu = embedding.vectors_of, [0.0]

        def vectors_of(texts: Sequence[str]) -> Any:
            with Stopwatch() as watch:
                vectors = inner(texts)
            model_cpu[0] += watch.spent.cpu
            return vectors

        embedding.vectors_of = vectors_of  # type: ignore[method-assign]

        def asked(calls: Sequence[Callable[[], object]], rounds: int = ROUNDS) -> list[float]:
            best = []
            for call in calls:
                spent = []
                for _ in range(rounds):
                    model_cpu[0] = 0.0
                    with Stopwatch() as watch:
                        call()
                    spent.append((watch.spent.cpu - model_cpu[0]) * 1e3)
                best.append(min(spent))
            return [percentile(best, 0.5), percentile(best, 0.95)]

        with Stopwatch() as watch:
            daypack.search("the first question of a process", vectors="none")
        found["first answer by words"] = [watch.spent.cpu * 1e3] * 2
        found["resident after it, MB"] = [_resident()] * 2
        asking = questions(daypack)
        half: dict[str, Any] = {"kind": "code"}
        few: dict[str, Any] = {"source": "src/part00/a*/**"}
        found["search, words"] = asked([partial(daypack.search, q, vectors="none") for q in asking])
        for name, narrow in (("half of it", half), ("few of it", few)):
            calls = [partial(daypack.search, q, vectors="none", **narrow) for q in asking]
            found[f"search, words, {name}"] = asked(calls)
        found["pack of 1,000 tokens, words"] = asked(
            [partial(daypack.pack, q, budget=1_000, vectors="none") for q in asking]
        )
        daypack.search(asking[0])
        found["search, hybrid"] = asked([partial(daypack.search, q) for q in asking])
        uris = [hit.chunk.uri for hit in daypack.search(asking[0], limit=10).candidates]
        found["get"] = asked([partial(daypack.get, uri) for uri in uris])
        found["status"] = asked([daypack.status] * 3)
        found["doctor"] = asked([daypack.doctor] * 3, rounds=1)
        notes = daypack.documents.collection("notes")
        found["docs find, indexed path"] = asked([lambda: list(notes.find({"number": 7}))] * FEW)
        found["recall"] = asked([partial(daypack.memories.recall, "topic/note-7", touch=False)] * FEW)
        edits = iter(_edits(daypack, 2 * FEW))

        def change() -> None:
            daypack.engine.ingestion.add([next(edits)])

        found["one file changed"] = asked([change] * FEW, rounds=1)

        def change_and_ask() -> None:
            change()
            daypack.search(asking[0], vectors="none")

        found["one file changed, then a search, words"] = asked([change_and_ask] * 8, rounds=1)
        found["peak resident, MB"] = [peak_megabytes()] * 2
        found["bytes a byte of text"] = [
            store.joinpath("daypack.db").stat().st_size
            / daypack.engine.store.db.execute("SELECT sum(length(text)) FROM record").get
        ] * 2
        found[FTS5] = asked(_fts5(daypack, store.parent / "fts5.db", asking))
        if daypack.engine.store.counts()["chunk"] <= MOST_OF_BM25S:
            found[BM25S] = asked(_bm25s(daypack, asking))
    return found


def _edits(daypack: Daypack, count: int) -> list[Record]:
    """Records from all over the store, each with another last line than the one that is stored."""
    store = daypack.engine.store
    files = [row[0] for row in store.db.execute("SELECT id FROM record WHERE door = 'files' ORDER BY id")]
    ids = random.Random(21).sample(files, count)
    with store.reading() as db:
        records = [store.read_record(db, record_id) for record_id in ids]
    return [
        replace(record, text=f"{record.text}\n# line {number}, which a person edits\n")
        for number, record in enumerate(records)
    ]


def _resident() -> float:
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmRSS")), float("nan"))


def _fts5(daypack: Daypack, file: Path, asking: Sequence[str]) -> list[Callable[[], object]]:
    there = file.exists()
    db = apsw.Connection(str(file))
    if not there:
        db.execute("CREATE VIRTUAL TABLE chunks USING fts5(text, content='', tokenize='porter unicode61')")
        with db:
            db.executemany("INSERT INTO chunks (rowid, text) VALUES (?, ?)", _texts(daypack))
    best = "SELECT rowid, rank FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT 50"
    return [lambda q=q: list(db.execute(best, (q,))) for one in asking if (q := fts5_question(one))]  # type: ignore[misc]


def _texts(daypack: Daypack) -> Iterable[tuple[int, str]]:
    """(id, text) of every chunk."""
    return daypack.engine.store.db.execute(
        "SELECT c.id, substr(r.text, c.start + 1, c.end - c.start) FROM chunk AS c JOIN record AS r ON r.id = c.record_id"
    )


def _bm25s(daypack: Daypack, asking: Sequence[str]) -> list[Callable[[], object]]:
    import bm25s
    import Stemmer

    library: Any = bm25s
    words = partial(library.tokenize, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
    index = library.BM25()
    index.index(words([text for _, text in _texts(daypack)]), show_progress=False)
    return [lambda q=q: index.retrieve(words(q), k=50, show_progress=False) for q in asking]  # type: ignore[misc]


def page(found: dict[int, dict[str, Any]], folder: Path) -> None:
    """Write growth.md and growth.svg: the costs drawn, the ratios to FTS5, all figures."""
    from evals.quality import plots

    sizes = sorted(found)
    lines = {verb: {size: found[size][verb][0] for size in sizes if verb in found[size]} for verb in DRAWN}
    folder.joinpath("growth.svg").write_text(
        plots.growth(lines, label="CPU ms, p50") + "\n", encoding="utf-8"
    )
    ratios = [
        f"- {size:,} chunks: words {found[size]['search, words'][0] / found[size][FTS5][0]:.2f} at p50, "
        f"{found[size]['search, words'][1] / found[size][FTS5][1]:.2f} at p95; hybrid {found[size]['search, hybrid'][0] / found[size][FTS5][0]:.2f}, "
        f"{found[size]['search, hybrid'][1] / found[size][FTS5][1]:.2f}"
        for size in sizes
    ]
    text = f"""# Cost against size

Written by `python -m evals.speed.growth FOLDER --sizes {",".join(map(str, sizes))} --page docs/evaluation`: stores of real prose and code of one machine, half each,
50 questions made of their text. CPU per call, warm, the query's own vector not counted, the better of two rounds. {machine()}. Other programs ran
beside it, so compare within a row and with FTS5, which answers with ids alone: no texts, no signals, no neighbours.
[Decision 22](../decisions/022-a-million-chunks.md) explains what grows and why.

![CPU against the number of chunks](growth.svg)

The cost of a search over that of FTS5:

{chr(10).join(ratios)}

{table(found)}"""
    folder.joinpath("growth.md").write_text(text, encoding="utf-8")


def table(found: dict[int, dict[str, Any]]) -> str:
    sizes = sorted(found)
    lines = [
        f"| CPU ms, p50 / p95 | {' | '.join(f'{size:,} chunks' for size in sizes)} |",
        f"|---|{'---:|' * len(sizes)}",
    ]
    for verb in found[sizes[0]]:
        cells = [_cell(*found[size][verb]) if verb in found[size] else "" for size in sizes]
        lines.append(f"| {verb} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(middle: float, high: float) -> str:
    return f"{middle:,.1f}" if middle == high else f"{middle:,.1f} / {high:,.1f}"


def main() -> None:
    parser = command_line("evals.speed.growth", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=numbers, default="1000,10000,100000")
    parser.add_argument("--page", type=Path, help="write growth.md and growth.svg into this folder")
    parser.add_argument("--out", type=Path, help="write all figures as JSON")
    parser.add_argument("--measure", action="store_true", help="measure the store FOLDER alone")
    arguments = parser.parse_args()
    if arguments.measure:
        sys.stdout.write(json.dumps(measure(arguments.folder)) + "\n")
        return
    found: dict[int, dict[str, Any]] = {}
    for size in arguments.sizes:
        store = arguments.folder.resolve() / f"chunks{size}" / ".daypack"
        if not (store.parent / "build.json").exists():
            build(store, size)
        command = [sys.executable, "-m", "evals.speed.growth", "--measure", str(store)]
        done = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
        built = json.loads((store.parent / "build.json").read_text(encoding="utf-8"))
        found[size] = {"indexing, chunks a CPU second": [built["chunks"] / built["cpu"]] * 2} | json.loads(
            done.stdout
        )
        sys.stderr.write(f"{size:,} chunks done; a fixed loop takes {loop_seconds() * 1e3:.1f} ms\n")
    shown = table(found)
    sys.stdout.write(f"{machine()}\n\n{shown}")
    if arguments.page:
        page(found, arguments.page)
    if arguments.out:
        arguments.out.write_text(
            json.dumps({"machine": machine(), "sizes": found}, indent=1), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
