"""A word that the store does not have, and the word that was meant."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.rank.fuzzy import Vocabulary
from daypack.rank.fuzzy import nearest_term as _nearest_term


def nearest_term(term: str, words: Sequence[str]) -> str | None:
    return _nearest_term(term, Vocabulary(words))


VOCABULARY = sorted(
    [
        "retri",
        "refund",
        "budget",
        "receiv",
        "idempot",
        "idempotencykey",
        "ledger",
        "worker",
        "kettl",
        "sha256",
        "日本",
        "größe",
    ]
)


@pytest.mark.parametrize(
    ("typo", "meant"),
    [
        ("refnd", "refund"),  # a letter forgotten
        ("refuund", "refund"),  # one too many
        ("refumd", "refund"),  # another one
        ("rfeund", "refund"),  # two swapped are one edit
        ("bdget", "budget"),
        ("idempotencykye", "idempotencykey"),
        ("idmpotencykeyy", "idempotencykey"),  # two edits, in a long word
    ],
)
def test_a_typo_is_repaired(typo: str, meant: str) -> None:
    assert nearest_term(typo, VOCABULARY) == meant


@pytest.mark.parametrize(
    ("word", "other"), [("umbenannt", "unbekannt"), ("betreten", "betrieben"), ("besitzen", "beritten")]
)
def test_where_no_list_knows_common_words_two_edits_make_another_word(word: str, other: str) -> None:
    assert _nearest_term(word, Vocabulary([other])) == other
    assert _nearest_term(word, Vocabulary([other]), listed=False) is None


def test_where_no_list_knows_common_words_another_form_is_found() -> None:
    assert _nearest_term("akzeptiert", Vocabulary(["akzeptieren"]), listed=False) == "akzeptieren"
    assert _nearest_term("schluessl", Vocabulary(["schluessel"]), listed=False) == "schluessel"


@pytest.mark.parametrize(
    ("word", "other"), [("uncaught", "caught"), ("invalidated", "validated"), ("connected", "reconnected")]
)
def test_the_word_without_its_prefix_is_another_word(word: str, other: str) -> None:
    assert nearest_term(word, [other]) is None
    assert nearest_term(word[1:], [word]) == word, "a first letter is soon forgotten"


@pytest.mark.parametrize(
    "word",
    [
        "rfnd",  # two edits from a short word
        "key",  # too short to be anything for certain
        "sha255",  # numbers are not spelled wrong
        "zzzzzz",
        "",
        "日木",
    ],
)
def test_what_is_near_to_nothing_stays_as_it_is(word: str) -> None:
    assert nearest_term(word, VOCABULARY) is None


def test_of_equally_near_words_the_one_with_the_same_first_letter_is_taken_then_the_first_by_name() -> None:
    assert nearest_term("fetter", ["better", "fetler", "letter"]) == "fetler"
    assert nearest_term("setter", ["better", "letter"]) == "better"
    assert nearest_term("fetter", ["letter", "better"]) == "better"


def test_a_nearer_word_wins_over_one_that_begins_alike() -> None:
    assert nearest_term("xorkspace", ["workspace", "xorkstance"]) == "workspace"


def test_an_empty_vocabulary_has_no_words() -> None:
    assert nearest_term("refund", []) is None


words = st.text("abcde", min_size=1, max_size=10)


@given(words, st.lists(words, max_size=60, unique=True))
def test_a_repair_is_the_nearest_known_word_and_begins_alike_where_it_can(
    word: str, vocabulary: list[str]
) -> None:
    allowed = 0 if len(word) < 5 else 2 if len(word) >= 8 else 1
    alike = [known for known in vocabulary if allowed and (len(word) >= 6 or known[0] == word[0])]
    near = [
        (edits(word, known), word[0] != known[0], known) for known in alike if edits(word, known) <= allowed
    ]
    assert nearest_term(word, vocabulary) == (min(near)[2] if near else None)


def test_many_near_words_do_not_hide_the_one_that_begins_alike() -> None:
    assert (
        nearest_term("zretter", [*(f"{letter}retter" for letter in "abcdefghijklm"), "zretted"]) == "zretted"
    )


def test_no_letter_of_another_script_hides_a_near_word() -> None:
    assert nearest_term("größen", ["größe", "grösse"]) == "größe"
    assert nearest_term("\U0001043dabcde", ["\U0001043cabcde"]) == "\U0001043cabcde"


def edits(one: str, other: str) -> int:
    """Optimal string alignment: insert, delete, replace, or swap two neighbours, each letter at most once."""
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            if not i or not j:
                rows[i][j] = i + j
                continue
            rows[i][j] = min(
                rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


def test_of_words_as_near_as_each_other_the_most_frequent_is_meant() -> None:
    frequencies = {"hand": 3, "handl": 200, "hanlo": 0}
    vocabulary = Vocabulary([*frequencies])
    assert _nearest_term("hanld", vocabulary, frequencies.__getitem__) == "handl"
    assert _nearest_term("hanld", vocabulary, {**frequencies, "handl": 0}.__getitem__) == "hand"
    assert _nearest_term("hanld", vocabulary, lambda _: 0) is None
