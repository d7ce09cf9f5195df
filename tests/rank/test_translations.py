"""Copies of a page in other languages are told by their paths."""

from __future__ import annotations

import pytest

from daypack.rank.places import translations
from daypack.text.languages import CODES, Language


@pytest.mark.parametrize(
    ("original", "copy"),
    [
        ("docs/en/cors.md", "docs/de/cors.md"),
        ("docs/cors.md", "docs/de/cors.md"),
        ("cors.md", "de/cors.md"),
        ("README.md", "README.zh-CN.md"),
        ("README.md", "README_KO.md"),
        ("README.en.md", "README.md"),
        ("pages/tar.md", "pages.pt_BR/tar.md"),
        ("guide/index.rst", "guide/index.uk.rst"),
    ],
)
def test_a_question_in_english_holds_back_the_copy_in_another_language(original: str, copy: str) -> None:
    assert translations({1: original, 2: copy}, "") == [2]


def test_a_question_in_another_language_holds_back_all_other_copies() -> None:
    uris = {1: "docs/en/cors.md", 2: "docs/de/cors.md", 3: "docs/fr/cors.md"}
    assert sorted(translations(uris, Language.GERMAN)) == [1, 3]
    uris = {1: "README.md", 2: "README.de.md", 3: "README.fr.md"}
    assert sorted(translations(uris, Language.GERMAN)) == [1, 3]


def test_a_page_without_its_original_is_the_only_one_that_says_it() -> None:
    assert translations({1: "docs/de/cors.md", 2: "docs/en/setup.md", 3: "docs/fr/cors.md"}, "") == []
    assert translations({1: "README.de.md", 2: "README.fr.md"}, "") == []
    assert translations({}, "") == []


@pytest.mark.parametrize(
    "path", ["src/de/cors.py", "docs/js/cors.md", "docs/demo/cors.md", "docs/cors-v2.md"]
)
def test_other_files_are_no_copies(path: str) -> None:
    assert translations({1: "docs/cors.md", 2: path, 3: "src/cors.py", 4: "docs/cors-v.md"}, "") == []


def test_every_language_that_text_tells_has_a_code() -> None:
    assert {*CODES.values()} == {*Language}
