"""Two runs of a suite beside each other, and a gate that one must pass.

    regression    an expected item was found in the first run and not in the second improvement   the other
    way round shift         found in both, at another rank

A case that loses one thing and gains another is both. Swapping the runs swaps the first two, so the
comparison is symmetric. Cases whose question or expectation differs are listed, not compared.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from daypack.evaluate.cases import Expected, Expects
from daypack.evaluate.judge import CaseResult, Finding, Miss
from daypack.evaluate.runs import Rate, Run
from daypack.shapes.wording import counted


class Stage(enum.StrEnum):
    """The two places in which a case is judged."""

    RETRIEVAL = "retrieval"
    PACK = "pack"


@dataclass(frozen=True, slots=True)
class Movement:
    """One expected thing at one stage, before and after; `budgets` are those of the case."""

    stage: Stage
    expected: Expected
    before: Finding
    after: Finding
    budgets: tuple[int, int]

    @property
    def lost(self) -> bool:
        return self._found(self.before) and not self._found(self.after)

    @property
    def gained(self) -> bool:
        return self._found(self.after) and not self._found(self.before)

    def _found(self, finding: Finding) -> bool:
        return (finding.retrieved if self.stage is Stage.RETRIEVAL else finding.packed) is True

    @property
    def reason(self) -> str:
        """The movement in words: "rank fell from 2 to 14"."""
        if self.stage is Stage.RETRIEVAL:
            return self._rank()
        if self.lost:
            return _dropped(self.after, *self.budgets)
        return f"came into the pack ({_miss(self.before.pack_miss)} before)"

    def _rank(self) -> str:
        before, after = self.before.rank, self.after.rank
        if before is not None and after is not None:
            if before == after:  # the limit changed
                return f"rank {after}, {'outside' if self.lost else 'inside'} the limit now"
            return f"rank {'fell' if after > before else 'rose'} from {before} to {after}"
        if after is not None:
            return f"found at rank {after} ({_miss(self.before.retrieval_miss)} before)"
        gone = {Miss.NOT_STORED: "no longer in the store", Miss.EMPTY: "the answer is empty now"}
        if self.after.lines is not None:
            gone[Miss.NOT_STORED] = f"its file has {counted(self.after.lines, 'line')} now"
        return f"{gone.get(self.after.retrieval_miss or Miss.NOT_RANKED, 'no longer ranked')}, was at rank {before}"


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A case and its movements."""

    name: str
    movements: tuple[Movement, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, case by case."""

    before: Run
    after: Run
    regressions: tuple[CaseChange, ...]
    improvements: tuple[CaseChange, ...]
    shifts: tuple[CaseChange, ...]
    unchanged: int  # cases with no movement at all
    added: tuple[str, ...]  # cases of the second run alone
    removed: tuple[str, ...]
    redefined: tuple[str, ...]  # of one name, with another question or expectation
    differences: tuple[str, ...] = field(default=())  # in options, store and versions


MISS_WORDS = {
    Miss.NOT_STORED: "not in the store",
    Miss.EMPTY: "nothing answered",
    Miss.NOT_RANKED: "not ranked",
    Miss.BELOW_LIMIT: "below the limit",
    Miss.BUDGET: "over budget",
    Miss.DUPLICATE: "its text is there under another name",
    Miss.LOW_SCORE: "too low a score",
    Miss.NO_CONTENT: "its text has no content",
    Miss.SENT: "shown by an earlier pack",
    Miss.SHORTENED: "cut away from its excerpt",
}
"""The reason why something is missing, for people."""


def _miss(miss: Miss | None) -> str:
    return MISS_WORDS[miss] if miss is not None else "not judged"


def _dropped(after: Finding, before_budget: int, after_budget: int) -> str:
    """The reason why something is not in the pack any more."""
    if after.expected.kind is Expects.TERM:
        return f"term no longer present ({_miss(after.pack_miss)})"
    if after.pack_miss is Miss.BUDGET:
        smaller = (
            f", which is {after_budget:,} instead of {before_budget:,}"
            if after_budget < before_budget
            else ""
        )
        return f"dropped out of the pack because of the budget{smaller}"
    short = after.lines is not None and f"its file has {counted(after.lines, 'line')}"
    return f"dropped out of the pack ({short or _miss(after.pack_miss)})"


def compare(before: Run, after: Run) -> Comparison:
    """Two runs of a suite, case by case: worse, better or elsewhere in the second."""
    old, new = {case.name: case for case in before.cases}, {case.name: case for case in after.cases}
    regressions, improvements, shifts, redefined = [], [], [], []
    unchanged = 0
    for name, case in new.items():
        if name not in old:
            continue
        if _definition(old[name]) != _definition(case):
            redefined.append(name)
            continue
        moved = list(_movements(old[name], case))
        lost, gained = tuple(m for m in moved if m.lost), tuple(m for m in moved if m.gained)
        rest = tuple(m for m in moved if not m.lost and not m.gained)
        if lost:
            regressions.append(CaseChange(name, lost))
        if gained:
            improvements.append(CaseChange(name, gained))
        if rest:
            shifts.append(CaseChange(name, rest))
        unchanged += not moved
    return Comparison(
        before=before,
        after=after,
        regressions=tuple(regressions),
        improvements=tuple(improvements),
        shifts=tuple(shifts),
        unchanged=unchanged,
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        redefined=tuple(redefined),
        differences=tuple(_differences(before, after)),
    )


def _definition(case: CaseResult) -> tuple[str, frozenset[Expected]]:
    """The digest and the expectations of a case: files of runs are edited by hand, so the digest alone does not tell."""
    return case.digest, frozenset(finding.expected for finding in case.findings)


def _movements(before: CaseResult, after: CaseResult) -> Iterator[Movement]:
    old = {finding.expected: finding for finding in before.findings}
    budgets = (before.token_budget, after.token_budget)
    for finding in after.findings:
        was = old[finding.expected]
        retrieval = Movement(Stage.RETRIEVAL, finding.expected, was, finding, budgets)
        if finding.retrieved is not None and (was.retrieved != finding.retrieved or was.rank != finding.rank):
            yield retrieval
        if finding.packed is not None and was.packed != finding.packed:
            yield Movement(Stage.PACK, finding.expected, was, finding, budgets)


def _differences(before: Run, after: Run) -> Iterator[str]:
    for what, first, second in (("", before.options, after.options), ("store ", before.store, after.store)):
        for name in first.__slots__:
            was, now = getattr(first, name), getattr(second, name)
            if name not in ("sequence", "vector_sequence") and was != now:
                yield f"{what}{name.replace('_', ' ')} {_shown(was)} → {_shown(now)}"
    old, new = before.store, after.store
    if old.sequence != new.sequence and (old.records, old.chunks) == (new.records, new.chunks):
        # Fitted weights raise the sequence as texts do.
        yield "the store was written in between, so its texts may differ"
    for name in sorted(before.versions.keys() | after.versions.keys()):
        was, now = before.versions.get(name, "none"), after.versions.get(name, "none")
        if was != now:
            yield f"{name} {was} → {now}"


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value) or "none"


# ---------------------------------------------------------------- the gate


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement of a gate: the required value, the found one, and the cases to blame."""

    name: str
    required: str
    found: str
    passed: bool
    cases: tuple[str, ...] = ()


def gate(
    run: Run,
    *,
    min_retrieval: float | None = None,
    min_pack: float | None = None,
    max_regressions: int | None = None,
    against: Run | None = None,
) -> tuple[Check, ...]:
    """The given requirements, each judged. Without any, both rates must be 1.

    `max_regressions` counts cases that regress against another run, 0 when only that run is given; a case
    missing from this run counts as well. A requirement that cannot be judged fails.
    """
    sums, checks = run.totals, list[Check]()
    if min_retrieval is None and min_pack is None and against is None:
        # a part that the suite does not judge has no minimum
        min_retrieval, min_pack = (1.0 if rate.judged else None for rate in (sums.retrieval, sums.pack))
    if min_retrieval is not None:
        missed = [case.name for case in run.cases if case.retrieved is False]
        checks.append(_rate_check("retrieval", min_retrieval, sums.retrieval, missed))
    if min_pack is not None:
        missed = [case.name for case in run.cases if case.packed is False]
        checks.append(_rate_check("pack", min_pack, sums.pack, missed))
    if against is not None:
        found = compare(against, run)
        worse = tuple(dict.fromkeys([*(change.name for change in found.regressions), *found.removed]))
        most = max_regressions or 0
        checks.append(Check("regressions", f"at most {most:,}", f"{len(worse):,}", len(worse) <= most, worse))
        if not {case.name for case in run.cases} - set(found.added) - set(found.redefined):
            checks.append(Check("comparable cases", "1 or more", "0", False))
    return tuple(checks)


def _rate_check(name: str, least: float, rate: Rate, missed: list[str]) -> Check:
    required = f"at least {least:.1%}".replace("%", " %")
    if not rate.judged:
        return Check(f"{name} rate", required, "no case expects anything there", False)
    found = f"{rate.value:.1%} ({rate.hits:,} of {rate.judged:,})".replace("%", " %")
    passed = rate.value >= least - 1e-9
    return Check(f"{name} rate", required, found, passed, () if passed else tuple(missed))
