"""Measurements, one a function.

Each is run in a process of its own by `clock.in_fresh_process` and returns plain data.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import apsw
import numpy as np
from numpy.typing import NDArray

from daypack.api import Daypack
from daypack.embed.hashing import HashingEmbedder
from daypack.index.postings import lexical
from daypack.ports import Connection
from daypack.rank.views import ChunkFlag
from daypack.settings import Settings
from daypack.text import analysis
from daypack.text.checks import member
from daypack.types import Chunk, SearchStats, VectorMode
from evals.speed.clock import Stopwatch, each, peak_megabytes, percentile

MINILM_DIM = 384


def _new_store(store: str, root: str | None = None) -> Daypack:
    """A new store, and the folder that it lies in, which opening one does not make."""
    Path(store).parent.mkdir(parents=True, exist_ok=True)
    return Daypack.open(store, root=root)


# ---------------------------------------------------------------- indexing


def index(folder: str, store: str) -> dict[str, Any]:
    """Walk, redact, chunk, count and index a folder into a new store."""
    with _new_store(store, folder) as daypack:
        with Stopwatch() as watch:
            report = daypack.files.add(folder)
        return {
            "cpu": watch.spent.cpu,
            "wall": watch.spent.wall,
            "bytes": report.bytes,
            "files": report.added,
            "chunks": report.chunks,
            "peak_megabytes": peak_megabytes(),
            "disk": _disk(daypack.engine.store.db),
        }


def unchanged(folder: str, store: str) -> dict[str, Any]:
    """Add a folder again that has not changed, in a process that is already running."""
    with Daypack.open(store, root=folder) as daypack:
        daypack.files.add(folder)
        with Stopwatch() as watch:
            report = daypack.files.add(folder)
        assert not report.added and not report.updated
        return {"cpu": watch.spent.cpu, "wall": watch.spent.wall, "files": report.unchanged}


def _disk(db: Connection | apsw.Connection) -> int:
    """Bytes of the whole store."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    pages: int = db.execute("PRAGMA page_count").get
    size: int = db.execute("PRAGMA page_size").get
    return pages * size


# ---------------------------------------------------------------- the index step alone, beside FTS5 and bm25s


def _texts(store: str) -> list[str]:
    with Daypack.open(store, create=False) as daypack:
        return [chunk.text for chunk in _chunks(daypack, 1 << 60)]


def _chunks(daypack: Daypack, limit: int) -> list[Chunk]:
    db = daypack.engine.store.db
    ids = [row[0] for row in db.execute("SELECT id FROM chunk ORDER BY id LIMIT ?", (limit,))]
    found: list[Chunk] = []
    for first in range(0, len(ids), 2_000):
        part = daypack.engine.store.chunks(ids[first : first + 2_000])
        found.extend(part[i] for i in ids[first : first + 2_000])
    return found


def daypack_step(store: str, other: str) -> dict[str, Any]:
    """Postings of the same chunks by Daypack's own index: body, name, path and headings in four fields,
    neighbours and files linked.
    """
    with Daypack.open(store, create=False) as daypack:
        entries = [
            lexical.LexicalEntry(
                chunk_id=chunk.id,
                record_id=chunk.record_id,
                group=chunk.record_id,
                section=(chunk.record_id << 20) + chunk.section,
                time=float("nan"),
                flags=ChunkFlag(0),
                fields=(
                    chunk.text,
                    chunk.name,
                    f"{chunk.uri} {chunk.title}",
                    f"{chunk.signature} {' '.join(chunk.trail)}",
                ),
            )
            for chunk in _chunks(daypack, 1 << 60)
        ]
    size = sum(len(entry.fields[0].encode()) for entry in entries)
    with _new_store(other) as daypack, Stopwatch() as watch, daypack.engine.store.writing() as db:
        held, first = 0, 0
        for number, entry in enumerate(entries):
            held += len(entry.fields[0])
            if held >= 4 << 20 or number == len(entries) - 1:
                lexical.write_segment(db, entries[first : number + 1])
                lexical.merge_segments(db)
                held, first = 0, number + 1
    with Daypack.open(other) as daypack:
        daypack.engine.store.db.execute("VACUUM")
        disk = _disk(daypack.engine.store.db)
    return {"cpu": watch.spent.cpu, "bytes": size, "disk": disk}


