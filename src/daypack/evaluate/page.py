"""Runs as one HTML page: no script, no font and no picture from elsewhere, so that it can be mailed and kept.

    one run      its rates with their intervals, where the first expected thing stood, every case
    several      the rates side by side, and what the last one finds worse and better than the first

Light or dark as the reader's system is. On a narrow screen each row of the table becomes a card. Everything that comes from a
suite or a store is escaped: dangerous characters first, then HTML.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from daypack.evaluate.compare import CaseChange, Comparison, compare
from daypack.evaluate.judge import CaseResult
from daypack.evaluate.measures import mean
from daypack.evaluate.runs import Rate, Run
from daypack.evaluate.text import expected_text, missing_text, percent
from daypack.guard.fences import one_line

_BINS = ((1, 1, "1"), (2, 3, "2–3"), (4, 10, "4–10"), (11, 50, "11–50"), (51, 1_000_000, "51+"))

_STYLE = """
:root { color-scheme: light dark; --ground: #fbfaf7; --card: #fff; --ink: #1d2126; --quiet: #5c6670; --line: #dfdcd4; --good: #1f6f4a; --bad: #b3361f;
  --bar: #31668f; --track: #e9e6de; --goodback: #e3f1e8; --badback: #f9e6e1; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --card: #1c2125; --ink: #e7e9ea; --quiet: #9aa5ae; --line: #323a41; --good: #6cc795;
  --bad: #f08d75; --bar: #6ea8d6; --track: #2b3238; --goodback: #1d3329; --badback: #3b2521; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p { margin: .25rem 0; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; } .quiet, th, dt { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem; margin-top: 1.25rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; }
.card strong { display: block; font-size: 1.9rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; margin: .35rem 0; } .track { fill: var(--track); } .bar { fill: var(--bar); }
.whisker { stroke: var(--ink); stroke-width: 2; } svg text { fill: var(--quiet); font: 14px system-ui, sans-serif; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .7rem; border-top: 1px solid var(--line); } thead th { border-top: 0; font-weight: 500; }
td.number, th.number { text-align: right; white-space: nowrap; } td p { margin: 0; } .name { font-weight: 600; }
.mark { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .9rem; } .mark.good { background: var(--goodback); } .mark.bad { background: var(--badback); }
ul { margin: .25rem 0 .75rem; padding-left: 1.2rem; } dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; } dd { margin: 0; }
@media (max-width: 700px) {
  table.cases thead { position: absolute; left: -9999px; }
  table.cases, table.cases tbody, table.cases tr, table.cases td { display: block; width: 100%; } table.cases { border: 0; background: none; }
  table.cases tr { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .6rem; padding: .4rem 0; }
  table.cases td, table.cases td.number { border: 0; padding: .15rem .9rem; text-align: left; white-space: normal; }
  table.cases td[data-label]:not(:empty)::before { content: attr(data-label) " "; color: var(--quiet); }
  table.cases td:empty { display: none; }
  table.small, table.small thead, table.small tbody { display: block; } table.small tr { display: flex; flex-wrap: wrap; border-top: 1px solid var(--line); }
  table.small thead tr { border-top: 0; } table.small th, table.small td { flex: 1 1 0; border: 0; padding: .3rem .5rem; white-space: normal; }
  table.small th:first-child, table.small td:first-child { flex-basis: 100%; font-weight: 600; padding-bottom: 0; }
}
@media print { body { background: none; } }
"""


def page(runs: Sequence[Run]) -> str:
    """The page of one run or more, of which the last is shown case by case. `runs` must not be empty."""
    last = runs[-1]
    title = f"{_e(last.suite)}: how good the answers are"
    body = [
        f"<h1>{title}</h1>",
        f'<p class="quiet">{_plural(len(last.cases), "case")}, run {_e(last.id)}, {_when(last.created)}</p>',
        *_cards(last),
        *(_side_by_side(runs) if len(runs) > 1 else ()),
        *_ranks(last),
        *_categories(last),
        *_cases(last.cases),
        *_conditions(last),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="daypack eval">\n<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n'
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _e(text: str, limit: int = 400) -> str:
    """Text of a suite or a store, inert."""
    return html.escape(one_line(text, limit))


def _plural(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _when(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M UTC")


# ---------------------------------------------------------------- parts


def _cards(run: Run) -> Iterator[str]:
    sums = run.totals
    yield '<div class="cards">'
    for name, rate, more in (
        ("found by search", sums.retrieval, f"RR {sums.reciprocal_rank:.3f}, R@{run.options.limit} {sums.recall:.3f}"),
        ("in the pack", sums.pack, f"{percent(sums.pack_recall)} of what was expected"),
    ):
        if rate.judged:
            yield (
                f'<div class="card"><span class="quiet">{name}</span><strong>{percent(rate.value)}</strong>{_rate_bar(rate)}'
                f"<p>{rate.hits:,} of {_plural(rate.judged, 'case')}; {more}</p></div>"
            )
        else:
            yield f'<div class="card"><span class="quiet">{name}</span><strong>–</strong><p>no case expects anything there</p></div>'
    share = percent(sums.tokens_used / sums.token_budget) if sums.token_budget else "–"
    seconds = sorted(case.seconds for case in run.cases)
    yield (
        f'<div class="card"><span class="quiet">of the budgets used</span><strong>{share}</strong>{_plain_bar(sums.tokens_used, sums.token_budget)}'
        f"<p>{sums.tokens_used:,} of {sums.token_budget:,} {_e(run.options.tokenizer.value)} tokens; "
        f"{1000 * seconds[len(seconds) // 2]:,.0f} ms a case, the slowest {1000 * seconds[-1]:,.0f} ms</p></div>"
    )
    yield "</div>"


def _rate_bar(rate: Rate) -> str:
    """A bar of the rate, and a line for its 95 % interval."""
    low, high = rate.interval
    label = f"{percent(rate.value)}, 95 % interval {percent(low)} to {percent(high)}"
    return (
        f'<svg viewBox="0 0 300 16" role="img" aria-label="{label}"><title>{label}</title><rect class="track" y="3" width="300" height="10" rx="3"/>'
        f'<rect class="bar" y="3" width="{300 * rate.value:.1f}" height="10" rx="3"/>'
        f'<path class="whisker" fill="none" d="M{1 + 298 * low:.1f} 1V15M{1 + 298 * low:.1f} 8H{1 + 298 * high:.1f}M{1 + 298 * high:.1f} 1V15"/></svg>'
    )


def _plain_bar(part: int, whole: int) -> str:
    width = 300 * min(1.0, part / whole) if whole else 0.0
    return (
        '<svg viewBox="0 0 300 16" aria-hidden="true"><rect class="track" y="3" width="300" height="10" rx="3"/>'
        f'<rect class="bar" y="3" width="{width:.1f}" height="10" rx="3"/></svg>'
    )


def _ranks(run: Run) -> Iterator[str]:
    judged = [case for case in run.cases if case.retrieved is not None]
    if not judged:
        return
    counts = [(label, sum(case.first_rank is not None and low <= case.first_rank <= high for case in judged)) for low, high, label in _BINS]
    counts.append(("none", sum(case.first_rank is None for case in judged)))
    most = max(count for _, count in counts)
    yield "<h2>Rank of the first expected thing</h2>"
    yield '<div class="card">'
    yield f'<svg viewBox="0 0 360 {22 * len(counts)}" style="max-width:32rem" role="img" aria-label="{", ".join(f"{label}: {count}" for label, count in counts)}">'
    for row, (label, count) in enumerate(counts):
        y = 22 * row
        width = 240 * count / most
        yield (
            f'<text x="44" y="{y + 15}" text-anchor="end">{label}</text><rect class="bar" x="52" y="{y + 4}" width="{width:.1f}" height="14" rx="3"/>'
            f'<text x="{58 + width:.1f}" y="{y + 15}">{count:,}</text>'
        )
    yield "</svg></div>"


def _categories(run: Run) -> Iterator[str]:
    groups = run.categories()
    if not groups:
        return
    yield "<h2>By category</h2>"
    yield from _table(
        ("category", "cases", "found", "in the pack", "RR"),
        (
            (_e(name) or "none", f"{sums.cases:,}", _rate(sums.retrieval), _rate(sums.pack), f"{sums.reciprocal_rank:.3f}" if sums.retrieval.judged else "–")
            for name, sums in groups.items()
        ),
    )  # fmt: skip


def _rate(rate: Rate) -> str:
    return percent(rate.value) if rate.judged else "–"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A small table: a name, then numbers. Cells are HTML."""

    def cells(kind: str, row: Sequence[str]) -> str:
        return "".join(f"<{kind}{' class=number' if column else ''}>{cell}</{kind}>" for column, cell in enumerate(row))

    yield f"<table class=small><thead><tr>{cells('th', head)}</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{cells('td', row)}</tr>"
    yield "</tbody></table>"


