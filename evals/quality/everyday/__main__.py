"""python -m evals.quality.everyday [--store DIR] [--budget 4000] [--vectors auto] [--half a] [--out RESULTS.json]

Builds the everyday world with the installed package's defaults, asks its 200 questions, and prints for each
half and kind: right item first in `search`, among its five best, first in the pack; share of the gold items
that the pack holds; share of the item tokens that belong to the answer; packs that are empty, or called weak, where
there is an answer; packs that are either where there is none; tokens, items, and frame tokens an item.

    bm25        plain BM25 over the same texts, at the budget
    bm25-equal  the same, with the tokens that Daypack's pack used
    oracle      the gold passages and nothing else

    python -m evals.quality.everyday --compare NEW.json OLD.json     paired differences
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from daypack import Daypack
from daypack.tokens import counter
from daypack.types import Tokenizer
from evals.arguments import command_line, kept_in
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.everyday import report, world
from evals.quality.everyday.measures import Answered, Facts, Item, is_called_weak, is_right, measures
from evals.quality.everyday.world import Question
from evals.quality.peers import Bm25Peer

DEPTH = 10
FRAME = 8  # tokens that naming an item costs a baseline, as in evals/quality/pieces.py
Texts = Mapping[str, str]


def asked(dp: Daypack, text: str, budget: int, vectors: Any, history: Sequence[str] = ()) -> Answered:
    """Daypack's ranking and pack."""
    found = dp.search(text, limit=DEPTH, vectors=vectors, history=history)
    pack = dp.pack(text, budget=budget, vectors=vectors, history=history)
    ranked = [Item(c.chunk.uri, c.chunk.span.start, c.chunk.span.end) for c in found.candidates]
    items = [
        Item(e.citation.uri, e.citation.span.start, e.citation.span.end, e.tokens) for e in pack.excerpts
    ]
    first = pack.excerpts[0].text.splitlines()[0] if pack.excerpts else ""
    return Answered(ranked, items, pack.tokens_used, is_called_weak(pack.text, first))


class Baseline:
    """Plain BM25 over the texts of the store, in pieces of 256 tokens."""

    def __init__(self, texts: Texts) -> None:
        records = tuple({"id": uri, "title": uri, "text": text} for uri, text in texts.items())
        self._peer = Bm25Peer(Collection("everyday", records))
        self._texts, self._count = texts, counter(Tokenizer.O200K)

    def answer(self, question: Question, budget: int) -> Answered:
        query = EvalQuery(question.id, question.text, None, question.kind)
        given = self._peer.answer(query, [budget])
        items, used = [], 0
        for one in map(self._item, given.packs[budget].items):
            if used + one.tokens + FRAME <= budget:
                items.append(one)
                used += one.tokens + FRAME
        return Answered([self._item(one) for one in given.ranked[:DEPTH]], items, used)

    def _item(self, found: Mapping[str, Any]) -> Item:
        uri, start, end = found["doc_id"], found["start"], found["end"]
        return Item(uri, start, end, self._count(self._texts[uri][start:end]))


def oracle(facts: Facts, texts: Texts) -> Answered:
    """The first passage of every fact."""
    count = counter(Tokenizer.O200K)
    places = dict.fromkeys((one.uri, one.start, one.end) for one in (fact[0] for fact in facts))
    items = [Item(*place, count(texts[place[0]][place[1] : place[2]])) for place in places]
    return Answered(items, items, sum(item.tokens + FRAME for item in items))


def shown(answer: Answered, facts: Facts) -> list[str]:
    """The items of a pack for a reader: the place, the tokens, and a star at gold."""
    return [
        f"{'*' if is_right(item, facts) else ' '} {item.tokens:>4} {item.uri}:{item.start}-{item.end}"
        for item in answer.items
    ]


def run(root: Path, budget: int, vectors: Any, only: str) -> dict[str, Any]:
    """Results of every system, as `report.results` arranges them."""
    found, questions, count = world.entries(), world.questions(), counter(Tokenizer.O200K)
    rows: dict[str, dict[str, dict[str, float]]] = {}
    items: dict[str, Any] = {}
    with world.store(root, found) as dp:
        texts = world.texts_of(dp, found)
        baseline = Baseline(texts)
        for question in questions:
            if only and question.half != only:
                continue
            facts = [[world.passage(one, texts) for one in fact] for fact in question.gold]
            ours = asked(dp, question.text, budget, vectors)
            answers = {
                "daypack": ours,
                "bm25": baseline.answer(question, budget),
                "bm25-equal": baseline.answer(question, ours.used),
                "oracle": oracle(facts, texts),
            }
            for system, answer in answers.items():
                rows.setdefault(system, {})[question.id] = measures(answer, facts, texts, count)
            items[question.id] = {
                "gold": [[f"{p.uri}:{p.start}-{p.end}" for p in fact] for fact in facts],
                "ranked": shown(ours._replace(items=ours.ranked), facts),
                "packed": shown(ours, facts),
            }
    return report.results(questions, rows, items)


def _print(lines: Iterable[str]) -> None:
    print("\n".join(lines), flush=True)


def main(argv: Sequence[str] | None = None) -> None:
    parser = command_line("evals.quality.everyday", __doc__)
    parser.add_argument("--store", type=Path, help="keep the world there; a folder that has it is used again")
    parser.add_argument("--budget", type=int, default=4000, help="tokens of a pack; default %(default)s")
    report.add_options(parser)
    arguments = parser.parse_args(argv)
    if arguments.compare:
        first, second = (json.loads(path.read_text(encoding="utf-8")) for path in arguments.compare)
        _print(report.compared(world.questions(), first, second, arguments.system))
        return
    with kept_in(arguments.store) as root:
        found = run(root, arguments.budget, arguments.vectors, arguments.half)
    if arguments.out is not None:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for system, halves in found["means"].items():
        _print(report.table(system, halves))


if __name__ == "__main__":
    main()
