"""Questions of three sets over sixteen trees.

    code   questions of developers whose gold is source code; they are outside this project, in a folder that the
           caller names (`semble-dev`). `lines.jsonl` has the lines that answer 144 of them, which were written down from
           reading the trees, before any ranking was looked at
    docs   questions whose gold is a page and its lines: `documentation.jsonl`
    away   questions of the other two sets, asked of a tree that has no answer: `unanswerable.tsv`

`trees.tsv` names the repositories, their commits, languages and halves. Whole repositories are in a half, so that a
rule chosen on half `a` meets other projects in half `b`.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evals.quality.datasets import Interval
from evals.quality.trees import Tree, tree_of

HERE = Path(__file__).parent
CODE_SET = "semble-dev"


class Kind(enum.StrEnum):
    """The kind of a file."""

    CODE = "code"
    PAGE = "page"
    OTHER = "other"  # configuration, data, templates


class QuestionSet(enum.StrEnum):
    """The name of a set of questions."""

    CODE = "code"
    DOCS = "docs"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Project:
    """A repository ("owner/name") at a commit, and the half to which its questions belong."""

    repository: str
    commit: str
    language: str
    half: str

    def tree(self, trees: Path) -> Tree:
        """Raises FileNotFoundError that says how the tree is made."""
        return tree_of(trees, self.repository, self.commit, CODE_SET)


@dataclass(frozen=True, slots=True)
class Question:
    """A question to one project. `gold` names the files that answer it; none where the project has no answer."""

    id: str
    of: QuestionSet
    project: Project
    text: str
    gold: tuple[str, ...] = ()
    lines: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)  # from 1, both included
    also: tuple[
        Mapping[str, tuple[Interval, ...]], ...
    ] = ()  # other pages that answer it as well, each alone

    @property
    def wanted(self) -> Kind:
        """The kind of the gold files."""
        return Kind.CODE if self.of is QuestionSet.CODE else Kind.PAGE


def projects() -> dict[str, Project]:
    """Every project by its repository, in the order of `trees.tsv`."""
    rows = _rows(HERE / "trees.tsv")
    return {repository: Project(repository, *rest) for repository, *rest in rows}


def questions(code_folder: Path) -> list[Question]:
    """The questions of every set, set by set.

    Raises FileNotFoundError where `code_folder` does not hold the questions about code.
    """
    known = projects()
    code, docs = _code(code_folder / "queries.jsonl", known), documentation(known)
    return [*code, *docs, *_away(unanswerable(), [*code, *docs], known)]


def _code(path: Path, known: Mapping[str, Project]) -> list[Question]:
    found = []
    answering = {row["id"]: row["lines"] for row in _json_lines(HERE / "lines.jsonl")}
    for row in _json_lines(path):
        lines = {
            file: tuple((first, last) for first, last in spans)
            for file, spans in answering.get(row["id"], {}).items()
        }
        project = known[row["repo"]]
        if project.commit != row["base_commit"]:
            raise ValueError(f"{path}: {row['id']} is about another commit than trees.tsv")
        found.append(
            Question(row["id"], QuestionSet.CODE, project, row["text"], tuple(row["gold_files"]), lines)
        )
    return found


def documentation(known: Mapping[str, Project]) -> list[Question]:
    """The questions about pages. `known` are the projects by repository."""
    return [
        Question(
            row["id"],
            QuestionSet.DOCS,
            known[row["repo"]],
            row["text"],
            (row["gold"],),
            _spans(row),
            tuple(_spans(other) for other in row.get("also", ())),
        )
        for row in _json_lines(HERE / "documentation.jsonl")
    ]


def unanswerable() -> list[tuple[str, str]]:
    """(id of a question, repository that has no answer to it)."""
    return [(name, repository) for name, repository in _rows(HERE / "unanswerable.tsv")]


def _spans(row: Mapping[str, Any]) -> dict[str, tuple[Interval, ...]]:
    return {row["gold"]: tuple((first, last) for first, last in row["lines"])}


def _away(
    pairs: Iterable[tuple[str, str]], asked: Iterable[Question], known: Mapping[str, Project]
) -> list[Question]:
    by_id = {question.id: question for question in asked}
    return [
        replace(
            by_id[name],
            id=f"{name} of {repository}",
            of=QuestionSet.AWAY,
            project=known[repository],
            gold=(),
            lines={},
            also=(),
        )
        for name, repository in pairs
    ]


def _rows(path: Path) -> list[list[str]]:
    """Rows of a table behind its header."""
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def _json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
