"""One query and one ingest followed through every room, with the actual value at each arrow.

    python scripts/guided.py        prints both

A copy of examples/pay is the project, the clock stands still and words are hashed instead of read by a model,
so the values are the same on every machine. ARCHITECTURE.md holds what this prints, and a test holds it to
that.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from daypack import Daypack, Settings
from daypack.engine.retrieval import following as engine_following
from daypack.engine.retrieval import retriever as engine_retriever
from daypack.pack import fit
from daypack.types import Chunk

PAY = Path(__file__).resolve().parent.parent / "examples" / "pay"
NOW = 1_793_750_400.0  # 4 November 2026
QUESTION = "why does every attempt carry the same idempotency key?"
BUDGET = 400
AROUND = 20  # tokens of header and fence: packing measures them, the tour does not


def copy_of_pay(folder: str) -> Path:
    """A copy of the example project below `folder`, without what its use leaves behind."""
    return Path(
        shutil.copytree(
            PAY,
            Path(folder).resolve() / "pay",
            ignore=shutil.ignore_patterns(".daypack", "__pycache__", ".pytest_cache"),
        )
    )


@contextmanager
def _opened() -> Iterator[Daypack]:
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_pay(folder)
        settings = Settings(embedder="hashing")
        with Daypack.open(copy / ".daypack", settings=settings, clock=lambda: NOW) as dp:
            dp.files.add(copy)
            yield dp


def _block(lines: list[str]) -> str:
    return "\n".join(["```text", *lines, "```", ""])


def _place(chunk: Chunk) -> str:
    return f"{chunk.uri}:{chunk.span.start_line}-{chunk.span.end_line}"


class _Recorder:
    """Listens at the doors between the rooms: every call of a named function, with its first arguments and
    its result.
    """

    def __init__(self, *functions: tuple[ModuleType, str]) -> None:
        self.calls: dict[str, list[tuple[tuple[Any, ...], Any]]] = {name: [] for _, name in functions}
        self._functions = [(module, name, getattr(module, name)) for module, name in functions]

    def __enter__(self) -> _Recorder:
        for module, name, function in self._functions:
            setattr(module, name, self._listening(name, function))
        return self

    def __exit__(self, *_: object) -> None:
        for module, name, function in self._functions:
            setattr(module, name, function)

    def _listening(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            result = function(*arguments, **named)
            self.calls[name].append((arguments, result))
            return result

        return call


def query() -> str:
    """The guided query, as Markdown."""
    with _opened() as dp:
        dp.embed()
        return "\n".join(_query(dp))


def _query(dp: Daypack) -> Iterator[str]:
    with _Recorder(
        (engine_retriever, "parse_query"),
        (engine_retriever, "gather"),
        (engine_following, "score"),
        (fit, "choices"),
    ) as recorded:
        pack = dp.pack(QUESTION, budget=BUDGET, vectors="all", refresh=False)
    asked = recorded.calls["parse_query"][-1][1]
    (_, spelling, *_), pool = recorded.calls["gather"][-1]
    scored = recorded.calls["score"][-1][1]
    view, lexical = spelling.scope.view, pool.lexical
    chunks = dp.engine.store.chunks(view.chunk_ids.tolist())

    yield f'`daypack pack "{QUESTION}" --budget {BUDGET}`, in [examples/pay](examples/pay):\n'

    yield "**[query/](src/daypack/query/__init__.py)** parses the question. Stop words go, words become stems.\n"
    yield _block(
        [
            "Query",
            f"  kind        {asked.kind.value}",
            f"  terms       {', '.join(f'{term} {weight:g}' for term, weight in asked.terms.items())}",
            f"  dense_text  {asked.dense_text!r}",
            f"  anchors     {[anchor.text for anchor in asked.anchors] or 'none: nothing is quoted, no path, no identifier'}",
        ]
    )

    yield "**[index/](src/daypack/index/postings/lexical.py)** hands out one state of the store. The postings of a term are one row a segment.\n"
    living = int(view.alive.sum())
    lines = [
        f"LexicalView: {living} chunks of {len(set(view.record_ids.tolist()))} records in {len(view.offsets)} segment"
    ]
    for term in lexical.terms:
        first = term.postings
        at = int(view.chunk_ids[first.positions[0]])
        tf = " ".join(str(int(n)) for n in first.tf[0])
        lines.append(
            f"  {term.term:<8} in {len(first.positions):>2} of {living} chunks, idf {term.idf:.3f}; first: chunk {at}, tf (body name path context) {tf}"
        )
    yield _block(lines)

    yield "**[rank/](src/daypack/rank/leading.py)** scores: BM25F for the chunks that the rare terms lead to, cosine for all that have a vector.\n"
    unit = pool.features.unit
    best = sorted(range(len(unit)), key=lambda i: (-float(unit[i]), i))[:3]
    lines = ["bm25 (unit)"]
    lines += [f"  {float(unit[i]):7.3f}  {_place(chunks[int(pool.chunk_ids[i])])}" for i in best]
    dense = pool.features.dense
    near = sorted(range(len(dense)), key=lambda i: (-float(dense[i]), int(pool.positions[i])))[:3]
    lines += ["dense"]
    lines += [
        f"  {float(dense[i]):7.3f}  {_place(chunks[int(view.chunk_ids[pool.positions[i]])])}" for i in near
    ]
    yield _block(lines)

    yield f"**[rank/](src/daypack/rank/blend.py)** puts both on one scale and adds the signals of names, paths and neighbours. The pool holds {len(scored.chunk_ids)} candidates; the shares of the best one:\n"
    top = pack.candidates[0]
    lines = [f"Candidate {_place(top.chunk)} · {top.chunk.name}"]
    lines += [f"  {part.share:+.4f}  {part.signal} ({part.raw:.4g})" for part in top.contributions]
    following = ", ".join(f"{candidate.score:.3f}" for candidate in pack.candidates[1:4])
    lines += [f"  {sum(part.share for part in top.contributions):+.4f}  score; the next are {following}"]
    yield _block(lines)

    yield "**[pack/](src/daypack/pack/fit.py)** estimates cost and value of each candidate in each variant:\n"
    lines = ["                                   p     variant    value  cost (estimate)"]
    for (candidate, *_), offered in recorded.calls["choices"][:3]:
        for number, choice in enumerate(offered):
            head = f"{_place(candidate.chunk):<32} {candidate.probability:.3f}" if not number else " " * 38
            lines.append(f"{head}   {choice.variant.value:<9}  {choice.value:.2f}   {choice.cost}")
    yield _block(lines)

    yield "… chooses by value for cost, joins neighbours, renders, counts the rendered string, and drops the weakest until it fits:\n"
    budget = pack.budget
    lines = [
        f"Pack: {pack.tokens_used} of {budget.limit} {budget.tokenizer.value} tokens, {pack.optimality:.1%} of the upper bound, {len(pack.omitted)} omitted"
    ]
    for excerpt in pack.excerpts:
        citation = excerpt.citation
        ids = ", ".join(map(str, citation.chunk_ids))
        lines.append(
            f"  [{citation.label}] {citation.reference}  {excerpt.variant.value}, {excerpt.tokens} tokens, from chunks {ids}"
        )
    yield _block(lines)

    citation = pack.excerpts[0].citation
    found = dp.get(f"{citation.reference}@{citation.record_hash}")
    yield "**get** follows a citation to its text, and reports whether the file has changed since:\n"
    first_word, second_word, *_ = found.text.split()
    yield _block(
        [
            f"Found: {found.reference}, {found.state}, {len(found.text)} characters from '{first_word} {second_word}'"
        ]
    )


def ingest() -> str:
    """The guided ingest, as Markdown."""
    with _opened() as dp:
        return "\n".join(_ingest(dp))


def _counts(dp: Daypack) -> str:
    with dp.engine.store.reading() as db:
        values = {
            table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("record", "chunk", "segment", "tomb", "vec")
        }
    seq, vec_seq = dp.engine.store.sequences()
    return (
        ", ".join(f"{table} {count}" for table, count in values.items()) + f"; seq {seq}, vec_seq {vec_seq}"
    )


def _ingest(dp: Daypack) -> Iterator[str]:
    dp.embed()
    yield f"A store of examples/pay, every chunk embedded:\n\n{_block([_counts(dp)])}"
    path = dp.root / "docs" / "retries.md"
    path.write_text(path.read_text(encoding="utf-8").replace("at most 10 %", "at most 5 %"), encoding="utf-8")
    checked = dp.files.check()
    lines = [
        "check()    "
        + ", ".join(f"{source!r} changed: {', '.join(state.changed)}" for source, state in checked.items())
    ]
    report = dp.files.refresh()
    lines.append(
        f"refresh()  added {report.added}, updated {report.updated}, unchanged {report.unchanged}, removed {report.removed}; {report.chunks} chunks written"
    )
    lines.append(f"           {_counts(dp)}")
    yield f"`docs/retries.md` says 5 % instead of 10 % now, one word in one of its chunks:\n\n{_block(lines)}"
    lines = [
        f"embed()    {dp.embed()} text had no vector; the other chunks of the file found theirs by the hash of their text",
        f"           {_counts(dp)}",
    ]
    again = dp.files.refresh()
    lines.append(f"refresh()  unchanged {again.unchanged}, nothing read")
    lines.append(f"           {_counts(dp)}")
    yield f"Then the vectors; a second look finds nothing new:\n\n{_block(lines)}"


if __name__ == "__main__":
    print(query())
    print(ingest())
