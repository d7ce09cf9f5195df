"""Summaries of the benchmark as one HTML page: of one set everything, of several what differs, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from daypack.evaluate.report import charts
from daypack.evaluate.report.html_parts import card, document, escaped, facts, table
from daypack.evaluate.report.text import percent
from daypack.evaluate.runs import Rate
from daypack.shapes.wording import counted
from evals.bench.plots import Bar, grouped
from evals.bench.scoring import TierSums
from evals.bench.summary import Summary

MADE_BY = "python -m evals.bench"
DAYPACK, BM25, ORACLE, PREFIX = "Daypack", "plain BM25", "best possible", "by prefix (legacy)"
WHAT = (
    "A case is a hit when one of its expected source keys, whole, is among the first that are retrieved; keys is the share of all that are "
    "expected. It is assembled when one of its expected terms stands in the assembled text, or, in the tiers that say so, in what was retrieved. Best "
    "possible is what a perfect ranking would give of what is stored. By prefix counts any record of the right domain, as an older benchmark does: it is "
    "shown for that one's figures and says little. Intervals are 95 %, by Wilson. Times are CPU time of one process."
)


def page(summaries: Sequence[Summary]) -> str:
    """The page of one set or of several. `summaries` must not be empty."""
    if len(summaries) == 1:
        (one,) = summaries
        title = f"Benchmark of sources: {escaped(one.conditions.name)}"
        body = [f"<h1>{title}</h1>", *_head(one), *_single(one)]
    else:
        title = f"Benchmark of sources: {escaped(' and '.join(_label(one) for one in summaries))}"
        body = [f"<h1>{title}</h1>", *_compared(summaries)]
    return document(title, [*body, f'<p class="quiet">{WHAT}</p>'], made_by=MADE_BY)


# ---------------------------------------------------------------- one set


def _head(one: Summary) -> Iterator[str]:
    about = one.conditions
    asked = f"{counted(one.total.cases, 'case')} ({counted(one.total.questions, 'question')}) in {counted(len(one.runs), 'run')}"
    pruned = f", {about.pruned:,} pruned" if about.max_records is not None else ""
    yield f'<p class="quiet">{counted(about.records, "record")}{pruned}, {asked}</p>'


def _single(one: Summary) -> Iterator[str]:
    total = one.total
    yield '<div class="cards">'
    for name, rate, bm25, best in (
        ("retrieved by exact key", total.daypack.retrieval, total.bm25.retrieval, total.oracle.retrieval),
        ("assembled within the budget", total.daypack.assembly, total.bm25.assembly, total.oracle.assembly),
    ):
        about = f"{rate.hits:,} of {counted(rate.judged, 'case')}; plain BM25 {percent(bm25.value)}, best possible {percent(best.value)}"
        yield card(name, percent(rate.value, 1), charts.rate_bar(rate), about)
    yield card(
        "a question, median",
        f"{total.retrieve_ms[0]:,.0f} ms",
        "",
        f"retrieval; 95 % within {total.retrieve_ms[1]:,.0f} ms. Assembly {total.assemble_ms[0]:,.0f} ms, {total.tokens:,.0f} tokens in the mean",
    )
    yield "</div>"
    yield from _plot("Retrieved by exact key, by tier", _bars(one.tiers, _retrieval))
    yield from _plot("Assembled within the budget, by tier", _bars(one.tiers, _assembly))
    yield from _plot("CPU time of a question, by tier", _bars(one.tiers, _times), unit="ms")
    yield "<h2>By tier</h2>"
    yield from table(
        (
            "tier",
            "cases",
            "questions",
            "hit",
            "95 %",
            "keys",
            "BM25 hit",
            "best hit",
            "by prefix",
            "assembled",
            "BM25 assembled",
            "best assembled",
            "tokens",
        ),
        (
            (
                escaped(tier.tier),
                f"{tier.cases:,}",
                f"{tier.questions:,}",
                _said(tier.daypack.retrieval),
                _interval(tier.daypack.retrieval),
                percent(tier.daypack.keys, 1),
                _said(tier.bm25.retrieval),
                _said(tier.oracle.retrieval),
                _said(tier.prefix),
                _said(tier.daypack.assembly),
                _said(tier.bm25.assembly),
                _said(tier.oracle.assembly),
                f"{tier.tokens:,.0f}",
            )
            for tier in (*one.tiers, one.total)
        ),
    )
    yield from _misses(one)
    yield "<h2>What was asked</h2>"
    yield facts(_conditions(one))


def _misses(one: Summary) -> Iterator[str]:
    if not one.misses:
        return
    shown = "all of them" if one.missed == len(one.misses) else f"{len(one.misses):,} of them, evenly"
    yield f"<h2>Nothing expected was retrieved: {counted(one.missed, 'case')}</h2>"
    yield f'<p class="quiet">{shown}</p>'
    yield '<table class="cases"><thead><tr><th>case</th><th>expected</th><th>retrieved instead</th><th class="number">BM25</th></tr></thead><tbody>'
    for row in one.misses:
        expected = escaped(", ".join(row.expected)) + (
            "" if row.stored else ' <span class="bad">not stored</span>'
        )
        yield (
            f'<tr><td><p class="name">{escaped(row.name)}</p><p class="quiet">{escaped(row.query)}</p></td><td data-label="expected">{expected}</td>'
            f'<td data-label="instead">{escaped(", ".join(row.retrieved)) or "nothing"}</td><td class="number" data-label="BM25">{"found" if row.bm25_found else "missed"}</td></tr>'
        )
    yield "</tbody></table>"


def _conditions(one: Summary) -> dict[str, str]:
    about = one.conditions
    capped = (
        "off"
        if about.max_records is None
        else f"{about.max_records:,} of each owner, scope and kind: {about.pruned:,} pruned"
    )
    return {
        "set": about.name if about.seed is None else f"{about.name}, seed {about.seed}",
        "records": f"{about.records:,} kept, {about.skipped:,} refused",
        "capacity": capped,
        "asked with": f"limit {about.limit}, ranking {about.ranking}, vectors {about.vectors}, budgets in {about.tokenizer} tokens",
        "embedder": about.embedder or "none",
        "CPU": f"{about.ingest_seconds:,.0f} s to keep and embed, {about.ask_seconds:,.0f} s to ask",
        "answers": f"digest {one.digest}",
        "versions": ", ".join(f"{name} {version}" for name, version in about.versions.items()),
    }


# ---------------------------------------------------------------- several


def _compared(summaries: Sequence[Summary]) -> Iterator[str]:
    labels = [_label(one) for one in summaries]
    sizes = [
        f"{escaped(name)}: {counted(one.conditions.records, 'record')}, {counted(one.total.cases, 'case')}"
        for name, one in zip(labels, summaries, strict=True)
    ]
    yield f'<p class="quiet">{"; ".join(sizes)}</p>'
    tiers = [
        tier.tier
        for tier in summaries[0].tiers
        if all(any(other.tier == tier.tier for other in one.tiers) for one in summaries)
    ]
    plots: tuple[tuple[str, Callable[[TierSums], Bar], str], ...] = (
        ("Retrieved by exact key, by tier", lambda tier: _bar(tier.daypack.retrieval), "%"),
        ("Assembled within the budget, by tier", lambda tier: _bar(tier.daypack.assembly), "%"),
        (
            "CPU time of a question, retrieval and assembly, by tier",
            lambda tier: Bar(tier.retrieve_ms[0] + tier.assemble_ms[0]),
            "ms",
        ),
    )
    for title, value, unit in plots:
        groups = {
            name: {label: value(_tier(one, name)) for label, one in zip(labels, summaries, strict=True)}
            for name in tiers
        }
        yield from _plot(title, groups, unit=unit)
    yield "<h2>By tier</h2>"
    head = (
        "tier",
        "set",
        "hit",
        "95 %",
        "keys",
        "BM25 hit",
        "best hit",
        "assembled",
        "BM25 assembled",
        "best assembled",
    )
    rows = [
        (name, label, _tier(one, name))
        for name in (*tiers, summaries[0].total.tier)
        for label, one in zip(labels, summaries, strict=True)
    ]
    yield from table(
        head,
        (
            (
                escaped(name),
                escaped(label),
                _said(tier.daypack.retrieval),
                _interval(tier.daypack.retrieval),
                percent(tier.daypack.keys, 1),
                _said(tier.bm25.retrieval),
                _said(tier.oracle.retrieval),
                _said(tier.daypack.assembly),
                _said(tier.bm25.assembly),
                _said(tier.oracle.assembly),
            )
            for name, label, tier in rows
        ),
    )
    if (
        len({one.conditions.name for one in summaries}) > 1
        and len({one.total.cases for one in summaries}) == 1
    ):
        yield '<p class="quiet">The same questions were put to each.</p>'
    yield "<h2>What was asked</h2>"
    for label, one in zip(labels, summaries, strict=True):
        yield f"<h3>{escaped(label)}</h3>"
        yield facts(_conditions(one))


def _label(one: Summary) -> str:
    """Parts of its conditions that tell a summary from others on a page."""
    about = one.conditions
    return about.name if about.max_records is None else f"{about.name}, capacity {about.max_records}"


def _tier(one: Summary, name: str) -> TierSums:
    return next((tier for tier in one.tiers if tier.tier == name), one.total)


# ---------------------------------------------------------------- parts


def _plot(title: str, groups: dict[str, dict[str, Bar]], *, unit: str = "%") -> Iterator[str]:
    if groups:
        yield f"<h2>{escape(title)}</h2>"
        yield f'<div class="card scroll">{grouped(title, groups, unit=unit)}</div>'


def _bars(tiers: Sequence[TierSums], bars: Callable[[TierSums], dict[str, Bar]]) -> dict[str, dict[str, Bar]]:
    return {tier.tier: bars(tier) for tier in tiers}


def _retrieval(tier: TierSums) -> dict[str, Bar]:
    return {
        DAYPACK: _bar(tier.daypack.retrieval),
        BM25: _bar(tier.bm25.retrieval),
        ORACLE: Bar(tier.oracle.retrieval.value),
        PREFIX: Bar(tier.prefix.value),
    }


def _assembly(tier: TierSums) -> dict[str, Bar]:
    return {
        DAYPACK: _bar(tier.daypack.assembly),
        BM25: _bar(tier.bm25.assembly),
        ORACLE: Bar(tier.oracle.assembly.value),
    }


def _times(tier: TierSums) -> dict[str, Bar]:
    return {
        "retrieval, median": Bar(tier.retrieve_ms[0]),
        "retrieval, 95 %": Bar(tier.retrieve_ms[1]),
        "assembly, median": Bar(tier.assemble_ms[0]),
        "assembly, 95 %": Bar(tier.assemble_ms[1]),
    }


def _bar(rate: Rate) -> Bar:
    return Bar(rate.value, rate.interval)


def _said(rate: Rate) -> str:
    return percent(rate.value, 1) if rate.judged else "–"


def _interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{100 * low:.0f} to {percent(high)}" if rate.judged else "–"
