"""Runs as text and as a page.

Rewritten by `python -m pytest tests/evaluate --update-golden`; the diff is the review.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from daypack.evaluate import Miss, Options, Run, compare, gate
from daypack.evaluate.report.page import page
from daypack.evaluate.report.text import comparison_text, gate_text, run_text, runs_text
from daypack.guard.fences import is_inert
from evaluate.pages_checked import checked
from evaluate.runs_made import case, finding, run, term
from support import daypack, project

BEFORE = run(
    [
        case(
            "paid-once",
            finding("docs/refunds.md:20-25", 2),
            term("idempotency key", packed=True),
            category="rules",
        ),
        case("wait", finding("src/pay/retry.py", 1), category="code"),
        case(
            "rotation",
            replace(
                finding("docs/key.md", None, packed=False, pack_miss=Miss.NOT_STORED),
                retrieval_miss=Miss.NOT_STORED,
                nearest="docs/keys.md",
            ),
        ),
        case("months", term("13 months", packed=False, pack_miss=Miss.SHORTENED), category="numbers"),
        case("gone", finding("docs/old.md", 1)),
    ],
    name="before",
)
AFTER = run(
    [
        case(
            "paid-once",
            finding("docs/refunds.md:20-25", 14, packed=False),
            term("idempotency key", packed=False),
            category="rules",
            budget=200,
        ),
        case("wait", finding("src/pay/retry.py", 3), category="code"),
        BEFORE.cases[2],
        case("months", term("13 months", packed=True), category="numbers"),
        replace(case("new", finding("docs/new.md", 40, packed=False)), degraded=("vectors: no model",)),
    ],
    name="after",
    options=Options(budget=200),
)


def test_one_case_is_counted_in_the_singular() -> None:
    assert "0 of 1 case, 0 %" in run_text(run([case("rotation", finding("docs/key.md", None, packed=False))]))


def test_runs_comparisons_and_gates_as_text(golden: Callable[[str, str], None]) -> None:
    checks = gate(AFTER, min_retrieval=0.9, min_pack=0.2, max_regressions=0, against=BEFORE)
    parts = [
        run_text(BEFORE),
        run_text(AFTER),
        comparison_text(compare(BEFORE, AFTER)),
        gate_text(checks),
        runs_text([BEFORE, AFTER]),
    ]
    golden("evaluate/text.txt", "\n================\n\n".join(parts))


def test_a_page_of_two_runs(golden: Callable[[str, str], None]) -> None:
    golden("evaluate/page.html", page([BEFORE, AFTER]))


def hostile(text: str) -> Run:
    named = replace(
        case("c", finding(text or "x", 1), term(text or "x", packed=False)),
        name=text,
        query=text,
        category=text,
        degraded=(text,),
    )
    return replace(run([named]), suite=text, id=text)


def test_what_a_suite_says_cannot_become_part_of_the_page() -> None:
    text = '<script src="x">alert(1)</script><b onclick=x>&amp;\x1b[31m'
    shown = checked(page([hostile(text), hostile(text + "2")]))
    assert "<script" in shown and "\\u{1B}[31m" in shown


@given(
    st.text(st.characters(codec="utf-8"), max_size=40).filter(
        lambda text: "//" not in text and ":" not in text
    )
)
def test_any_name_makes_a_page_and_a_table_of_inert_lines(text: str) -> None:
    checked(page([hostile(text)]))
    assert is_inert(run_text(hostile(text)))


def test_light_dark_and_narrow_screens_are_thought_of() -> None:
    text = page([BEFORE])
    assert "prefers-color-scheme: dark" in text
    assert "max-width: 700px" in text
    assert 'name="viewport"' in text
    assert "Worse" not in text


def test_the_command_writes_the_page_beside_the_run_and_says_where(tmp_path: Path) -> None:
    shop = project(
        tmp_path / "shop",
        {
            "tea.md": "# Tea\n\nTea is sold by weight.\n",
            "suite.json": '[{"name": "a", "query": "tea", "expected_terms": ["by weight"]}]',
        },
    )
    daypack("add", "tea.md", cwd=shop)
    daypack("eval", "run", "suite.json", "--name", "first", cwd=shop)
    assert daypack("eval", "report", "first", cwd=shop).stdout == ".daypack/evals/first.html\n"
    assert "100 %" in checked((shop / ".daypack" / "evals" / "first.html").read_text(encoding="utf-8"))
    assert daypack("eval", "report", "first", "--out", "page.html", cwd=shop).stdout == "page.html\n"
    assert daypack("eval", "report", "first", "first", "--out", "-", cwd=shop).stdout.startswith(
        "<!DOCTYPE html>"
    )
    assert (
        "cannot be written"
        in daypack("eval", "report", "first", "--out", "no/page.html", cwd=shop, status=2).stderr
    )
    assert "is not saved" in daypack("eval", "report", "second", cwd=shop, status=2).stderr
    assert (shop / "suite.json").exists()
