"""python -m evals.quality.conversations [--trees DIR] [--stores DIR] [--vectors auto]

Asks the last messages of 128 conversations about sixteen repositories, and of 56 about the everyday world: alone, with the
question before them in one text, with the history apart, and rewritten by hand as a complete question, which is the most
that a history can give. Plain BM25 gets the texts. For each half, message and way it prints the share of messages with the

    first, five      right file (of the world: record) first in a search, among five
    pack             right file in a pack of 1,000 tokens (of the world: the passage in one of 4,000)
    line@500, @1000  deciding line in a pack

DIR holds the trees of semble-dev, as DIR/<owner>__<name>/<commit>; without it only the world is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from daypack import Daypack
from daypack.tokens import counter
from daypack.types import Tokenizer
from evals.arguments import MODES, command_line, kept_in
from evals.quality.conversations.asked import WAYS, Conversation, conversations
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.everyday import world
from evals.quality.everyday.__main__ import asked
from evals.quality.everyday.measures import Facts, measures
from evals.quality.peers import Bm25Peer
from evals.quality.trees import Tree, tree_of

Row = dict[str, float]
BUDGETS = (500, 1000)
WORLD_BUDGET = 4000
WORLD_MEASURES = {"first": "first found", "five": "found in 5", "pack": "gold packed"}
MEASURES = ("first", "five", "pack", "line@500", "line@1000")


def of_code(
    tree: Tree, of: Sequence[Conversation], store: Path, vectors: Any
) -> Iterator[tuple[str, Conversation, Row]]:
    """(system and way, conversation, measures) of the messages about one repository."""
    peer = Bm25Peer(Collection(tree.name, tree=tree))
    with Daypack.open(store, root=tree.folder) as dp:
        dp.files.add(tree.folder)
        for one in of:
            for way, form in WAYS.items():
                text, history = form(one)
                found = dp.search(text, history=history, vectors=vectors, refresh=False)
                packs = {
                    budget: [
                        (e.citation.uri, e.citation.span.start_line, e.citation.span.end_line)
                        for e in dp.pack(
                            text, budget=budget, history=history, vectors=vectors, refresh=False
                        ).excerpts
                    ]
                    for budget in BUDGETS
                }
                yield f"daypack {way}", one, _row(one, [file.uri for file in found.files], packs)
                if way != "history":
                    answer = peer.answer(EvalQuery(one.id, text, None, ""), BUDGETS)
                    packs = {
                        budget: [(i["doc_id"], i["start_line"], i["end_line"]) for i in packed.items]
                        for budget, packed in answer.packs.items()
                    }
                    ranked = [*dict.fromkeys(item["doc_id"] for item in answer.ranked)]
                    yield f"bm25 {way}", one, _row(one, ranked, packs)


def _row(one: Conversation, files: Sequence[str], packs: dict[int, list[tuple[str, int, int]]]) -> Row:
    gold, line = one.row["files"], one.row["line"]
    return {
        "first": float(bool(files) and files[0] in gold),
        "five": float(not set(gold).isdisjoint(files[:5])),
        "pack": float(any(uri in gold for uri, _, _ in packs[1000])),
        **{
            f"line@{budget}": float(
                any(uri == gold[0] and first <= line <= last for uri, first, last in items)
            )
            for budget, items in packs.items()
        },
    }


def of_world(root: Path, vectors: Any) -> Iterator[tuple[str, Conversation, Row]]:
    """The same of the messages about the everyday world; BM25 over it has no documents of its own, and is left out."""
    entries, count = world.entries(), counter(Tokenizer.O200K)
    root.mkdir(exist_ok=True)
    with world.store(root, entries) as dp:
        texts = world.texts_of(dp, entries)
        for one in conversations("everyday"):
            facts: Facts = [
                [world.passage(world.gold_of(item), texts) for item in alternatives]
                for alternatives in one.row["gold"]
            ]
            for way, form in WAYS.items():
                text, history = form(one)
                answer = asked(dp, text, WORLD_BUDGET, vectors, history)
                found = measures(answer, facts, texts, count)
                yield f"daypack {way}", one, {name: found[of] for name, of in WORLD_MEASURES.items()}


def tables(rows: Sequence[tuple[str, str, Conversation, Row]]) -> Iterator[str]:
    """A line for each part of the conversations, system and way."""
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for part, system, one, row in rows:
        groups[part, one.group, system].append(row)
    for (part, group, system), found in sorted(groups.items()):
        means = "  ".join(
            f"{name} {fmean(row[name] for row in found):.2f}" for name in MEASURES if name in found[0]
        )
        yield f"{part:<8} {group:<9} {len(found):>3}  {system:<18} {means}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = command_line("evals.quality.conversations", __doc__)
    parser.add_argument("--trees", type=Path, metavar="DIR")
    parser.add_argument("--stores", type=Path, metavar="DIR", help="keep stores there")
    parser.add_argument("--vectors", default="auto", choices=MODES)
    arguments = parser.parse_args(argv)
    about_code = conversations("code")
    rows: list[tuple[str, str, Conversation, Row]] = []
    with kept_in(arguments.stores) as stores:
        for repository in dict.fromkeys(one.row["repository"] for one in about_code if arguments.trees):
            of = [one for one in about_code if one.row["repository"] == repository]
            tree = tree_of(arguments.trees, repository, of[0].row["commit"], "semble-dev")
            for system, one, row in of_code(tree, of, stores / tree.repository, arguments.vectors):
                rows.append((f"code {one.row['half']}", system, one, row))
        for system, one, row in of_world(stores / "everyday", arguments.vectors):
            rows.append(("everyday", system, one, row))
    print("\n".join(tables(rows)))


if __name__ == "__main__":
    main()
