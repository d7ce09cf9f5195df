"""`--explain` through the program: what is printed under a score is that score."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support import copy_of_pay, daypack

QUESTIONS = [
    "how are refunds retried?",
    "RetryBudget.Allow",
    "config/retry.yaml",
    '"attempts exhausted"',
    "which tests cover retries?",
]
EACH = [word for question in QUESTIONS for word in ("-q", question)]


@pytest.fixture(scope="module")
def pay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_pay(tmp_path_factory.mktemp("p"))
    daypack("add", ".", "--vectors", "all", cwd=folder)
    return folder


@pytest.mark.parametrize("vectors", ["all", "none"])
def test_the_contributions_under_a_result_add_up_to_its_score(pay: Path, vectors: str) -> None:
    printed = daypack("search", *EACH, "--explain", "--vectors", vectors, cwd=pay).stdout
    results = re.findall(
        r"^ ?\d+\. \S+:\d+-\d+  (\d\.\d{3}).*\n.*\n((?: {6}[+-].*\n)+)", printed, re.MULTILINE
    )
    assert len(results) >= 5 * len(QUESTIONS)
    for score, explanation in results:
        *parts, total = re.findall(r"^ {6}([+-]\d\.\d{4})  (\w+)", explanation, re.MULTILINE)
        assert total[1] == "sum"
        assert len(parts) > 1
        assert float(total[0]) == pytest.approx(
            sum(float(share) for share, _ in parts), abs=0.00005 * (len(parts) + 1)
        )
        assert float(score) == pytest.approx(float(total[0]), abs=0.00056)  # three digits against four


def test_the_contributions_in_json_add_up_to_the_score(pay: Path) -> None:
    for line in daypack("search", *EACH, "--json", cwd=pay).stdout.splitlines():
        for result in json.loads(line)["results"]:
            parts = result["contributions"]
            assert sum(parts.values()) == pytest.approx(result["score"], abs=1e-6 * (len(parts) + 1))


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_table_of_a_pack_ends_every_running_sum_at_the_score(pay: Path, question: str) -> None:
    printed = daypack("pack", question, "--explain", "--budget", "800", cwd=pay).stdout
    assert "do not add up" not in printed
    tables = re.split(r"^ *(-?\d\.\d{4}) +\d+ % ", printed, flags=re.MULTILINE)[1:]
    assert len(tables) >= 10
    for score, table in zip(tables[::2], tables[1::2], strict=True):
        rows = re.findall(r"^ +\w+ +(?:\S+) +([+-]\d\.\d{4}) +(-?\d\.\d{4})$", table, re.MULTILINE)
        assert (rows[-1][1] if rows else "0.0000") == score
        assert sum(float(share) for share, _ in rows) == pytest.approx(
            float(score), abs=0.00005 * (len(rows) + 1)
        )


def test_what_is_explained_is_the_pack_of_the_same_budget(pay: Path) -> None:
    """The table is longer than any pack of so few tokens, and is not itself held to them."""
    explained = daypack("pack", QUESTIONS[0], "--explain", "--budget", "300", cwd=pay).stdout
    packed = daypack("pack", QUESTIONS[0], "--budget", "300", cwd=pay).stdout
    [used] = re.findall(r"^Budget   300 o200k, (\d+) used", explained, re.MULTILINE)
    assert 0 < int(used) <= 300
    labels = re.findall(r"^ *\S+ +\d+ %   (\S+):\d+-\d+ +in as \[(\d+)\]", explained, re.MULTILINE)
    assert labels
    for uri, label in labels:
        assert re.search(rf"^\[{label} ", packed, re.MULTILINE)
        assert uri.rpartition("/")[2] in packed
