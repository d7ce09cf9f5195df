"""One query and one ingest followed through every room, with the actual value at each arrow.

    python scripts/guided.py        prints both

A copy of examples/pay is the project, the clock stands still and words are hashed instead of read by a model, so the values
are the same on every machine. ARCHITECTURE.md holds what this prints, and a test holds it to that.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daypack import Daypack, Settings, analysis, tokens
from daypack.engine import Engine
from daypack.pack.fit import POOL
from daypack.pack.variants import choices, term_weigher
from daypack.pipeline import filter_mask, gather, score, to_candidates, weights_for
from daypack.query import parse_query
from daypack.types import Chunk, Tokenizer

PAY = Path(__file__).resolve().parent.parent / "examples" / "pay"
NOW = 1_793_750_400.0  # 4 November 2026
QUESTION = "why does every attempt carry the same idempotency key?"
BUDGET = 400
AROUND = 20  # tokens of header and fence: packing measures them, the tour does not


def copy_of_pay(folder: str) -> Path:
    """A copy of the example project below `folder`, without what its use leaves behind."""
    return Path(
        shutil.copytree(PAY, Path(folder).resolve() / "pay", ignore=shutil.ignore_patterns(".daypack", "__pycache__", ".pytest_cache"))
    )


@contextmanager
def _opened() -> Iterator[Daypack]:
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_pay(folder)
        settings = Settings(embedder="hashing", lazy_seconds=None)
        with Daypack.open(copy / ".daypack", settings=settings, clock=lambda: NOW) as dp:
            dp.files.add(copy)
            yield dp


def _block(lines: list[str]) -> str:
    return "\n".join(["```text", *lines, "```", ""])


def _place(chunk: Chunk) -> str:
    return f"{chunk.uri}:{chunk.span.start_line}-{chunk.span.end_line}"


def query() -> str:
    """The guided query, as Markdown."""
    with _opened() as dp:
        return "\n".join(_query(dp.engine, dp))


def _query(engine: Engine, dp: Daypack) -> Iterator[str]:
    dp.embed()
    store = engine.store
    snapshot = engine.snapshot(vectors=True)
    view = snapshot.view
    asked = parse_query(QUESTION, now=NOW, languages=store.languages())
    yield f'`daypack pack "{QUESTION}" --budget {BUDGET}`, in [examples/pay](examples/pay):\n'

    yield "**[query/](src/daypack/query/__init__.py)** takes the question apart. Stop words go, words become stems; nothing here knows the store.\n"
    yield _block([
        "Query",
        f"  kind        {asked.kind.value}",
        f"  terms       {', '.join(f'{term} {weight:g}' for term, weight in asked.terms.items())}",
        f"  dense_text  {asked.dense_text!r}",
        f"  anchors     {[anchor.text for anchor in asked.anchors] or 'none: nothing is quoted, no path, no identifier'}",
    ])  # fmt: skip

    yield "**[index/](src/daypack/index/lexical.py)** hands out one state of the store. The postings of a term are one row a segment.\n"
    lines = [
        f"LexicalView: {int(view.alive.sum())} chunks of {len(set(view.record_ids.tolist()))} records in {len(view.segment_ids)} segment"
    ]
    with store.reading() as db:
        mask = filter_mask(db, view, None)
        lexical = snapshot.bm25.score(db, asked.terms, mask)
        for term in lexical.terms:
            first = term.postings
            at = int(view.chunk_ids[first.positions[0]])
            tf = " ".join(str(int(n)) for n in first.tf[0])
            lines.append(
                f"  {term.term:<8} in {len(first.positions):>2} of {int(view.alive.sum())} chunks, idf {term.idf:.3f}; first: chunk {at}, tf (body name path context) {tf}"
            )
        vector = engine.embedder.embed([asked.dense_text])[0]
        pool = gather(db, snapshot, asked, mask, vector, list)
    yield _block(lines)

    yield "**[retrieve/](src/daypack/retrieve/lexical.py)** scores: BM25F for every chunk that has a term, cosine for every chunk that has a vector.\n"
    chunks = store.chunks(view.chunk_ids.tolist())
    best = sorted(range(len(view)), key=lambda p: (-float(lexical.unit[p]), p))[:3]
    lines = ["bm25 (unit)"]
    lines += [
        f"  {float(lexical.unit[p]):7.3f}  coverage {float(lexical.coverage[p]):.2f}  {_place(chunks[int(view.chunk_ids[p])])}"
        for p in best
    ]
    assert snapshot.vectors is not None
    positions, cosines = snapshot.vectors.similarities(vector)
    near = sorted(range(len(positions)), key=lambda i: (-float(cosines[i]), int(positions[i])))[:3]
    lines += ["dense"]
    lines += [f"  {float(cosines[i]):7.3f}  {_place(chunks[int(view.chunk_ids[positions[i]])])}" for i in near]
    yield _block(lines)

    yield f"**[rank/](src/daypack/rank/blend.py)** puts both on one scale and adds what names, paths and neighbours say. The pool holds {len(pool.positions)} candidates; the shares of the best one:\n"
    scored = score(pool, snapshot, weights_for(asked, searching=False))
    candidates = to_candidates(scored, chunks, POOL)
    top = candidates[0]
    lines = [f"Candidate {_place(top.chunk)} · {top.chunk.name}"]
    lines += [f"  {part.share:+.4f}  {part.signal} ({part.raw:.4g})" for part in top.contributions]
    lines += [
        f"  {sum(part.share for part in top.contributions):+.4f}  score; the next are "
        + ", ".join(f"{c.score:.3f}" for c in candidates[1:4])
    ]
    yield _block(lines)

    yield "**[pack/](src/daypack/pack/fit.py)** asks what each candidate would cost and be worth, in each variant:\n"
    weigh = term_weigher({term.term: term.weight * term.idf for term in lexical.terms}, analysis.terms)
    lines = ["                                   p     variant    value  cost (estimate)"]
    for candidate in candidates[:4]:
        for number, choice in enumerate(
            choices(candidate, weigh, lambda texts: tokens.count_batch(Tokenizer.O200K, texts), overhead=AROUND, further=AROUND)
        ):
            head = f"{_place(candidate.chunk):<32} {candidate.probability:.3f}" if not number else " " * 38
            lines.append(f"{head}   {choice.variant.value:<9}  {choice.value:.2f}   {choice.cost}")
    yield _block(lines)

    pack = dp.pack(QUESTION, budget=BUDGET, vectors="all", refresh=False)
    yield "… chooses by value for cost, joins neighbours, renders, counts the rendered string, and gives back the weakest until it fits:\n"
    lines = [
        f"Pack: {pack.tokens_used} of {pack.budget.limit} {pack.budget.tokenizer.value} tokens, {pack.optimality:.1%} of the upper bound, {len(pack.omitted)} omitted"
    ]
    for excerpt in pack.excerpts:
        citation = excerpt.citation
        lines.append(
            f"  [{citation.label}] {citation.reference} @{citation.record_hash[:8]}  {excerpt.variant.value}, {excerpt.tokens} tokens, from chunks {', '.join(map(str, citation.chunk_ids))}"
        )
    yield _block(lines)

    citation = pack.excerpts[0].citation
    found = dp.get(f"{citation.reference}@{citation.record_hash[:8]}")
    yield "**get** takes a citation back to its text, and says whether the file is still what was cited:\n"
    first_line = next(line for line in found.text.split("\n") if line.strip())
    yield _block([f"Found: {found.reference}, {found.state}, {len(found.text)} characters from {first_line!r}"])


def ingest() -> str:
    """The guided ingest, as Markdown."""
    with _opened() as dp:
        return "\n".join(_ingest(dp))


def _counts(dp: Daypack) -> str:
    with dp.engine.store.reading() as db:
        values = {
            table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("record", "chunk", "segment", "tomb", "vec")
        }
    seq, vec_seq = dp.engine.store.sequences()
    return ", ".join(f"{table} {count}" for table, count in values.items()) + f"; seq {seq}, vec_seq {vec_seq}"


def _ingest(dp: Daypack) -> Iterator[str]:
    dp.embed()
    yield f"A store of examples/pay, every chunk embedded:\n\n{_block([_counts(dp)])}"
    path = dp.root / "docs" / "retries.md"
    path.write_text(path.read_text(encoding="utf-8").replace("at most 10 %", "at most 5 %"), encoding="utf-8")
    checked = dp.files.check()
    lines = ["check()    " + ", ".join(f"{source!r} changed: {', '.join(state.changed)}" for source, state in checked.items())]
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
    yield f"Then the vectors, and a second look that finds nothing to do:\n\n{_block(lines)}"


if __name__ == "__main__":
    print(query())
    print(ingest())
