"""The tables of the report: systems by measures, intervals, budgets and citations, signals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evals.quality.sets import known

REFERENCE = "daypack-all"  # what the others are compared with
USUAL = "daypack-auto"  # Daypack with its defaults
FLOOR = "bm25"
ABLATED = f"{REFERENCE}-no-"
Run = Mapping[str, Any]
Report = Mapping[str, Any]


def by_set(report: Report) -> dict[str, list[Run]]:
    """The runs of a report by the name of their set, in its order."""
    found: dict[str, list[Run]] = {}
    for run in report["runs"]:
        found.setdefault(run["set"], []).append(run)
    return found


def run_of(runs: Iterable[Run], system: str) -> Run | None:
    """The run of a system; None when there is none."""
    return next((run for run in runs if run["system"] == system), None)


OF_PACKS = ("Fill@", "Over@", "Cites@", "Frame@", "Content@")  # promises of packs, in a table of their own

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""A head and rows."""


def shown_measures(runs: Sequence[Run]) -> list[str]:
    """The measures that a table of a set has, in their order."""
    names = list(dict.fromkeys(name for run in runs for name in run["measures"]))
    return [name for name in names if not name.startswith(("R@100", *OF_PACKS))]


def set_table(runs: Sequence[Run], targets: Mapping[str, float]) -> Table:
    """Systems of a set by measures; * where Daypack differs with p < .05.

    The last rows: what was aimed at, and what is missing.
    """
    names = shown_measures(runs)
    rows = []
    for run in runs:
        if run["system"].startswith(ABLATED):
            continue
        cells = []
        for name in names:
            e, d = run["measures"].get(name), run["difference"].get(name)
            cells.append("" if e is None else f"{e['mean']:.3f}" + ("*" if d and d["p"] < 0.05 else ""))
        rows.append([run["system"], *cells])
    reference = run_of(runs, REFERENCE)
    if targets and reference is not None:
        rows.append(["aimed at", *(f"{targets[name]:.2f}" if name in targets else "" for name in names)])
        reached = {
            name: reference["measures"][name]["mean"] - goal
            for name, goal in targets.items()
            if name in reference["measures"]
        }
        rows.append(
            [f"{REFERENCE} − aim", *(f"{reached[name]:+.3f}" if name in reached else "" for name in names)]
        )
    return ["system", *names], rows


def missed_table(report: Report) -> Table | None:
    """Every target that is not reached, by how much, and what was tried; None where all are."""
    rows = []
    for name, runs in by_set(report).items():
        reference, what = run_of(runs, REFERENCE), known(name)
        for measure, goal in what.targets.items():
            e = reference["measures"].get(measure) if reference is not None else None
            if e is not None and e["mean"] < goal:
                rows.append(
                    [
                        what.title,
                        measure,
                        f"{goal:g}",
                        f"{e['mean']:.4f} [{e['low']:.3f}, {e['high']:.3f}]",
                        f"{goal - e['mean']:.4f}",
                        what.tried,
                    ]
                )
    return (["set", "measure", "aimed at", "reached", "short by", "tried"], rows) if rows else None


def interval_table(runs: Sequence[Run], headline: Sequence[str]) -> Table:
    """Headline measures with their intervals, and the paired difference of the other systems to Daypack."""
    rows = []
    for run in runs:
        if run["system"].startswith(ABLATED):
            continue
        row = [run["system"]]
        for name in headline:
            e, d = run["measures"].get(name), run["difference"].get(name)
            row.append("" if e is None else f"{e['mean']:.3f} [{e['low']:.3f}, {e['high']:.3f}]")
            row.append("" if d is None else f"{d['mean']:+.3f} [{d['low']:+.3f}, {d['high']:+.3f}]")
        rows.append(row)
    return ["system", *(cell for name in headline for cell in (name, f"{name} − {REFERENCE}"))], rows


def pack_table(report: Report) -> Table:
    """Promises of packs of Daypack, kept or not: budgets, citations, and little beside the texts where that was
    measured.
    """
    head = [
        "set",
        "system",
        "budget used, smallest to largest",
        "packs over budget",
        "citations that resolve",
    ]
    rows, frames = [], []
    for name, runs in by_set(report).items():
        run = run_of(runs, REFERENCE) or run_of(runs, "daypack-none")
        if run is None or not any(m.startswith("Fill@") for m in run["measures"]):
            continue
        fill, over, cites, frame, content = (
            [e["mean"] for m, e in run["measures"].items() if m.startswith(prefix)] for prefix in OF_PACKS
        )
        rows.append(
            [
                known(name).title,
                run["system"],
                " / ".join(f"{value:.0%}" for value in fill),
                f"{max(over):.1%}",
                f"{min(cites):.1%}",
            ]
        )
        frames.append(
            [" / ".join(f"{value:.1f}" for value in frame), " / ".join(f"{value:.0%}" for value in content)]
        )
    if any(map(any, frames)):
        head += ["frame tokens an item", "content share"]
        rows = [[*row, *more] for row, more in zip(rows, frames, strict=True)]
    return head, rows


def ablation_table(report: Report) -> Table | None:
    """Signals by sets: what the first headline measure loses or gains when a signal is left out; None where
    nothing was.
    """
    sets = {
        name: [run for run in runs if run["system"].startswith(ABLATED)]
        for name, runs in by_set(report).items()
    }
    sets = {name: runs for name, runs in sets.items() if runs}
    signals = list(
        dict.fromkeys(run["system"].removeprefix(ABLATED) for runs in sets.values() for run in runs)
    )
    if not signals:
        return None
    rows = []
    for signal in signals:
        row = [signal.replace("-no-", " + ")]
        for name, runs in sets.items():
            run = run_of(runs, ABLATED + signal)
            for measure in known(name).headline:
                d = run["difference"].get(measure) if run else None
                row.append(
                    ""
                    if d is None
                    else "0"
                    if not d["low"] and not d["high"]
                    else f"{d['mean']:+.3f}" + ("*" if d["p"] < 0.05 else "")
                )
        rows.append(row)
    return [
        "left out",
        *(f"{known(name).title}, {measure}" for name in sets for measure in known(name).headline),
    ], rows


def headline_table(report: Report) -> str:
    """Headline measures of Daypack in its three modes beside the floor, with intervals; –
    was not run.
    """
    lines = [
        f"| set | measure | plain BM25 | `--vectors none` | `{USUAL.removeprefix('daypack-')}` | `all` |",
        "|---|---|---|---|---|---|",
    ]
    for name, runs in by_set(report).items():
        if not any(run["system"].startswith("daypack") for run in runs):
            continue
        for number, measure in enumerate(known(name).headline):
            cells = []
            for system in (FLOOR, "daypack-none", USUAL, REFERENCE):
                run = run_of(runs, system)
                e = run["measures"].get(measure) if run else None
                cells.append("–" if e is None else f"{e['mean']:.3f} [{e['low']:.3f}, {e['high']:.3f}]")
            scored = max(run["scored"] for run in runs)
            title = f"{known(name).title} ({scored:,} questions)" if not number else ""
            lines.append(f"| {title} | {measure} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
