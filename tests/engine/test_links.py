"""A document that a good hit names by its title: the second step of a question that takes two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack, Settings

QUESTION = "where was the architect of the Hollow Ford bridge born?"
BRIDGE = {
    "id": "b",
    "title": "Hollow Ford",
    "text": "The Hollow Ford bridge was drawn by its architect, Ida Marten, and opened in 1911.",
}
ARCHITECT = {
    "id": "a",
    "title": "Ida Marten (builder)",
    "text": "Ida Marten, born in Kolding, went to sea before she drew anything.",
}
OTHERS = [
    {
        "id": f"o{n}",
        "title": f"Bridges of county {n}",
        "text": f"Bridge {n} has an architect who was born nearby, as the plaque says.",
    }
    for n in range(8)
]


def found(folder: Path, records: list[dict[str, str]], *without: str) -> list[str]:
    with Daypack.open(folder, settings=Settings(refresh=False, without=without)) as dp:
        dp.records.add(records)
        return [candidate.chunk.uri for candidate in dp.search(QUESTION, vectors="none").candidates]


def test_what_the_best_hit_names_comes_next(tmp_path: Path) -> None:
    assert found(tmp_path, [BRIDGE, *OTHERS, ARCHITECT])[:2] == ["b", "a"]


def test_without_the_link_it_is_one_of_many(tmp_path: Path) -> None:
    assert found(tmp_path, [BRIDGE, *OTHERS, ARCHITECT], "link")[1] != "a"


@pytest.mark.parametrize("title", ["Ida", "ida marten", "Ida Martens", "Marten, Ida"])
def test_only_the_name_itself_links(tmp_path: Path, title: str) -> None:
    other = {**ARCHITECT, "title": title}
    assert found(tmp_path, [BRIDGE, *OTHERS, other]) == found(tmp_path, [BRIDGE, *OTHERS, other], "link")


def test_namesakes_share_a_link(tmp_path: Path) -> None:
    namesakes = [
        {"id": f"n{n}", "title": "Ida Marten", "text": f"Another one, number {n}, who was born elsewhere."}
        for n in range(3)
    ]
    with Daypack.open(tmp_path, settings=Settings(refresh=False)) as dp:
        dp.records.add([BRIDGE, *OTHERS, ARCHITECT])
        alone = {
            c.chunk.uri: {s.signal: s.share for s in c.contributions}
            for c in dp.search(QUESTION, vectors="none").candidates
        }
        dp.records.add(namesakes)
        shared = {
            c.chunk.uri: {s.signal: s.share for s in c.contributions}
            for c in dp.search(QUESTION, vectors="none", limit=50).candidates
        }
    assert 0 < shared["a"]["link"] < alone["a"]["link"]


CROWD = [
    {"id": f"c{n}", "title": f"Bridge {n}", "text": f"The architect of bridge {n} was born nearby."}
    for n in range(260)
]
"""More than a pool holds, each with more words of the question than the page of the architect."""
NAMELESS = {**ARCHITECT, "text": "She came from Kolding and went to sea before she drew anything."}


def shares(folder: Path, records: list[dict[str, str]], **how: Any) -> dict[str, dict[str, float]]:
    """Signal → share of each result, by its record; best first."""
    with Daypack.open(folder, settings=Settings(refresh=False)) as dp:
        dp.records.add(records)
        result = dp.search(QUESTION, vectors="none", limit=1000, **how)
        for candidate in result.candidates:
            assert sum(s.share for s in candidate.contributions) == pytest.approx(candidate.score, abs=1e-5)
        return {c.chunk.uri: {s.signal: s.share for s in c.contributions} for c in result.candidates}


def test_what_the_subject_names_joins_the_pool(tmp_path: Path) -> None:
    found = shares(tmp_path / "with", [BRIDGE, *CROWD, NAMELESS])
    assert list(found)[:2] == ["b", "a"]
    assert found["a"]["link"] > 0
    without = shares(tmp_path / "without", [BRIDGE, *CROWD, {**NAMELESS, "title": "Her life"}])
    assert "a" not in without
    del found["a"]
    assert found == without  # nothing else changes its score


def test_a_filter_holds_for_what_joins(tmp_path: Path) -> None:
    inside = [{**record, "scope": "north"} for record in (BRIDGE, *CROWD)]
    found = shares(tmp_path, [*inside, {**NAMELESS, "scope": "south"}], scope="north")
    assert "b" in found
    assert "a" not in found


def test_a_page_with_another_title_joins_no_more(tmp_path: Path) -> None:
    assert "a" in shares(tmp_path, [BRIDGE, *CROWD, NAMELESS])
    assert "a" not in shares(tmp_path, [{**NAMELESS, "title": "Her life"}])


def test_of_a_long_page_the_best_part_joins(tmp_path: Path) -> None:
    parts = [f"## Year {n}\n\n" + f"She kept the log of the year {n}. " * 60 for n in range(6)]
    parts[3] += "\n\nHer mother was an architect in Kolding. " * 3
    page = {**NAMELESS, "text": "\n\n".join(parts)}
    with Daypack.open(tmp_path, settings=Settings(refresh=False)) as dp:
        dp.records.add([BRIDGE, *CROWD, page])
        found = [c.chunk for c in dp.search(QUESTION, vectors="none").candidates if c.chunk.uri == "a"]
    assert len(found) == 1
    assert "mother" in found[0].text


def test_a_name_that_the_question_says_needs_no_bridge(tmp_path: Path) -> None:
    with Daypack.open(tmp_path, settings=Settings(refresh=False)) as dp:
        dp.records.add([BRIDGE, *OTHERS, ARCHITECT])
        link = {}
        for question in (QUESTION, "was Ida Marten the architect of the Hollow Ford bridge?"):
            for candidate in dp.search(question, vectors="none").candidates:
                if candidate.chunk.uri == "a":
                    link[question] = next(s.raw for s in candidate.contributions if s.signal == "link")
    first, second = link.values()
    assert first > second > 0


def test_a_question_for_the_subject_alone_has_no_second_step(tmp_path: Path) -> None:
    with Daypack.open(tmp_path, settings=Settings(refresh=False)) as dp:
        dp.records.add([BRIDGE, *CROWD, NAMELESS])
        found = dp.search("Hollow Ford?", vectors="none", limit=1000).candidates
        assert "a" not in [candidate.chunk.uri for candidate in found]


RIVAL = "Who is older, the keeper of Quiet Harbour or the pilot of Airway?"
KEEPERS = [
    {"id": f"k{n}", "title": f"Keeper {n}", "text": f"Keeper {n} is older than the pilot of harbour {n}."}
    for n in range(40)
]
HARBOUR = {"id": "h", "title": "Quiet Harbour (novel)", "text": "A book about winter, in print since 1950."}
AIRWAY = {"id": "w", "title": "Airway", "text": "A play in three acts, on a stage since 1960."}


def linked(folder: Path, question: str, records: list[dict[str, str]]) -> dict[str, float]:
    """Link of each result that has one, best first."""
    with Daypack.open(folder, settings=Settings(refresh=False)) as dp:
        dp.records.add(records)
        found = dp.search(question, vectors="none", limit=1000).candidates
        return {c.chunk.uri: s.raw for c in found for s in c.contributions if s.signal == "link" and s.raw}


def test_documents_whose_titles_the_question_says_come_first(tmp_path: Path) -> None:
    with Daypack.open(tmp_path, settings=Settings(refresh=False)) as dp:
        dp.records.add([*KEEPERS, HARBOUR, AIRWAY])
        found = [c.chunk.uri for c in dp.search(RIVAL, vectors="none").candidates]
        plain = dp.search("who is older, keeper or pilot?", vectors="none").candidates
    assert {*found[:2]} == {"h", "w"}
    assert not {"h", "w"} & {c.chunk.uri for c in plain[:2]}


@pytest.mark.parametrize(
    "question, expected",
    [
        ("who wrote Quiet Harbour?", {"h"}),
        ("Quiet Harbour by whom?", {"h"}),
        ("who wrote QUIET HARBOUR?", {"h"}),
        ("who keeps a quiet harbour?", set()),  # words, and no name
        ("Quiet harbour by whom?", set()),
        ("who wrote airway?", set()),  # one word without a capital is a word
        ("Airway by whom?", set()),  # the first word always has one
        ("who wrote Airway?", {"w"}),
        ("who wrote Airways?", set()),
        ("who wrote Quiet Harbours?", set()),
        ("who kept a quiet, small harbour?", set()),
    ],
)
def test_a_title_is_said_as_a_whole(tmp_path: Path, question: str, expected: set[str]) -> None:
    assert {*linked(tmp_path, question, [*KEEPERS, HARBOUR, AIRWAY])} == expected


def test_a_title_inside_a_longer_one_is_not_meant(tmp_path: Path) -> None:
    inner = {"id": "i", "title": "Quiet", "text": "A play without words."}
    question = "who wrote Quiet Harbour?"
    assert {*linked(tmp_path / "both", question, [*KEEPERS, HARBOUR, inner])} == {"h"}
    assert {*linked(tmp_path / "one", question, [*KEEPERS, inner])} == {"i"}


def test_a_title_that_most_texts_say_is_no_name(tmp_path: Path) -> None:
    ships = [{"id": f"s{n}", "title": f"Ship {n}", "text": f"Ship {n} is of Airway."} for n in range(40)]
    assert not linked(tmp_path, "what is Airway?", [*ships, AIRWAY])
