"""Saved runs of `daypack eval run`: their results, the changes between two, and recall against the budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from daypack.errors import BadRun
from daypack.evaluate import Run, compare
from daypack.evaluate.compare import MISS_WORDS, Comparison
from daypack.evaluate.run_folder import RunFolder
from daypack.shapes.plain import pick
from daypack.shapes.wording import counted
from daypack.surfaces.web.figures.plots import Plot, plot
from daypack.types import Tokenizer

NEWEST = 100  # runs that are read


def read_facts(store: Path, parameters: Mapping[str, str]) -> dict[str, Any]:
    """`parameters` may name a `run`, and two to compare: `before` and `after`. Raises BadRun."""
    folder = RunFolder(store)
    runs, broken = _read(folder)
    facts: dict[str, Any] = {
        "runs": runs[::-1], "broken": broken, "given": {name: parameters.get(name, "") for name in ("run", "before", "after")},
        "curves": curves(runs),
    }  # fmt: skip
    named = {
        name: _one(folder, parameters[name]) for name in ("run", "before", "after") if parameters.get(name)
    }
    if "before" in named and "after" in named:
        comparison = compare(named["before"], named["after"])
        facts |= {"comparison": comparison, "changes": _changes(comparison)}
    if run := named.get("run"):
        facts |= {"run": run, "cases": [_case(run, number) for number in range(len(run.cases))]}
    return facts


def _read(folder: RunFolder) -> tuple[list[Run], list[str]]:
    """(runs, the oldest first; names of the unreadable files)."""
    runs, broken = [], []
    for name in folder.names()[-NEWEST:]:
        try:
            runs.append(folder.load(name))
        except BadRun as error:
            broken.append(str(error))
    return runs, broken


def _one(folder: RunFolder, name: str) -> Run:
    """A run of this store by its name. Paths are refused, because the name comes from a browser. Raises BadRun."""
    if name not in folder.names():
        raise BadRun(name, "is not saved; choose one from the list")
    return folder.load(name)


def curves(runs: Sequence[Run]) -> list[tuple[str, str, Plot]]:
    """(suite, unit of its budgets, curves), for suites that ran with at least two budgets: the share of the expected items in
    the packs, in [0, 1], by budget per case.

    Each line is a set of options; of several runs with one budget the newest counts. A changed suite is a suite of its own.
    """
    plots: list[tuple[str, str, Plot]] = []
    for suite, digest, tokenizer in dict.fromkeys(map(_budgeted, runs)):
        series: dict[str, dict[float, float]] = {}
        for run in runs:
            if _budgeted(run) == (suite, digest, tokenizer) and run.totals.pack.judged:
                way = f"{run.options.packing.value}, vectors {run.options.vectors.value}"
                series.setdefault(way, {})[run.totals.token_budget / len(run.cases)] = run.totals.pack_recall
        if len({budget for points in series.values() for budget in points}) > 1:
            lines = {way: sorted(points.items()) for way, points in series.items()}
            about = "; ".join(
                f"{way}: {', '.join(f'{y:.0%} at {x:,.0f} {tokenizer.unit}' for x, y in points)}"
                for way, points in lines.items()
            )
            title = (
                f"{suite} ({digest[:8]})" if (suite, tokenizer.unit) in [one[:2] for one in plots] else suite
            )
            drawn = plot(lines, top=1.0, about=about, across=lambda x: f"{x:,.0f}", up=lambda y: f"{y:.0%}")
            plots.append((title, tokenizer.unit, drawn))
    return plots


def _budgeted(run: Run) -> tuple[str, str, Tokenizer]:
    """Runs that agree in this have budgets that can be compared."""
    return run.suite, run.suite_digest, run.options.tokenizer


def _case(run: Run, number: int) -> dict[str, Any]:
    case = run.cases[number]
    missing = [
        pick(finding, "text=expected.text kind=expected.kind rank nearest")
        | {"why": MISS_WORDS[miss] if miss else ""}
        # the nearest name of lines past the end is the file itself
        | (
            {}
            if finding.lines is None
            else {"why": f"the file has {counted(finding.lines, 'line')}", "nearest": ""}
        )
        for finding in case.findings
        if not finding.found
        for miss in [finding.pack_miss if finding.packed is False else finding.retrieval_miss]
    ]
    question = {"q": case.query, "budget": case.token_budget} | {
        name: getattr(run.options, name).value for name in ("packing", "tokenizer", "vectors")
    }
    narrow = {
        name: values[0]
        for name, values in case.filters.items()
        if name in ("source", "kind") and isinstance(values, list) and len(values) == 1
    }
    same = narrow.keys() == case.filters.keys()  # the form of a question has no other filters
    return {"case": case, "missing": missing, "url": f"/why?{urlencode(question | narrow)}" if same else ""}


def _changes(comparison: Comparison) -> list[dict[str, Any]]:
    kinds = (
        ("worse", comparison.regressions),
        ("better", comparison.improvements),
        ("elsewhere", comparison.shifts),
    )
    return [
        {
            "kind": kind,
            "case": change.name,
            "expected": movement.expected.text,
            "stage": movement.stage.value,
            "reason": movement.reason,
        }
        for kind, changes in kinds
        for change in changes
        for movement in change.movements
    ]
