"""Scores of answers of the benchmark, by cases that can be counted by hand, and the pages that show it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest

from daypack.errors import BadRun
from daypack.evaluate.benchmark import BenchCase, Judged, judged, prefix_hit
from daypack.evaluate.cases import TermsScope
from daypack.evaluate.runs import Rate
from evals.bench.page import page
from evals.bench.plots import Bar, grouped
from evals.bench.scoring import Outcome, PlainBm25, by_tier, digest, tier_sums
from evals.bench.summary import Conditions, Summary, from_json, summary_text, summed, to_json
from evaluate.pages_checked import checked

CASE = BenchCase(
    "run01_case01_easy",
    "easy",
    "weirs and locks",
    ("weir:0001", "lock:0002"),
    ("KR-1", "4.5 percent"),
    TermsScope.ASSEMBLED_CONTEXT,
    800,
)


def outcome(
    case: BenchCase,
    retrieved: tuple[str, ...],
    text: str,
    *,
    suite: str = "series_a_run_01",
    ms: float = 10.0,
) -> Outcome:
    best = judged(case, case.keys, " ".join(case.terms))
    return Outcome(
        suite,
        case,
        retrieved,
        prefix_hit(case, retrieved),
        judged(case, retrieved, text),
        judged(case, (), ""),
        best,
        100,
        ms,
        2 * ms,
    )


# ---------------------------------------------------------------- judging


def test_a_hit_is_a_whole_key_and_the_legacy_rule_takes_any_of_its_domain() -> None:
    assert judged(CASE, ("weir:0001",), "") == Judged(hit=True, share=0.5, assembled=False)
    assert judged(CASE, ("lock:0002", "weir:0001"), "") == Judged(hit=True, share=1.0, assembled=False)
    assert judged(CASE, ("weir:0009", "weir:00010"), "") == Judged(hit=False, share=0.0, assembled=False)
    assert prefix_hit(CASE, ("weir:0009",)) is True
    assert prefix_hit(CASE, ("weirs:0001", "dam:0001")) is False


def test_one_term_is_enough_and_neither_case_nor_line_ends_count() -> None:
    assert judged(CASE, (), "the file kr-1").assembled is True
    assert judged(CASE, (), "it rose by 4.5\npercent").assembled is True
    assert judged(CASE, (), "KR 1, 4.5").assembled is False


def test_what_a_case_does_not_expect_is_not_judged() -> None:
    empty = replace(CASE, keys=(), terms=())
    assert judged(empty, ("weir:0001",), "KR-1") == Judged(None, None, None)
    assert prefix_hit(empty, ("weir:0001",)) is None
    sums = tier_sums("easy", [outcome(empty, (), "")])
    assert (sums.daypack.retrieval, sums.daypack.assembly, sums.prefix) == (
        Rate(0, 0),
        Rate(0, 0),
        Rate(0, 0),
    )


def test_bm25_is_the_formula() -> None:
    texts = {"a": "locks locks weir", "b": "weir", "c": "the dam of dams"}
    ranked = PlainBm25(texts).ranked("lock and weir", 10)
    # Lengths 3, 1 and 2 (stop words go), 2 in the mean; idf = ln(1 + (N - n + .5) / (n + .5)).
    idf_lock, idf_weir = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
    a = idf_lock * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 1.5)) + idf_weir * 2.2 / (
        1 + 1.2 * (0.25 + 0.75 * 1.5)
    )
    b = idf_weir * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 0.5))
    assert ranked == ["a", "b"] and a > b
    assert PlainBm25(texts).scores("lock and weir") == pytest.approx({"a": a, "b": b})
    assert PlainBm25(texts).ranked("kettle", 10) == []
    assert PlainBm25(texts).ranked("lock and weir", 1) == ["a"]
    assert PlainBm25({}).ranked("lock", 10) == []


# ---------------------------------------------------------------- sums


def outcomes() -> list[Outcome]:
    hard = replace(CASE, name="run02_case01_hard", tier="hard", query="sluices")
    return [
        outcome(CASE, ("weir:0001", "lock:0002"), "KR-1", ms=10),
        outcome(CASE, ("weir:0007",), "", ms=30),
        outcome(hard, (), "", suite="series_a_run_02", ms=50),
        outcome(hard, ("lock:0002",), "KR-1", suite="series_a_run_02", ms=70),
    ]


def test_sums_of_a_tier_can_be_counted_by_hand() -> None:
    easy, hard = by_tier(outcomes())
    assert (easy.tier, easy.cases, easy.questions) == ("easy", 2, 1)
    assert (easy.daypack.retrieval, easy.daypack.keys, easy.daypack.assembly) == (Rate(1, 2), 0.5, Rate(1, 2))
    assert easy.prefix == Rate(2, 2)
    assert (easy.retrieve_ms, easy.assemble_ms) == ((20.0, 30.0), (40.0, 60.0))
    assert (hard.daypack.retrieval, hard.daypack.keys, hard.prefix) == (Rate(1, 2), 0.25, Rate(1, 2))
    assert (hard.bm25.retrieval, hard.oracle.retrieval, hard.oracle.keys) == (Rate(0, 2), Rate(2, 2), 1.0)


def test_the_digest_is_of_answers_and_not_of_times() -> None:
    slower = [replace(one, retrieve_ms=99.0, assemble_ms=99.0) for one in outcomes()]
    assert digest(outcomes()) == digest(slower)
    assert digest(outcomes()) != digest([*outcomes()[:3], replace(outcomes()[3], retrieved=("lock:0003",))])


def summary(name: str = "base_structured", **changes: object) -> Summary:
    conditions = Conditions(
        name=name,
        variant="structured",
        seed=42,
        limit=6,
        ranking="common",
        vectors="all",
        embedder="minilm",
        tokenizer="o200k",
        max_records=None,
        records=205,
        skipped=0,
        pruned=0,
        ingest_seconds=1.0,
        ask_seconds=2.0,
        versions={"daypack": "0.1.0"},
    )
    return summed(replace(conditions, **changes), outcomes())


def test_a_summary_is_read_back_as_it_was_written_and_has_the_names_of_context_stores() -> None:
    one = summary(max_records=24, pruned=31)
    text = to_json(one)
    assert from_json(text, "s") == one
    for field in (
        "suite_name",
        "retrieval_hit_rate",
        "assembly_hit_rate",
        "runtime_seconds",
        "imported_records",
        "pruned_records_total",
        "total_cases",
    ):
        assert f'"{field}"' in text
    assert [(run.suite, run.retrieval, run.assembly) for run in one.runs] == [
        ("series_a_run_01", Rate(1, 2), Rate(1, 2)),
        ("series_a_run_02", Rate(1, 2), Rate(1, 2)),
    ]
    assert [(row.name, row.stored) for row in one.misses] == [
        ("run01_case01_easy", True),
        ("run02_case01_hard", True),
    ]
    assert "31 pruned (capacity 24)" in summary_text(one)


def test_a_rate_of_a_run_counts_the_judged_cases_alone() -> None:
    by_terms, by_keys = replace(CASE, keys=()), replace(CASE, terms=())
    found = [
        outcome(CASE, ("weir:0001",), "KR-1"),
        outcome(by_terms, (), "KR-1"),
        outcome(by_keys, ("weir:0001",), "", suite="keys"),
    ]
    rows = json.loads(to_json(summed(summary().conditions, found)))["runs"]
    assert [(row["retrieval_hit_rate"], row["assembly_hit_rate"]) for row in rows] == [(1, 1), (1, None)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"daypack_bench": 2}',
        '{"daypack_bench": 3}',
        "[[[[",
        '{"daypack_bench": 2, "conditions": {}}',
    ],
)
def test_what_is_no_summary_is_refused(text: str) -> None:
    with pytest.raises(BadRun):
        from_json(text, "other.json")


# ---------------------------------------------------------------- pages


def test_a_page_of_one_set_has_its_plots_its_tiers_and_its_misses() -> None:
    text = page([summary(max_records=24, pruned=31)])
    shown = checked(text)
    assert text.count('<svg class="plot"') == 3
    for words in (
        "Retrieved by exact key, by tier",
        "Assembled within the budget",
        "CPU time",
        "31 pruned",
        "seed 42",
        "sluices",
        "by prefix",
    ):
        assert words in shown
    assert "hard, Daypack: 50 %, 95 % interval 9 % to 91 %" in shown
    assert "easy, best possible: 100 %" in shown


def test_a_page_of_several_sets_draws_them_side_by_side() -> None:
    text = page([summary(), summary("base_unstructured", variant="unstructured")])
    shown = checked(text)
    assert text.count('<svg class="plot"') == 3
    assert "hard, base_unstructured: 50 %" in shown
    assert "The same questions were put to each." in shown


def test_what_a_set_is_called_cannot_become_part_of_the_page() -> None:
    shown = checked(page([summary("<script>alert(1)</script>")]))
    assert "<script>" in shown


def test_a_bar_is_as_high_as_its_value() -> None:
    picture = grouped("Weirs", {"easy": {"a": Bar(1.0), "b": Bar(0.25, (0.0, 0.5))}})
    heights = [float(height) for height in re.findall(r'height="([\d.]+)"><title>', picture)]
    assert heights == pytest.approx([220.0, 55.0])
    assert "easy, b: 25 %, 95 % interval 0 % to 50 %" in picture
    assert "40 ms" in grouped("Times", {"easy": {"a": Bar(37.0)}}, unit="ms")