def _cases(cases: Sequence[CaseResult]) -> Iterator[str]:
    yield "<h2>Cases, those with something missing first</h2>"
    yield '<table class="cases"><thead><tr><th>case</th><th>found</th><th class="number">rank</th><th>in the pack</th><th class="number">tokens</th><th>missing</th></tr></thead><tbody>'
    for case in sorted(cases, key=lambda case: (case.found, not any(not finding.found for finding in case.findings))):
        missing = "".join(f"<p>{html.escape(missing_text(finding))}</p>" for finding in case.findings if not finding.found)
        notes = "".join(f'<p class="bad">{_e(reason)}</p>' for reason in case.degraded)
        rank = "–" if case.first_rank is None else f"{case.first_rank:,}"
        yield (
            f'<tr><td><p class="name">{_e(case.name)}</p><p class="quiet">{_e(case.query, 240)}</p></td><td data-label="found">{_mark(case.retrieved)}</td>'
            f'<td class="number" data-label="rank">{rank}</td><td data-label="in the pack">{_mark(case.packed)}</td>'
            f'<td class="number" data-label="tokens">{case.tokens_used:,} of {case.token_budget:,}</td><td>{missing}{notes}</td></tr>'
        )
    yield "</tbody></table>"


def _mark(found: bool | None) -> str:
    if found is None:
        return '<span class="quiet">not asked</span>'
    return '<span class="mark good">yes</span>' if found else '<span class="mark bad">no</span>'


