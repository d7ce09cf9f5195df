"""Each protection of the threat model, and each promise, names the tests that hold it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
THREATS, PROMISES = "docs/explanation/threat-model.md", "docs/reference/promises.md"
NAMED = re.compile(r"\[([^\[\]]+)\]\((?:\.\./)*(tests/[\w/]+/test_\w+\.py)\)")


def section(page: str, title: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.split(r"^## ", text.split(f"## {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0].strip()


def rows(table: str) -> list[str]:
    return [line for line in table.splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize(("page", "least"), [(THREATS, 40), (PROMISES, 50)])
def test_the_tests_that_a_page_names_exist(page: str, least: int) -> None:
    """A link speaks the name of a test in its file, without the number of a bad input, or the name of the file."""
    named = NAMED.findall((ROOT / page).read_text(encoding="utf-8"))
    assert len(named) >= least
    for spoken, path in named:
        name = spoken.replace(" ", "_")
        source = (ROOT / path).read_text(encoding="utf-8")
        is_there = Path(path).stem == f"test_{name}" or re.search(rf"def test_(row_\d\d_)?{name}\b", source)
        assert is_there, f"{path} has no {name}"


def test_each_claim_of_the_threat_model_names_its_test() -> None:
    """A row without protection names none; in a list of limits only those that can be tested do."""
    table = rows(section(THREATS, "Who might attack, and how"))
    paragraphs = [
        one
        for title in ("Secrets", "Deleting", "Network", "Commands")
        for one in section(THREATS, title).split("\n\n")
        if not one.startswith("- ")
    ]
    assert len(table) >= 12
    assert len(paragraphs) >= 6
    unheld = [claim for claim in (*table, *paragraphs) if not NAMED.search(claim)]
    assert [claim for claim in unheld if "| nothing: " not in claim] == []


def test_each_promise_names_its_test() -> None:
    promises = rows((ROOT / PROMISES).read_text(encoding="utf-8").split("\n## ", 1)[0])
    assert len(promises) > 30
    assert [promise for promise in promises if not NAMED.search(promise)] == []
