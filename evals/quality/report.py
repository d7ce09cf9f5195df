"""The report: what was measured, as JSON, Markdown, SVG and one HTML page that needs nothing else.

evaluation.json    summaries of every run, and paired differences to Daypack: what everything else is drawn from
index.md           headline figures and plots
results.md         the tables of every set
index.html         the same on one self-contained page
*.svg              the plots of index.md
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evals.quality.pages import markdown, page, results_markdown
from evals.quality.results import read_lines, scores
from evals.quality.sets import SETS, known
from evals.quality.statistics import differences
from evals.quality.tables import ABLATED, FLOOR, REFERENCE, USUAL, Report, by_set, run_of

DRAWN = (
    "daypack-all",
    USUAL,
    "daypack-none",
    "hybrid-all",
    "bm25",
    "fts5",
    "overlap-hash",
    "blend-recency-all",
)


def collected(results: Path) -> dict[str, Any]:
    """The summaries of a folder that runs were kept in, with the difference of each system to the reference,
    measure by measure.
    """
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(results.glob("*/*.json"))]
    for run in runs:
        reference = results / run["set"] / f"{REFERENCE}.jsonl"
        lines = results / run["set"] / f"{run['system']}.jsonl"
        run["difference"] = {}
        if run["system"] != REFERENCE and reference.exists() and lines.exists():
            found = differences(scores(read_lines(lines)), scores(read_lines(reference)))
            run["difference"] = {
                name: {
                    **{part: round(getattr(d.estimate, part), 4) for part in ("mean", "low", "high")},
                    "p": round(d.p, 3),
                }
                for name, d in found.items()
            }
    order = list(SETS)
    runs.sort(
        key=lambda run: (
            order.index(run["set"]) if run["set"] in order else len(order),
            run["set"],
            _rank(run["system"]),
        )
    )
    return {"reference": REFERENCE, "runs": runs}


def _rank(system: str) -> tuple[int, str]:
    """Sort key of a system in tables: Daypack, its ablations last, peers between."""
    if system.startswith(ABLATED):
        return 3, system
    return (
        0 if system.startswith("daypack") else 1 if system in (FLOOR, "skip-all", "prefix-all") else 2
    ), system


def write_report(results: Path | None, out: Path) -> list[Path]:
    """Write the page to `out`, from the results of runs or, without, anew from its JSON; the paths of what
    was written.
    """
    from evals.quality import plots

    out.mkdir(parents=True, exist_ok=True)
    data = out / "evaluation.json"
    if results is not None:
        data.write_text(_dumped(collected(results)), encoding="utf-8")
    if not data.exists():
        raise SystemExit(
            f"{data} is not there; `python -m evals report DIR` makes it from the results of runs"
        )
    report = json.loads(data.read_text(encoding="utf-8"))
    drawn = {
        "recall": plots.curves(
            _recall_panels(report),
            DRAWN,
            banded=(REFERENCE, FLOOR),
            label="share of the evidence in the pack",
        ),
        "categories": plots.category_bars(
            _category_panels(report), DRAWN, label="share of the evidence in a pack of 1,000 tokens"
        ),
        "latency": plots.latency(_latencies(report), label="CPU ms a question, median"),
    }
    for name, svg in drawn.items():
        # On its own a file has no text around it; the middle grey reads on light and on dark.
        (out / f"{name}.svg").write_text(svg.replace('style="', 'style="color:#777;', 1), encoding="utf-8")
    (out / "index.md").write_text(markdown(report), encoding="utf-8")
    (out / "results.md").write_text(results_markdown(report), encoding="utf-8")
    (out / "index.html").write_text(page(report, drawn), encoding="utf-8")
    return [
        data,
        out / "index.md",
        out / "results.md",
        out / "index.html",
        *(out / f"{name}.svg" for name in drawn),
    ]


def _dumped(report: Report) -> str:
    """JSON with a line a run, so that a diff shows which runs are new."""
    runs = ",\n".join(json.dumps(run) for run in report["runs"])
    return f'{{"reference": {json.dumps(report["reference"])}, "runs": [\n{runs}\n]}}\n'


# ---------------------------------------------------------------- plots


def _recall_panels(report: Report) -> list[Any]:
    from evals.quality.plots import Curve, Panel

    panels = []
    for name, runs in by_set(report).items():
        curves = []
        for system in DRAWN:
            run = run_of(runs, system)
            wanted = "Lines@" if run and any(m.startswith("Lines@") for m in run["measures"]) else "ER@"
            points = {
                int(m.removeprefix(wanted)): (e["mean"], e["low"], e["high"])
                for m, e in (run["measures"] if run else {}).items()
                if m.startswith(wanted)
            }
            if len(points) > 1:
                curves.append(Curve(system, points))
        if curves:
            panels.append(Panel(known(name).title, curves))
    return panels


def _category_panels(report: Report) -> list[Any]:
    from evals.quality.plots import Panel

    panels = []
    for name, runs in by_set(report).items():
        bars: dict[str, dict[str, tuple[float, float, float]]] = {}
        for system in (REFERENCE, "daypack-none", FLOOR):
            run = run_of(runs, system)
            for category, found in (run["categories"] if run else {}).items():
                if (e := found["measures"].get("ER@1000")) is not None:
                    bars.setdefault(system, {})[f"{category} ({found['scored']})"] = (
                        e["mean"],
                        e["low"],
                        e["high"],
                    )
        if bars:
            panels.append(Panel(known(name).title, bars=bars))
    return panels


def _latencies(report: Report) -> dict[str, dict[str, tuple[int, float]]]:
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for name, runs in by_set(report).items():
        for system, step, label in (
            (REFERENCE, "1000", "daypack-all, pack of 1,000"),
            (REFERENCE, "search", "daypack-all, search"),
            ("daypack-none", "1000", "daypack-none, pack of 1,000"),
            ("daypack-none", "search", "daypack-none, search"),
        ):
            run = run_of(runs, system)
            if run and run["size"] and step in run["ms"]:
                found.setdefault(label, {})[known(name).title.split(",")[0]] = (
                    run["size"],
                    run["ms"][step]["p50"],
                )
    return found
