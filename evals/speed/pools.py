"""python -m evals.speed.pools STORE EVALS [--questions 1000]

The answers of a large store beside those of the exact path, which compares every vector in full: the share of the exact 50 best that an
answer holds, and the packs of 1,000 tokens that are equal. Then each set of records in EVALS, folded and not: a fold changes no answer.
The questions are those of the sets, whose documents STORE need not hold. Nothing here asserts.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from daypack.api import Daypack
from daypack.index.folded import folding
from daypack.settings import Settings
from evals.arguments import command_line
from evals.quality.datasets import Dataset, load

QUIET = Settings(refresh=False)
DEPTH, BUDGET = 50, 1_000
LONGEST_QUESTION = 400  # characters: issues would take most of the time
MOST_OF_SET = 200  # questions that are asked of a folded set


class Answer(NamedTuple):
    """The answer to one question: chunks, best first, with their scores, and a pack."""

    best: tuple[tuple[int, float], ...]
    pack: str


def answers(daypack: Daypack, questions: Sequence[str]) -> Iterator[Answer]:
    for question in questions:
        found = daypack.search(question, limit=DEPTH).candidates
        best = tuple((one.chunk.id, one.score) for one in found)
        yield Answer(best, daypack.pack(question, budget=BUDGET).text)


def exact(daypack: Daypack, questions: Sequence[str]) -> list[Answer]:
    """The answers with every vector compared in full."""
    with patch("daypack.rank.views.vectors.SCANNED", sys.maxsize):
        return [*answers(daypack, questions)]


def compare(store: Path, questions: Sequence[str]) -> None:
    """Print the share of the exact best that the answers of a store hold, and every question whose pack differs."""
    with Daypack.open(store, create=False, settings=QUIET) as daypack:
        given = [*answers(daypack, questions)]
        wanted = exact(daypack, questions)
        chunks = daypack.engine.store.counts()["chunk"]
    shares = []
    for one, other in zip(given, wanted, strict=True):
        best = {chunk for chunk, _ in other.best}
        if best:
            shares.append(len(best & {chunk for chunk, _ in one.best}) / len(best))
    differ = [q for q, one, other in zip(questions, given, wanted, strict=True) if one.pack != other.pack]
    print(
        f"{chunks:,} chunks, {len(questions):,} questions: {sum(shares) / len(shares):.4f} of the exact {DEPTH} best, "
        f"{1 - len(differ) / len(questions):.1%} of the packs equal"
    )
    for question in differ:
        print(f"  another pack: {question[:100]!r}")


def compare_folded(data: Dataset) -> None:
    """Print the number of answers of a set that a fold changes."""
    questions = [query.text for query in data.queries][:MOST_OF_SET]
    with TemporaryDirectory() as folder:
        store = Path(folder) / ".daypack"
        with Daypack.open(store, settings=QUIET) as daypack:
            daypack.records.add(data.records)
            before = [*answers(daypack, questions)]
            folding.SMALLEST = 1
            outcome = folding.fold(daypack.engine.store)
        with Daypack.open(store, create=False, settings=QUIET) as daypack:
            used = daypack.engine.snapshots.current(vectors=False).view.fold is not None
            after = [*answers(daypack, questions)]
    differ = sum(one != other for one, other in zip(before, after, strict=True))
    print(f"{data.name}, {outcome.value}, in use: {used}: {differ} of {len(questions)} answers differ")


def questions_of(sets: Sequence[Dataset], count: int) -> list[str]:
    """Questions of all sets, drawn alike, each once."""
    texts = {query.text for data in sets for query in data.queries if len(query.text) <= LONGEST_QUESTION}
    drawn = sorted(texts)
    random.Random(24).shuffle(drawn)
    return drawn[:count]


def main() -> None:
    parser = command_line("evals.speed.pools", __doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("evals", type=Path)
    parser.add_argument("--questions", type=int, default=1_000)
    arguments = parser.parse_args()
    sets = [load(folder) for folder in sorted(arguments.evals.iterdir()) if any(folder.glob("corpus.jsonl*"))]
    compare(arguments.store, questions_of(sets, arguments.questions))
    for data in sets:
        compare_folded(data)


if __name__ == "__main__":
    main()
