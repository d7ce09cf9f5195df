"""Means of measured questions by half and kind, and the paired differences of two runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.arguments import MODES
from evals.quality.everyday.world import Question
from evals.quality.statistics import by_measure, differences

Row = Mapping[str, float]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Give a runner the options that all runners of questions by half and kind share."""
    parser.add_argument("--vectors", default="auto", choices=MODES)
    parser.add_argument("--half", default="", choices=("a", "b"), help="ask one half only")
    parser.add_argument("--out", type=Path, help="write the results there, as JSON")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="RESULTS.json", help="two runs")
    parser.add_argument("--system", default="daypack", help="of --compare; default %(default)s")


def is_of(question: Question, kind: str) -> bool:
    """Tell whether a question counts under a kind; `all` is every question that has an answer."""
    return (kind == "all" and bool(question.gold)) or kind in (question.kind, question.reach)


def kinds_of(questions: Sequence[Question]) -> list[str]:
    """`all`, then every kind and reach of these questions as they first come."""
    kinds = [q.kind for q in questions]
    return ["all", *dict.fromkeys(kinds), *dict.fromkeys(q.reach for q in questions if q.reach)]


def means(questions: Sequence[Question], rows: Mapping[str, Row]) -> dict[str, dict[str, dict[str, float]]]:
    """Half → kind → measure → mean, with the number of questions as `n`."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for half in ("a", "b"):
        for kind in kinds_of(questions):
            of = [rows[q.id] for q in questions if q.half == half and is_of(q, kind) and q.id in rows]
            if of:
                columns = {name: float(np.mean(values)) for name, values in by_measure(of).items()}
                found.setdefault(half, {})[kind] = {"n": float(len(of)), **columns}
    return found


def table(system: str, halves: Mapping[str, Mapping[str, Row]]) -> Iterator[str]:
    """Lines of a table for one system."""
    names = dict.fromkeys(name for kinds in halves.values() for row in kinds.values() for name in row)
    columns = [name for name in names if name != "n"]
    for half, kinds in halves.items():
        yield f"{system}, half {half}"
        yield f"  {'':<13}{'n':>4}" + "".join(f"{name:>15}" for name in columns)
        for kind, row in kinds.items():
            cells = (f"{row[name]:>15.3f}" if name in row else f"{'':>15}" for name in columns)
            yield f"  {kind:<13}{row['n']:>4.0f}" + "".join(cells)


def results(
    questions: Sequence[Question], rows: Mapping[str, Mapping[str, Row]], shown: Mapping[str, Any]
) -> dict[str, Any]:
    """A run as it is written: means of both halves, every question of half a, and of half b only bare columns in
    the order of the questions, which `compare` needs and which say nothing about a question.
    """
    blind = [q for q in questions if q.half == "b"]
    return {
        "means": {system: means(questions, found) for system, found in rows.items()},
        "questions": {
            q.id: {
                "question": q.text,
                "kind": q.kind,
                **{system: found[q.id] for system, found in rows.items() if q.id in found},
                **shown.get(q.id, {}),
            }
            for q in questions
            if q.half == "a"
        },
        "blind": {system: [found.get(q.id, {}) for q in blind] for system, found in rows.items()},
    }


def compared(
    questions: Sequence[Question], first: Mapping[str, Any], second: Mapping[str, Any], system: str
) -> Iterator[str]:
    """Lines with the paired difference of one system in two runs, by half and kind."""
    one, other = (_rows(questions, run, system) for run in (first, second))
    for half in ("a", "b"):
        for kind in kinds_of(questions):
            of = [q.id for q in questions if q.half == half and is_of(q, kind)]
            left, right = ({name: rows[name] for name in of if name in rows} for rows in (one, other))
            for name, found in differences(left, right).items():
                if found.estimate.mean:
                    e = found.estimate
                    yield (
                        f"{half} {kind:<13}{name:<15}{e.mean:+9.3f} [{e.low:+.3f}, {e.high:+.3f}]"
                        f"  p {found.p:.3f}, {e.n} questions"
                    )


def _rows(questions: Sequence[Question], run: Mapping[str, Any], system: str) -> dict[str, Row]:
    """Measures of every question of a run, from its shown and its blind half."""
    rows: dict[str, Row] = {name: row[system] for name, row in run["questions"].items() if system in row}
    blind = [q.id for q in questions if q.half == "b"]
    rows.update(zip(blind, run["blind"][system], strict=True))
    return rows
