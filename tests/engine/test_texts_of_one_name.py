"""Several texts may have one name: a printed reference leads to its own text, and a name alone says that others have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.sources.types import RetrieveRequest
from daypack.errors import NotFound
from daypack.shapes.answers import notes_on_found, paged, places_to_dict
from support import WORDS

SEVEN, EIGHT = "The ferry leaves at seven.", "The ferry leaves at eight."
QUESTION = "when does the ferry leave?"


@pytest.fixture
def dp(dp: Daypack) -> Daypack:
    """One key in two scopes."""
    dp.sources.store("research_finding", SEVEN, source_key="ferry")
    dp.sources.store("research_finding", EIGHT, source_key="ferry", scope="user")
    return dp


def test_each_hit_of_a_search_leads_to_its_own_text(dp: Daypack) -> None:
    for ranking in ("default", "ctx"):
        chunks = [candidate.chunk for candidate in dp.search(QUESTION, ranking=ranking).candidates]
        assert {chunk.text for chunk in chunks} == {SEVEN, EIGHT}
        for chunk in chunks:
            assert dp.get(chunk.reference).text == chunk.text
            assert dp.get(chunk.reference).others == ()


def test_files_of_a_search_and_items_of_a_retrieval_lead_to_their_own_texts(dp: Daypack) -> None:
    result = dp.search(QUESTION)
    assert {dp.get(file.reference).text for file in result.files} == {SEVEN, EIGHT}
    assert all("@" in one["reference"] for one in places_to_dict(result)["results"])
    for item in dp.sources.retrieve(RetrieveRequest(QUESTION)).items:
        assert dp.get(item.reference).text == item.text


def test_a_name_alone_says_which_other_texts_have_it(dp: Daypack) -> None:
    chunk = dp.search(QUESTION).candidates[0].chunk
    name = chunk.reference.partition("@")[0]
    found = dp.get(name)
    [other] = found.others
    assert {found.text, dp.get(other).text} == {SEVEN, EIGHT}
    assert notes_on_found(found) == [f"another text has this name: {other}"]
    assert f"another text has this name: {other}" in paged(found, 1)[0]
    assert dp.get(dp.get(chunk.uri).others[0]).text == dp.get(other).text


def test_a_name_that_one_text_has_stays_short(dp: Daypack) -> None:
    dp.sources.store("research_finding", "The heron waits.", source_key="heron")
    [candidate] = dp.search("who waits, the heron?", limit=1).candidates
    assert "@" not in candidate.chunk.reference
    assert dp.get(candidate.chunk.reference).others == ()


def test_a_text_that_the_viewer_may_not_see_changes_no_reference(tmp_path: Path) -> None:
    def reference(owner: str) -> list[str]:
        with Daypack.open(tmp_path / ".daypack", settings=WORDS, owner=owner) as dp:
            return [found.chunk.reference for found in dp.search("when does the tide turn?").candidates]

    for owner, hour, shared in (("ana", "noon", False), ("ben", "one", False), ("ben", "two", True)):
        with Daypack.open(tmp_path / ".daypack", settings=WORDS, owner=owner) as dp:
            dp.memories.remember("tide", f"The tide turns at {hour}.", shared=shared)
        if not shared:
            assert reference(owner) == ["memory:tide:1-1"]
    assert [one.partition("@")[0] for one in reference("ana")] == ["memory:tide:1-1"] * 2
    assert len({*reference("ana")}) == 2


def test_the_name_of_another_text_has_no_lines_of_the_one_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "tide.md").write_text("# Tide\n\nIt rises.\n\nIt falls.\n")
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path / "tide.md")
        dp.files.add_text("It rests.", name="tide.md")
        found = dp.get("tide.md:5-5")
        [other] = found.others
        assert {found.text, dp.get(other).text} == {"It falls.", "It rests."}
        assert dp.get("tide.md:3").others == dp.get("tide.md").others == (other,)


def test_a_text_without_a_file_does_not_change_with_the_file_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "tide.md").write_text("# Tide\n\nIt rises.\n")
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add_text("It rests.", name="tide.md")
        dp.files.add(tmp_path / "tide.md")
        named = dp.get("tide.md")
        both = [f"tide.md@{named.record_hash}", named.others[0]]
        (tmp_path / "tide.md").write_text("# Tide\n\nIt rises and falls.\n")
        assert {dp.get(one).text.strip(): dp.get(one).state for one in both} == {
            "It rests.": "current",
            "# Tide\n\nIt rises.": "changed",
        }
        (tmp_path / "tide.md").unlink()
        assert {dp.get(one).state for one in both} == {"current", "gone"}


def test_the_nearest_name_of_a_large_folder_is_proposed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(600):
        (notes / f"n{number}.md").write_text(f"Note {number}.\n")
    (notes / "task-report.md").write_text("A report.\n")
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        for wrong, meant in (
            ("notes/n5999.md", r"notes/n599\.md"),
            ("n5999.md", r"notes/n599\.md"),
            ("notes/n5998", r"notes/n59.*"),
            ("notes/task-reprot.md", r"notes/task-report\.md"),
        ):
            with pytest.raises(NotFound, match=rf"did you mean {meant}\?"):
                dp.get(wrong)
