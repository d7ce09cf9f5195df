"""The page of the report, as Markdown and as HTML: its sentences, and where tables and plots stand."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from daypack.evaluate.report.html_parts import document
from daypack.evaluate.report.html_parts import table as html_table
from evals.quality.sets import SETS, known
from evals.quality.tables import (
    REFERENCE,
    Report,
    Run,
    Table,
    ablation_table,
    by_set,
    headline_table,
    interval_table,
    missed_table,
    pack_table,
    set_table,
)

FEW = 50  # queries below which a difference of one or two is said to be noise


INTRODUCTION = (
    "Questions with known evidence are answered by Daypack as it is installed and by peers in the same run. Means are over the questions "
    "that something answers, one that a system does not answer counts zero, brackets hold 95 % bootstrap intervals over questions, and * "
    f"marks a paired bootstrap difference to {REFERENCE} with p < .05. Tokens are ceil(characters / 4), of the pack as it is rendered.",
    "ER@B is the share of the evidence inside a pack of B tokens (documents, characters or files, as the set has it), Lines@B that of the "
    "lines that a fix changes, Acc@k whether all wanted files are among the first k. The sets are public and were looked at while constants "
    "were chosen: expect less on yours.",
    "Peers: bm25, bm25s and fts5 rank words; dense, rrf and hybrid put Daypack's own arms together otherwise; hash-prefix (OMGDB), "
    "blend-recency (Hive), porter-trigram (context-mode) and overlap-hash (Context Bucket) are packers of the field rebuilt from their published "
    "formulas, in detail in evals/quality/peers.py and evals/quality/formulas.py. (hash-prefix ranks whole documents: where there are three long ones, any ranking of "
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
    """Lines about the origin of each set."""
    have = by_set(report)
    rows = [
        f"{name}: {what.title}, {what.origin}{'' if name in have else ' (not in this report)'}"
        for name, what in SETS.items()
    ]
    return [*rows, *(f"{name}: a set of one's own" for name in have if name not in SETS)]


HOW = (
    "None of the sets is in this repository. Each is brought into the layout that evals/quality/datasets.py reads: corpus.jsonl(.xz), queries.jsonl "
    "and, where grades differ, qrels.tsv; sets of code name repositories and commits, whose trees are made from clones."
)

SPEED = (
    "`make bench` measures speed (speed.md). Four aims are missed: indexing prose reaches 3.5 of 4 MB a second, "
    "the median pack takes 16 ms instead of 10, a pack of memories with the ranking `auto` 26 ms instead of 25, and 200 candidates take more than 2 ms "
    "at every budget. For the last, decision 014 lists what was tried."
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

READING = (
    "Daypack runs with its defaults. The figures are means over the questions that have an answer, with 95 % bootstrap intervals. "
    "`auto` begins without vectors of the encoder. BM25 has English stems, no stop words and split identifiers, over pieces of "
    "256 tokens or 40 lines. For the trees of SWE-bench, vectors were made for the candidates of the questions, not for every chunk."
)


def markdown(report: Report) -> str:
    """The page that everybody reads: figures of each set, plots, and targets that are missed."""
    parts = [
        "# Evaluation",
        "",
        "Written by `make eval-report` from [evaluation.json](evaluation.json). [Results by set](results.md) has every measure and every peer; "
        "[index.html](index.html) shows all of it on one page. Speed has [its own page](speed.md).",
        "",
    ]
    for text in (*INTRODUCTION, _provenance(report)):
        parts += [text, ""]
    parts += ["## The figures", "", headline_table(report), READING, ""]
    for name, title, note in PLOTS:
        parts += [f"## {title}", "", f"![{title}]({name}.svg)", "", note, ""]
    if (missed := missed_table(report)) is not None:
        parts += ["## What is not reached", "", _md(missed), "", SPEED, ""]
    parts += ["## The sets", "", HOW, "", *(f"- {line}" for line in _absent(report)), ""]
    return "\n".join(parts)


def results_markdown(report: Report) -> str:
    """Every measure of every system, a section for each set."""
    parts = [
        "# Results by set",
        "",
        "Written by `make eval-report` from [evaluation.json](evaluation.json). [Evaluation](index.md) says how to read the tables.",
        "",
    ]
    for name, runs in by_set(report).items():
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
    return "\n".join(parts)


def _md(table: Table) -> str:
    head, rows = table
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))


# ---------------------------------------------------------------- HTML


def page(report: Report, drawn: Mapping[str, str]) -> str:
    """The whole report as one HTML page with its styles and plots inside."""
    sets, missed = by_set(report), missed_table(report)
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
