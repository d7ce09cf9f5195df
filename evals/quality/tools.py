"""python -m evals.quality.tools [--misses]

164 tasks in an agent's words, each with the tool that answers it (`tools.jsonl`): 50 for the six default tools, and
two for every tool of the groups beside them, which are chosen among all. Daypack chooses by the descriptions and the tasks that every verb
has (`daypack.verbs.choosing`), as its tool `tools` does. Beside it: its words alone, its search over the descriptions, and plain BM25. The labelled tasks
were written before any ranking was seen, and the verbs' own tasks before these were read; --misses shows those of half a, never of half b.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from daypack import Daypack
from daypack.settings import Settings
from daypack.surfaces.mcp.groups import tool_name
from daypack.surfaces.toolsets import verbs
from daypack.types import VectorMode
from daypack.verbs import Verb
from daypack.verbs.choosing import Chooser
from evals.arguments import command_line
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.peers import Bm25Peer

TASKS = Path(__file__).with_suffix(".jsonl")
TABLES = {"six": ("core",), "all": ()}  # toolsets that a tool is chosen from

Ranking = Callable[[str], list[str]]
"""The names of tools for a task, best first."""


class Choice(NamedTuple):
    """A task and the tool that answers it; `table` names the tools to choose from."""

    table: str
    half: str
    tool: str
    task: str


def choices() -> list[Choice]:
    rows = map(json.loads, TASKS.read_text(encoding="utf-8").splitlines())
    return [Choice(row["tools"], row["half"], row["tool"], row["task"]) for row in rows]


def offered(table: str) -> dict[str, Verb]:
    """The verbs to choose from, by the names of their tools."""
    return {tool_name(verb): verb for verb in verbs(*TABLES[table]).values()}


def descriptions(table: str) -> dict[str, str]:
    """The description of each tool by its name."""
    return {name: verb.about for name, verb in offered(table).items()}


def by_tasks(table: str, *, models: bool = True) -> Ranking:
    """The choice that `tools` makes: by descriptions and tasks of each verb; without models by their words."""
    everything, names = offered("all"), offered(table)
    chooser = Chooser.packaged(everything) if models else Chooser(everything, None, None)
    return lambda task: chooser.ranked(task, names)


@contextmanager
def by_search(texts: Mapping[str, str]) -> Iterator[Ranking]:
    """Daypack's search over a store of the descriptions, by words and vectors."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Daypack.open(Path(folder) / ".daypack", settings=Settings()) as dp,
    ):
        for name, text in texts.items():
            dp.knowledge.add_text(name, f"{name}: {text}")

        def ranked(task: str) -> list[str]:
            scored = dp.engine.retriever.rank(task, mode=VectorMode.ALL).scored
            ids = [] if scored is None else scored.chunk_ids[:5].tolist()
            return [dp.get(str(one)).uri.removeprefix("source:") for one in ids]

        yield ranked


def by_bm25(texts: Mapping[str, str]) -> Ranking:
    records = tuple({"id": name, "title": name, "text": text} for name, text in texts.items())
    peer = Bm25Peer(Collection("tools", records))
    return lambda task: [row["doc_id"] for row in peer.answer(EvalQuery("", task, None, ""), []).ranked[:5]]


def missed(asked: Sequence[Choice], ranking: Ranking) -> list[tuple[Choice, list[str]]]:
    """The choices whose tool is not ranked first, with the ranking."""
    found = [(one, ranking(one.task)) for one in asked]
    return [(one, names) for one, names in found if names[:1] != [one.tool]]


def shares(asked: Sequence[Choice], misses: Sequence[tuple[Choice, list[str]]]) -> dict[str, float]:
    """The share of right tools that come first, for each half and for both."""
    wrong = {one for one, _ in misses}
    halves = {half: [one for one in asked if one.half == half] for half in ("a", "b")} | {"both": [*asked]}
    return {half: sum(one not in wrong for one in of) / len(of) for half, of in halves.items()}


def main(argv: Sequence[str] | None = None) -> None:
    parser = command_line("evals.quality.tools", __doc__)
    parser.add_argument("--misses", action="store_true", help="the misses of half a")
    arguments = parser.parse_args(argv)

    def show(table: str, name: str, ranking: Ranking) -> None:
        asked = [one for one in choices() if one.table == table]
        misses = missed(asked, ranking)
        row = "  ".join(f"{half} {share:.3f}" for half, share in shares(asked, misses).items())
        print(f"{table:3}  {name:28}  {row}", flush=True)
        for one, names in misses if arguments.misses else ():
            if one.half == "a":
                print(f"     {one.tool}: {one.task} {' '.join(names)}")

    for table in TABLES:
        texts = descriptions(table)
        with_tasks = {name: " ".join((texts[name], *verb.tasks)) for name, verb in offered(table).items()}
        show(table, "daypack", by_tasks(table))
        show(table, "daypack, words alone", by_tasks(table, models=False))
        with by_search(texts) as ranking:
            show(table, "its search over descriptions", ranking)
        show(table, "bm25 over both", by_bm25(with_tasks))
        show(table, "bm25 over descriptions", by_bm25(texts))


if __name__ == "__main__":
    main()
