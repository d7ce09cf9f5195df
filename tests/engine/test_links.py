"""A document that a good hit names by its title: the second step of a question that takes two."""

from __future__ import annotations

from pathlib import Path

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
