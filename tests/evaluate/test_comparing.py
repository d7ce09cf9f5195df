"""Two runs beside each other, and the gate."""

from __future__ import annotations

import contextlib
import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.errors import BadRun
from daypack.evaluate import (
    CaseResult,
    Comparison,
    Finding,
    Miss,
    Options,
    Require,
    Run,
    compare,
    from_json,
    gate,
    to_json,
)
from daypack.evaluate.measures import wilson
from daypack.evaluate.report.page import page
from daypack.evaluate.report.text import comparison_text
from evaluate.runs_made import STORE, case, finding, run, term


def reasons(found: Comparison, what: str) -> dict[str, list[str]]:
    return {
        change.name: [movement.reason for movement in change.movements] for change in getattr(found, what)
    }


# ---------------------------------------------------------------- reasons


def test_a_rank_that_falls_below_the_limit_is_a_regression() -> None:
    found = compare(run([case("a", finding("x", 2))]), run([case("a", finding("x", 14))]))
    assert reasons(found, "regressions") == {"a": ["rank fell from 2 to 14"]}
    assert not found.improvements and not found.shifts and not found.unchanged


def test_a_rank_that_falls_within_the_limit_is_a_shift() -> None:
    found = compare(run([case("a", finding("x", 2))]), run([case("a", finding("x", 9))]))
    assert reasons(found, "shifts") == {"a": ["rank fell from 2 to 9"]}
    assert not found.regressions


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        (
            finding("x", 1, packed=False, pack_miss=Miss.BUDGET),
            "dropped out of the pack because of the budget, which is 100 instead of 400",
        ),
        (
            finding("x", 1, packed=False, pack_miss=Miss.DUPLICATE),
            "dropped out of the pack (its text is there under another name)",
        ),
        (
            finding("x", 1, packed=False, pack_miss=Miss.SHORTENED),
            "dropped out of the pack (cut away from its excerpt)",
        ),
    ],
)
def test_what_drops_out_of_the_pack_says_why(after: Finding, reason: str) -> None:
    found = compare(run([case("a", finding("x", 1))]), run([case("a", after, budget=100)]))
    assert reasons(found, "regressions") == {"a": [reason]}


def test_a_term_that_is_gone_is_said_to_be_gone() -> None:
    found = compare(
        run([case("a", term("per pound", packed=True))]), run([case("a", term("per pound", packed=False))])
    )
    assert reasons(found, "regressions") == {"a": ["term no longer present (not ranked)"]}
    back = compare(found.after, found.before)
    assert reasons(back, "improvements") == {"a": ["came into the pack (not ranked before)"]}


def test_what_is_not_ranked_any_more_says_where_it_was() -> None:
    gone = replace(finding("x", None), retrieval_miss=Miss.NOT_STORED)
    assert reasons(
        compare(run([case("a", finding("x", 2))]), run([case("a", finding("x", None))])), "regressions"
    ) == {"a": ["no longer ranked, was at rank 2"]}
    assert reasons(compare(run([case("a", finding("x", 2))]), run([case("a", gone)])), "regressions") == {
        "a": ["no longer in the store, was at rank 2"]
    }
    assert reasons(compare(run([case("a", gone)]), run([case("a", finding("x", 2))])), "improvements") == {
        "a": ["found at rank 2 (not in the store before)"]
    }


def test_lines_past_the_end_of_a_shorter_file_are_said_to_be_past_it() -> None:
    gone = finding("x:40", None, packed=False, pack_miss=Miss.NOT_STORED)
    gone = replace(gone, retrieval_miss=Miss.NOT_STORED, lines=30)
    found = compare(run([case("a", finding("x:40", 1))]), run([case("a", gone)]))
    assert reasons(found, "regressions") == {
        "a": ["its file has 30 lines now, was at rank 1", "dropped out of the pack (its file has 30 lines)"]
    }


def test_a_case_may_lose_one_thing_and_gain_another() -> None:
    found = compare(
        run([case("a", finding("x", 1), finding("y", 30))]),
        run([case("a", finding("x", 30), finding("y", 1))]),
    )
    assert reasons(found, "regressions") == {"a": ["rank fell from 1 to 30"]}
    assert reasons(found, "improvements") == {"a": ["rank rose from 30 to 1"]}


def test_cases_that_are_new_gone_or_defined_otherwise_are_named() -> None:
    found = compare(
        run([case("a", finding("x", 1)), case("b", finding("x", 1))]),
        run([case("a", finding("x", 20), digest="other"), case("c", finding("x", 1))]),
    )
    assert (found.added, found.removed, found.redefined) == (("c",), ("b",), ("a",))
    assert not found.regressions


