"""Text → terms: what is one word to a reader is one term to the index, and any text has terms."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.query import parse_query
from daypack.text import analysis
from support import EPOCH, WORDS

COMPOSED = [
    character
    for character in map(chr, range(0x80, sys.maxunicode + 1))
    if not "\uac01" <= character <= "\udfff" and not unicodedata.is_normalized("NFD", character)
]
"""Every character with two spellings; of the Hangul syllables, which are made by rule, the first."""


# ---------------------------------------------------------------- identifiers


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("getUserId", ["getuserid", "get", "user", "id"]),
        ("get_user_id", ["getuserid", "get", "user", "id"]),
        ("GetUserID", ["getuserid", "get", "user", "id"]),
        ("GET_USER_ID", ["getuserid", "get", "user", "id"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("parseHTTPResponse", ["parsehttpresponse", "pars", "http", "respons"]),
        ("sha256", ["sha256", "sha", "256"]),
        ("__init__", ["init"]),
        ("retries", ["retri"]),
        ("x1", ["x1", "1"]),  # a single letter says nothing by itself
        ("ALLCAPS", ["allcap"]),
        ("_", []),
        ("42", ["42"]),
    ],
)
def test_a_word_becomes_these_terms(word: str, terms: list[str]) -> None:
    assert analysis.terms(word) == terms


@pytest.mark.parametrize("text", [r"M\u00fcller", "M&#252;ller", "M&#xFC;ller", r"M\u00FCller"])
def test_a_letter_written_by_its_number_is_that_letter(text: str) -> None:
    assert analysis.terms(text) == analysis.terms("Müller")


def test_letters_by_two_numbers_and_others_of_the_same_row_are_read_together() -> None:
    assert analysis.terms(r"\u0410\u043d\u043d\u0430") == analysis.terms("Анна")
    assert analysis.terms(r"\ud840\udc00") == analysis.terms("\U00020000")


def test_marks_between_letters_are_read_with_them() -> None:
    assert analysis.terms(r"\u4f60\u597d\uff0c\u4e16\u754c\u3002") == analysis.terms("你好，世界。")
    assert analysis.terms(r"\u201e\u00dcber") == analysis.terms("„Über")
    assert analysis.terms(r"\u0928\u092e\u0938\u094d\u0924\u0947") == analysis.terms("नमस्ते")


@pytest.mark.parametrize(
    ("tex", "word"),
    [
        (r"M{\"u}ller", "Müller"),
        (r"M\"{u}ller", "Müller"),
        (r"M\"uller", "Müller"),
        (r"Krak{\'o}w", "Kraków"),
        (r"{\v S}koda", "Škoda"),
        (r"\c{c}a", "ça"),
        (r"na{\"\i}ve", "naïve"),
        (r"{\L}{\'o}d{\'z}", "Łódź"),
        (r"Stra{\ss}e", "Straße"),
    ],
)
def test_a_letter_with_its_accent_in_latex_is_that_letter(tex: str, word: str) -> None:
    assert analysis.terms(tex) == analysis.terms(word)


def test_an_escaped_quotation_mark_is_no_accent() -> None:
    assert analysis.terms(r'"\n\"use strict\"": \"abc\"') == analysis.terms("n use strict abc")
    assert analysis.terms(r"l\'utile") == ["l", "util"]


def test_a_number_of_no_letter_stays_as_it_is_written() -> None:
    assert analysis.terms(r"a\u000ab") == ["a", "u000ab", "000", "ab"]
    assert "ud83d" in analysis.terms(r"\ud83d\ude00")


def test_the_spellings_of_one_identifier_are_the_same_terms() -> None:
    spellings = ["getUserId", "get_user_id", "GetUserID", "GET_USER_ID", "_getUserId", "get__user_id"]
    assert {tuple(analysis.terms(spelling)) for spelling in spellings} == {("getuserid", "get", "user", "id")}


def test_the_parts_of_an_identifier_are_found_by_plain_words() -> None:
    assert set(analysis.terms("how are user ids got?")) >= {"user", "id"}
    assert set(analysis.terms("retried refunds")) <= set(analysis.terms("refundRetry"))


def test_a_qualified_name_is_its_names() -> None:
    assert analysis.terms("Retry.run(self)") == ["retri", "run", "self"]
    assert analysis.terms("std::mem::size_of") == ["std", "mem", "sizeof", "size", "of"]


@pytest.mark.parametrize(
    "word",
    [
        "snake_case",
        "camelCase",
        "dotted.name",
        "call()",
        "CONSTANT_NAME",
        "a::b",
        "a->b",
        "HTTPServer",
        "$scope",
    ],
)
def test_what_is_written_as_code_is_is_an_identifier(word: str) -> None:
    assert analysis.is_identifier(word)


@pytest.mark.parametrize("word", ["word", "Word", "WORD", "two words", "", "9lives", "e-mail", "_", "日本"])
def test_what_is_written_as_words_are_is_no_identifier(word: str) -> None:
    assert not analysis.is_identifier(word)


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    "forms",
    [
        ["retry", "retries", "retried", "retrying", "Retry", "RETRIES"],
        ["connect", "connected", "connection", "connections"],
        ["café", "cafe", "CAFÉ", "Cafe\u0301", "ＣＡＦＥ"],
        ["naïve", "naive", "NAÏVE"],
        ["straße", "strasse", "STRASSE", "STRAẞE", "Straße"],
        ["ﬁle", "file", "FILES"],
        ["Ångström", "angstrom"],
        ["œuvre", "oeuvre", "Œuvre", "ŒUVRE"],
        ["Łódź", "łódź", "lodz", "LODZ"],
        ["smørrebrød", "Smorrebrod"],
        ["Æther", "aether", "ÆTHER"],
        ["ışık", "ISIK", "Isik"],
        ["٣٥٠٠", "3500", "३५००"],
        ["माँ", "मां"],
        ["ज़मीन", "जमीन"],
        ["שָׁלוֹם", "שלום"],
        ["بَيْت", "بيت", "بـيت"],
    ],
)
def test_the_forms_of_a_word_are_one_term(forms: list[str]) -> None:
    assert len({tuple(analysis.terms(form)) for form in forms}) == 1
    assert len(analysis.terms(forms[0])) == 1


@pytest.mark.parametrize(("one", "other"), [("мир", "мор"), ("ὁδός", "ὄνος"), ("हिन्दी", "हिन्द")])
def test_words_of_other_scripts_are_whole_terms(one: str, other: str) -> None:
    assert len(analysis.terms(one)) == len(analysis.terms(other)) == 1
    assert analysis.terms(one) != analysis.terms(other)


def test_case_is_folded_beyond_latin() -> None:
    assert analysis.terms("ПРИВЕТ ΟΔΟΣ") == analysis.terms("привет οδος")


def test_terms_come_in_order_and_repeat() -> None:
    assert analysis.terms("tea, then coffee; tea!") == ["tea", "then", "coffe", "tea"]


def test_stop_words_are_left_out_unless_nothing_else_is_left() -> None:
    assert analysis.content_terms(analysis.terms("why is the retry so slow")) == ["retri", "slow"]
    assert analysis.content_terms(analysis.terms("to be or not to be")) == [
        "to",
        "be",
        "or",
        "not",
        "to",
        "be",
    ]


# ---------------------------------------------------------------- writing without spaces


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("日本語", ["日", "本", "語", "日本", "本語"]),
        ("請求書を再送", ["請", "求", "書", "を", "再", "送", "請求", "求書", "書を", "を再", "再送"]),
        ("한국", ["한", "국", "한국"]),
        ("ไทย", ["ไ", "ท", "ย", "ไท", "ทย"]),
        ("語", ["語"]),
        ("API接続2回", ["api", "接", "続", "接続", "2", "回"]),
    ],
)
def test_unspaced_writing_becomes_characters_and_pairs(text: str, terms: list[str]) -> None:
    assert analysis.terms(text) == terms


@pytest.mark.parametrize(
    "text", ["useStateを使う", "useState를 쓴다", "调用useState函数", "use_stateの値", "ｕｓｅＳｔａｔｅとは"]
)
def test_a_name_beside_writing_without_spaces_has_the_terms_of_the_name(text: str) -> None:
    assert set(analysis.terms("useState")) <= set(analysis.terms(text))


@given(st.text(st.sampled_from("日本語請求書再送한국ไทยかな"), min_size=2, max_size=20), st.data())
def test_any_piece_of_unspaced_writing_is_found_in_the_whole(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    end = data.draw(st.integers(start + 2, len(text)))
    assert set(analysis.terms(text[start:end])) <= set(analysis.terms(text))


# ---------------------------------------------------------------- one text, two spellings


def test_composed_and_decomposed_characters_are_the_same_terms() -> None:
    """A file name of macOS is decomposed, what is typed is composed: プ against フ and its mark."""
    differing = [
        character
        for character in COMPOSED
        if analysis.terms(f"a{unicodedata.normalize('NFC', character)}b")
        != analysis.terms(f"a{unicodedata.normalize('NFD', character)}b")
    ]
    assert differing == []


@given(
    st.text(
        st.one_of(
            st.sampled_from(COMPOSED), st.characters(exclude_categories=["Cs"]), st.sampled_from("aB_1 .")
        ),
        max_size=80,
    )
)
@example("é" * 200)
@example("プログラム e\u0301té")
def test_the_spelling_of_a_text_does_not_matter(text: str) -> None:
    assert analysis.terms(unicodedata.normalize("NFC", text)) == analysis.terms(
        unicodedata.normalize("NFD", text)
    )


# ---------------------------------------------------------------- any text


@settings(max_examples=300)
@given(st.text(max_size=300))
@example("ﷺ" * 100)
@example("İ" * 100)
@example("a_" * 100)
@example("\ud800 lone")
@example("x" * 10_000)
@example("aA" * 32)
def test_any_text_gives_terms_of_bounded_length(text: str) -> None:
    terms = analysis.terms(text)
    assert all(0 < len(term) <= analysis.LONGEST_TERM for term in terms)
    assert len(terms) <= 2 * len(unicodedata.normalize("NFKD", text))
    assert analysis.terms(text) == terms  # remembered words are those that were read


def test_a_long_run_is_its_beginning() -> None:
    data = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 4
    assert analysis.terms(data) == [data[:64].lower()]
    assert analysis.terms("é" * 100) == ["e" * 64]
    assert analysis.terms("я" * 100) == ["я" * 64]


def test_a_text_without_words_has_no_terms() -> None:
    assert analysis.terms("") == analysis.terms(" \n\t… — !? 👩‍👩‍👧 ___") == []


# ---------------------------------------------------------------- index and query agree


PHRASES = [
    "getUserId",
    "HTTPServer.listen()",
    "日本語の請求書",
    "Ångström",
    "retries",
    "snake_case_name",
    "naïve café",
    "ไทย",
    "x1",
    "Привет",
    "プログラム",
]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("phrase", PHRASES)
def test_what_stands_in_a_text_is_found_by_asking_for_it(tmp_path: Path, phrase: str, form: str) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS) as daypack:
        daypack.records.add(
            [
                {"id": "it", "text": f"Here is {unicodedata.normalize(form, phrase)} now."},
                {"id": "other", "text": "Tea."},
            ]
        )
        found = daypack.search(phrase, vectors="none")
    assert [candidate.chunk.uri for candidate in found.candidates] == ["it"]
    assert not found.stats.corrections


@given(st.text(max_size=120))
def test_the_terms_of_a_query_are_terms_of_the_same_text(text: str) -> None:
    assert parse_query(text, now=EPOCH).terms.keys() <= set(analysis.terms(text))


@given(st.text(st.one_of(st.characters(), st.sampled_from("aB_1 .é请\n")), max_size=80))
def test_a_blanked_text_has_the_words_of_the_text_where_they_stood(text: str) -> None:
    blanked = analysis.blanked(text)
    assert blanked.split() == analysis.words(text)
    assert all(at in (" ", letter) for at, letter in zip(blanked, text, strict=True))
