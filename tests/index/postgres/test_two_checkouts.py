"""Two checkouts of one project in one schema: files are those of the one that added them last, and the other is told so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import support
from daypack import Daypack


@pytest.fixture
def checkouts(tmp_path: Path, new_store: Callable[[], str]) -> Iterator[tuple[Daypack, Daypack]]:
    url = new_store()
    for name, own in (("first", "anchor"), ("second", "harbour")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tea.md").write_text("The kettle boils at nine.\n")
        (tmp_path / name / "brew.md").write_text("Brew the tea for four minutes.\n")
        (tmp_path / name / f"{own}.md").write_text(f"The {own} is old.\n")
    with (
        Daypack.open(url, root=tmp_path / "first", settings=support.WORDS) as first,
        Daypack.open(url, root=tmp_path / "second", settings=support.WORDS) as second,
    ):
        yield first, second


def files_of(daypack: Daypack) -> set[str]:
    return {file.uri for file in daypack.files.listing()}


def test_a_question_from_another_checkout_takes_no_file_away_and_says_what_it_answers_from(
    checkouts: tuple[Daypack, Daypack],
) -> None:
    first, second = checkouts
    first.files.add(first.root)
    (second.root / "tea.md").write_text("The kettle boils at ten.\n")
    found = second.search("kettle")
    assert "at nine" in found.candidates[0].chunk.text
    assert "has not read them in" in found.stats.degraded[0]
    assert files_of(first) == {"tea.md", "brew.md", "anchor.md"}
    assert first.search("kettle").stats.degraded == ()


def test_the_checkout_that_adds_its_files_last_has_them_in_step(checkouts: tuple[Daypack, Daypack]) -> None:
    first, second = checkouts
    first.files.add(first.root)
    second.files.add(second.root)
    (second.root / "tea.md").write_text("The kettle boils at ten.\n")
    assert "at ten" in second.search("kettle").candidates[0].chunk.text
    assert files_of(second) == {"tea.md", "brew.md", "harbour.md"}
    assert "has not read them in" in first.search("kettle").stats.degraded[0]
    first.files.add(first.root)
    assert "at nine" in first.search("kettle").candidates[0].chunk.text
