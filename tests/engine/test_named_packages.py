"""A question that names a package is answered from it, though a sibling does the same in the question's words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack, Settings

SAIL = """import { winch } from '../core'

// moors a ferry: hauls its lines
export function moorFerry(ferry, lines) {
  for (const line of lines) {
    winch.turn(line) // under sail
  }
  return ferry.place
}
"""
STEAM = """import { winch } from '../core'

// moors a ferry: hauls its lines one after another until the ferry lies at its berth
export function moorFerry(ferry, lines) {
  for (const line of lines) {
    winch.turn(line) // of the steam engine
  }
  return ferry.berth
}
"""
CORE = """// turns a line by one mark of the drum
export const winch = {
  turn(line) {
    return line.length - 1
  },
}
"""
QUESTION = "how does the sail adapter haul lines one after another until the ferry lies at its berth?"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    texts = {
        "packages/sail-ferry/src/moor.js": SAIL,
        "packages/steam-ferry/src/moor.js": STEAM,
        "packages/ferry-core/src/winch.js": CORE,
    }
    for path, text in texts.items():
        file = tmp_path / "tree" / path
        file.parent.mkdir(parents=True)
        file.write_text(text)
    return tmp_path / "tree"


def with_manifests(tree: Path) -> None:
    for package in (tree / "packages").iterdir():
        (package / "package.json").write_text(f'{{"name": "@harbour/{package.name}"}}\n')


@pytest.fixture
def opened(tree: Path, tmp_path: Path) -> Iterator[Daypack]:
    with Daypack.open(
        tmp_path / "store", root=tree, settings=Settings(embedder="hashing", refresh=False)
    ) as daypack:
        yield daypack


def scores(daypack: Daypack, question: str) -> dict[str, float]:
    """Package → the score of its best chunk."""
    best: dict[str, float] = {}
    for candidate in daypack.search(question, vectors="none").candidates:
        package = candidate.chunk.uri.split("/")[1]
        best[package] = max(best.get(package, 0.0), candidate.score)
    return best


def test_a_sibling_of_a_named_package_is_held_back(tree: Path, opened: Daypack) -> None:
    opened.files.add(tree)
    before = scores(opened, QUESTION)
    with_manifests(tree)
    opened.files.add(tree)
    after = scores(opened, QUESTION)
    assert before["steam-ferry"] > before["sail-ferry"]
    assert after["sail-ferry"] > after["steam-ferry"]


def test_a_question_that_names_no_package_holds_nothing_back(tree: Path, opened: Daypack) -> None:
    with_manifests(tree)
    opened.files.add(tree)
    found = opened.search("how is a ferry moored at its berth?", vectors="none").candidates
    assert found[0].chunk.uri.startswith("packages/steam-ferry/")
    code = [hit for hit in found if hit.chunk.name and hit.chunk.uri.endswith(".js")]
    assert all(part.raw == 1 for hit in code for part in hit.contributions if part.signal == "prior")
