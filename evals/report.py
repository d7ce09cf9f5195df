"""The report: what was measured, as JSON, Markdown, SVG and one HTML page that needs nothing else.

evaluation.json    summaries of every run, and paired differences to Daypack: what everything else is drawn from
index.md           tables and plots
index.html         the same on one self-contained page
*.svg              the plots of index.md
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from daypack.evaluate.html_parts import document
from daypack.evaluate.html_parts import table as html_table
from evals.results import read_lines, scores
from evals.sets import SETS, known
from evals.statistics import differences

REFERENCE = "daypack-all"  # what the others are compared with
FLOOR = "bm25"
DRAWN = (
    "daypack-all",
    "daypack-lazy",
    "daypack-none",
    "hybrid-all",
    "bm25",
    "fts5",
    "overlap-hash",
    "blend-recency-all",
)
ABLATED = f"{REFERENCE}-no-"
FEW = 50  # queries below which a difference of one or two is said to be noise

Run = Mapping[str, Any]
Report = Mapping[str, Any]


# ---------------------------------------------------------------- what was measured


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
    """Where a system stands in tables: Daypack, its ablations last, peers between."""
    if system.startswith(ABLATED):
        return 3, system
    return (
        0 if system.startswith("daypack") else 1 if system in (FLOOR, "skip-all", "prefix-all") else 2
    ), system


def write_report(results: Path | None, out: Path) -> list[Path]:
    """Write the page to `out`, from the results of runs or, without, anew from its JSON; the paths of what
    was written.
    """
    from evals import plots

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
    (out / "index.html").write_text(page(report, drawn), encoding="utf-8")
    return [data, out / "index.md", out / "index.html", *(out / f"{name}.svg" for name in drawn)]


def _dumped(report: Report) -> str:
    """JSON with a line a run, so that a diff shows which runs are new."""
    runs = ",\n".join(json.dumps(run) for run in report["runs"])
    return f'{{"reference": {json.dumps(report["reference"])}, "runs": [\n{runs}\n]}}\n'


def _sets(report: Report) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run in report["runs"]:
        found.setdefault(run["set"], []).append(run)
    return found


def _run(runs: Iterable[Run], system: str) -> Run | None:
    return next((run for run in runs if run["system"] == system), None)


# ---------------------------------------------------------------- plots


def _recall_panels(report: Report) -> list[Any]:
    from evals.plots import Curve, Panel

    panels = []
    for name, runs in _sets(report).items():
        curves = []
        for system in DRAWN:
            run = _run(runs, system)
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
    from evals.plots import Panel

    panels = []
    for name, runs in _sets(report).items():
        bars: dict[str, dict[str, tuple[float, float, float]]] = {}
        for system in (REFERENCE, "daypack-none", FLOOR):
            run = _run(runs, system)
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
    for name, runs in _sets(report).items():
        for system, step, label in (
            (REFERENCE, "1000", "daypack-all, pack of 1,000"),
            (REFERENCE, "search", "daypack-all, search"),
            ("daypack-none", "1000", "daypack-none, pack of 1,000"),
            ("daypack-none", "search", "daypack-none, search"),
        ):
            run = _run(runs, system)
            if run and run["size"] and step in run["ms"]:
                found.setdefault(label, {})[known(name).title.split(",")[0]] = (
                    run["size"],
                    run["ms"][step]["p50"],
                )
    return found


# ---------------------------------------------------------------- tables

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""A head and rows."""


def shown_measures(runs: Sequence[Run]) -> list[str]:
    """The measures that a table of a set has, in their order."""
    names = list(dict.fromkeys(name for run in runs for name in run["measures"]))
    return [name for name in names if not name.startswith(("R@100", "Fill@", "Over@", "Cites@"))]


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
    reference = _run(runs, REFERENCE)
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
    for name, runs in _sets(report).items():
        reference, what = _run(runs, REFERENCE), known(name)
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
    """Whether packs of Daypack keep their promises: budgets and citations."""
    rows = []
    for name, runs in _sets(report).items():
        run = _run(runs, REFERENCE) or _run(runs, "daypack-none")
        if run is None or not any(m.startswith("Fill@") for m in run["measures"]):
            continue
        over = [e["mean"] for m, e in run["measures"].items() if m.startswith("Over@")]
        cites = [e["mean"] for m, e in run["measures"].items() if m.startswith("Cites@")]
        fill = {
            m.removeprefix("Fill@"): e["mean"] for m, e in run["measures"].items() if m.startswith("Fill@")
        }
        rows.append(
            [
                known(name).title,
                run["system"],
                " / ".join(f"{value:.0%}" for value in fill.values()),
                f"{max(over):.1%}",
                f"{min(cites):.1%}",
            ]
        )
    return [
        "set",
        "system",
        "budget used, smallest to largest",
        "packs over budget",
        "citations that resolve",
    ], rows


