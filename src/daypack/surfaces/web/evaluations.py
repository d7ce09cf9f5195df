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
from daypack.surfaces.web.figures.plots import Plot, plot

NEWEST = 100  # runs that are read


def read_facts(store: Path, parameters: Mapping[str, str]) -> dict[str, Any]:
    """`parameters` may name a `run`, and two to compare: `before` and `after`. Raises BadRun."""
    folder = RunFolder(store)
    runs, broken = _read(folder)
    facts: dict[str, Any] = {
        "runs": runs[::-1], "broken": broken, "given": {name: parameters.get(name, "") for name in ("run", "before", "after")},
        "curves": [(suite, curve) for suite, curve in curves(runs).items()],
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


def curves(runs: Sequence[Run]) -> dict[str, Plot]:
    """Suite → its curves, for suites that ran with at least two budgets: the share of the expected items in the packs, in
    [0, 1], by tokens per case.

    Each line is a set of options; of several runs with one budget the newest counts. A changed suite is a suite of its own.
    """
    plots: dict[str, Plot] = {}
    for suite, digest in dict.fromkeys((run.suite, run.suite_digest) for run in runs):
        series: dict[str, dict[float, float]] = {}
        for run in runs:
            if (run.suite, run.suite_digest) == (suite, digest) and run.cases and run.totals.pack.judged:
                way = f"{run.options.packing.value}, vectors {run.options.vectors.value}"
                series.setdefault(way, {})[run.totals.token_budget / len(run.cases)] = run.totals.pack_recall
        if len({budget for points in series.values() for budget in points}) > 1:
            lines = {way: sorted(points.items()) for way, points in series.items()}
            about = "; ".join(
                f"{way}: {', '.join(f'{y:.0%} at {x:,.0f} tokens' for x, y in points)}"
                for way, points in lines.items()
            )
            plots[suite if suite not in plots else f"{suite} ({digest[:8]})"] = plot(
                lines, top=1.0, about=about, across=lambda x: f"{x:,.0f}", up=lambda y: f"{y:.0%}"
            )
    return plots


def _case(run: Run, number: int) -> dict[str, Any]:
    case = run.cases[number]
    missing = [
        pick(finding, "text=expected.text kind=expected.kind rank nearest")
        | {"why": MISS_WORDS[miss] if miss else ""}
        for finding in case.findings
        if not finding.found
        for miss in [finding.pack_miss if finding.packed is False else finding.retrieval_miss]
    ]
    ranks = [finding.rank for finding in case.findings if finding.rank is not None]
    return {
        "case": case,
        "missing": missing,
        "rank": min(ranks, default=None),
        "url": f"/why?{urlencode({'q': case.query, 'budget': case.token_budget, 'packing': run.options.packing.value})}",
    }


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