def _side_by_side(runs: Sequence[Run]) -> Iterator[str]:
    yield "<h2>The runs side by side</h2>"
    yield from _table(
        ("run", "cases", "found", "in the pack", "RR", "tokens"),
        (
            (_e(run.id), f"{sums.cases:,}", _rate(sums.retrieval), _rate(sums.pack), f"{sums.reciprocal_rank:.3f}", f"{sums.tokens_used:,}")
            for run, sums in ((run, run.totals) for run in runs)
        ),
    )
    yield from _changes(compare(runs[0], runs[-1]))


def _changes(found: Comparison) -> Iterator[str]:
    yield f"<h2>From {_e(found.before.id)} to {_e(found.after.id)}</h2>"
    if found.differences:
        yield f'<p class="quiet">Asked differently: {"; ".join(_e(difference) for difference in found.differences)}</p>'
    for names, what in (
        (found.added, "only in the second"),
        (found.removed, "only in the first"),
        (found.redefined, "defined otherwise, not compared"),
    ):
        if names:
            yield f'<p class="quiet">{what}: {", ".join(_e(name) for name in names)}</p>'
    counted = [
        f'<span class="{kind}">{_plural(len(changes), what)}</span>' if changes else _plural(0, what)
        for kind, what, changes in (("bad", "regression", found.regressions), ("good", "improvement", found.improvements))
    ]
    yield f"<p>{', '.join(counted)}, {found.unchanged:,} unchanged</p>"
    for heading, kind, changes in (
        ("Worse", "bad", found.regressions),
        ("Better", "good", found.improvements),
        ("At another rank, found as before", "", found.shifts),
    ):
        if changes:
            yield f'<h3 class="{kind}">{heading}</h3>'
            yield from _change_list(changes)


def _change_list(changes: Sequence[CaseChange]) -> Iterator[str]:
    yield "<ul>"
    for change in changes:
        reasons = "; ".join(f"{html.escape(expected_text(m.after))}: {html.escape(m.reason)}" for m in change.movements)
        yield f'<li><span class="name">{_e(change.name)}</span> {reasons}</li>'
    yield "</ul>"


def _conditions(run: Run) -> Iterator[str]:
    options, store = run.options, run.store
    facts = {
        "store": f"{_plural(store.records, 'record')}, {_plural(store.chunks, 'chunk')}, {store.vectors_missing:,} without a vector",
        "embedder": store.embedder or "none",
        "asked with": f"limit {options.limit:,}, budget {options.budget:,} {options.tokenizer.value}, packing {options.packing.value}, vectors {options.vectors.value}",
        "suite": f"{run.suite}, digest {run.suite_digest}",
        "mean fill": percent(mean([case.tokens_used / case.token_budget for case in run.cases if case.token_budget])),
        "versions": ", ".join(f"{name} {version}" for name, version in run.versions.items()),
    }
    yield "<h2>What was asked</h2>"
    yield f"<dl>{''.join(f'<dt>{name}</dt><dd>{_e(value)}</dd>' for name, value in facts.items())}</dl>"
    yield (
        '<p class="quiet">A case is found when what it expects is among the first results of a search, and in the pack when the pack holds it. '
        "Intervals are 95 %, by Wilson. RR is 1 / rank of the first expected thing, R@n the share of the expected things among the first n.</p>"
    )
