"""The form of JSON that a budget gets: what stands around the texts takes a small part of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project

FILES = {
    f"docs/harbour-{n}.md": f"# Harbour {n}\n\n"
    + f"The ferry of harbour {n} leaves pier {n} in the morning. " * 6
    for n in range(40)
}


@pytest.fixture
def harbours(tmp_path: Path) -> Path:
    project(tmp_path, FILES)
    return tmp_path


def line(root: Path, budget: int) -> dict[str, object]:
    with Daypack.open(root / ".daypack", settings=WORDS) as dp:
        dp.files.add(root)
        pack = dp.pack("when does the ferry leave the pier of the harbour?", budget=budget, shape="json")
        assert pack.tokens_used <= budget
        found: dict[str, object] = json.loads(pack.text)
        return found


def test_a_large_budget_lists_what_was_left_out(harbours: Path) -> None:
    assert "items" in line(harbours, 20_000)["omitted"]  # type: ignore[operator]


def test_the_default_budget_keeps_the_statistics_and_counts_what_was_left_out(harbours: Path) -> None:
    found = line(harbours, 4_000)
    assert "stats" in found
    assert "items" not in found["omitted"]  # type: ignore[operator]


def test_a_small_budget_goes_to_texts_and_their_places(harbours: Path) -> None:
    found = line(harbours, 500)
    items = found["items"]
    assert isinstance(items, list)
    assert {*items[0]} >= {"n", "ref", "uri", "start_line", "end_line", "hash", "time", "text"}
    assert {*items[0]}.isdisjoint({"start", "end", "trail", "language", "tokens"})
    assert "stats" not in found


def test_a_small_budget_leaves_the_time_of_code_out(tmp_path: Path) -> None:
    project(tmp_path, {"ferry.py": "def leave(pier):\n    return pier.ferry.leave(harbour=pier.harbour)\n"})
    items = line(tmp_path, 500)["items"]
    assert isinstance(items, list)
    assert {*items[0]}.isdisjoint({"time", "title", "kind"})
