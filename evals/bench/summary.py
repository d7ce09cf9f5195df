"""A run of the benchmark in figures, and as JSON: what `run_summary_*.json` holds and pages are drawn from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from daypack.errors import BadRun
from daypack.evaluate.report.text import percent, table
from daypack.evaluate.runs import Rate
from evals.bench.scoring import Outcome, SystemSums, TierSums, by_tier, digest, tier_sums

SCHEMA = 2
MISSES = 60  # cases that are listed where nothing expected was retrieved
ALL = "all"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Set, options and machine of a run.

    `seed` None: sets and cases from files. `max_records` None: nothing was pruned.
    """

    name: str  # of the set: corpus and variant, or the file
    variant: str
    seed: int | None
    limit: int
    ranking: str
    vectors: str
    embedder: str
    tokenizer: str
    max_records: int | None
    records: int
    skipped: int
    pruned: int
    ingest_seconds: float  # CPU
    ask_seconds: float  # CPU
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RunRow:
    """One suite."""

    suite: str
    tier: str
    cases: int
    retrieval: Rate
    assembly: Rate
    seconds: float


@dataclass(frozen=True, slots=True)
class MissRow:
    """A case of which nothing was retrieved."""

    suite: str
    name: str
    query: str
    expected: tuple[str, ...]
    retrieved: tuple[str, ...]
    bm25_found: bool
    stored: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """`digest` is equal for equal answers, whatever they took."""

    conditions: Conditions
    total: TierSums
    tiers: tuple[TierSums, ...]
    runs: tuple[RunRow, ...]
    misses: tuple[MissRow, ...]
    missed: int
    digest: str


def summed(conditions: Conditions, outcomes: Sequence[Outcome]) -> Summary:
    """`outcomes` must not be empty, and stand in the order of their suites."""
    suites: dict[str, list[Outcome]] = {}
    for one in outcomes:
        suites.setdefault(one.suite, []).append(one)
    missed = [one for one in outcomes if one.daypack.hit is False]
    return Summary(
        conditions=conditions,
        total=tier_sums(ALL, outcomes),
        tiers=tuple(by_tier(outcomes)),
        runs=tuple(
            RunRow(
                name,
                found[0].case.tier,
                len(found),
                (sums := tier_sums(name, found).daypack).retrieval,
                sums.assembly,
                round(sum(one.retrieve_ms + one.assemble_ms for one in found) / 1000, 3),
            )
            for name, found in suites.items()
        ),
        misses=tuple(
            MissRow(
                one.suite,
                one.case.name,
                one.case.query,
                one.case.keys,
                one.retrieved,
                one.bm25.hit is True,
                one.oracle.hit is True,
            )
            for one in missed[:: max(1, -(-len(missed) // MISSES))]
        ),
        missed=len(missed),
        digest=digest(outcomes),
    )


def to_json(summary: Summary) -> str:
    """Indented JSON; `from_json` gives the summary back.

    Runs also carry the names that summaries of other context stores have.
    """
    value = asdict(summary)
    conditions = summary.conditions
    value["runs"] = [
        {
            **asdict(run),
            "suite_name": run.suite,
            "variant": conditions.variant,
            "total_cases": run.cases,
            "retrieval_hits": run.retrieval.hits,
            "assembly_hits": run.assembly.hits,
            "retrieval_hit_rate": round(run.retrieval.value, 6) if run.retrieval.judged else None,
            "assembly_hit_rate": round(run.assembly.value, 6) if run.assembly.judged else None,
            "runtime_seconds": run.seconds,
            "imported_records": conditions.records,
            "skipped_count": conditions.skipped,
            "pruned_records_total": conditions.pruned,
        }
        for run in summary.runs
    ]
    return json.dumps({"daypack_bench": SCHEMA, **value}, ensure_ascii=True, indent=1) + "\n"


def summary_text(summary: Summary) -> str:
    """A table for people: what was retrieved and assembled of each tier, beside plain BM25 and the best
    possible.
    """
    about = summary.conditions
    pruned = (
        "" if about.max_records is None else f", {about.pruned:,} pruned (capacity {about.max_records:,})"
    )
    rows = [["tier", "cases", "hit", "keys", "BM25", "best", "prefix", "assembled", "BM25", "best", "ms"]]
    for tier in (*summary.tiers, summary.total):
        rates = [
            tier.daypack.retrieval.value,
            tier.daypack.keys,
            tier.bm25.retrieval.value,
            tier.oracle.retrieval.value,
            tier.prefix.value,
        ]
        rates += [tier.daypack.assembly.value, tier.bm25.assembly.value, tier.oracle.assembly.value]
        rows.append(
            [
                tier.tier or "–",
                f"{tier.cases:,}",
                *(percent(rate, 1) for rate in rates),
                f"{tier.retrieve_ms[0] + tier.assemble_ms[0]:,.0f}",
            ]
        )
    return "\n".join(
        [f"{about.name}: {about.records:,} records{pruned}", *table(rows, right=range(1, len(rows[0]))), ""]
    )


def from_json(text: str, name: str) -> Summary:
    """Read a summary that `to_json` wrote. Raises BadRun."""
    try:
        value = json.loads(text)
        if value.pop("daypack_bench", None) != SCHEMA:
            raise BadRun(name, f"is no summary of version {SCHEMA}; `python -m evals.bench run` writes them")
        return Summary(
            conditions=Conditions(**value["conditions"]),
            total=_tier(value["total"]),
            tiers=tuple(map(_tier, value["tiers"])),
            runs=tuple(map(_run, value["runs"])),
            misses=tuple(
                MissRow(**{**row, "expected": tuple(row["expected"]), "retrieved": tuple(row["retrieved"])})
                for row in value["misses"]
            ),
            missed=value["missed"],
            digest=value["digest"],
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadRun(name, "is no summary of a benchmark; `python -m evals.bench run` writes them") from None


def _run(value: dict[str, Any]) -> RunRow:
    fields = {name: value[name] for name in RunRow.__slots__}
    return RunRow(
        **{**fields, "retrieval": Rate(**value["retrieval"]), "assembly": Rate(**value["assembly"])}
    )


def _tier(value: dict[str, Any]) -> TierSums:
    systems = {name: _system(value.pop(name)) for name in ("daypack", "bm25", "oracle")}
    times = {name: (float(value[name][0]), float(value[name][1])) for name in ("retrieve_ms", "assemble_ms")}
    return TierSums(**{**value, **systems, **times, "prefix": Rate(**value["prefix"])})


def _system(value: dict[str, Any]) -> SystemSums:
    return SystemSums(Rate(**value["retrieval"]), value["keys"], Rate(**value["assembly"]))