def test_what_was_asked_differently_is_said() -> None:
    other = run(
        [case("a", finding("x", 1))], options=Options(limit=5), store=replace(STORE, chunks=1_200, sequence=9)
    )
    assert compare(run([case("a", finding("x", 1))]), other).differences == (
        "limit 10 → 5",
        "store chunks 9 → 1,200",
    )
    edited = run([case("a", finding("x", 1))], store=replace(STORE, sequence=9))
    assert compare(run([case("a", finding("x", 1))]), edited).differences == (
        "the store was written in between, so its texts may differ",
    )


def test_a_rate_that_no_case_judges_is_no_zero() -> None:
    terms, paths = run([case("a", term("t", packed=True))]), run([case("b", finding("x", 1))])
    told = comparison_text(compare(terms, paths))
    assert "retrieval  not judged → 100.0 %" in told
    totals = json.loads(to_json(terms))["totals"]
    assert [totals[name] for name in ("retrieval_rate", "rr", "r@10", "pack_recall")] == [
        None,
        None,
        None,
        1.0,
    ]
    assert "<td>0.000</td>" not in page([terms, terms])


# ---------------------------------------------------------------- properties

ranks = st.none() | st.integers(1, 30)
findings = st.builds(lambda rank, packed: finding("x", rank, packed=packed), ranks, st.booleans())
pairs = st.lists(
    st.integers(1, 3).flatmap(
        lambda size: st.tuples(*(st.lists(findings, min_size=size, max_size=size) for _ in range(2)))
    ),
    min_size=1,
    max_size=6,
)


def runs_of(drawn: list[tuple[list[Finding], list[Finding]]]) -> tuple[Run, Run]:
    def side(which: int) -> list[CaseResult]:
        return [
            case(
                f"case {number}",
                *(
                    replace(one, expected=replace(one.expected, text=f"x{i}"))
                    for i, one in enumerate(pair[which])
                ),
            )
            for number, pair in enumerate(drawn)
        ]

    return run(side(0)), run(side(1))


@given(pairs)
def test_what_is_lost_one_way_is_gained_the_other_way(
    drawn: list[tuple[list[Finding], list[Finding]]],
) -> None:
    before, after = runs_of(drawn)
    there, back = compare(before, after), compare(after, before)

    def moved(found: Comparison, what: str) -> list[tuple[str, list[tuple[str, str]]]]:
        return [
            (change.name, [(m.stage, m.expected.text) for m in change.movements])
            for change in getattr(found, what)
        ]

    assert moved(there, "regressions") == moved(back, "improvements")
    assert moved(there, "improvements") == moved(back, "regressions")
    assert moved(there, "shifts") == moved(back, "shifts")
    assert there.unchanged == back.unchanged


@given(pairs)
def test_a_run_compared_with_itself_has_not_moved(drawn: list[tuple[list[Finding], list[Finding]]]) -> None:
    before, _ = runs_of(drawn)
    found = compare(before, before)
    assert (found.regressions, found.improvements, found.shifts, found.differences) == ((), (), (), ())
    assert found.unchanged == len(before.cases)


@given(pairs)
def test_rates_are_shares_and_lie_inside_their_intervals(
    drawn: list[tuple[list[Finding], list[Finding]]],
) -> None:
    for one in runs_of(drawn):
        sums = one.totals
        for rate in (sums.retrieval, sums.pack):
            low, high = rate.interval
            assert 0 <= low <= rate.value <= high <= 1
        assert 0 <= sums.reciprocal_rank <= 1
        # One of what is expected is enough, so no case holds a larger share of it than its verdict.
        assert sums.recall <= sums.retrieval.value + 1e-9
        assert sums.pack_recall <= sums.pack.value + 1e-9


@given(pairs)
def test_a_run_comes_back_from_its_json(drawn: list[tuple[list[Finding], list[Finding]]]) -> None:
    before, _ = runs_of(drawn)
    assert from_json(to_json(before), "before.json") == before


@given(st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_of_a_rate_mirror_those_of_its_complement(drawn: tuple[int, int]) -> None:
    hits, n = drawn
    low, high = wilson(hits, n)
    other_low, other_high = wilson(n - hits, n)
    assert (low, high) == pytest.approx((1 - other_high, 1 - other_low))


def test_a_known_interval() -> None:
    """Wilson's interval of 9 in 10, as tables have it."""
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON at line 1, column 2"),
        ("[]", "is not a saved run"),
        ('{"daypack_eval_run": 2}', "is of version 2, this program reads 1"),
        ('{"daypack_eval_run": 1}', "cannot be read (KeyError: 'options')"),
    ],
)
def test_a_file_that_is_no_run_is_refused(text: str, told: str) -> None:
    with pytest.raises(BadRun) as caught:
        from_json(text, "x.json")
    assert told in str(caught.value)