def ablation_table(report: Report) -> Table | None:
    """Signals by sets: what the first headline measure loses or gains when a signal is left out; None where
    nothing was.
    """
    sets = {
        name: [run for run in runs if run["system"].startswith(ABLATED)]
        for name, runs in _sets(report).items()
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
            run = _run(runs, ABLATED + signal)
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


def readme_table(report: Report) -> str:
    """The README's table: headline measures of Daypack in its three modes beside the floor, with intervals; –
    was not run.
    """
    lines = [
        "| set | measure | plain BM25 | `--vectors none` | `lazy` | `all` |",
        "|---|---|---|---|---|---|",
    ]
    for name, runs in _sets(report).items():
        if not any(run["system"].startswith("daypack") for run in runs):
            continue
        for number, measure in enumerate(known(name).headline):
            cells = []
            for system in (FLOOR, "daypack-none", "daypack-lazy", REFERENCE):
                run = _run(runs, system)
                e = run["measures"].get(measure) if run else None
                cells.append("–" if e is None else f"{e['mean']:.3f} [{e['low']:.3f}, {e['high']:.3f}]")
            scored = max(run["scored"] for run in runs)
            title = f"{known(name).title} ({scored:,} questions)" if not number else ""
            lines.append(f"| {title} | {measure} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- words

INTRODUCTION = (
    "Questions with known evidence are answered by Daypack as it is installed and by peers in the same run. Means are over the questions "
    "that something answers, one that a system does not answer counts zero, brackets hold 95 % bootstrap intervals over questions, and * "
    f"marks a paired bootstrap difference to {REFERENCE} with p < .05. Tokens are ceil(characters / 4), of the pack as it is rendered.",
    "ER@B is the share of the evidence inside a pack of B tokens (documents, characters or files, as the set has it), Lines@B that of the "
    "lines that a fix changes, Acc@k whether all wanted files are among the first k. The sets are public and were looked at while constants "
    "were chosen: expect less on yours.",
    "Peers: bm25, bm25s and fts5 rank words; dense, rrf and hybrid put Daypack's own arms together otherwise; hash-prefix (OMGDB), "
    "blend-recency (Hive), porter-trigram (context-mode) and overlap-hash (Context Bucket) are packers of the field rebuilt from their published "
    "formulas, in detail in evals/peers.py and evals/formulas.py. (hash-prefix ranks whole documents: where there are three long ones, any ranking of "
    "it finds everything, and no pack holds it.) semble is not among them: it needs a model from a hub.",
)


def _provenance(report: Report) -> str:
    made = [run["made_with"] for run in report["runs"]]
    commits = ", ".join(sorted({m["commit"] or "unknown" for m in made}))
    pythons = ", ".join(sorted({m["python"] for m in made}))
    machines = ", ".join(
        sorted(
            {
                f"{m['machine']['system']} {m['machine']['architecture']}, {m['machine']['cpus']} CPUs"
                for m in made
            }
        )
    )
    packages: dict[str, set[str]] = {}
    for m in made:
        for name, version in m["packages"].items():
            packages.setdefault(name, set()).add(version)
    versions = ", ".join(f"{name} {'/'.join(sorted(found))}" for name, found in packages.items())
    return f"Commit {commits} (+: with changes); Python {pythons}; {machines}; {versions}."


def _note(name: str, runs: Sequence[Run]) -> str:
    what, scored = known(name), max(run["scored"] for run in runs)
    task = f"{what.task[:1].upper()}{what.task[1:]}. " if what.task else ""
    few = f" With {scored} questions a difference of one or two is noise." if scored < FEW else ""
    return f"{task}{scored:,} of {runs[0]['queries']:,} questions have an answer; sha256 of the set {runs[0]['digest'][:12]}.{few}"


def _absent(report: Report) -> list[str]:
    """How to get each set."""
    have = _sets(report)
    rows = [
        f"{name}: {what.title}, {what.origin}{'' if name in have else ' (not in this report)'}"
        for name, what in SETS.items()
    ]
    return [*rows, *(f"{name}: a set of one's own" for name in have if name not in SETS)]


HOW = (
    "None of the sets is in this repository. Each is brought into the layout that evals/datasets.py reads: corpus.jsonl(.xz), queries.jsonl "
    "and, where grades differ, qrels.tsv; sets of code name repositories and commits, whose trees are made from clones."
)

SPEED = (
    "What Daypack costs in time is measured by `make bench` and stands in the README. There one aim is not reached: 200 candidates into a pack "
    "take more than 2 ms at every budget; what was tried is decision 014."
)

PLOTS = (
    (
        "recall",
        "Recall of evidence against the budget",
        "Bands are 95 % intervals. For SWE-bench the lines that the fix changes, elsewhere ER.",
    ),
    (
        "categories",
        "By category",
        "How many questions a category has stands behind its name; whiskers are 95 % intervals.",
    ),
    (
        "latency",
        "Latency against size",
        "CPU time of one process on one thread, warm, the question's vector included.",
    ),
)


# ---------------------------------------------------------------- Markdown


def markdown(report: Report) -> str:
    parts = [
        "# Evaluation",
        "",
        "Written by `make eval-report` from [evaluation.json](evaluation.json); [index.html](index.html) is the same as one page.",
        "",
    ]
    for text in (*INTRODUCTION, _provenance(report)):
        parts += [text, ""]
    for name, title, note in PLOTS:
        parts += [f"## {title}", "", f"![{title}]({name}.svg)", "", note, ""]
    if (missed := missed_table(report)) is not None:
        parts += ["## What is not reached", "", _md(missed), "", SPEED, ""]
    for name, runs in _sets(report).items():
        parts += [
            f"## {known(name).title}",
            "",
            _note(name, runs),
            "",
            _md(set_table(runs, known(name).targets)),
            "",
            _md(interval_table(runs, known(name).headline)),
            "",
        ]
    for title, table in (
        ("What each signal is worth", ablation_table(report)),
        ("Budgets and citations", pack_table(report)),
    ):
        if table is not None:
            parts += [f"## {title}", "", _md(table), ""]
    parts += ["## The sets", "", HOW, "", *(f"- {line}" for line in _absent(report)), ""]
    return "\n".join(parts)


def _md(table: Table) -> str:
    head, rows = table
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))


