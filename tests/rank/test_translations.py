"""Copies of a page in other languages are told by their paths."""

from __future__ import annotations

import pytest

from daypack.rank.texts.translations import translations
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


@pytest.mark.parametrize(
    ("original", "copies"),
    [
        ("web/locales/en.json", ["web/locales/sk.json", "web/locales/zh-Hant.json", "web/locales/ckb.json"]),
        ("web/locales/en.json", ["web/locales/en-GB.json", "web/locales/es-419.json"]),
        ("intl/en-US.json", ["intl/en-GB.json", "intl/ca-valencia.json"]),
        ("i18n/messages.properties", ["i18n/messages_de.properties", "i18n/messages_pt.properties"]),
        ("res/values/strings.xml", ["res/values-fr/strings.xml", "res/values-pt-rBR/strings.xml"]),
        ("locale/en/LC_MESSAGES/shop.po", ["locale/de_AT/LC_MESSAGES/shop.po"]),
        ("resources/lang/en/auth.php", ["resources/lang/es/auth.php"]),
        ("en.lproj/Main.strings", ["de.lproj/Main.strings"]),
    ],
)
def test_one_catalogue_of_texts_stands_for_those_in_other_languages(original: str, copies: list[str]) -> None:
    uris = dict(enumerate([original, *copies, "src/shop.py"]))
    assert translations(uris, "") == [*range(1, len(copies) + 1)]


def test_a_question_in_german_reads_the_german_catalogue() -> None:
    uris = {1: "locales/en.json", 2: "locales/de.json", 3: "locales/fr.json"}
    assert sorted(translations(uris, Language.GERMAN)) == [1, 3]


def test_the_catalogue_without_a_mark_counts_beside_one_in_the_wanted_language() -> None:
    uris = {1: "messages.properties", 2: "messages_en.properties", 3: "messages_de.properties"}
    assert sorted(translations(uris, "")) == [3]


def test_files_that_a_language_may_be_the_name_of_are_no_catalogues() -> None:
    assert translations(dict(enumerate(["tsconfig.json", "tsconfig.es.json"])), "") == []
    assert translations(dict(enumerate(["src/en/shop.ts", "src/de/shop.ts"])), "") == []
    assert translations(dict(enumerate(["values/themes.xml", "values-night/themes.xml"])), "") == []


def test_every_language_that_text_tells_has_a_code() -> None:
    assert {*CODES.values()} == {*Language}