def test_no_hole_in_a_run_is_read_as_something_else() -> None:
    """Every single value of a saved run replaced by one of another type is refused, or changes nothing."""
    good = run([case("a", finding("x", None), term("t", packed=False))])
    whole = json.loads(to_json(good))
    for holder, key in (("options", "limit"), ("options", "packing"), ("store", "chunks"), ("suite", "name")):
        broken = json.loads(to_json(good))
        broken[holder].pop(key)
        with pytest.raises(BadRun):
            from_json(json.dumps(broken), "x.json")
    for key in whole["cases"][0]["findings"][0]:
        broken = json.loads(to_json(good))
        broken["cases"][0]["findings"][0][key] = {"no": "value"}
        with contextlib.suppress(BadRun):
            assert from_json(json.dumps(broken), "x.json") != good


@pytest.mark.parametrize(
    ("within", "key", "value"),
    [
        ((), "cases", []),
        ((), "cases", "twice"),
        (("options",), "limit", 0),
        (("cases", 0), "tokens_used", float("inf")),
        (("cases", 0, "findings", 0), "rank", 0),
        (("cases", 0, "findings", 0), "rank", -3),
        (("cases", 0, "findings", 0), "rank", 10**400),
    ],
)
def test_a_run_of_impossible_numbers_is_refused(within: tuple[str | int, ...], key: str, value: Any) -> None:
    broken: Any = json.loads(to_json(run([case("a", finding("x", 1))])))
    holder = broken
    for step in within:
        holder = holder[step]
    holder[key] = holder[key] * 2 if value == "twice" else value
    with pytest.raises(BadRun, match="cannot be read"):
        from_json(json.dumps(broken), "x.json")


def test_an_edited_expectation_is_not_compared_under_an_old_digest() -> None:
    found = compare(run([case("a", finding("x", 1))]), run([case("a", finding("y", 1))]))
    assert found.redefined == ("a",)


# ---------------------------------------------------------------- the gate


def half() -> Run:
    return run([case("a", finding("x", 1)), case("b", finding("x", None, packed=False))])


def test_a_gate_without_requirements_wants_everything() -> None:
    checks = gate(half())
    assert [(check.name, check.passed, check.cases) for check in checks] == [
        ("retrieval rate", False, ("b",)),
        ("pack rate", False, ("b",)),
    ]
    assert all(check.passed for check in gate(run([case("a", finding("x", 1))])))


def test_a_gate_holds_to_the_rates_that_are_given_and_no_others() -> None:
    assert [check.passed for check in gate(half(), min_retrieval=0.5)] == [True]
    assert [check.passed for check in gate(half(), min_retrieval=0.51)] == [False]
    assert [check.passed for check in gate(half(), min_pack=0.5, min_retrieval=0.6)] == [False, True]


def test_what_no_case_judges_does_not_pass() -> None:
    only_terms = run([case("a", term("t", packed=True))])
    assert [(check.passed, check.found) for check in gate(only_terms, min_retrieval=0.1)] == [
        (False, "no case expects anything there")
    ]
    assert all(check.passed for check in gate(only_terms))


def test_regressions_are_counted_by_case_and_a_case_that_vanished_is_one() -> None:
    before = run(
        [case("a", finding("x", 1), finding("y", 1)), case("b", finding("x", 1)), case("c", finding("x", 1))]
    )
    after = run([case("a", finding("x", 20), finding("y", 20)), case("b", finding("x", 1))])
    (check,) = gate(after, against=before)
    assert (check.found, check.passed, check.cases) == ("2", False, ("a", "c"))
    assert gate(after, against=before, max_regressions=2)[0].passed


def test_runs_without_a_common_case_do_not_pass() -> None:
    checks = gate(
        run([case("a", finding("x", 1))]), against=run([case("b", finding("x", 1))]), max_regressions=5
    )
    assert [check.passed for check in checks] == [True, False]


@given(pairs, st.floats(0, 1))
def test_a_run_that_passes_a_rate_passes_every_lower_one(
    drawn: list[tuple[list[Finding], list[Finding]]], least: float
) -> None:
    before, _ = runs_of(drawn)
    passed = [gate(before, min_retrieval=rate)[0].passed for rate in (least, least / 2, 0.0)]
    assert all(not higher or lower for higher, lower in itertools.pairwise(passed))


def test_all_counts_only_cases_that_lack_nothing() -> None:
    found = (finding("x", 1), finding("y", None, packed=False))
    assert run([case("a", *found)]).totals.retrieval.value == 1
    assert run([case("a", *found, require=Require.ALL)]).totals.retrieval.value == 0
