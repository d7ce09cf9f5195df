"""Runs, comparisons and gates as plain text.

case        found  rank  pack  tokens     missing
paid-once   yes       2  yes   332/350
wait        no       14  no    400/400    src/pay/retry.py (rank 14; over budget)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from daypack.evaluate.arms import CUTOFF, Arm, SelfCheck
from daypack.evaluate.choosing import Estimate
from daypack.evaluate.compare import MISS_WORDS, CaseChange, Check, Comparison
from daypack.evaluate.judge import CaseResult, Finding, Miss
from daypack.evaluate.runs import Rate, Run, Totals
from daypack.evaluate.weights import CUTOFF as RANKS
from daypack.evaluate.weights import FEWEST, FOLDS, KindFit, RankerFit
from daypack.guard.fences import one_line
from daypack.shapes.plain import pick
from daypack.shapes.weights import weights_text
from daypack.shapes.wording import counted
from daypack.text.terminal_text import display_width, padded
from daypack.types import VectorMode

_LONGEST_NAME = 48
_LONGEST_EXPECTED = 80


def percent(value: float, digits: int = 0) -> str:
    return f"{100 * value:.{digits}f} %"


def rate_text(rate: Rate) -> str:
    """ "9 of 12 cases, 75 % (95 % interval 47 to 91 %)"."""
    if not rate.judged:
        return "not judged: no case expects anything there"
    low, high = rate.interval
    return f"{rate.hits:,} of {counted(rate.judged, 'case')}, {percent(rate.value)} (95 % interval {100 * low:.0f} to {percent(high)})"


def expected_text(finding: Finding) -> str:
    text = one_line(finding.expected.text, _LONGEST_EXPECTED)
    return f'"{text}"' if finding.expected.kind == "term" else text


def missing_text(finding: Finding) -> str:
    """The missing thing and the reason: "src/pay/retry.py (rank 14; over budget)"."""
    if Miss.NOT_STORED in (finding.retrieval_miss, finding.pack_miss):
        if finding.lines is not None:
            return f"{expected_text(finding)} (the file has {counted(finding.lines, 'line')})"
        near = f"; did you mean {one_line(finding.nearest, _LONGEST_EXPECTED)}?" if finding.nearest else ""
        return f"{expected_text(finding)} ({MISS_WORDS[Miss.NOT_STORED]}{near})"
    reasons = []
    if finding.retrieved is False:
        missed = MISS_WORDS[finding.retrieval_miss or Miss.NOT_RANKED]
        reasons.append(missed if finding.rank is None else f"rank {finding.rank}")
    reason = MISS_WORDS[finding.pack_miss or Miss.NOT_RANKED]
    if finding.packed is False and reason not in reasons:
        reasons.append(reason if reasons else f"not packed: {reason}")
    return f"{expected_text(finding)} ({'; '.join(reasons)})"


def verdict(found: bool | None) -> str:
    return "–" if found is None else "yes" if found else "no"


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows in columns, two blanks apart; those of `right` end flush. The last one is never padded."""
    widths = [max(display_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    aligned = set(right)
    return [
        "  ".join(
            padded(cell, width, right=column in aligned)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def run_text(run: Run) -> str:
    rows: list[tuple[str, ...]] = [("case", "found", "rank", "packed", "tokens", "missing")]
    rows += [_row(case) for case in run.cases]
    lines = table(rows, right=(2, 4))
    lines.append("")
    for name, sums in run.categories().items():
        lines.append(f"{one_line(name, _LONGEST_NAME) or '(no category)'}: {_short(sums)}")
    sums, options, store = run.totals, run.options, run.store
    ranks = f", RR {sums.reciprocal_rank:.3f}, R@{options.limit} {sums.recall:.3f}"
    items = f", {percent(sums.pack_recall)} of the expected items"
    lines.append(f"retrieval  {rate_text(sums.retrieval)}{ranks if sums.retrieval.judged else ''}")
    lines.append(f"pack       {rate_text(sums.pack)}{items if sums.pack.judged else ''}")
    used = f", {percent(sums.tokens_used / sums.token_budget)}" if sums.token_budget else ""
    lines.append(f"tokens     {sums.tokens_used:,} of {sums.token_budget:,} {options.tokenizer.value}{used}")
    missing = f", {counted(store.vectors_missing, 'chunk')} without a vector" if store.vectors_missing else ""
    lines.append(
        f"asked      vectors {options.vectors.value}, packing {options.packing.value}, {counted(store.records, 'record')}, {counted(store.chunks, 'chunk')}{missing}"
    )
    if store.weights:
        lines.append(f"weights    {one_line(store.weights, 200)}, fitted for this store")
    if degraded := [case.degraded for case in run.cases if case.degraded]:
        less = f"answered with less: {one_line(degraded[0][0], 200)}"
        lines.append(f"degraded   {len(degraded):,} of {len(run.cases):,} cases {less}")
    return "\n".join(lines) + "\n"


def _row(case: CaseResult) -> tuple[str, ...]:
    missing = "; ".join(missing_text(finding) for finding in case.findings if not finding.found)
    return (
        one_line(case.name, _LONGEST_NAME),
        verdict(case.retrieved),
        "–" if case.first_rank is None else str(case.first_rank),
        verdict(case.packed),
        f"{case.tokens_used:,}/{case.token_budget:,}",
        missing,
    )


def _short(sums: Totals) -> str:
    parts = []
    if sums.retrieval.judged:
        parts.append(f"found {sums.retrieval.hits:,} of {sums.retrieval.judged:,}")
    if sums.pack.judged:
        parts.append(f"packed {sums.pack.hits:,} of {sums.pack.judged:,}")
    return ", ".join(parts)


def comparison_text(comparison: Comparison) -> str:
    before, after = comparison.before, comparison.after
    lines = [f"{one_line(before.id)} → {one_line(after.id)}"]
    lines += [f"  {one_line(difference, 200)}" for difference in comparison.differences]
    for heading in ("regressions", "improvements", "shifts"):
        if changes := getattr(comparison, heading):
            lines += ["", f"{heading} ({len(changes):,})", *_changes(changes)]
    lines.append("")
    for label, names in (
        ("only in the second run", comparison.added),
        ("only in the first run", comparison.removed),
        ("changed definition, not compared", comparison.redefined),
    ):
        if names:
            lines.append(f"{label}: {', '.join(one_line(name, _LONGEST_NAME) for name in names)}")
    lines.append(_counted(comparison))
    for name, old, new in (
        ("retrieval", before.totals.retrieval, after.totals.retrieval),
        ("pack", before.totals.pack, after.totals.pack),
    ):
        if old.judged or new.judged:
            shown = (percent(rate.value, 1) if rate.judged else "not judged" for rate in (old, new))
            lines.append(f"{name:<10} {' → '.join(shown)}")
    return "\n".join(lines) + "\n"


def _counted(comparison: Comparison) -> str:
    return f"{counted(len(comparison.regressions), 'regression')}, {counted(len(comparison.improvements), 'improvement')}, {counted(len(comparison.shifts), 'shift')}, {comparison.unchanged:,} unchanged"


def _changes(changes: Sequence[CaseChange]) -> Iterable[str]:
    for change in changes:
        yield f"  {one_line(change.name, _LONGEST_NAME)}"
        for movement in change.movements:
            yield f"    {expected_text(movement.after)}: {movement.reason}"


def gate_text(checks: Sequence[Check]) -> str:
    rows = [
        ("passed" if check.passed else "FAILED", check.name, f"{check.found}, {check.required} asked for")
        for check in checks
    ]
    lines = table(rows)
    for check in checks:
        if not check.passed and check.cases:
            lines.append(
                f"  {check.name}: {', '.join(one_line(name, _LONGEST_NAME) for name in check.cases)}"
            )
    return "\n".join(lines) + "\n"


def runs_text(runs: Sequence[Run]) -> str:
    if not runs:
        return "no runs yet; `daypack eval run SUITE` makes one\n"
    rows: list[tuple[str, ...]] = [("run", "suite", "cases", "found", "packed")]
    for run in runs:
        sums = run.totals
        rates = (percent(rate.value) if rate.judged else "–" for rate in (sums.retrieval, sums.pack))
        rows.append((one_line(run.id, 80), one_line(run.suite, _LONGEST_NAME), f"{sums.cases:,}", *rates))
    return "\n".join(table(rows, right=(2, 3, 4))) + "\n"


def _arm_text(arm: Arm, width: int, rr: Estimate, recall: float) -> str:
    return f"{arm.value:<{width}}  RR {rr.mean:.3f} ({rr.low:.3f} to {rr.high:.3f}), R@{CUTOFF} {recall:.3f}"


def self_check_text(check: SelfCheck) -> str:
    if not check.rows:
        return "no question could be made: the store holds no text of several distinctive words\n"
    shown = [
        arm for arm in Arm if check.vectors is not VectorMode.NONE or arm not in (Arm.DENSE, Arm.WORDS_ONLY)
    ]
    rows: list[tuple[str, ...]] = [
        ("RR of questions", "n", *(arm.value for arm in shown), "best arm", "fused - best (95 %)", "")
    ]
    for row in check.rows:
        difference = row.difference
        means = (f"{row.rr[arm].mean:.3f}" for arm in shown)
        gain = f"{difference.mean:+.3f} ({difference.low:+.3f} to {difference.high:+.3f})"
        rows.append((row.group, f"{row.questions:,}", *means, row.best.value, gain, row.verdict.value))
    lines = table(rows, right=range(1, len(shown) + 2))
    overall = check.rows[0]
    width = max(len(arm.value) for arm in shown)
    lines += ["", *(_arm_text(arm, width, overall.rr[arm], overall.recall[arm]) for arm in shown), ""]
    lines.append(
        f"asked for        {check.items:,} of {check.chunks:,} chunks, seed {check.seed}, vectors {check.vectors.value}"
    )
    if check.turned_away:
        lines.append(
            f"turned away      {check.turned_away:,} questions got no answer because nothing seemed relevant; they count as missed by the fused list"
        )
    lines += [
        f"for example      {question.kind.value}: {one_line(question.text, 120)}"
        for question in check.examples
    ]
    lines += [f"suggestion       {suggestion}" for suggestion in check.suggestions] or [
        "suggestion       none: the fused list is nowhere below its best arm"
    ]
    lines.append(
        "worth            the questions are made of the answers' own words, which favours words: "
        "they compare arms, they do not measure the quality of answers"
    )
    return "\n".join(lines) + "\n"


def fit_text(fit: RankerFit, *, kept: bool, others: bool) -> str:
    """`kept`: helpful weights were written; `others`: the store has other fitted weights now."""
    rows: list[tuple[str, ...]] = [
        ("kind", "expected by", "default", "held out", "gain (95 %)", "best weights", "")
    ]
    rows += [(one.kind.value, f"{one.expecting:,}", *_fit_cells(one)) for one in fit.kinds]
    lines = [*table(rows, right=(1, 2, 3)), ""]
    lines.append(
        f"nDCG@{RANKS} over {fit.cases:,} cases of {one_line(fit.suite, _LONGEST_NAME)} in {FOLDS} folds, each case by weights chosen without it"
    )
    if fit.fitted is None:
        stay = "the weights that were fitted before" if others else "the default weights"
        lines.append(f"nothing was written: {stay} stay")
    elif kept:
        lines.append(
            "this store is ranked by them from now on; `daypack eval fit-ranker --undo` brings the defaults back"
        )
    else:
        lines.append("nothing was written; without --dry-run the helpful weights would rank this store")
    return "\n".join(lines) + "\n"


def _fit_cells(fit: KindFit) -> tuple[str, ...]:
    """The measures and weights of a kind of question, and the verdict."""
    if fit.evidence is None:
        lacking = FEWEST - fit.expecting
        return *["–"] * 4, f"{lacking} more {'case is' if lacking == 1 else 'cases are'} needed"
    gain, low, high = fit.evidence.gain
    return (
        f"{fit.evidence.default[0]:.3f}",
        f"{fit.evidence.held_out[0]:.3f}",
        f"{gain:+.3f} ({low:+.3f} to {high:+.3f})",
        weights_text(fit.factors) or "the defaults",
        "helps" if fit.helps else "not shown to help",
    )


# ---------------------------------------------------------------- for programs


def fit_json(fit: RankerFit, *, kept: bool) -> str:
    """`kept`: helpful weights were written."""
    value = {
        "suite": fit.suite, "cases": fit.cases, "folds": FOLDS, "measure": f"nDCG@{RANKS}", "written": kept and fit.fitted is not None,
        "kinds": [
            {
                **pick(kind_fit, "kind expected_by=expecting"), "needed": FEWEST, **pick(kind_fit, "weights=factors helps"),
                **({} if kind_fit.evidence is None else pick(kind_fit.evidence, "default held_out gain")),
            }
            for kind_fit in fit.kinds
        ],
    }  # fmt: skip
    return json.dumps(value) + "\n"


def self_check_json(check: SelfCheck) -> str:
    value = {
        **pick(check, "seed items chunks vectors vectors_missing turned_away suggestions"),
        "rows": [
            {
                **pick(row, "questions=group n=questions best verdict"),
                "fused_minus_best": [round(value, 6) for value in (row.difference.mean, row.difference.low, row.difference.high)],
                "rr": {arm.value: [round(value, 6) for value in (m.mean, m.low, m.high)] for arm, m in row.rr.items()},
                "r@10": {arm.value: round(value, 6) for arm, value in row.recall.items()},
            }
            for row in check.rows
        ],
    }  # fmt: skip
    return json.dumps(value) + "\n"


def comparison_json(comparison: Comparison) -> str:
    def changes(items: Sequence[CaseChange]) -> list[dict[str, object]]:
        fields = "stage kind=expected.kind expected=expected.text rank_before=before.rank rank_after=after.rank reason"
        return [
            {"case": change.name, "movements": [pick(movement, fields) for movement in change.movements]}
            for change in items
        ]

    value = {
        "before": comparison.before.id, "after": comparison.after.id, "regressions": changes(comparison.regressions), "improvements": changes(comparison.improvements),
        "shifts": changes(comparison.shifts), **pick(comparison, "unchanged added removed redefined differences"),
    }  # fmt: skip
    return json.dumps(value) + "\n"


def gate_json(run: Run, checks: Sequence[Check]) -> str:
    value = {
        "run": run.id, "passed": all(check.passed for check in checks),
        "checks": [pick(check, "name required found passed cases") for check in checks],
    }  # fmt: skip
    return json.dumps(value) + "\n"