# ---------------------------------------------------------------- HTML


def page(report: Report, drawn: Mapping[str, str]) -> str:
    """The whole report as one HTML page with its styles and plots inside."""
    sets, missed = _sets(report), missed_table(report)
    links = [
        *((name, title) for name, title, _ in PLOTS),
        *([("missed", "What is not reached")] if missed is not None else []),
        *((name, known(name).title) for name in sets),
        ("signals", "Signals"),
        ("promises", "Budgets"),
        ("sets", "The sets"),
    ]
    body = [
        "<h1>Evaluation</h1>",
        *(f"<p>{html.escape(text)}</p>" for text in INTRODUCTION),
        f'<p class="quiet">{html.escape(_provenance(report))}</p>',
    ]
    body.append(
        "<nav>" + " ".join(f'<a href="#{name}">{html.escape(title)}</a>' for name, title in links) + "</nav>"
    )
    for name, title, note in PLOTS:
        body.append(
            f'<h2 id="{name}">{html.escape(title)}</h2><div class="card">{drawn[name]}</div><p class="quiet">{html.escape(note)}</p>'
        )
    if missed is not None:
        body += [
            '<h2 id="missed">What is not reached</h2>',
            _html(missed),
            f'<p class="quiet">{html.escape(SPEED)}</p>',
        ]
    for name, runs in sets.items():
        what = known(name)
        body += [
            f'<h2 id="{name}">{html.escape(what.title)}</h2>',
            f'<p class="quiet">{html.escape(_note(name, runs))}</p>',
            _html(set_table(runs, what.targets), best=True),
            f"<details><summary>intervals, and paired differences to {REFERENCE}</summary>{_html(interval_table(runs, what.headline))}</details>",
        ]
    ablation = ablation_table(report)
    if ablation is not None:
        note = "Change of a measure when a signal is left out: below zero, the signal pays; * p < .05, paired bootstrap."
        body += [
            '<h2 id="signals">What each signal is worth</h2>',
            f'<p class="quiet">{note}</p>',
            _html(ablation),
        ]
    body += ['<h2 id="promises">Budgets and citations</h2>', _html(pack_table(report))]
    body += [
        '<h2 id="sets">The sets</h2>',
        f"<p>{html.escape(HOW)}</p>",
        "<ul>",
        *(f"<li>{html.escape(line)}</li>" for line in _absent(report)),
        "</ul>",
    ]
    return document("Daypack, evaluation", body, made_by="python -m evals report")


def _html(table: Table, *, best: bool = False) -> str:
    head, rows = table
    tops = _best(rows) if best else [None] * len(head)
    return "\n".join(html_table([html.escape(cell) for cell in head], (_cells(row, tops) for row in rows)))


def _cells(row: Sequence[str], tops: Sequence[str | None]) -> list[str]:
    """A row's cells as HTML: ours bold, what was aimed at slanted, the highest of a column coloured."""
    kind = "em" if _is_aim(row) else "strong" if row[0] == REFERENCE else "span"
    found = []
    for cell, top in zip(row, tops, strict=True):
        highest = top is not None and not _is_aim(row) and cell.rstrip("*") == top
        found.append(f"<{kind}{' class=best' if highest else ''}>{html.escape(cell)}</{kind}>")
    return found


def _is_aim(row: Sequence[str]) -> bool:
    return row[0] == "aimed at" or row[0].endswith("− aim")


def _best(rows: Sequence[Sequence[str]]) -> list[str | None]:
    """The highest figure of each column, as written."""
    found: list[str | None] = [None]
    measured = [row for row in rows if not _is_aim(row)]
    for column in list(zip(*measured, strict=True))[1:]:
        figures = [cell.rstrip("*") for cell in column if cell]
        found.append(max(figures, default=None))
    return found
