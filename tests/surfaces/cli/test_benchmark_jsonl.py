"""`daypack source benchmark-jsonl` as a user runs it, from files to a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack.evaluate.benchmark import read_rows
from evaluate.pages_checked import checked
from support import daypack

RECORD = '{"source_key": "a", "text": "b"}\n'


def test_one_suite_from_files_is_judged_in_a_store_that_stays(tmp_path: Path) -> None:
    """Counted by hand: the first case finds its key and its term, the second asks another user's record."""
    rows = [
        {
            "source_key": "weir:0001",
            "text": "The weir at Osk was raised by 41 cm.",
            "kind": "research_finding",
            "scope": "user",
            "user_id": "u_01",
        },
        {
            "source_key": "weir:0002",
            "text": "The lock at Dorn is shut.",
            "scope": "user",
            "user_id": "u_02",
            "structured_data": {"shut_since": "May"},
        },
        {"source_key": "weir:0003", "text": "", "kind": "research_finding"},
    ]
    cases = [
        {"name": "raised", "query_text": "weir at Osk", "expected_source_keys": ["weir:0001"], "expected_terms": ["41 cm"], "user_id": "u_01"},
        {"name": "other", "query_text": "lock at Dorn", "expected_source_keys": ["weir:0002"], "expected_terms": ["Dorn"], "user_id": "u_01", "token_budget": 300},
    ]  # fmt: skip
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "cases.json").write_text(json.dumps({"cases": cases}))
    command = (
        "source", "benchmark-jsonl", "set.jsonl", "cases.json", "--store", "store", "--out", "out", "--name", "weirs", "--budget",
        "2000", "--embedding-backend", "local_hashing",
    )  # fmt: skip
    result = json.loads(daypack(*command, cwd=tmp_path).stdout)
    assert (result["suite_name"], result["imported_records"], result["total_cases"]) == ("weirs", 2, 2)
    assert [row["source_key"] for row in result["skipped_records"]] == ["weir:0003"]
    assert (result["retrieval_hits"], result["assembly_hits"], result["retrieval_hit_rate"]) == (1, 1, 0.5)
    assert [case["retrieved_source_keys"] for case in result["cases"]] == [["weir:0001"], []]
    assert json.loads((tmp_path / "out" / "benchmark-result.json").read_text()) == result
    checked((tmp_path / "out" / "benchmark-report.html").read_text(encoding="utf-8"))
    assert json.loads(daypack(*command, cwd=tmp_path).stdout)["imported_records"] == 2
    listed = json.loads(
        daypack(
            "source", "list", "--owner", "u_01", "--status", "all", "--store", "store", cwd=tmp_path
        ).stdout
    )
    assert [record["source_version"] for record in listed["items"]] == [1]


def test_rates_are_of_the_cases_that_expect_something_and_records_count_once(tmp_path: Path) -> None:
    rows = [{"source_key": "weir:1", "text": f"The weir at Osk is {height} cm high."} for height in (40, 41)]
    cases = [
        {"name": "key", "query_text": "weir at Osk", "expected_source_keys": ["weir:1"]},
        {"name": "key too", "query_text": "weir at Osk", "expected_source_keys": ["weir:2"]},
    ]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "cases.json").write_text(
        json.dumps({"cases": [*cases, {"name": "none", "query_text": "Osk"}]})
    )
    command = ("set.jsonl", "cases.json", "--store", "store", "--out", "out", "--embedder", "hashing")
    result = json.loads(daypack("source", "benchmark-jsonl", *command, cwd=tmp_path).stdout)
    assert (result["retrieval_hit_rate"], result["assembly_hit_rate"]) == (0.5, None)
    assert result["imported_records"] == 1


def test_a_line_separator_within_a_text_ends_no_record(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(
        '{"source_key": "a", "text": "one\u2028two\u0085three"}\r\n{"source_key": "b"}\n', encoding="utf-8"
    )
    assert [row["source_key"] for row in read_rows(path)] == ["a", "b"]


@pytest.mark.parametrize(
    ("dataset", "cases", "message"),
    [
        ("", '{"cases": []}', "holds no record"),
        ("[1]\n", "{}", "line 1"),
        (RECORD, '{"cases": [{"name": "a"}]}', "case 1"),
        ('{"text": "b"}\n', "{}", "source_key"),
        (
            RECORD,
            json.dumps({"cases": [{"name": "a", "query_text": "w " * 40_000}]}),
            "case 1: the query has 80,000",
        ),
        (
            RECORD,
            '{"cases": [{"name": "a", "query_text": "b", "token_budget": 1000000000}]}',
            "case 1, field token_budget 1000000000 is more than 10,000,000 tokens",
        ),
    ],
)
def test_files_that_are_no_set_or_no_cases_end_in_words(
    tmp_path: Path, dataset: str, cases: str, message: str
) -> None:
    (tmp_path / "set.jsonl").write_text(dataset)
    (tmp_path / "cases.json").write_text(cases)
    done = daypack(
        "source",
        "benchmark-jsonl",
        "set.jsonl",
        "cases.json",
        "--store",
        "store",
        "--out",
        "out",
        cwd=tmp_path,
        status=2,
    )
    assert message in done.stderr
    assert not (tmp_path / "store").exists()


def test_an_impossible_budget_of_a_case_is_told_as_its_field(tmp_path: Path) -> None:
    """It advised an option, which does not count for a case with a budget of its own."""
    (tmp_path / "set.jsonl").write_text(RECORD)
    case = {"name": "a", "query_text": "b", "expected_source_keys": ["a"], "token_budget": 10**9}
    (tmp_path / "cases.json").write_text(json.dumps({"cases": [case]}))
    command = ("source", "benchmark-jsonl", "set.jsonl", "cases.json", "--store", "store", "--out", "out")
    refused = daypack(*command, cwd=tmp_path, status=2).stderr
    assert "case 1, field token_budget 1000000000 is more than 10,000,000 tokens" in refused
    assert "--budget" not in refused
