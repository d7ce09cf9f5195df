"""Names in a text: the spans that may be the title of another document."""

from __future__ import annotations

import pytest

from daypack.rank.links import names_in, title_name


@pytest.mark.parametrize(
    "text, name",
    [
        ("The ferry was drawn by Ida Marten in 1911.", "Ida Marten"),
        ("a pupil of Ole B. Rask, later", "Ole B. Rask"),
        ("with Marten's brother", "Marten"),
        ("kept in the Museum of the North Sea today", "Museum of the North Sea"),
        ("seen in the Louvre-Lens annex", "Louvre-Lens"),
        ("she painted Élodie Őry", "Élodie Őry"),
        ("after the 1972 Winter Games", "1972 Winter Games"),
        ("see `Queue limits of ferries` for more", "Queue limits of ferries"),
        ('as "How to moor a ferry" says', "How to moor a ferry"),
        ("read [A guide to mooring](moor.md)", "A guide to mooring"),
    ],
)
def test_a_name_is_a_capitalised_run_or_quoted(text: str, name: str) -> None:
    assert name in names_in(text)


def test_a_run_gives_its_parts_in_order_and_once() -> None:
    names = names_in("Captain Ida Marten met Ida Marten")
    assert names.index("Captain Ida Marten") < names.index("Ida Marten") < names.index("Marten")
    assert len(names) == len(set(names))


@pytest.mark.parametrize("text", ["no name at all", "in 1911 and 1912", "Ida", ""])
def test_plain_words_numbers_and_short_words_are_no_names(text: str) -> None:
    assert names_in(text) == []


@pytest.mark.parametrize(
    "title, name",
    [("Mercury (planet)", "Mercury"), ("Ida Marten", "Ida Marten"), ("ida marten", ""), ("Ida", "")],
)
def test_a_title_is_named_without_its_aside(title: str, name: str) -> None:
    assert title_name(title) == name
