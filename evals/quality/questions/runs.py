"""Runs: every question of a tree put to every arm, over one store a tree."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from daypack import Daypack, Settings
from daypack.types import Tokenizer, VectorMode
from evals.quality.datasets import Collection
from evals.quality.questions.arms import Arm, BlocksArm, DaypackArm, bm25_blocks, grep_blocks
from evals.quality.questions.asked import Kind, Project, Question, projects
from evals.quality.questions.kinds import kind_of
from evals.quality.questions.measures import measured
from evals.quality.results import read_lines
from evals.quality.trees import Tree

ARMS = ("auto", "none", "all", "code", "bm25", "grep")
_DAYPACK: dict[str, tuple[VectorMode, dict[str, Any]]] = {
    "auto": (VectorMode.AUTO, {}),
    "none": (VectorMode.NONE, {}),
    "all": (VectorMode.ALL, {}),
    "code": (VectorMode.AUTO, {"kind": "code"}),
}
Record = dict[str, Any]
"""One question and one arm, as it is kept: see `record_of`."""


def records(
    asked: Sequence[Question],
    arms: Sequence[str],
    *,
    trees: Path,
    stores: Path,
    budgets: Sequence[int],
    tokenizer: Tokenizer,
    fresh: bool = False,
) -> Iterator[list[Record]]:
    """The records of one project after the other; `stores` keeps a store a tree; `fresh` removes it first.

    Raises FileNotFoundError where a tree is missing.
    """
    by_project: dict[Project, list[Question]] = {}
    for question in asked:
        by_project.setdefault(question.project, []).append(question)
    for project, own in by_project.items():
        with ExitStack() as stack:
            opened = _opened(stack, project.tree(trees), arms, stores, tokenizer, fresh=fresh)
            yield [
                record_of(question, name, arm, budgets) for name, arm in opened.items() for question in own
            ]


def kept(path: Path) -> list[Record]:
    """The records of a file. Each is in the half that `trees.tsv` names now, whatever the half of its run was."""
    known = projects()
    return [
        {**record, "half": known[record["repository"]].half} if record["repository"] in known else record
        for record in read_lines(path)
    ]


def record_of(question: Question, name: str, arm: Arm, budgets: Sequence[int]) -> Record:
    """The answer of an arm, and its measures."""
    started = time.process_time()
    reply = arm.ask(question.text, budgets)
    return {
        "id": question.id,
        "set": question.of.value,
        "arm": name,
        "repository": question.project.repository,
        "language": question.project.language,
        "half": question.project.half,
        "ms": round(1000 * (time.process_time() - started), 1),
        "files": list(reply.files),
        "packs": {
            str(budget): [
                [item.path, item.first, item.last, item.tokens, item.kind.value, item.score]
                for item in pack.items
            ]
            for budget, pack in reply.packs.items()
        },
        "measures": {name: round(value, 6) for name, value in measured(question, reply).items()},
    }


def _opened(
    stack: ExitStack, tree: Tree, arms: Sequence[str], stores: Path, tokenizer: Tokenizer, *, fresh: bool
) -> dict[str, Arm]:
    files = dict(tree.files())
    kinds: dict[str, Kind] = {path: kind_of(path, text) for path, text in files.items()}
    found: dict[str, Arm] = {}
    stored: dict[str, Daypack] = {}
    for name in arms:
        if name == "bm25":
            found[name] = BlocksArm(bm25_blocks(Collection(tree.name, tree=tree)), kinds, tokenizer)
        elif name == "grep":
            found[name] = BlocksArm(grep_blocks(files), kinds, tokenizer)
        else:
            # A store in which every chunk has a vector answers `auto` by those.
            folder = f"{tree.repository}-all" if name == "all" else tree.repository
            if folder not in stored:
                stored[folder] = stack.enter_context(_store(tree, stores / folder, fresh=fresh))
            if name == "all":
                stored[folder].embed()
            vectors, narrow = _DAYPACK[name]
            found[name] = DaypackArm(stored[folder], kinds, tokenizer, vectors, narrow)
    return found


def _store(tree: Tree, folder: Path, *, fresh: bool) -> Daypack:
    """The store of a tree, in step with its files."""
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    daypack = Daypack.open(folder, root=tree.folder, settings=Settings(refresh=False))
    daypack.files.add(tree.folder)
    return daypack
