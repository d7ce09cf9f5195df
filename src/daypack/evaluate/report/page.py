"""Runs as one HTML page.

one run      its rates with their intervals, where the first expected thing stood, every case several the
rates side by side, and the cases that the last run answers worse and better than the first
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from daypack.evaluate.compare import CaseChange, Comparison, compare
from daypack.evaluate.judge import CaseResult
from daypack.evaluate.measures import mean
from daypack.evaluate.report import charts
from daypack.evaluate.report.html_parts import card, document, escaped, facts, table
from daypack.evaluate.report.text import expected_text, missing_text, percent
from daypack.evaluate.runs import Rate, Run, Totals
from daypack.shapes.wording import counted, utc_minute

_BINS = ((1, 1, "1"), (2, 3, "2–3"), (4, 10, "4–10"), (11, 50, "11–50"), (51, 1_000_000, "51+"))


def page(runs: Sequence[Run]) -> str:
    """The page of one run or more, of which the last is shown case by case. `runs` must not be empty."""
    last = runs[-1]
    title = f"{escaped(last.suite)}: quality of the answers"
    body = [
        f"<h1>{title}</h1>",
        f'<p class="quiet">{counted(len(last.cases), "case")}, run {escaped(last.id)}, {utc_minute(last.created)}</p>',
        *_cards(last),
        *(_side_by_side(runs) if len(runs) > 1 else ()),
        *_ranks(last),
        *_categories(last),
        *_cases(last.cases),
        *_conditions(last),
    ]
    return document(title, body, made_by="daypack eval")


# ---------------------------------------------------------------- parts


def _cards(run: Run) -> Iterator[str]:
    sums = run.totals
    yield '<div class="cards">'
    ranks = f"RR {sums.reciprocal_rank:.3f}, R@{run.options.limit} {sums.recall:.3f}"
    yield _rate_card("found by search", sums.retrieval, ranks)
    yield _rate_card("in the pack", sums.pack, f"{percent(sums.pack_recall)} of the expected items")
    share = percent(sums.tokens_used / sums.token_budget) if sums.token_budget else "–"
    seconds = sorted(case.seconds for case in run.cases)
    yield card(
        "of the budgets used",
        share,
        charts.plain_bar(sums.tokens_used, sums.token_budget),
        f"{sums.tokens_used:,} of {sums.token_budget:,} {run.options.tokenizer.unit}; "
        f"{1000 * seconds[len(seconds) // 2]:,.0f} ms a case, the slowest {1000 * seconds[-1]:,.0f} ms",
    )
    yield "</div>"


def _rate_card(name: str, rate: Rate, more: str) -> str:
    if not rate.judged:
        return card(name, "–", "", "no case expects anything there")
    about = f"{rate.hits:,} of {counted(rate.judged, 'case')}; {more}"
    return card(name, percent(rate.value), charts.rate_bar(rate), about)


def _ranks(run: Run) -> Iterator[str]:
    judged = [case for case in run.cases if case.retrieved is not None]
    if not judged:
        return
    found = [
        (label, sum(case.first_rank is not None and low <= case.first_rank <= high for case in judged))
        for low, high, label in _BINS
    ]
    found.append(("none", sum(case.first_rank is None for case in judged)))
    yield "<h2>Rank of the first expected thing</h2>"
    yield '<div class="card">'
    yield from charts.counts(found)
    yield "</div>"


def _categories(run: Run) -> Iterator[str]:
    groups = run.categories()
    if not groups:
        return
    yield "<h2>By category</h2>"
    yield from table(
        ("category", "cases", "found", "in the pack", "RR"),
        ((escaped(name) or "none", *_figures(sums)) for name, sums in groups.items()),
    )


def _figures(sums: Totals) -> tuple[str, str, str, str]:
    """The cases, the rates of search and pack, and RR."""
    rr = f"{sums.reciprocal_rank:.3f}" if sums.retrieval.judged else "–"
    return f"{sums.cases:,}", _rate(sums.retrieval), _rate(sums.pack), rr


def _rate(rate: Rate) -> str:
    return percent(rate.value) if rate.judged else "–"


def _cases(cases: Sequence[CaseResult]) -> Iterator[str]:
    yield "<h2>Cases, those with something missing first</h2>"
    yield '<table class="cases"><thead><tr><th>case</th><th>found</th><th class="number">rank</th><th>in the pack</th><th class="number">tokens</th><th>missing</th></tr></thead><tbody>'
    for case in sorted(cases, key=lambda case: (case.found, all(one.found for one in case.findings))):
        missing = "".join(
            f"<p>{html.escape(missing_text(finding))}</p>" for finding in case.findings if not finding.found
        )
        notes = "".join(f'<p class="bad">{escaped(reason)}</p>' for reason in case.degraded)
        rank = "–" if case.first_rank is None else f"{case.first_rank:,}"
        yield (
            f'<tr><td><p class="name">{escaped(case.name)}</p><p class="quiet">{escaped(case.query, 240)}</p></td><td data-label="found">{_mark(case.retrieved)}</td>'
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
    yield from table(
        ("run", "cases", "found", "in the pack", "RR", "tokens"),
        ((escaped(run.id), *_figures(run.totals), f"{run.totals.tokens_used:,}") for run in runs),
    )
    yield from _changes(compare(runs[0], runs[-1]))


def _changes(found: Comparison) -> Iterator[str]:
    yield f"<h2>From {escaped(found.before.id)} to {escaped(found.after.id)}</h2>"
    if found.differences:
        yield f'<p class="quiet">Asked differently: {"; ".join(escaped(difference) for difference in found.differences)}</p>'
    for names, what in (
        (found.added, "only in the second"),
        (found.removed, "only in the first"),
        (found.redefined, "changed definition, not compared"),
    ):
        if names:
            yield f'<p class="quiet">{what}: {", ".join(escaped(name) for name in names)}</p>'
    worse = _marked("bad", counted(len(found.regressions), "regression"), found.regressions)
    better = _marked("good", counted(len(found.improvements), "improvement"), found.improvements)
    yield f"<p>{worse}, {better}, {found.unchanged:,} unchanged</p>"
    for heading, kind, changes in (
        ("Worse", "bad", found.regressions),
        ("Better", "good", found.improvements),
        ("At another rank, found as before", "", found.shifts),
    ):
        if changes:
            yield f'<h3 class="{kind}">{heading}</h3>'
            yield from _change_list(changes)


def _marked(kind: str, text: str, changes: Sequence[CaseChange]) -> str:
    return f'<span class="{kind}">{text}</span>' if changes else text


def _change_list(changes: Sequence[CaseChange]) -> Iterator[str]:
    yield "<ul>"
    for change in changes:
        reasons = "; ".join(
            f"{html.escape(expected_text(m.after))}: {html.escape(m.reason)}" for m in change.movements
        )
        yield f'<li><span class="name">{escaped(change.name)}</span> {reasons}</li>'
    yield "</ul>"


def _conditions(run: Run) -> Iterator[str]:
    options, store = run.options, run.store
    about = {
        "store": f"{counted(store.records, 'record')}, {counted(store.chunks, 'chunk')}, {store.vectors_missing:,} without a vector",
        "embedder": store.embedder or "none",
        "asked with": f"limit {options.limit:,}, budget {options.budget:,} {options.tokenizer.value}, packing {options.packing.value}, vectors {options.vectors.value}",
        "suite": f"{run.suite}, digest {run.suite_digest}",
        "mean fill": percent(
            mean([case.tokens_used / case.token_budget for case in run.cases if case.token_budget])
        ),
        "versions": ", ".join(f"{name} {version}" for name, version in run.versions.items()),
    }
    yield "<h2>The questions</h2>"
    yield facts(about)
    yield (
        '<p class="quiet">A case is found when its expected items are among the first results of a search, and in the pack when the pack holds them. '
        "Intervals are 95 %, by Wilson. RR is 1 / rank of the first expected thing, R@n the share of the expected things among the first n.</p>"
    )
