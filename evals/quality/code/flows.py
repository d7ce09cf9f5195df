"""python -m evals.quality.code.flows --from DIR --stores DIR [--flows edit,tests] [--half b] [--most 12] [--arms bm25,plain,flow]
    [--vectors none] [--out RESULTS.jsonl]

Asks the cases that `flow_cases` and `flow_traces` mined, in up to three ways, by the same chunks:

    bm25    Okapi BM25 over the text of the case; packs in rank order, what does not fit is passed over
    plain   the common pack of that text
    flow    the pack of the work flow

R@20    the share of the gold places of which one of the 20 best chunks holds a line
Lines   the share of the gold lines in a pack of 2,000 tokens
For `uses`, where three real calls are wanted: the share of three files with a gold line among the 20 best chunks, of the
20 best chunks that hold one (P@20), and of three files with a gold line in the pack.

Half a has the repositories that come first, third, … by name, half b the others: weights are fitted on half a.
The best of both other arms, question by question and on average, stands beside the flow.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from daypack import Daypack, Settings
from daypack.types import Pack, Task, Tokenizer, VectorMode
from evals.arguments import MODES, command_line, words
from evals.quality.datasets import EvalQuery
from evals.quality.peers import Bm25Baseline, skip
from evals.quality.pieces import Piece

BUDGET = 2_000
TASKS = {"trace": Task.TRACE, "edit": Task.IMPACT, "tests": Task.TESTS, "uses": Task.USES}
Case = dict[str, Any]
Spans = list[tuple[str, int, int]]
DRAWS = 2_000
TRACES_FITTED = ["encode/starlette", "pallets/click"]  # half a of the traces, which few repositories give


def bm25_over(dp: Daypack) -> Bm25Baseline:
    """BM25 over the chunks of a store."""
    store = dp.engine.store
    chunks = [chunk for record_id in store.record_ids() for chunk in store.chunks_of(record_id)]
    return Bm25Baseline(
        [
            Piece(c.uri, c.uri, c.text, c.span.start, c.span.end, c.span.start_line, c.span.end_line)
            for c in chunks
        ]
    )


def spans_of_pack(pack: Pack) -> tuple[Spans, Spans]:
    """(the 20 best chunks, the excerpts), as lines of files."""
    best = [(c.chunk.uri, c.chunk.span.start_line, c.chunk.span.end_line) for c in pack.candidates[:20]]
    shown = [(e.citation.uri, e.citation.span.start_line, e.citation.span.end_line) for e in pack.excerpts]
    return best, shown


def measured(case: Case, best: Spans, shown: Spans) -> dict[str, float]:
    """The measures of one answer."""
    gold = {(path, n) for path, _, spans in case["gold"] for a, b in spans for n in range(a, b + 1)}
    if case["flow"] == "uses":
        holds = [[path for path, n in gold if path == uri and a <= n <= b] for uri, a, b in best]
        packed = {path for path, n in gold for uri, a, b in shown if path == uri and a <= n <= b}
        files = {path for found in holds for path in found}
        return {
            "R@20": min(1.0, len(files) / 3),
            "P@20": sum(map(bool, holds)) / 20,
            "Lines": min(1.0, len(packed) / 3),
        }
    found = [
        any(path == uri and a <= last and first <= b for uri, a, b in best for first, last in spans)
        for path, _, spans in case["gold"]
    ]
    lines = {(uri, n) for uri, a, b in shown for n in range(a, b + 1)}
    return {"R@20": sum(found) / len(found), "Lines": len(gold & lines) / len(gold)}


def asked(dp: Daypack, bm25: Bm25Baseline | None, case: Case, arm: str, mode: VectorMode) -> dict[str, float]:
    """The measures of an arm for a case."""
    if arm == "bm25":
        assert bm25 is not None
        scores = bm25.scores(EvalQuery(case["id"], case["text"], None, ""))
        order = (-scores).argsort(kind="stable")[:400].tolist()
        ranked = [(bm25.pieces[i], float(scores[i])) for i in order if scores[i] > 0]
        places = [(p.doc_id, p.start_line, p.end_line) for p, _ in ranked[:20]]
        packed = [(p.doc_id, p.start_line, p.end_line) for p, _ in skip(ranked, BUDGET)[0]]
        return measured(case, places, packed)
    task = TASKS[case["flow"]] if arm == "flow" else None
    pack = dp.pack(case["text"], budget=BUDGET, tokenizer=Tokenizer.APPROX, vectors=mode, task=task)
    return measured(case, *spans_of_pack(pack))


def chosen(cases: Sequence[Case], flows: Sequence[str], half: str, most: int) -> list[Case]:
    """The cases of a half, at most `most` of a flow and repository, drawn evenly."""
    names = sorted({case["repo"] for case in cases if case["flow"] != "trace"})
    first = {"trace": TRACES_FITTED}
    found = []
    kept = [case for case in cases if case["flow"] in flows]
    kept = [
        case
        for case in kept
        if half == "all" or (case["repo"] in first.get(case["flow"], names[::2])) == (half == "a")
    ]
    key = lambda case: (case["repo"], case["base_commit"], case["flow"])  # noqa: E731
    for _, group in groupby(sorted(kept, key=key), key=key):
        own = [*group]
        found += own[:: max(1, -(-len(own) // most))]
    return found


def answers(
    cases: Sequence[Case], trees: Path, stores: Path, arms: Sequence[str], mode: VectorMode
) -> Iterator[Case]:
    """Each case with the measures of each arm. Stores are made where they are missing, and kept."""
    for (repo, base), group in groupby(cases, key=lambda case: (case["repo"], case["base_commit"])):
        name = repo.replace("/", "__")
        store = stores / f"{name}__{base}"[:80]
        fresh = not store.exists()
        with Daypack.open(store, root=trees / name / base, settings=Settings(refresh=False)) as dp:
            if fresh:
                dp.files.add(trees / name / base)
            bm25 = bm25_over(dp) if "bm25" in arms else None
            for case in group:
                yield {**case, "arms": {arm: asked(dp, bm25, case, arm, mode) for arm in arms}}
        print(repo, file=sys.stderr, flush=True)


def interval(values: Sequence[float]) -> str:
    """The mean of paired differences, with its 95 % interval by bootstrap."""
    draw = random.Random(0)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    mean = sum(values) / len(values)
    return f"{mean:+.3f} [{means[DRAWS // 40]:+.3f}, {means[-DRAWS // 40]:+.3f}]"


def report(found: Sequence[Case], arms: Sequence[str]) -> str:
    """A line a flow and measure: the means of the arms, and the flow against the better of the others."""
    lines = []
    for flow in TASKS:
        own = [case for case in found if case["flow"] == flow]
        for measure in own[0]["arms"][arms[0]] if own else ():
            means = {arm: sum(case["arms"][arm][measure] for case in own) / len(own) for arm in arms}
            line = f"{flow:6} {len(own):4}  {measure:6}" + "".join(
                f"  {arm} {means[arm]:.3f}" for arm in arms
            )
            others = [arm for arm in arms if arm != "flow"]
            if "flow" in arms and others:
                best = max(others, key=means.__getitem__)
                line += f"  over {best} " + interval(
                    [case["arms"]["flow"][measure] - case["arms"][best][measure] for case in own]
                )
            lines.append(line)
    return "\n".join(lines)


def main() -> None:
    """Ask the cases and print the means."""
    parser = command_line("evals.quality.code.flows", __doc__)
    parser.add_argument("--from", dest="folder", required=True, type=Path)
    parser.add_argument("--stores", required=True, type=Path)
    parser.add_argument("--flows", type=words, default=",".join(TASKS))
    parser.add_argument("--half", choices=["a", "b", "all"], default="b")
    parser.add_argument("--most", type=int, default=12, help="cases of a flow and repository (default: 12)")
    parser.add_argument("--arms", type=words, default="bm25,plain,flow")
    parser.add_argument("--vectors", default="none", choices=MODES)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with (options.folder / "flows.jsonl").open(encoding="utf-8") as rows:
        cases = chosen([json.loads(row) for row in rows], options.flows, options.half, options.most)
    arms, mode = options.arms, VectorMode(options.vectors)
    found = [*answers(cases, options.folder / "trees", options.stores, arms, mode)]
    if options.out is not None:
        options.out.write_text("".join(json.dumps(one) + "\n" for one in found), encoding="utf-8")
    print(report(found, arms))


if __name__ == "__main__":
    main()
