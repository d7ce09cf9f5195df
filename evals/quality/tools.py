"""python -m evals.quality.tools [--vectors all|auto|none] [--misses]

164 tasks in an agent's words, each with the tool that answers it (`tools.jsonl`): 50 for the six default tools, and
two for every tool of the groups beside them, which are chosen among all. A tool is chosen by retrieval over the names and descriptions
that `daypack mcp` sends, by Daypack's ranking without its bound for an empty answer, and by plain BM25. The tasks were written before any
ranking was seen, and share few words with the descriptions; those were worded by the misses of half a, the only ones that --misses shows.
"""

from __future__ import annotations

import argparse
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
from evals.quality.answers import vector_mode
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


def descriptions(table: str) -> dict[str, str]:
    """The description of each tool by its name."""
    return {tool_name(verb): verb.about for verb in verbs(*TABLES[table]).values()}


@contextmanager
def by_daypack(texts: Mapping[str, str], vectors: VectorMode) -> Iterator[Ranking]:
    """Daypack's own ranking over a store of the descriptions."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Daypack.open(Path(folder) / ".daypack", settings=Settings()) as dp,
    ):
        for name, text in texts.items():
            dp.knowledge.add_text(name, f"{name}: {text}")

        def ranked(task: str) -> list[str]:
            scored = dp.engine.retriever.rank(task, mode=vectors).scored
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
    parser = argparse.ArgumentParser(prog="python -m evals.quality.tools", description=__doc__)
    parser.add_argument("--vectors", action="append", type=vector_mode, choices=("auto", "all", "none"))
    parser.add_argument("--misses", action="store_true", help="the misses of half a")
    arguments = parser.parse_args(argv)

    def show(table: str, name: str, ranking: Ranking) -> None:
        asked = [one for one in choices() if one.table == table]
        misses = missed(asked, ranking)
        row = "  ".join(f"{half} {share:.3f}" for half, share in shares(asked, misses).items())
        print(f"{table:3}  {name:13}  {row}", flush=True)
        for one, names in misses if arguments.misses else ():
            if one.half == "a":
                print(f"     {one.tool}: {one.task} {' '.join(names)}")

    for table in TABLES:
        texts = descriptions(table)
        for vectors in arguments.vectors or ("all", "auto", "none"):
            with by_daypack(texts, VectorMode(vectors)) as ranking:
                show(table, f"daypack {vectors}", ranking)
        show(table, "bm25", by_bm25(texts))


if __name__ == "__main__":
    main()