def fts5(store: str, file: str, queries: list[str], times: int) -> dict[str, Any]:
    """Plain FTS5: porter over unicode61, one column, OR of the words without stop words, bm25, the best 50."""
    texts = _texts(store)
    db = apsw.Connection(file)
    db.pragma("journal_mode", "wal")
    db.execute("CREATE VIRTUAL TABLE chunks USING fts5(text, content='', tokenize='porter unicode61')")
    with Stopwatch() as watch, db:
        db.executemany("INSERT INTO chunks (rowid, text) VALUES (?, ?)", enumerate(texts, 1))
    disk = sum(length for (length,) in db.execute("SELECT length(block) FROM chunks_data"))
    questions = [fts5_question(query) for query in queries]

    def ask(question: str) -> Callable[[], object]:
        return lambda: list(
            db.execute(
                "SELECT rowid, rank FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT 50", (question,)
            )
        )

    spent = _repeated([ask(question) for question in questions if question], times)
    return {
        "cpu": watch.spent.cpu,
        "bytes": sum(len(text.encode()) for text in texts),
        "disk": disk,
        **_percentiles(spent),
    }


def fts5_question(query: str) -> str:
    """The words of a query without stop words, any of them."""
    return " OR ".join(f'"{word}"' for word in _content_words(query))


def bm25s(store: str, folder: str, queries: list[str], times: int) -> dict[str, Any]:
    """bm25s with its own tokenizer, its English stop words and the same stemmer as Daypack's, the best 50."""
    import bm25s
    import Stemmer

    library: Any = bm25s

    texts = _texts(store)
    stemmer = cast(Any, Stemmer).Stemmer("english")
    with Stopwatch() as watch:
        index = library.BM25()
        index.index(
            library.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False
        )
    index.save(folder)
    disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())

    def ask(query: str) -> Callable[[], object]:
        def answer() -> object:
            tokenized = library.tokenize([query], stopwords="en", stemmer=stemmer, show_progress=False)
            return index.retrieve(tokenized, k=min(50, len(texts)), show_progress=False, n_threads=0)

        return answer

    spent = _repeated([ask(query) for query in queries], times)
    return {
        "cpu": watch.spent.cpu,
        "bytes": sum(len(text.encode()) for text in texts),
        "disk": disk,
        **_percentiles(spent),
    }


def _content_words(query: str) -> list[str]:
    return [word for word in re.findall(r"\w+", query.lower()) if word not in analysis.STOP_WORDS]


# ---------------------------------------------------------------- queries


def questions(store: str, count: int) -> dict[str, Any]:
    """Queries made of the stored text itself, always the same: six in ten a run of four to twelve words of a
    sentence, two in ten "how does" and a heading or symbol, two in ten a bare name.
    """
    chance = random.Random(20)
    found: list[str] = []
    with Daypack.open(store, create=False) as daypack:
        chunks = _chunks(daypack, 1 << 60)
    while len(found) < count:
        chunk = chance.choice(chunks)
        words = re.findall(r"[A-Za-z][\w'-]*", chunk.text)
        match len(found) % 5:
            case 0 | 1 | 2:
                length = chance.randint(4, 12)
                if len(words) < length + 2:
                    continue
                start = chance.randrange(len(words) - length)
                found.append(" ".join(words[start : start + length]))
            case 3:
                if len(chunk.name) < 5:
                    continue
                found.append(f"how does {' '.join(analysis.words(chunk.name))[:80]} work")
            case _:
                if not analysis.words(chunk.name):
                    continue
                found.append(analysis.words(chunk.name)[-1])
    return {"queries": found}


class PaddedHashing:
    """Vectors of MiniLM's width in a thousandth of its time: the hashing embedder's, filled up with zeros."""

    model_id = "benchmark-hashing-384"
    dim = MINILM_DIM

    def __init__(self) -> None:
        self._inner = HashingEmbedder()
        self.cpu = 0.0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with Stopwatch() as watch:
            rows = self._inner.embed(texts)
            padded = np.zeros((len(texts), MINILM_DIM), dtype=np.float32)
            padded[:, : rows.shape[1]] = rows
        self.cpu += watch.spent.cpu
        return padded


def _with_vectors(store: str) -> tuple[Daypack, PaddedHashing]:
    daypack = Daypack.open(store, create=False, settings=Settings(refresh=False))
    embedder = PaddedHashing()
    daypack.engine.embedding.model = embedder
    daypack.embed()
    return daypack, embedder


def search(store: str, queries: list[str], verb: str, vectors: str, times: int) -> dict[str, Any]:
    """CPU of each query in a warm process.

    Every chunk has its vector; what the query's own vector takes is not counted.
    """
    mode = member(VectorMode, vectors)
    daypack, embedder = _with_vectors(store)
    with daypack:

        def ask(query: str) -> Callable[[], object]:
            if verb == "search":
                return lambda: daypack.search(query, vectors=mode)
            return lambda: daypack.pack(query, vectors=mode)

        for query in queries[:3]:
            ask(query)()
        spent = []
        for query in queries:
            best = float("inf")
            for _ in range(times):
                embedder.cpu = 0.0
                best = min(best, each([ask(query)])[0].cpu - embedder.cpu)
            spent.append(best)
        chunks = daypack.engine.store.counts()["chunk"]
        stats: SearchStats = daypack.search(queries[0], vectors=mode).stats
    return {"chunks": chunks, "vectors": str(stats.vectors), **_percentiles(spent)}


