"""Front matter tells something, or is an empty form."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.text.prose.front_matter import tells
from support import WORDS, project


@pytest.mark.parametrize(
    "keys",
    [
        "title: Limits\nlayout: page",
        "author:\nrating:\nfinished:\ntags:\n  - book",
        "author: {{author}}\npages: ''\ntype: []\ncreated: <% tp.date.now() %>\ntags: [book]",
    ],
)
def test_titles_settings_and_forms_tell_nothing(keys: str) -> None:
    assert not tells(f"---\n{keys}\n---\n")
    assert not tells(f"---\n{keys}\n---\n".replace("\n", "\r\n"))


@pytest.mark.parametrize(
    "keys",
    [
        "title: Limits\nowner: harbour",
        "author: Leif Dahl\nrating: 8\nfinished:\nseries: ''\ntags:\n  - book",
        "description: How to set limits\ncategories: []\nkeywords: []\ntitle: Limits",
        "people:\n- Ida\nplace:\n  city: Graz",
        "finished:\ntags: [book]",
    ],
)
def test_values_tell_something(keys: str) -> None:
    assert tells(f"---\n{keys}\n---\n")


def test_notes_are_found_before_the_template_that_they_were_made_from(tmp_path: Path) -> None:
    form = "---\nauthor:{}\nrating:{}\nfinished:\ntags:\n  - book\n---\n\n# {}\n\n{}\n"
    project(
        tmp_path,
        {
            "Templates/Book.md": form.format("", "", "{{title}}", "## Quotes"),
            "Books/Goal.md": form.format(
                " Eli Gold", " 8", "Goal", "An hour lost at the bottleneck is lost."
            ),
            "Books/Sail.md": form.format(
                " Ida Holm", " 6", "Sail", "A crossing of the North Sea, and its log."
            ),
            "Habits.md": "# Habits\n\nStretch, read a book, and no screens after ten in the evening.\n",
            "Journal.md": "# Journal\n\nBought books for the trip; the rating of the guide was too kind.\n",
        },
    )
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path)
        found = dp.search("author and rating of my books").files
        assert {file.uri for file in found[:2]} == {"Books/Sail.md", "Books/Goal.md"}