def packing(
    store: str, queries: list[str], candidates: int, budgets: list[int], times: int
) -> dict[str, Any]:
    """CPU of a pack once its candidates are read, by budget: all of it, and of that choosing, and showing:
    stitching, rendering, counting.
    """
    from daypack.pack import fit as room

    fit: Any = room
    inner, excerpts, settled, before = room.pack_candidates, fit.Stitcher.excerpts, fit._settled, fit.POOL
    spent: list[tuple[float, float]] = []  # (all of it, showing)
    showing: list[float] = []

    def shown(call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any) -> Any:
            with Stopwatch() as watch:
                found = call(*arguments)
            showing.append(watch.spent.cpu)
            return found

        return watched

    def packed(*arguments: Any, **named: Any) -> Any:
        showing.clear()
        with Stopwatch() as watch:
            found = inner(*arguments, **named)
        spent.append((watch.spent.cpu, sum(showing)))
        return found

    room.pack_candidates, fit.Stitcher.excerpts, fit._settled, fit.POOL = (
        packed,
        shown(excerpts),
        shown(settled),
        candidates,
    )
    daypack, _ = _with_vectors(store)
    found: dict[str, Any] = {}
    with daypack:
        daypack.engine.expect_long_run()  # as a server does: it counts with the faster of two libraries
        daypack.pack(queries[0])
        for budget in budgets:
            best = []
            for query in queries:
                spent.clear()
                for _ in range(times):
                    daypack.pack(query, budget=budget)
                best.append(min(spent))
            found[str(budget)] = {
                "all": _percentiles([whole for whole, _ in best]),
                "showing": _percentiles([part for _, part in best]),
                "choosing": _percentiles([whole - part for whole, part in best]),
            }
    room.pack_candidates, fit.Stitcher.excerpts, fit._settled, fit.POOL = inner, excerpts, settled, before
    return found


def query_embedding(queries: list[str]) -> dict[str, Any]:
    """CPU of one query's vector by the packaged MiniLM, warm."""
    from daypack.embed import open_embedder

    model = open_embedder("minilm", threads=1)
    model.embed(queries[:1])
    calls = [partial(model.embed, [query]) for query in queries]
    return _percentiles([spent.cpu for spent in each(calls)])


def _repeated(calls: Sequence[Callable[[], object]], times: int) -> list[float]:
    """CPU of each call: the best of `times`, for what another process takes away is none of its cost."""
    for call in calls[:3]:
        call()
    return [min(spent.cpu for spent in each([call] * times)) for call in calls]


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    return {"p50": percentile(values, 0.5), "p95": percentile(values, 0.95), "queries": len(values)}


# ---------------------------------------------------------------- memory


def embedding(folder: str, store: str, chunks: int) -> dict[str, Any]:
    """Embed chunks of 256 tokens with the packaged MiniLM; the most memory that the process held, and chunks
    a second of CPU.
    """
    from daypack import tokens
    from daypack.types import Record, Tokenizer

    text = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted(Path(folder).rglob("*")) if path.is_file()
    )[: chunks * 3_000]
    count = tokens.counter(Tokenizer.O200K)
    pieces: list[str] = []
    words = text.split()
    size = 190
    for start, end in pairwise(range(0, len(words), size)):
        if len(pieces) == chunks:
            break
        pieces.append(" ".join(words[start:end])[:1_024])
    with _new_store(store, folder) as daypack:
        daypack.engine.ingestion.add(
            [
                Record(uid=f"{number}.txt", uri=f"{number}.txt", text=piece)
                for number, piece in enumerate(pieces)
            ]
        )
        with Stopwatch() as watch:
            made = daypack.embed()
    return {
        "peak_megabytes": peak_megabytes(),
        "chunks": made,
        "cpu": watch.spent.cpu,
        "wall": watch.spent.wall,
        "tokens_mean": sum(map(count, pieces)) / max(1, len(pieces)),
    }


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    task.__name__: task
    for task in (
        index,
        unchanged,
        daypack_step,
        fts5,
        bm25s,
        questions,
        search,
        packing,
        query_embedding,
        embedding,
    )
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(TASKS[sys.argv[1]](**json.loads(sys.argv[2]))) + "\n")
